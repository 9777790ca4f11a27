"""What runs in the student's process, inside the sandbox: it is mounted there alone, so it imports nothing from beside it."""
