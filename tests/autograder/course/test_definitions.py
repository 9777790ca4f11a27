"""What a cell defines, and where the code of one answer ends and that of the next begins."""

import pytest

from autograder.course.definitions import MOST_CHARACTERS, definitions, fingerprint, shares


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def f(): pass\nclass C: pass\nasync def g(): pass", {"f": 1, "C": 2, "g": 3}),
        ("a = b = 1\nc, (d, e) = x\nf: int = 2\ng: int", {"a": 1, "b": 1, "c": 2, "d": 2, "e": 2, "f": 3}),
        ("if True:\n    def f(): pass\nelse:\n    x = 1", {"f": 4, "x": 4}),
        ("%matplotlib inline\ndef f():\n    return 1", {"f": 3}),
        ("a = {}\nfor k in 'xy':\n    a[k] = 1\nprint(a)\nother(a)", {"a": 4}),
        ("def f(x)\n    return x\nclass C:\n y = 2\nb == 3\nb = 3", {"f": 0, "C": 0, "b": 0}),
        ("def f():\n    inner = 1", {"f": 2}),
        ("f(x)[0] = 1", {}),
        ("", {}),
    ],
)
def test_names_and_where_they_end(source, names):
    assert definitions(source) == names


def test_a_huge_cell_is_not_parsed():
    assert definitions("x = 1\n" * MOST_CHARACTERS) == {"x": 0}


def test_hostile_code_defines_nothing():
    for source in ("(" * 100_000, "-" * 90_000 + "1", "\0", "x" * 90_000):
        assert definitions(source) == {}


def test_layout_and_comments_make_no_other_code():
    assert fingerprint("f( 1 )  # one") == fingerprint("f(1)")
    assert fingerprint("f(1)") != fingerprint("f(2)")
    assert fingerprint("# one") != fingerprint("# two")


def test_a_shared_cell_is_cut_behind_each_definition():
    names = {"f": frozenset("f"), "g": frozenset("g")}
    assert shares("def f(): 1\nh = 2\ndef g(): h\nlast = 3\n", names) == {
        "f": "def f(): 1",
        "g": "h = 2\ndef g(): h\nlast = 3",
    }
    backwards = "def g(): 1\ndef f(): g()\n"
    assert shares(backwards, names) == {"f": backwards, "g": backwards}
