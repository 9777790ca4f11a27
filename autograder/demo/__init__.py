"""The demonstration: a class of invented submissions, and a tour of what can be done with it.

May import: everything but cli.
"""
