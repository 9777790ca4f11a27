"""Test the exams themselves: on known wrong and right answers, and on mutants of the reference."""
