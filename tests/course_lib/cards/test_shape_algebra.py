"""Shape sheets: reading, arithmetic and the relations between tensors."""

from fractions import Fraction

import pytest

from course_lib.cards.shape_algebra import parse_shape, product_shape, same_shape, shape_difference, shape_sizes


@pytest.mark.parametrize(
    "entry",
    ["B n d", "  B   n d ", "(B, n, d)", "[B,n,d]", "B × n × d", "B×n×d", ("B", "n", "d"), ["B", " n ", "d"]],
)
def test_spellings_of_one_shape(entry):
    assert parse_shape(entry) == ("B", "n", "d")


@pytest.mark.parametrize("entry", [3, None, ..., {"B": 1}, "B n-1", ["B", 2], "B n ?"])
def test_unreadable_entries_are_named(entry):
    with pytest.raises(ValueError, match="dimension"):
        parse_shape(entry)


def test_products_and_quotients_of_dimensions():
    assert parse_shape("B n heads * d_k") == ("B", "n", "heads*d_k")
    assert shape_sizes(("B", "heads*d_k", "d/heads"), {"B": 2, "heads": 3, "d_k": 5, "d": 12}) == (2, 15, Fraction(4))


def test_unknown_dimension_lists_the_known_ones():
    with pytest.raises(ValueError, match="no dimension called seq; the names in use are B, n"):
        shape_sizes(("B", "seq"), {"B": 2, "n": 3})


SHEET = {"X": ("B", "n", "d"), "W": ("d", "e"), "Y": ("B", "n", "e")}


def test_product_keeps_the_batch():
    assert product_shape("X @ W", SHEET) == ("B", "n", "e")
    assert product_shape("Y @ X.T", {**SHEET, "Y": ("B", "m", "d")}) == ("B", "m", "n")


def test_inner_dimensions_that_differ_are_named():
    with pytest.raises(ValueError, match="the inner dimensions d and e differ"):
        product_shape("X @ W", {**SHEET, "W": ("e", "d")})


def test_a_vector_has_no_matrix_product():
    with pytest.raises(ValueError, match="two dimensions"):
        product_shape("X @ W", {**SHEET, "W": ("d",)})


def test_heads_are_split_off_and_merged():
    sheet = {"Q": ("B", "n", "h*d_k"), "X": ("B", "n", "d"), "Z": ("B", "h", "n", "d_v")}
    assert product_shape("Q.split", sheet) == ("B", "h", "n", "d_k")
    assert product_shape("X.split", sheet) == ("B", "h", "n", "d/h")
    assert product_shape("Z.merge", sheet) == ("B", "n", "h*d_v")
    for formula in ("Z.split", "Q.merge"):
        with pytest.raises(ValueError, match="dimensions"):
            product_shape(formula, sheet)


def test_factors_of_a_product_come_in_any_order():
    sheet = {"X": ("B", "n", "d"), "W": ("d", "h*d_k"), "Y": ("B", "n", "d_k*h"), "V": ("d_k*h", "e")}
    assert product_shape("X @ W @ V", sheet) == ("B", "n", "e")
    assert same_shape(("a*b", "c"), ("b*a", "c"))
    assert not same_shape(("a/b",), ("b/a",))


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ("h*d_k d", "the right dimensions, in another order"),
        ("B d h*d_k", "one dimension too many, B"),
        ("d", "one dimension is missing, d_k*h"),
        ("d d_k", "right but for one dimension, which is not d_k"),
        ("d h d_k B", ""),
        ("d h d_k", "as many numbers as expected, but in 3 dimensions, not 2"),
    ],
)
def test_how_shapes_differ(entry, says):
    assert shape_difference(parse_shape(entry), parse_shape("d h*d_k")) == says


def test_a_dot_is_a_product():
    assert parse_shape("d h·d_k") == parse_shape(("d", "h · d_k")) == ("d", "h*d_k")
