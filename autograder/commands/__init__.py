"""The commands of `course`, by who uses them. They import what they need when they run, so that help answers at once."""

# ruff: noqa: F401, I001, each module adds its commands, in the order in which help shows them
from autograder.commands import trying, students, classes, grading, authors
from autograder.commands.app import app, settings

__all__ = ["app", "settings"]
