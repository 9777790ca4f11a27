"""Attacks on the grading of unit 01, each as a submitted notebook, and the same notebook without the attack.

A file in notebooks/ opens with a sentence on what it tries; `# %%` begins a cell:

    # %% attack                  a cell in front of all others
    # %% attack answer EXERCISE  a cell in place of an answer
    # %% honest EXERCISE         the honest answer that the attack's answer is worth, where the stub is not
    # %% weak                    not a cell: every exercise has a wrong answer, with the attack and without it

altered.py has the attacks on the notebook's JSON, files.py those on the files of a submission.
"""

import copy
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from builders.submissions import put_submission
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from attacks.altered import ALTERATIONS
from attacks.files import PLACED
from autograder.classroom.directory import ClassDirectory
from autograder.course.notebooks import student_notebook, write_notebook
from autograder.course.units import find_unit
from autograder.demo.stories import fill_in

FOLDER = Path(__file__).parent / "notebooks"
UNIT = find_unit("01")
WEAK = {
    "cross_attention_shapes": 'cross_attention_shapes = dict.fromkeys(("W_q", "Q", "K", "scores", "A", "Z"), "d")',
    "query_key_value_roles": 'query_key_value_roles = "BDF"',
    "scaled_dot_product_attention": "scaled_dot_product_attention = lambda *given: (torch.ones(1), torch.ones(1))",
    "cross_attention": "cross_attention = lambda *given: (torch.ones(1), torch.ones(1))",
    "column_attention": "column_attention = lambda *given: torch.ones(1)",
    "gram_attention": "gram_attention = lambda *given: torch.ones(1)",
    "attention_matrix": "attention_matrix = lambda *given: torch.ones(1)",
    "not_additive": "not_additive = (torch.zeros(2, 2), torch.zeros(2, 2))",
    "mixes_tokens": "mixes_tokens = (torch.eye(2), 0, 1)",
}


@dataclass(frozen=True)
class Attack:
    """`honest` are the answers to compare with: what the attack scores more than they do, it has gained."""

    name: str
    tries: str
    data: bytes
    honest: Mapping[str, str] = field(default_factory=dict)
    place: Callable[[Path, Path], None] | None = None  # what it does with its file, in a class directory

    def put(self, directory: ClassDirectory, data: bytes | None = None) -> None:
        path = put_submission(directory, UNIT, self.name, data or self.data)
        if self.place:
            self.place(path, directory.root)


@cache
def attacks() -> dict[str, Attack]:
    """All attacks by name, in the order in which they are graded."""
    written = [read_attack(path) for path in FOLDER.glob("*.py")]
    altered = [_altered(name, alter) for name, alter in ALTERATIONS.items()]
    placed = [Attack(name, place.__doc__, as_bytes(_blank()), place=place) for name, place in PLACED.items()]
    return {attack.name: attack for attack in sorted([*written, *altered, *placed], key=lambda attack: attack.name)}


def read_attack(path: Path) -> Attack:
    head, *parts = re.split(r"^# %% ", path.read_text("utf-8"), flags=re.MULTILINE)
    cells = [(words.split(), source.strip()) for words, _, source in (part.partition("\n") for part in parts)]
    weak = WEAK if (["weak"], "") in cells else {}
    first = [source for words, source in cells if words == ["attack"]]
    theirs = {words[2]: source for words, source in cells if words[:2] == ["attack", "answer"]}
    honest = {words[1]: source for words, source in cells if words[0] == "honest"}
    notebook = notebook_with(weak | theirs)
    notebook.cells = [*(new_code_cell(source, id=f"attack-{i}") for i, source in enumerate(first)), *notebook.cells]
    return Attack(path.stem, head.removeprefix("# ").strip(), as_bytes(notebook), weak | honest)


def notebook_with(answers: Mapping[str, str]) -> NotebookNode:
    return fill_in(_blank(), answers)


def as_bytes(notebook: Mapping) -> bytes:
    return (json.dumps(notebook) if type(notebook) is dict else write_notebook(notebook)).encode()


def _altered(name: str, alter: object) -> Attack:
    content = json.loads(write_notebook(_blank()))
    alter(content)
    return Attack(name, alter.__doc__, as_bytes(content))


@cache
def _blank_once() -> NotebookNode:
    return student_notebook(UNIT)


def _blank() -> NotebookNode:
    return copy.deepcopy(_blank_once())
