"""What a grade leaves behind: nbgrader's tables, the record of each grade with its history, scores and exports.

May import: classroom and what is below it.
"""
