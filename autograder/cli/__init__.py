"""The commands of `course`, one module per audience; imports are inside the functions, which keeps --help fast.

May import: everything.
"""

# ruff: noqa: F401, I001, importing a module registers its commands, and help shows them in this order
from autograder.cli import setup, students, class_setup, grade, publish, history_and_workers, authors
from autograder.cli.app import app, settings

__all__ = ["app", "settings"]
