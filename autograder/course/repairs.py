"""What was repaired in a submitted notebook, in sentences for its student and the instructor."""

from collections.abc import Iterator, Sequence

from nbformat import NotebookNode

from autograder.course.cells import is_answer, named_cells
from autograder.course.found_cells import FoundCells, How

FOUND = {
    How.ID: "had lost {its} nbgrader metadata and {was} found by {its} cell {id}",
    How.NAME: "had lost {its} nbgrader metadata and {was} found by {its} {name}",
    How.ELSEWHERE: "{was} outside of {its} {cell} and {was} found by {its} {name}",
    How.HEADING: "{was} found below the {heading} of the {exercise}",
}
WORDS = ("its", "was", "id", "name", "cell", "heading", "exercise")
OF_MANY = ("their", "were", "ids", "names", "cells", "headings", "exercises")


def repairs_of(found: FoundCells, submitted: NotebookNode, released: NotebookNode) -> Iterator[str]:
    """A sentence for each kind of repair, or for each cell."""
    first = [min(places) for places in found.at.values() if places]
    if first != sorted(first):
        yield "cells were out of order and have been put back in the order of the release"
    for how, sentence in FOUND.items():
        names = [name for name, way in found.how.items() if way is how and not found.host(name)]
        if names:
            yield f"the {_answers(names)} {sentence.format(**_words(names))}"
    for name in found.how:
        if host := found.host(name):
            yield f"the answer to `{name}` was found by its name, in the cell of `{host}`"
    if found.bare:
        words = _words(found.bare)
        cells = "a cell" if len(found.bare) == 1 else f"{len(found.bare)} cells"
        yield f"{cells} that you do not fill in had lost {words['its']} nbgrader metadata and {words['was']} restored"
    for name, cell in named_cells(released):
        yield from _of_a_cell(name, cell, [submitted.cells[place] for place in found.at[name]], found)


def _of_a_cell(name: str, released: NotebookNode, copies: Sequence[NotebookNode], found: FoundCells) -> Iterator[str]:
    if name in found.how:
        return
    if not copies:
        yield f"the cell {name} was missing and has been put back"
    if len(copies) > 1:
        yield f"the cell {name} appeared {len(copies)} times; {_which_counts(name, found)}"
    if any(copied.cell_type != released.cell_type for copied in copies):
        yield f"the cell {name} had been turned into another type of cell"
    if not is_answer(released) and any(copied.source != released.source for copied in copies):
        yield f"the cell {name} had been edited and has been restored"


def _which_counts(name: str, found: FoundCells) -> str:
    later = [place for place in found.at[name] if place > found.best.get(name, place)]
    if any(not found.is_blank(place, name) for place in later):
        return f"the last one that defines `{name}` counts"
    return "the last one that was filled in counts"


def _answers(names: Sequence[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    if len(quoted) == 1:
        return f"answer to {quoted[0]}"
    return f"answers to {', '.join(quoted[:-1])} and {quoted[-1]}"


def _words(names: Sequence[str]) -> dict[str, str]:
    return dict(zip(WORDS, WORDS if len(names) == 1 else OF_MANY, strict=True))
