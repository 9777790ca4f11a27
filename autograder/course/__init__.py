"""The course as files: units, the build of notebooks, cells, submitted notebooks, hints, the students' library.

No torch and no class directory here. May import: errors, atomic_files, duration, and course_lib.cards.
"""
