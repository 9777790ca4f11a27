"""Positions of all four kinds, against slow loops and the identities that define them."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.nn.positions import (
    LearnedPositions,
    PositionalEncoding,
    relative_position_bias,
    rotate,
    shift_matrix,
    sinusoidal_encoding,
)


def encoding_by_loop(max_len, d_model, base=10000.0):
    rows = []
    for pos in range(max_len):
        angles = [pos * base ** (-2 * (i // 2) / d_model) for i in range(d_model)]
        rows.append([math.cos(a) if i % 2 else math.sin(a) for i, a in enumerate(angles)])
    return torch.tensor(rows, dtype=torch.float64).reshape(max_len, d_model)


@given(st.integers(0, 40), st.integers(1, 13), st.sampled_from([10.0, 10000.0]))
def test_encoding_is_the_loops(max_len, d_model, base):
    got = sinusoidal_encoding(max_len, d_model, base)
    torch.testing.assert_close(got.double(), encoding_by_loop(max_len, d_model, base), atol=1e-6, rtol=0)


def test_far_positions_are_exact_in_float32():
    got = sinusoidal_encoding(5000, 6)[-1].double()
    torch.testing.assert_close(got, encoding_by_loop(5000, 6)[-1], atol=1e-6, rtol=0)


@given(st.integers(-20, 20), st.sampled_from([2, 4, 10]), st.integers(0, 30))
def test_one_matrix_shifts_every_position(k, d_model, start):
    pe = encoding_by_loop(80, d_model)
    shifted = pe[start + 20 : start + 30] @ shift_matrix(k, d_model).double().T
    torch.testing.assert_close(shifted, pe[start + 20 + k : start + 30 + k], atol=1e-5, rtol=0)


def test_the_shift_of_an_odd_width_is_refused():
    with pytest.raises(ValueError, match=r"even.*7"):
        shift_matrix(1, 7)


def test_dot_products_depend_only_on_the_offset():
    pe = sinusoidal_encoding(30, 12).double()
    products = pe @ pe.T
    for offset in range(-29, 30):
        diagonal = products.diagonal(offset)
        assert (diagonal - diagonal[0]).abs().max() < 1e-5
    assert products[0, 1] < products[0, 0] - 0.1


def test_positional_encoding_adds_the_first_rows():
    module, x = PositionalEncoding(6, max_len=9), torch.randn(2, 5, 6)
    assert module.pe.shape == (1, 9, 6)
    assert not list(module.parameters())
    torch.testing.assert_close(module(x), x + encoding_by_loop(9, 6)[:5].float())
    torch.testing.assert_close(module(x, start=3), x + encoding_by_loop(9, 6)[3:8].float())
    assert module(torch.zeros(0, 5, 6)).shape == (0, 5, 6)


@pytest.mark.parametrize("other", [torch.float64, torch.bfloat16])
def test_positional_encoding_keeps_the_dtype_of_its_input(other):
    assert PositionalEncoding(6, 9)(torch.zeros(1, 2, 6, dtype=other)).dtype == other


@pytest.mark.parametrize(("n", "start"), [(10, 0), (4, 6)])
def test_positions_past_the_end_are_refused(n, start):
    with pytest.raises(ValueError, match=r"10.*max_len = 9"):
        PositionalEncoding(6, max_len=9)(torch.zeros(1, n, 6), start)


def test_learned_positions_add_trained_rows():
    module, x = LearnedPositions(7, 4), torch.randn(3, 5, 4)
    torch.testing.assert_close(module(x) - x, module.table[:5].expand(3, 5, 4))
    module(x).sum().backward()
    assert module.table.grad[:5].eq(3).all()
    assert module.table.grad[5:].eq(0).all()
    assert module(torch.zeros(1, 7, 4)).shape == (1, 7, 4)
    with pytest.raises(ValueError, match=r"8.*max_len = 7"):
        module(torch.zeros(1, 8, 4))


@given(st.integers(0, 7), st.integers(0, 4), st.lists(st.integers(1, 3), max_size=2))
def test_relative_bias_is_the_loops(n, farthest, heads):
    table = torch.randn(*heads, 2 * farthest + 1)
    bias = relative_position_bias(n, table)
    assert bias.shape == (*heads, n, n)
    for i in range(n):
        for j in range(n):
            offset = max(-farthest, min(farthest, j - i))
            assert torch.equal(bias[..., i, j], table[..., farthest + offset])


def test_a_table_without_a_middle_is_refused():
    with pytest.raises(ValueError, match=r"odd.*4"):
        relative_position_bias(3, torch.zeros(4))


@given(st.integers(1, 6), st.sampled_from([2, 4, 6]))
def test_rotate_multiplies_complex_numbers(n, d):
    x, positions = torch.randn(2, 3, n, d, dtype=torch.float64), torch.randint(-9, 99, (n,))
    frequencies = torch.tensor([10000.0 ** (-2 * i / d) for i in range(d // 2)], dtype=torch.float64)
    turn = torch.polar(torch.ones(n, d // 2, dtype=torch.float64), positions[:, None] * frequencies)
    wanted = torch.view_as_real(torch.view_as_complex(x.unflatten(-1, (-1, 2))) * turn).flatten(-2)
    torch.testing.assert_close(rotate(x, positions), wanted)


@given(st.integers(-50, 50))
def test_rotary_scores_depend_only_on_offsets(shift):
    q, k = torch.randn(5, 8, dtype=torch.float64), torch.randn(7, 8, dtype=torch.float64)
    at_q, at_k = torch.randint(0, 40, (5,)), torch.randint(0, 40, (7,))
    here = rotate(q, at_q) @ rotate(k, at_k).T
    there = rotate(q, at_q + shift) @ rotate(k, at_k + shift).T
    torch.testing.assert_close(here, there)
    assert not torch.allclose(here, q @ k.T)


def test_rotate_keeps_lengths_dtypes_and_refuses_odd_widths():
    x = torch.randn(3, 6)
    torch.testing.assert_close(rotate(x, torch.arange(3)).norm(dim=-1), x.norm(dim=-1))
    half = rotate(x.bfloat16(), torch.tensor([0, 5000, 7]))
    assert half.dtype == torch.bfloat16
    torch.testing.assert_close(half.float(), rotate(x, torch.tensor([0, 5000, 7])), atol=0.05, rtol=0)
    with pytest.raises(ValueError, match=r"even.*5"):
        rotate(torch.zeros(2, 5), torch.arange(2))
