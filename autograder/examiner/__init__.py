"""The trusted side of grading one submission: runs the graded cells, and gets only data from the student's process.

The entry point is `grade_submission`, a pure function of the file. May import: course, exam_types, sandbox, exams.
"""
