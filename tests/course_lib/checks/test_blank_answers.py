"""Blank answers in a notebook: a sentence in place of a traceback, and an error that counts all the same."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from course_lib.checks.blank_answers import explain_blank_answers

STUB = "def softmax(x, dim=-1):\n    raise NotImplementedError()\n"
MODEL = "class Block:\n    def forward(self):\n        raise NotImplementedError()\n"
NOT_A_STUB = "import torch\n\ntorch.nn.ModuleList()(1)\n"


@pytest.fixture
def shell(monkeypatch):
    """IPython as a kernel would run it, with what it shows of errors."""
    shell = InteractiveShell()
    shown = []
    monkeypatch.setattr(shell, "_showtraceback", lambda kind, error, lines: shown.append("\n".join(lines)))
    monkeypatch.setattr("course_lib.checks.blank_answers.notebook_shell", lambda: shell)
    explain_blank_answers()
    shell.shown = shown
    return shell


def errors(shell, *cells):
    return [type(shell.run_cell(cell).error_in_exec) for cell in cells]


def test_a_cell_that_needs_a_blank_answer_names_it(shell):
    assert errors(shell, STUB, "softmax(1)") == [type(None), NotImplementedError]
    assert shell.shown == [
        "`softmax` is not written yet, and this cell needs it.\nCome back when it is; the cells below still run."
    ]


def test_a_method_is_called_by_its_class(shell):
    errors(shell, MODEL, "Block().forward()")
    assert shell.shown[0].startswith("`Block` is not written yet")


def test_a_blank_value_says_what_to_do(shell):
    errors(shell, "sheet = {'K': ...}\nraise NotImplementedError()")
    assert shell.shown == ["This answer is still blank: write yours, and delete `raise NotImplementedError()`."]


def test_the_same_exception_of_a_library_keeps_its_traceback(shell):
    errors(shell, NOT_A_STUB)
    assert "ModuleList" in shell.shown[0]
    assert "not written yet" not in shell.shown[0]


def test_a_check_of_a_blank_answer_keeps_its_own_words(shell):
    errors(shell, STUB, "from course_lib.checks import check\ncheck('softmax', softmax)")
    assert shell.shown[0].startswith("softmax is not written yet: replace")


def test_the_same_exception_with_words_of_its_own_is_no_stub(shell):
    errors(shell, "def f():\n    raise NotImplementedError('only for squares')\n\nf()")
    assert "only for squares" in shell.shown[0]
    assert "not written yet" not in shell.shown[0]
