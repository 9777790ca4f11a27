"""Which earlier answers an exercise uses, directly or through other cells, by the names that the code reads."""

import symtable
import warnings
from collections.abc import Iterator, Sequence

from nbformat import NotebookNode

from autograder.course.cells import TEST_PREFIX, grade_id, is_answer, is_graded_code
from autograder.course.definitions import MAGIC, MOST_CHARACTERS, definitions, imports


def earlier_answers_used(notebook: NotebookNode, exercise: str) -> list[str]:
    """In the order of the notebook; what is read is looked for in all code above the graded cell."""
    needed = [str(grade_id(cell)) for cell in cells_needed(notebook, exercise) if is_answer(cell)]
    return [answer for answer in needed if answer != exercise]


def cells_needed(notebook: NotebookNode, exercise: str) -> list[NotebookNode]:
    """The cells above the graded cell that define or import what the exercise reads, directly or through others."""
    above = _code_above(notebook, TEST_PREFIX + exercise)
    reads = [global_names_read(cell.source) for cell in above]
    defines = [{*definitions(cell.source), *imports(cell.source), grade_id(cell)} for cell in above]
    waiting, seen = [exercise], {exercise}
    while waiting:
        name = waiting.pop()
        found = {read for place, names in enumerate(defines) if name in names for read in reads[place]} - seen
        seen |= found
        waiting += found
    return [cell for cell, names in zip(above, defines, strict=True) if names & seen]


def global_names_read(source: str) -> set[str]:
    """The global names that code reads, also within its functions and classes; none if it is no Python."""
    if len(source) > MOST_CHARACTERS:
        return set()
    for code in (source, MAGIC.sub(r"\1pass", source)):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                top = symtable.symtable(code, "cell", "exec")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return {name for table in _tables(top) for name in _read(table)}
    return set()


def _code_above(notebook: NotebookNode, graded: str) -> list[NotebookNode]:
    names = [grade_id(cell) for cell in notebook.cells]
    above = notebook.cells[: names.index(graded)] if graded in names else []
    return [cell for cell in above if cell.cell_type == "code" and not is_graded_code(cell)]


def _tables(top: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    waiting: list[symtable.SymbolTable] = [top]
    while waiting:
        table = waiting.pop()
        yield table
        waiting += table.get_children()


def _read(table: symtable.SymbolTable) -> Sequence[str]:
    symbols = [symbol for symbol in table.get_symbols() if symbol.is_referenced()]
    is_top = table.get_type() == "module"
    return [symbol.get_name() for symbol in symbols if is_top or symbol.is_global()]
