"""For authors: build notebooks and cards, check coverage of the syllabus, and audit the exams.

May import: course, exam_types, exams, examiner.
"""
