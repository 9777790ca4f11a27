"""For authors: build the notebooks and cards, check the syllabus, and audit the exams (`audit`).

May import: course, exam_types, exams, examiner.
"""
