"""What nbgrader loads in a class directory: its configuration, our steps of autograding, the exchange, safe HTML.

May import: grading, gradebook and what is below them.
"""
