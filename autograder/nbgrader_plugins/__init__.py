"""What nbgrader loads in a class directory: its configuration, autograde steps, the exchange, safe HTML.

May import: grading, gradebook and what is below them.
"""
