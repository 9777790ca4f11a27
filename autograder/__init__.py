"""What instructors run: exams, the build, class directories and the `course` command."""
