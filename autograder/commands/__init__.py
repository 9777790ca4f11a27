"""The commands of `course`, by who uses them; each imports what it needs when it runs, so that help answers at once."""

# ruff: noqa: F401, I001, each module adds its commands, in the order in which help shows them
from autograder.commands import trying, students, preparing, grading, giving, now_and_then, authors
from autograder.commands.app import app, settings

__all__ = ["app", "settings"]
