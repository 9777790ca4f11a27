"""The grader graded: every exam against its known wrong and right answers, and against mutants of its reference."""
