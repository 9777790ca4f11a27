"""What is printed: no text steers the terminal, and none becomes markup."""

import io

import pytest
from rich.markup import escape
from rich.table import Table

from autograder.terminal.console import Console

HOSTILE = "a\x1b]8;;http://x\x07b\x9b31m\u202ec\x1b[2J[\x07link=http://e]d[\x00bold]e\u2028f"
CODES = "\x07\x1b\x9b\u202e\u2028\x00"


@pytest.mark.parametrize("markup", [True, False])
def test_a_name_with_codes_for_terminals_is_harmless(markup):
    file = io.StringIO()
    console = Console(file=file, highlight=False, force_terminal=True, color_system=None)
    console.print(escape(HOSTILE) if markup else HOSTILE, markup=markup, soft_wrap=True)
    view = Table(HOSTILE.replace("[", "("))
    view.add_row(escape(HOSTILE))
    console.print(view)
    assert not set(CODES) & set(file.getvalue())
    assert "link=http://e" in file.getvalue()


def test_our_own_colors_stay_in_place():
    file = io.StringIO()
    Console(file=file, highlight=False, force_terminal=True, color_system="standard").print("\x1bab[red]cd[/]e")
    assert file.getvalue() == "�ab\x1b[31mcd\x1b[0me\n"
