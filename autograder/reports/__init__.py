"""Pages for people: feedback for each student, a report on the class. Nothing in them can run.

May import: gradebook and what is below it.
"""
