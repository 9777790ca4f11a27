"""A test of permutation equivariance."""

from functools import partial

import torch
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from course_lib.checks.observers.token_maps import TOKEN_MAPS
from course_lib.nn import equivariance

LARGE = ("the mean of all tokens, at every place", "a layer that takes each token alone", "a running sum")


def _arguments(draw: Draw, dtype: torch.dtype = torch.float64) -> Arguments:
    """More sequences than tokens, which rise; the permutations are a swap and a step in a circle."""
    n, batch, d = sorted(draw.sizes(3))
    n = max(n, 4)
    batch = max(batch, n + 1)
    x = draw.normal(batch, n, d, dtype=dtype)
    return [list(TOKEN_MAPS), x.sort(1).values, torch.stack([_swap(n), torch.arange(n).roll(1)])]


def _large_arguments(draw: Draw) -> Arguments:
    """Numbers about ten thousand, all positive, so that no difference cancels."""
    _, x, perms = _arguments(draw, torch.float32)
    return [list(LARGE), 1e4 * (x.abs() + 0.5), perms]


def _swap(n: int) -> Tensor:
    perm = torch.arange(n)
    perm[0], perm[n - 1] = n - 1, 0
    return perm


def _flawed(f, x, perm, *, before="tokens", after="tokens", compare="close"):
    def permuted(value: Tensor, how: str) -> Tensor:
        if how == "batch":
            return value[perm]
        places = torch.arange(len(perm))
        return value[:, {"tokens": perm, "inverse": perm.argsort(), "nothing": places, "reversed": places.flip(0)}[how]]

    left, right = f(permuted(x, before)), permuted(f(x), after)
    match compare:
        case "exactly":
            return torch.equal(left, right)
        case "sums":
            return torch.allclose(left.sum(), right.sum(), rtol=1e-4, atol=1e-6)
        case "first sequence":
            return torch.allclose(left[0], right[0])
        case "first token":
            return torch.allclose(left[:, 0], right[:, 0])
        case "absolute":
            return bool((left - right).abs().max() < 1e-6)
        case "tensor":
            return torch.isclose(left, right).all()
        case "each":
            return left == right
        case "signed":
            return bool((left - right).max() <= 1e-6 * right.abs().max())
    return torch.allclose(left, right)


def _wide(f, x, perm, atol):
    return torch.allclose(f(x[:, perm]), f(x)[:, perm], atol=atol)


def _slip(slug: str, says: str, hint: str, **options: str) -> Misconception:
    return Misconception(slug, says, lambda f, x, perm: _flawed(f, x, perm, **options), hint)


def _by_difference(f, x, perm):
    gap = f(x[:, perm, :]) - f(x)[:, perm, :]
    return gap.norm().item() <= 1e-5 * f(x).norm().item()


def _by_loop(f, x, perm):
    first, then = f(torch.stack([x[:, p] for p in perm], dim=1)), f(x)
    return all(torch.allclose(first[:, i], then[:, p]) for i, p in enumerate(perm.tolist()))


def _by_matrix(f, x, perm):
    P = torch.eye(len(perm), dtype=x.dtype)[perm]
    return torch.allclose(f(P @ x), P @ f(x), rtol=1e-4, atol=1e-6)


def _by_index_select(f, x, perm):
    left = f(x.index_select(1, perm)).double()
    right = f(x).index_select(1, perm).double()
    return bool(torch.isclose(left, right, rtol=1e-5, atol=1e-5).all())


is_permutation_equivariant = CodeExam(
    exercise="is_permutation_equivariant",
    covers=("E4a", "Bt5"),
    function=equivariance.is_permutation_equivariant,
    outputs=("the answer",),
    criteria=(
        CodeCriterion("maps that are equivariant, and maps that are not", 3, _arguments, "on token maps"),
        CodeCriterion("rounding does not decide, however large the numbers", 1, _large_arguments, "on token maps"),
    ),
    misconceptions=(
        _slip(
            "after-nothing",
            "You test f(Px) = f(x), which is invariance. Permute the output f(x) as well.",
            "two ways to the same place",
            after="nothing",
        ),
        _slip(
            "before-nothing",
            "You permute the output only. Give f the permuted tokens, x[:, perm].",
            "two ways to the same place",
            before="nothing",
        ),
        _slip(
            "before-batch-after-batch",
            "You permute the sequences of the batch; the tokens are dimension 1.",
            "which dimension",
            before="batch",
            after="batch",
        ),
        _slip(
            "after-inverse",
            "You undo the permutation on one side; permute both sides by perm.",
            "which dimension",
            after="inverse",
        ),
        _slip(
            "before-reversed-after-reversed",
            "You reverse the tokens; use the perm that is passed in.",
            "which dimension",
            before="reversed",
            after="reversed",
        ),
        _slip(
            "compare-absolute",
            "Your tolerance is one fixed number, so rounding decides when the numbers are large. Allow a difference "
            "in proportion to them, as torch.allclose does.",
            "nearly there",
            compare="absolute",
        ),
        _slip(
            "compare-first-sequence",
            "You compare the first sequence of the batch only; compare all of them.",
            "which dimension",
            compare="first sequence",
        ),
        _slip(
            "compare-first-token",
            "You compare the first token only; compare all of them.",
            "which dimension",
            compare="first token",
        ),
        _slip(
            "compare-exactly",
            "You compare with ==, so rounding decides. Allow a small difference, as torch.allclose does.",
            "nearly there",
            compare="exactly",
        ),
        _slip(
            "compare-sums",
            "You compare one sum, which does not depend on the order. Compare every entry.",
            "nearly there",
            compare="sums",
        ),
        *(
            Misconception(
                "compare-wide",
                "Your tolerance is so large that a small effect of the position passes. Allow rounding only.",
                partial(_wide, atol=atol),
                "nearly there",
            )
            for atol in (0.5, 1.0)
        ),
        Misconception(
            "compare-mean-over-the-batch",
            "You compare the mean over the batch, in which differences can cancel. Compare every entry.",
            lambda f, x, perm: torch.allclose(f(x[:, perm]).mean(0), f(x)[:, perm].mean(0)),
            "which dimension",
        ),
        Misconception(
            "compare-any-entry",
            "You return True if any entry agrees; all of them must.",
            lambda f, x, perm: bool(torch.isclose(f(x[:, perm]), f(x)[:, perm]).any()),
            "nearly there",
        ),
        _slip(
            "compare-tensor", "You return a tensor; bool(…) makes it True or False.", "nearly there", compare="tensor"
        ),
        _slip(
            "compare-each",
            "You return an answer for each entry; torch.allclose(…) gives one for all of them.",
            "nearly there",
            compare="each",
        ),
        _slip(
            "compare-signed",
            "You test the largest signed difference, so a large negative one passes. Take .abs() first.",
            "nearly there",
            compare="signed",
        ),
        Misconception(
            "say-true-everything",
            "You return True for every map. Compare f(x[:, perm]) with f(x)[:, perm].",
            lambda f, x, perm: True,
        ),
    ),
    accepted=(_by_difference, _by_loop, _by_matrix, _by_index_select),
)
