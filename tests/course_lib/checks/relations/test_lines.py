"""Relations of one line of a derivation to the right one."""

import torch
from torch import Tensor

from course_lib.checks.relations.lines import line_relation

POINTS = [
    {"y": torch.tensor([0.2, 0.3, 0.5]), "S": 2.5, "i": 0, "j": 1},
    {"y": torch.tensor([0.6, 0.3, 0.1]), "S": 1.7, "i": 2, "j": 2},
    {"y": torch.tensor([0.1, 0.7, 0.2]), "S": 4.2, "i": 1, "j": 0},
    {"y": torch.tensor([0.4, 0.1, 0.5]), "S": 3.1, "i": 1, "j": 1},
]


def _said(line, expected) -> str:
    values, right = ([torch.as_tensor(float(f(**point))) for point in POINTS] for f in (line, expected))
    mistake = line_relation(values, right, POINTS)
    return mistake.says if mistake else ""


def _expected(y: Tensor, S: float, i: int, j: int) -> Tensor:
    return y[i] * S


def test_a_factor_has_its_name():
    assert _said(lambda y, S, i, j: y[i], _expected) == "This line gives y_i alone."
    assert _said(lambda y, S, i, j: y[i] * S * y[j], _expected) == "This line is the expected one times y_j."


def test_a_line_that_is_right_in_one_case_is_said_to_be():
    said = _said(lambda y, S, i, j: y[j] * S, _expected)
    assert said == "This line is right for i = j, and not for i ≠ j."


def test_a_constant_is_no_factor():
    assert _said(lambda y, S, i, j: 0.0, _expected) == "This line gives 0 whatever the symbols are."


def test_nothing_is_said_of_a_line_that_is_wrong_in_no_known_way():
    assert not _said(lambda y, S, i, j: torch.sin(7 * y[i]) + S, _expected)
