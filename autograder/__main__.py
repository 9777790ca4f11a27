"""`python -m autograder` is the `course` command, where its folder is not on the path."""

from autograder.cli.main import main

main()
