import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.course.safe_text import DEEPEST, printable, storable

TEXTS = st.text(st.characters(blacklist_categories=()))  # halves of characters, too
DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda parts: st.lists(parts, max_size=4) | st.dictionaries(TEXTS, parts, max_size=4),
    max_leaves=20,
)


@given(DATA)
def test_what_is_storable_can_be_written_and_stays_as_it_is(value):
    stored = storable(value)
    json.dumps(stored, ensure_ascii=False).encode("utf-8")
    assert storable(stored) == stored


@pytest.mark.parametrize("value", ["plain", "é → ∞ 🙂", ["line\n", "π"], {"a": [1, None, True, 0.5]}])
def test_whole_characters_stay(value):
    assert storable(value) == value


def test_half_a_character_becomes_a_question_mark_wherever_it_is():
    assert storable({"\ud800": ["a", "b\udfff", {"c": "\ud83d"}]}) == {"?": ["a", "b?", {"c": "?"}]}


@pytest.mark.parametrize("wrap", [lambda inner: [inner], lambda inner: {"a": inner}], ids=["lists", "dictionaries"])
def test_only_what_is_nested_too_deeply_is_refused(wrap):
    value = 0
    for _ in range(DEEPEST):
        value = wrap(value)
    assert storable(value) == value
    with pytest.raises(ValueError, match=f"more than {DEEPEST} deep"):
        storable(wrap(value))


@given(TEXTS)
def test_a_printable_text_has_no_control_codes(text):
    shown = printable(text)
    assert all(letter.isprintable() or letter == "\n" for letter in shown)
    assert printable(shown) == shown


def test_a_printable_text_keeps_its_words_and_lines():
    assert printable("\x1b[31mred\x07\r\nnächste Zeile\u202e") == "[31mred\nnächste Zeile"
