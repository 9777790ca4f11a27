"""A whole class: batches, the pool of workers, what made each grade, dry runs, and one notebook without a class.

May import: gradebook, examiner and what is below them.
"""
