"""Results as tables and progress on a terminal. May import: grading, gradebook and what is below them."""
