"""Canaries: a secret word in every hidden test of a class, which no file for students may contain."""

import hashlib
import hmac

from nbformat import NotebookNode

from autograder.errors import CourseError

HIDDEN = "### BEGIN HIDDEN TESTS"


def canary_of(secret: bytes) -> str:
    """The word of the class: an HMAC, so that nobody without the secret can guess it."""
    return f"canary-{hmac.new(secret, b'canary', hashlib.sha256).hexdigest()[:24]}"


def plant(notebook: NotebookNode, canary: str) -> NotebookNode:
    """Insert the word into every region of hidden tests."""
    for cell in notebook.cells:
        cell.source = cell.source.replace(HIDDEN, f"{HIDDEN}\n# {canary}")
    return notebook


def require_no_canary(name: str, text: str, canary: str) -> None:
    """Raise a CourseError if hidden tests are about to be written where students can read them."""
    if canary in text:
        raise CourseError(f"{name} would show hidden tests to students, so it was not written")
