"""The one-page summary: every name on it exists, its shapes are those of the signatures, and it stands alone."""

import dataclasses
import importlib
import re

import pytest

from course_lib.portfolio.cheatsheet import shapes_of, summary_page, write_summary
from course_lib.portfolio.cheatsheet_entries import ENTRIES

ALL = [entry for entries in ENTRIES.values() for entry in entries]
NAMED = [entry for entry in ALL if entry.name]


@pytest.mark.parametrize("entry", NAMED, ids=lambda entry: entry.name)
def test_every_name_has_shapes(entry):
    assert "→ (" in shapes_of(entry)
    assert not re.search(r"[{}*]", shapes_of(entry))


def test_shapes_are_read_from_the_signature():
    shapes = {entry.name: shapes_of(entry) for entry in NAMED}
    assert shapes["nn.attention.scaled_dot_product_attention"] == (
        "q (…, n_q, d_k), k (…, n_k, d_k), v (…, n_k, d_v) → (…, n_q, d_v), (…, n_q, n_k)"
    )
    assert shapes["nn.masks.create_padding_mask"] == "tokens (B, n) → (B, 1, 1, n)"
    assert shapes["nn.positions.sinusoidal_encoding"] == "→ (max_len, d_model)"


def test_what_stands_in_for_a_missing_function_is_what_its_signature_says():
    stand_ins = [entry for entry in NAMED if entry.shapes]
    assert {entry.name.split(".")[-2] for entry in stand_ins} == {"patches", "vision_transformer"}
    for entry in stand_ins:
        assert entry.shapes == shapes_of(entry)


def test_missing_answers_are_left_out(monkeypatch):
    def absent(name):
        raise ImportError(name)

    entry = dataclasses.replace(NAMED[0], shapes="")
    monkeypatch.setattr(importlib, "import_module", absent)
    assert shapes_of(entry) == ""
    assert shapes_of(dataclasses.replace(entry, shapes="x (n) → (n)")) == "x (n) → (n)"


def test_page_is_whole_and_self_contained(tmp_path, capsys):
    path = tmp_path / "summary.html"
    write_summary(path)
    assert str(path) in capsys.readouterr().out
    page = path.read_text("utf-8")
    assert page.count("<h2>") == len(ENTRIES) + 1 == 9
    assert page.count('alt="') == page.count("data:image/svg+xml;base64,") == len(ALL)
    assert not re.search(r'(src|href)="(?!data:)', page)
    assert "http" not in page


def test_two_pages_are_the_same():
    assert summary_page() == summary_page()
