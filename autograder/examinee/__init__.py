"""What runs in the student's process, inside the sandbox, where nothing else of the autograder exists."""
