"""`course demo`: a class of invented submissions, and a tour of grading and reports on it.

May import: everything but cli.
"""
