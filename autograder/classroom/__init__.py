"""A class directory: its settings, lock, roster file, due dates, release to students, and collecting what they send.

May import: course.
"""
