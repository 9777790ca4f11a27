"""The stories of the demo: typical submissions of beginners to unit 01, a cheat, an endless loop and a crash."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import nbformat
from nbformat import NotebookNode

from autograder.course.cells import answer_cells
from autograder.course.notebooks import solution_notebook, student_notebook
from autograder.course.units import Unit

WRITTEN_ANSWER = "Each row of A says how one token shares its attention; A is computed from X, so it changes with X."


@dataclass(frozen=True)
class Story:
    """A student: edits of the course's answers, or answers that replace them; later exercises may be left blank."""

    student: str
    edits: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    writes: Mapping[str, str] = field(default_factory=dict)
    stops_after: int | None = None
    hours_late: float = -20.0


STORIES = (
    Story("perfect"),
    Story("blank", stops_after=0),
    Story("half-done", stops_after=4),
    Story("late", hours_late=3.0),
    Story("no-scale", {"scaled_dot_product_attention": (" / math.sqrt(q.shape[-1])", "")}),
    Story("wrong-axis", {"scaled_dot_product_attention": ("dim=-1", "dim=-2")}),
    Story("mask-inverted", {"scaled_dot_product_attention": ("masked_fill(mask,", "masked_fill(~mask,")}),
    Story(
        "roles-swapped",
        {
            "cross_attention": (
                "x_tgt @ w_q, x_src @ w_k, x_src @ w_v",
                "x_src @ w_q, x_tgt @ w_k, x_tgt @ w_v",
            ),
            "cross_attention_shapes": ('"K": "B n_src d_q"', '"K": "B n_tgt d_q"'),
            "query_key_value_roles": ('"ACE"', '"ABF"'),
        },
    ),
    Story("forgot-transpose", {"scaled_dot_product_attention": ("k.transpose(-2, -1)", "k")}),
    Story("syntax-error", {"column_attention": ("return V @ weights", "return V @@ weights")}),
    Story(
        "cheat",  # every cell after this one, tests too, is to become `pass`
        writes={
            "cross_attention_shapes": 'get_ipython().input_transformers_cleanup.append(lambda lines: ["pass\\n"])',
        },
        stops_after=0,
    ),
    Story("hang", writes={"gram_attention": "def gram_attention(X):\n    while True:\n        pass"}),
    Story("crash", writes={"attention_matrix": "import os\n\nos._exit(0)"}),
)


def submissions(unit: Unit) -> Iterator[tuple[Story, NotebookNode]]:
    """The notebook that each student hands in."""
    answers, released = right_answers(unit), student_notebook(unit)
    for story in STORIES:
        written = {name: answers[name] for name in list(answers)[: story.stops_after]}
        for name, (right, wrong) in story.edits.items():
            if right not in written[name]:
                raise ValueError(f"the answer to {name} has no {right!r} to replace")
            written[name] = written[name].replace(right, wrong)
        yield story, fill_in(released, written | dict(story.writes))


def right_answers(unit: Unit) -> dict[str, str]:
    """The course's own answers by exercise, in the order of the notebook."""
    return {name: _without_marks(cell.source) for name, cell in answer_cells(solution_notebook(unit)).items()}


def _without_marks(source: str) -> str:
    return "\n".join(line for line in source.split("\n") if "### BEGIN" not in line and "### END" not in line)


def fill_in(notebook: NotebookNode, answers: Mapping[str, str]) -> NotebookNode:
    """A copy of a student notebook with these answers filled in."""
    notebook = nbformat.from_dict(notebook)
    for name, cell in answer_cells(notebook).items():
        if name in answers:
            cell.source = WRITTEN_ANSWER if cell.cell_type == "markdown" else answers[name]
    return notebook
