"""Attacks on a notebook's JSON: each changes a blank notebook and says what it tries."""

import copy
from collections.abc import Iterator

MIME = "application/vnd.transformer-course.verdict+json"


def graded(notebook: dict) -> Iterator[dict]:
    """The cells that hold tests."""
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade") and cell["cell_type"] == "code":
            yield cell


def change_points(notebook: dict) -> None:
    """Raises the points in the metadata of graded cells, and lowers them below zero."""
    for number, cell in enumerate(graded(notebook)):
        cell["metadata"]["nbgrader"]["points"] = 1000 if number % 2 else -1000


def rename_graded_cells(notebook: dict) -> None:
    """Exchanges the names of graded cells, so that an easy test counts for a hard exercise."""
    cells = list(graded(notebook))
    names = [cell["metadata"]["nbgrader"]["grade_id"] for cell in cells]
    for cell, name in zip(cells, reversed(names), strict=True):
        cell["metadata"]["nbgrader"]["grade_id"] = name


def graded_cells_become_text(notebook: dict) -> None:
    """Turns graded cells into Markdown, which never fails."""
    for cell in list(graded(notebook)):
        cell["cell_type"] = "markdown"
        del cell["outputs"], cell["execution_count"]


def graded_cells_become_answers(notebook: dict) -> None:
    """Marks graded cells as answers, and fills them with nothing that can fail."""
    for cell in graded(notebook):
        cell["metadata"]["nbgrader"] |= {"solution": True, "locked": False}
        cell["source"] = "100"


def skip_graded_cells(notebook: dict) -> None:
    """Tags graded cells `skip-execution`, which leaves them without an error."""
    for cell in graded(notebook):
        cell["metadata"]["tags"] = ["skip-execution", "raises-exception"]


def delete_graded_cells(notebook: dict) -> None:
    """Deletes every graded cell."""
    cells = list(graded(notebook))
    notebook["cells"] = [cell for cell in notebook["cells"] if cell not in cells]


def double_graded_cells(notebook: dict) -> None:
    """Hands in every graded cell twice, once with a test that passes."""
    for cell in list(graded(notebook)):
        easy = copy.deepcopy(cell) | {"source": "100", "id": f"twice-{cell['id']}"[:60]}
        notebook["cells"].append(easy)


def graded_cells_first(notebook: dict) -> None:
    """Moves graded cells to the top, in front of a cell that ends the kernel."""
    cells = list(graded(notebook))
    rest = [cell for cell in notebook["cells"] if cell not in cells]
    leave = {"cell_type": "code", "id": "leave", "metadata": {}, "source": "import os; os._exit(0)", "outputs": []}
    notebook["cells"] = [*cells, leave | {"execution_count": None}, *rest]


def metadata_of_other_types(notebook: dict) -> None:
    """Puts texts, lists and numbers where nbgrader's metadata should be."""
    odd = ["graded", ["grade_id"], 5, None, {"grade": [], "grade_id": 7}, {"grade_id": ["a"], "points": {}}]
    for number, cell in enumerate(graded(notebook)):
        cell["metadata"]["nbgrader"] = odd[number % len(odd)]


def change_kernel(notebook: dict) -> None:
    """Asks for another kernel, one that a command of its own starts."""
    spec = {"name": "attack", "display_name": "attack", "language": "bash", "argv": ["sh", "-c", "exit 0"]}
    notebook["metadata"]["kernelspec"] = spec
    notebook["metadata"]["language_info"] = {"name": "bash", "file_extension": ".sh"}


def store_verdicts(notebook: dict) -> None:
    """Stores full marks as the outputs of graded cells, as numbers and as verdicts of the examiner."""
    for cell in graded(notebook):
        name, points = cell["metadata"]["nbgrader"]["grade_id"], cell["metadata"]["nbgrader"]["points"]
        verdict = {"exercise": name.removeprefix("test_"), "points": points, "score": points, "criteria": []}
        data = {"text/plain": str(points), MIME: verdict | {"tried": True, "diagnosis": None}}
        cell["outputs"] = [{"output_type": "execute_result", "execution_count": 1, "data": data, "metadata": {}}]


def clashing_ids(notebook: dict) -> None:
    """Gives its own cells the ids of graded cells, and those that a repair would give."""
    names = [cell["id"] for cell in graded(notebook)] + ["repairs", *(f"cell-{number}" for number in range(60))]
    cells = [{"cell_type": "markdown", "id": name, "metadata": {}, "source": name} for name in names]
    notebook["cells"] = cells + notebook["cells"]


def deep_metadata(notebook: dict) -> None:
    """Nests the metadata of a cell so deeply that copying it fails."""
    deep: dict = {}
    for _ in range(290):
        deep = {"a": deep}
    notebook["cells"][0]["metadata"]["deep"] = deep
    notebook["cells"].insert(0, {"cell_type": "markdown", "id": "deep", "metadata": {"deep": deep}, "source": ""})


def half_characters(notebook: dict) -> None:
    """Writes half of a character, which no file can hold, into sources, ids and names."""
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] += "\n# \ud800"
    notebook["metadata"]["title"] = "\ud800"


def another_notebook(notebook: dict) -> None:
    """Names its exercises with codes for the instructor's terminal and half characters."""
    for cell in notebook["cells"]:
        if "nbgrader" in cell["metadata"]:
            cell["metadata"]["nbgrader"]["grade_id"] = "\x1b]0;title\x07\x1b[2J[bold]\ud800" + cell["id"]


def no_metadata(notebook: dict) -> None:
    """Has null for metadata and for the version of its format, and languages and kernels of other types."""
    notebook |= {"metadata": None, "nbformat_minor": None, "extra": {"language_info": {"version": None}}}
    for number, cell in enumerate(notebook["cells"]):
        cell["metadata"] |= {"tags": 7, "collapsed": "no", "jupyter": []}
        cell["attachments"] = number


def repeated_ids(notebook: dict) -> None:
    """Gives half of its cells one id, and the others ids of thousands of letters."""
    for number, cell in enumerate(notebook["cells"]):
        cell["id"] = "one" if number % 2 else "long" * 1000


def huge_outputs(notebook: dict) -> None:
    """Stores outputs of 120 MB, so that whoever parses its file runs out of memory."""
    code = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    code["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["x" * 60 + "\n"] * 1_800_000}]


def links_in_formulas(notebook: dict) -> None:
    """Writes formulas, links and pictures that lead elsewhere, and codes for terminals, into its text."""
    tex = r"$\href{javascript:alert(1)}{x} \style{position:fixed}{y} \def\h{\href} \mmlToken{mi}[href=x]{x}$"
    text = (
        f"{tex} [look](data:text/html,x) ![look](http://127.0.0.1:9/x.svg) \x1b]8;;http://127.0.0.1:9\x07 \u202e\x9b2J"
    )
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = [*cell["source"], f"\n\n{text}"]


ALTERATIONS = {
    alter.__name__: alter
    for alter in (
        *(change_points, rename_graded_cells, graded_cells_become_text, graded_cells_become_answers),
        *(skip_graded_cells, delete_graded_cells, double_graded_cells, graded_cells_first, metadata_of_other_types),
        *(change_kernel, store_verdicts, clashing_ids, deep_metadata, half_characters, another_notebook),
        *(no_metadata, repeated_ids, huge_outputs, links_in_formulas),
    )
}
