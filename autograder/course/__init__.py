"""The course as files: units, notebooks and their cells, submitted notebooks, syntax trees, hints, the student edition.

No torch and no class directory here. May import: errors, atomic_files, duration, and course_lib.cards.
"""
