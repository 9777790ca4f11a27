"""The trusted side of grading: it runs the graded cells, and sees of a submission only values."""
