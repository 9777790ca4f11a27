"""Mend the JSON of a notebook as far as its cells can be read: what grading does not need may be missing or damaged."""

import re
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import nbformat

from autograder.course.without_outputs import LEFT_OUT

FORMAT, WITHOUT_IDS, WITH_IDS = 4, 4, 5  # nbformat 4.5 brought cell ids; earlier ones refuse them
VALID_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
KINDS = ("code", "markdown", "raw")
# what the schema says something of; all else in metadata may be anything
CONSTRAINED = {"collapsed", "scrolled", "name", "tags", "jupyter", "execution", "format"}
CONSTRAINED_ABOVE = {"kernelspec", "language_info", "orig_nbformat", "title", "authors"}
KEYS = {"cell_type", "id", "metadata", "source", "attachments", "outputs", "execution_count"}

OUTPUTS = "its outputs made the file too large and have been left out: grading runs every cell anew"
DAMAGED = "parts of the file that grading does not need were missing or damaged and have been left out"
IDS = "cells whose ids were used twice or not valid have been given others"
CELLS = "cells that were damaged have been mended as far as they could be read"


class Unreadable(Exception):
    """What keeps the cells from being read."""


def mend(content: dict[str, Any]) -> list[str]:
    """Make a valid notebook of parsed JSON, in place; a sentence for each kind of repair.

    Of what is complete and valid nothing changes but the outputs, which every cell loses.
    """
    found, told = content.get("cells"), set[str]()
    if not isinstance(found, list):
        raise Unreadable("it has no list of cells")
    cells = [cell for cell in found if isinstance(cell, dict)]
    if found and not cells:
        raise Unreadable("it has a list of cells, but no cell in it")
    if len(cells) < len(found):
        told.add(CELLS)
    for cell in cells:
        told |= {OUTPUTS} if cell.get("outputs") == [LEFT_OUT] else set()
        told |= {CELLS} if _mend_source(cell) else set()
        told |= {DAMAGED} if _mend_metadata(cell) else set()
        _leave_what_a_run_left(cell)
    minor = content.get("nbformat_minor")
    has_ids = not isinstance(minor, int) or minor >= WITH_IDS
    if _mend_metadata(content, needed=True) or content.get("nbformat") != FORMAT or type(minor) is not int:
        told.add(DAMAGED)
    if _mend_ids(cells) and has_ids:
        told.add(IDS)  # before, a cell had no id, and what some programs call so may be anything
    content |= {"cells": cells, "nbformat": FORMAT}
    content["nbformat_minor"] = WITH_IDS if any("id" in cell for cell in cells) else WITHOUT_IDS
    if not _is_valid(content):
        _leave_out_what_may_be_damaged(content)
        told.add(DAMAGED)
    return [sentence for sentence in (OUTPUTS, CELLS, IDS, DAMAGED) if sentence in told]


def _mend_metadata(owner: dict[str, Any], needed: bool = False) -> bool:
    """Metadata are a table; whether they were not. Some programs leave those of a cell out where there are none."""
    damaged = not isinstance(owner.get("metadata", None if needed else {}), dict)
    owner["metadata"] = {} if damaged else owner.get("metadata", {})
    return damaged


def _mend_source(cell: dict[str, Any]) -> bool:
    """Give the cell a type and a source; whether that was a repair."""
    kind, source, mended = cell.get("cell_type"), cell.get("source"), False
    if kind not in KINDS:
        cell["cell_type"], mended = "code" if {"outputs", "execution_count"} & cell.keys() else "raw", True
    if isinstance(source, list) and not all(isinstance(line, str) for line in source):
        cell["source"], mended = [line for line in source if isinstance(line, str)], True
    elif not isinstance(source, str | list):
        cell["source"], mended = "", True
    return mended


def _leave_what_a_run_left(cell: dict[str, Any]) -> None:
    if cell["cell_type"] == "code":
        cell |= {"outputs": [], "execution_count": None}
        cell.pop("attachments", None)
    else:
        cell.pop("outputs", None)
        cell.pop("execution_count", None)


def _mend_ids(cells: list[dict[str, Any]]) -> bool:
    """Every cell has a valid id of its own, or none has one; whether any had to be replaced."""
    if not any("id" in cell for cell in cells):
        return False
    used: set[str] = set()
    waiting = []
    for cell in cells:
        name = cell.get("id")
        if isinstance(name, str) and VALID_ID.fullmatch(name) and name not in used:
            used.add(name)
        else:
            waiting.append(cell)
    fresh: Iterator[str] = (name for name in map("found-{}".format, count()) if name not in used)
    replaced = any("id" in cell for cell in waiting)
    for cell in waiting:
        cell["id"] = next(fresh)
    return replaced


def _is_valid(content: dict[str, Any]) -> bool:
    try:
        nbformat.validate(nbformat.from_dict(content))
    except Exception:  # of any kind: the validator looks into what it refuses
        return False
    return True


def _leave_out_what_may_be_damaged(content: dict[str, Any]) -> None:
    """Afterwards the notebook is valid: the schema says nothing of what is left but what has been seen to."""
    _keep(content, lambda key: key in ("cells", "metadata", "nbformat", "nbformat_minor"))
    _keep(content["metadata"], lambda key: key not in CONSTRAINED_ABOVE)
    for cell in content["cells"]:
        _keep(cell, lambda key: key in KEYS - {"attachments"})
        _keep(cell["metadata"], lambda key: key not in CONSTRAINED)


def _keep(table: dict[str, Any], wanted: Callable[[str], bool]) -> None:
    for key in [key for key in table if not wanted(key)]:
        del table[key]
