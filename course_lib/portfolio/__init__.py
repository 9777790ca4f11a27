"""What a student keeps from the course: a summary sheet, and a model made of their own parts.

May import: everything in course_lib.
"""
