"""The trusted side of grading one submission: it runs the graded cells, and sees only values of a student's process.

`grade_submission` is the way in, a pure function of the file. May import: course, exam_types, sandbox, exams.
"""
