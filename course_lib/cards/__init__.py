"""What the visible checks know of each exercise, as data without code: cards, the index of exercises, shapes, outcomes.

`course build` makes the JSON. May import: nothing else of course_lib.
"""
