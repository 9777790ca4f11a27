"""Block diagrams: operations in boxes, tensors on arrows, and the shapes that a student has given them."""
