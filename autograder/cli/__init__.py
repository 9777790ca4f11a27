"""The commands of `course`, by who uses them; each imports what it needs when it runs, so that help answers at once.

May import: everything.
"""

# ruff: noqa: F401, I001, each module adds its commands, in the order in which help shows them
from autograder.cli import setup, students, class_setup, grade, publish, history_and_workers, authors
from autograder.cli.app import app, settings

__all__ = ["app", "settings"]
