"""Exams of unit 01, Shapes of cross-attention."""

import math
from collections.abc import Mapping

import torch
import torch.nn.functional as F
from torch import Tensor

from autograder.draw import Draw
from autograder.exam import Criterion, Misconception
from autograder.kinds import (
    ChooseExam,
    CodeCriterion,
    CodeExam,
    CounterexampleExam,
    Option,
    ShapesCriterion,
    ShapesExam,
)
from course_lib import attention
from course_lib.checks import Finding

BUILT_IN_ATTENTION = ("torch.nn.functional.scaled_dot_product_attention", "torch.nn.MultiheadAttention")


def _cross_attention_tensors(size: Mapping[str, int]) -> dict[str, Tensor]:
    b, n_tgt, n_src, d, d_q, d_v = (size[name] for name in ("B", "n_tgt", "n_src", "d", "d_q", "d_v"))
    x_tgt, x_src = torch.zeros(b, n_tgt, d), torch.zeros(b, n_src, d)
    w = {"W_q": torch.zeros(d, d_q), "W_k": torch.zeros(d, d_q), "W_v": torch.zeros(d, d_v)}
    q, k, v = x_tgt @ w["W_q"], x_src @ w["W_k"], x_src @ w["W_v"]
    z, a = attention.scaled_dot_product_attention(q, k, v)
    return w | {"Q": q, "K": k, "V": v, "scores": q @ k.transpose(1, 2), "A": a, "Z": z}


SHEET = {
    "W_q": "d d_q",
    "W_k": "d d_q",
    "W_v": "d d_v",
    "Q": "B n_tgt d_q",
    "K": "B n_src d_q",
    "V": "B n_src d_v",
    "scores": "B n_tgt n_src",
    "A": "B n_tgt n_src",
    "Z": "B n_tgt d_v",
}

cross_attention_shapes = ShapesExam(
    exercise="cross_attention_shapes",
    dimensions=("B", "n_tgt", "n_src", "d", "d_q", "d_v"),
    given={"X_tgt": "B n_tgt d", "X_src": "B n_src d"},
    sheet=SHEET,
    relations=(
        "Q = X_tgt @ W_q",
        "K = X_src @ W_k",
        "V = X_src @ W_v",
        "scores = Q @ K.T",
        "A = scores",
        "Z = A @ V",
    ),
    tensors=_cross_attention_tensors,
    criteria=(
        ShapesCriterion("the weights W_q, W_k, W_v", 2, ("W_q", "W_k", "W_v")),
        ShapesCriterion("the projections Q, K, V", 2, ("Q", "K", "V")),
        ShapesCriterion("scores, A and the output Z", 2, ("scores", "A", "Z")),
    ),
    misconceptions=(
        Misconception(
            "Your keys have one row for each target token; keys describe the source, so they have n_src rows.",
            SHEET | {"K": "B n_tgt d_q"},
        ),
        Misconception(
            "Your values have one row for each target token; values come from the source, like the keys.",
            SHEET | {"V": "B n_tgt d_v"},
        ),
        Misconception(
            "Your scores have a row for each key; in Q Kᵀ the rows are the queries, one for each target token.",
            SHEET | {"scores": "B n_src n_tgt"},
        ),
        Misconception(
            "Your output has one row for each source token; each query gets one row of output, so Z has n_tgt.",
            SHEET | {"Z": "B n_src d_v"},
        ),
        Misconception(
            "Your output has the width of the queries; it is an average of values, so its width is d_v.",
            SHEET | {"Z": "B n_tgt d_q"},
        ),
        Misconception(
            "Your weights carry a batch dimension; every sequence of the batch shares the same weights.",
            SHEET | {"W_q": "B d d_q"},
        ),
        Misconception(
            "Your weights are stored as nn.Linear stores them; here W_q stands to the right of X, so it is (d, d_q).",
            SHEET | {"W_q": "d_q d"},
        ),
    ),
    accepted=(
        {
            "W_q": ("d", "d_q"),
            "W_k": ["d", "d_q"],
            "W_v": "(d, d_v)",
            "Q": "B × n_tgt × d_q",
            "K": "  B   n_src d_q ",
            "V": "[B, n_src, d_v]",
            "scores": "B,n_tgt,n_src",
            "A": "B n_tgt n_src",
            "Z": "B×n_tgt×d_v",
        },
    ),
)


def _attention_arguments(draw: Draw, *leading: int, dtype: torch.dtype = torch.float32) -> list[Tensor]:
    n_q, n_k, d_k, d_v = draw.sizes(4)
    return [
        draw.normal(*leading, n_q, d_k, dtype=dtype),
        draw.normal(*leading, n_k, d_k, dtype=dtype),
        draw.normal(*leading, n_k, d_v, dtype=dtype),
    ]


def _masked_arguments(draw: Draw) -> list[Tensor]:
    q, k, v = _attention_arguments(draw, 2)
    return [q, k, v, draw.mask(len(q), q.shape[1], k.shape[1])]


def _shared_mask_arguments(draw: Draw) -> list[Tensor]:
    q, k, v = _attention_arguments(draw, 2, 3)
    return [q, k, v, draw.mask(q.shape[-2], k.shape[-2])]


def _scores(q: Tensor, k: Tensor) -> Tensor:
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def _no_scale(q, k, v, mask=None):
    return attention.scaled_dot_product_attention(q * math.sqrt(q.shape[-1]), k, v, mask)


def _scale_d_k(q, k, v, mask=None):
    return attention.scaled_dot_product_attention(q / math.sqrt(q.shape[-1]), k, v, mask)


def _softmax_over_queries(q, k, v, mask=None):
    scores = _scores(q, k)
    weights = (scores if mask is None else scores.masked_fill(mask, -1e9)).softmax(-2)
    return weights @ v, weights


def _no_softmax(q, k, v, mask=None):
    scores = _scores(q, k)
    weights = scores if mask is None else scores.masked_fill(mask, -1e9)
    return weights @ v, weights


def _mask_inverted(q, k, v, mask=None):
    return attention.scaled_dot_product_attention(q, k, v, None if mask is None else ~mask)


def _mask_ignored(q, k, v, mask=None):
    return attention.scaled_dot_product_attention(q, k, v)


def _mask_after_softmax(q, k, v, mask=None):
    weights = _scores(q, k).softmax(-1)
    weights = weights if mask is None else weights.masked_fill(mask, 0.0)
    return weights @ v, weights


def _mask_as_zero_score(q, k, v, mask=None):
    scores = _scores(q, k)
    weights = (scores if mask is None else scores.masked_fill(mask, 0.0)).softmax(-1)
    return weights @ v, weights


def _weights_first(q, k, v, mask=None):
    return attention.scaled_dot_product_attention(q, k, v, mask)[::-1]


def _attention_by_einsum(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.size(-1) ** -0.5
    if mask is not None:
        scores = torch.where(mask, torch.full_like(scores, -1e9), scores)
    weights = F.softmax(scores, dim=-1)
    return torch.einsum("...ij,...jd->...id", weights, v), weights


def _attention_by_exp(q, k, v, mask=None):
    exp = torch.exp(_scores(q, k))
    if mask is not None:
        exp = exp * ~mask
    weights = exp / exp.sum(dim=-1, keepdim=True)
    return [torch.matmul(weights, v), weights]


def _attention_minus_infinity(query, key, value, blocked=None):
    scores = torch.matmul(query / math.sqrt(query.shape[-1]), key.mT)
    if blocked is not None:
        scores = scores.masked_fill(blocked, float("-inf"))
    weights = torch.softmax(scores, -1)
    return weights.matmul(value), weights


def _attention_by_loop(q, k, v, mask=None):
    scores = _scores(q, k)
    if mask is not None:
        scores = scores - 1e9 * mask.to(scores.dtype)
    rows = [row.softmax(-1) for row in scores.reshape(-1, scores.shape[-1])]
    weights = torch.stack(rows).reshape(scores.shape)
    return weights @ v, weights


scaled_dot_product_attention = CodeExam(
    exercise="scaled_dot_product_attention",
    function=attention.scaled_dot_product_attention,
    outputs=("output", "weights"),
    properties={"weights": "rows sum to one"},
    forbidden=BUILT_IN_ATTENTION,
    criteria=(
        CodeCriterion("output and weights", 3, lambda draw: _attention_arguments(draw, 2), visible=True),
        CodeCriterion("a mask blocks keys", 2, _masked_arguments, "blocking", visible=True),
        CodeCriterion("any leading dimensions, with one mask for all", 1, _shared_mask_arguments),
        CodeCriterion("gradients reach q, k and v", 1, lambda draw: _attention_arguments(draw, 2), "gradients"),
        CodeCriterion(
            "float64 in, float64 out", 0.5, lambda d: _attention_arguments(d, 2, dtype=torch.float64), "dtypes"
        ),
        CodeCriterion("the arguments are left unchanged", 0.5, _masked_arguments, "arguments after"),
    ),
    misconceptions=(
        Misconception("Your weights equal attention without the 1/√d_k scale.", _no_scale),
        Misconception("Your scores are divided by d_k instead of √d_k.", _scale_d_k),
        Misconception(
            "Your softmax runs over the queries; each query's weights over the keys must sum to 1 (dim=-1).",
            _softmax_over_queries,
        ),
        Misconception("Your weights are the raw scores: the softmax is missing.", _no_softmax),
        Misconception("Your mask is inverted: here True means blocked.", _mask_inverted),
        Misconception("Your function ignores the mask.", _mask_ignored),
        Misconception(
            "Your mask acts after the softmax, so rows no longer sum to 1: block the scores before it.",
            _mask_after_softmax,
        ),
        Misconception(
            "Your blocked scores are 0, and exp(0) is 1: give them −inf or a large negative number.",
            _mask_as_zero_score,
        ),
        Misconception("You return (weights, output); the order asked for is (output, weights).", _weights_first),
    ),
    accepted=(_attention_by_einsum, _attention_by_exp, _attention_minus_infinity, _attention_by_loop),
)


def _cross_arguments(draw: Draw) -> list[Tensor]:
    n_tgt, n_src, d, d_q, d_v = draw.sizes(5)
    return [
        draw.normal(2, n_tgt, d),
        draw.normal(2, n_src, d),
        draw.normal(d, d_q) / 2,
        draw.normal(d, d_q) / 2,
        draw.normal(d, d_v),
    ]


def _roles_swapped(x_tgt, x_src, w_q, w_k, w_v):
    return attention.cross_attention(x_src, x_tgt, w_q, w_k, w_v)


def _self_attention_on_target(x_tgt, x_src, w_q, w_k, w_v):
    return attention.cross_attention(x_tgt, x_tgt, w_q, w_k, w_v)


def _self_attention_on_source(x_tgt, x_src, w_q, w_k, w_v):
    return attention.cross_attention(x_src, x_src, w_q, w_k, w_v)


def _cross_no_scale(x_tgt, x_src, w_q, w_k, w_v):
    return _no_scale(x_tgt @ w_q, x_src @ w_k, x_src @ w_v)


def _cross_softmax_over_queries(x_tgt, x_src, w_q, w_k, w_v):
    return _softmax_over_queries(x_tgt @ w_q, x_src @ w_k, x_src @ w_v)


def _cross_scale_by_d(x_tgt, x_src, w_q, w_k, w_v):
    scale = math.sqrt(w_q.shape[-1] / x_tgt.shape[-1])
    return attention.cross_attention(x_tgt, x_src, w_q * scale, w_k, w_v)


def _one_matrix_for_queries_and_keys(x_tgt, x_src, w_q, w_k, w_v):
    return attention.cross_attention(x_tgt, x_src, w_q, w_q, w_v)


def _cross_by_einsum(x_tgt, x_src, w_q, w_k, w_v):
    bilinear = torch.einsum("bid,de,fe,bjf->bij", x_tgt, w_q, w_k, x_src)
    weights = (bilinear / w_q.shape[1] ** 0.5).softmax(-1)
    return weights @ (x_src @ w_v), weights


def _cross_values_last(x_tgt, x_src, w_q, w_k, w_v):
    weights = _scores(x_tgt @ w_q, x_src @ w_k).softmax(-1)
    return weights @ x_src @ w_v, weights


def _cross_by_batch(x_tgt, x_src, w_q, w_k, w_v):
    pairs = [
        attention.scaled_dot_product_attention(t @ w_q, s @ w_k, s @ w_v) for t, s in zip(x_tgt, x_src, strict=True)
    ]
    return torch.stack([output for output, _ in pairs]), torch.stack([weights for _, weights in pairs])


def _cross_by_linear(x_tgt, x_src, w_q, w_k, w_v):
    q, k, v = F.linear(x_tgt, w_q.T), F.linear(x_src, w_k.T), F.linear(x_src, w_v.T)
    return attention.scaled_dot_product_attention(q, k, v)


cross_attention = CodeExam(
    exercise="cross_attention",
    function=attention.cross_attention,
    outputs=("output", "weights"),
    properties={"weights": "rows sum to one"},
    forbidden=BUILT_IN_ATTENTION,
    criteria=(
        CodeCriterion("output and weights", 4, _cross_arguments, visible=True),
        CodeCriterion("gradients reach every input", 0.5, _cross_arguments, "gradients"),
        CodeCriterion("the arguments are left unchanged", 0.5, _cross_arguments, "arguments after"),
    ),
    misconceptions=(
        Misconception(
            "Your roles are swapped: queries come from the target, keys and values from the source.",
            _roles_swapped,
        ),
        Misconception(
            "Your target attends to itself: keys and values must come from the source.",
            _self_attention_on_target,
        ),
        Misconception("Your source attends to itself: queries must come from the target.", _self_attention_on_source),
        Misconception("Your weights equal cross-attention without the 1/√d_q scale.", _cross_no_scale),
        Misconception(
            "Your softmax runs over the target tokens; each row of weights, one target token, must sum to 1.",
            _cross_softmax_over_queries,
        ),
        Misconception("Your scale is 1/√d, the width of x; it must be 1/√d_q, that of queries.", _cross_scale_by_d),
        Misconception(
            "You use w_q for the keys too: keys have a matrix of their own.", _one_matrix_for_queries_and_keys
        ),
    ),
    accepted=(_cross_by_einsum, _cross_values_last, _cross_by_batch, _cross_by_linear),
)


def _column_arguments(draw: Draw) -> list[object]:
    d, n, m, t = draw.sizes(4)
    return [draw.normal(d, n), draw.normal(d, m), draw.normal(t, m), draw.uniform(0.2, 0.7)]


def _columns_by_rows(Q, K, V, beta):
    return ((beta * Q.T @ K).softmax(-1) @ V.T).T


def _columns_by_einsum(Q, K, V, beta):
    weights = torch.softmax(beta * torch.einsum("dm,dn->mn", K, Q), dim=0)
    return torch.einsum("tm,mn->tn", V, weights)


def _columns_one_by_one(Q, K, V, beta):
    return torch.stack([V @ F.softmax(beta * (K.T @ q), dim=0) for q in Q.T], dim=1)


def _columns_by_exp(Q, K, V, beta):
    exp = torch.exp(beta * K.T @ Q)
    return V @ exp / exp.sum(0)


column_attention = CodeExam(
    exercise="column_attention",
    function=attention.column_attention,
    outputs=("H",),
    forbidden=BUILT_IN_ATTENTION,
    criteria=(
        CodeCriterion("H", 3, _column_arguments, visible=True),
        CodeCriterion("gradients reach Q, K and V", 0.5, _column_arguments, "gradients"),
        CodeCriterion("the arguments are left unchanged", 0.5, _column_arguments, "arguments after"),
    ),
    misconceptions=(
        Misconception(
            "Your softmax runs along the rows; with tokens as columns, each column must sum to 1 (dim=0).",
            lambda Q, K, V, beta: V @ (beta * K.T @ Q).softmax(1),
        ),
        Misconception("Your function ignores beta.", lambda Q, K, V, beta: V @ (K.T @ Q).softmax(0)),
        Misconception(
            "You scale by 1/√d as well: here beta stands in place of it.",
            lambda Q, K, V, beta: V @ (beta * K.T @ Q / math.sqrt(len(Q))).softmax(0),
        ),
        Misconception(
            "You divide by beta: it multiplies the scores.",
            lambda Q, K, V, beta: V @ (K.T @ Q / beta).softmax(0),
        ),
        Misconception(
            "Your H is transposed: tokens stay columns, so H is (t, n).",
            lambda Q, K, V, beta: _columns_by_rows(Q, K, V, beta).T,
        ),
        Misconception("Your softmax is missing.", lambda Q, K, V, beta: V @ (beta * K.T @ Q)),
    ),
    accepted=(_columns_by_rows, _columns_by_einsum, _columns_one_by_one, _columns_by_exp),
)


def _gram_arguments(draw: Draw) -> list[Tensor]:
    n, d = draw.sizes(2)
    return [draw.normal(n, d)]


gram_attention = CodeExam(
    exercise="gram_attention",
    function=attention.gram_attention,
    outputs=("output",),
    criteria=(
        CodeCriterion("output", 1.5, _gram_arguments, visible=True),
        CodeCriterion("the argument is left unchanged", 0.5, _gram_arguments, "arguments after"),
    ),
    misconceptions=(
        Misconception("You return the scores X Xᵀ alone: multiply them with the values, X.", lambda X: X @ X.T),
        Misconception("You apply a softmax: here there is none.", lambda X: (X @ X.T).softmax(-1) @ X),
        Misconception("You scale by 1/√d: here there is no scale.", lambda X: X @ X.T @ X / math.sqrt(X.shape[-1])),
        Misconception("Your scores compare features, Xᵀ X; compare tokens, X Xᵀ.", lambda X: X.T @ X),
        Misconception("Your product is element by element: use @.", lambda X: X * X * X),
    ),
    accepted=(
        lambda X: X @ (X.T @ X),
        lambda X: torch.einsum("id,jd,je->ie", X, X, X),
        lambda X: torch.stack([sum((x @ y) * y for y in X) for x in X]),
        lambda X: torch.linalg.multi_dot([X, X.mT, X]),
    ),
)


def _relative_gap(left: Tensor, right: Tensor) -> float:
    return ((left - right).abs().max() / (left.abs().max() + right.abs().max() + 1e-30)).item()


ZERO_TENSOR = "One of your tensors is zero, and adding nothing changes nothing: let both hold numbers."
CANCELLING = "Your tensors cancel, X2 = −X1, and both sides are zero: f is odd. Try tensors that do not cancel."


def _refute_additivity(x1: Tensor, x2: Tensor) -> None:
    together = attention.gram_attention(x1 + x2)
    apart = attention.gram_attention(x1) + attention.gram_attention(x2)
    if _relative_gap(together, apart) < 1e-6:
        diagnosis = None
        if not (x1.any() and x2.any()):
            diagnosis = ZERO_TENSOR
        elif not (x1 + x2).any():
            diagnosis = CANCELLING
        raise Finding(
            "on your tensors f(X1 + X2) and f(X1) + f(X2) agree (the largest entries are "
            f"{together.abs().max().item():.3g} and {apart.abs().max().item():.3g}), so additivity is not refuted",
            diagnosis=diagnosis,
        )


not_additive = CounterexampleExam(
    exercise="not_additive",
    parts=("matrix", "matrix"),
    refute=_refute_additivity,
    example=lambda: (torch.eye(2), torch.eye(2)),
    criteria=(Criterion("the tensors refute additivity", 2),),
    misconceptions=(
        Misconception(ZERO_TENSOR, (torch.zeros(2, 3), torch.ones(2, 3))),
        Misconception(CANCELLING, (torch.ones(3, 2), -torch.ones(3, 2))),
    ),
    accepted=((torch.ones(1, 1), torch.ones(1, 1)), [torch.ones(3, 2, dtype=torch.int64), torch.ones(3, 2)]),
)

SAME_TOKEN = "Both indices are the same token: that its own output changes refutes nothing."
ORTHOGONAL = "Orthogonal tokens do not see each other: choose two with a dot product other than zero."


def _refute_separate_tokens(x: Tensor, changed: int, watched: int) -> None:
    if changed == watched:
        raise Finding(f"you change token {changed} and watch token {watched}", diagnosis=SAME_TOKEN)
    doubled = x.clone()
    doubled[changed] *= 2
    before, after = attention.gram_attention(x)[watched], attention.gram_attention(doubled)[watched]
    if _relative_gap(before, after) < 1e-6:
        raise Finding(
            f"doubling token {changed} leaves output {watched} as it is (the largest change is "
            f"{(after - before).abs().max().item():.2g}); the dot product of the two tokens is "
            f"{(x[changed] @ x[watched]).item():.2g}",
            diagnosis=ORTHOGONAL,
        )


mixes_tokens = CounterexampleExam(
    exercise="mixes_tokens",
    parts=("matrix", "index", "index"),
    refute=_refute_separate_tokens,
    example=lambda: (torch.ones(2, 3), 0, 1),
    criteria=(Criterion("changing one token changes the output of another", 2),),
    misconceptions=(
        Misconception(ORTHOGONAL, (torch.eye(3), 0, 1)),
        Misconception(SAME_TOKEN, (torch.ones(2, 3), 1, 1)),
    ),
    accepted=((torch.tensor([[1, 0], [1, 1]]), 1, 0), [torch.ones(4, 1), torch.tensor(3), 0]),
)


def _matrix_arguments(draw: Draw) -> list[Tensor]:
    n, d, d_q = draw.sizes(3)
    return [draw.normal(n, d), draw.normal(d, d_q) / 2, draw.normal(d, d_q) / 2]


attention_matrix = CodeExam(
    exercise="attention_matrix",
    function=attention.attention_matrix,
    outputs=("A",),
    properties={"A": "rows sum to one"},
    forbidden=BUILT_IN_ATTENTION,
    criteria=(
        CodeCriterion("A", 3, _matrix_arguments, visible=True),
        CodeCriterion("gradients reach X, w_q and w_k", 0.5, _matrix_arguments, "gradients"),
        CodeCriterion("the arguments are left unchanged", 0.5, _matrix_arguments, "arguments after"),
    ),
    misconceptions=(
        Misconception(
            "Your A equals the attention matrix without the 1/√d_q scale.",
            lambda X, w_q, w_k: (X @ w_q @ (X @ w_k).T).softmax(-1),
        ),
        Misconception(
            "Your scale is 1/√d, the width of X; it must be 1/√d_q, that of queries.",
            lambda X, w_q, w_k: (X @ w_q @ (X @ w_k).T / math.sqrt(X.shape[1])).softmax(-1),
        ),
        Misconception(
            "Your softmax runs down the columns; each row, a query, must sum to 1.",
            lambda X, w_q, w_k: (X @ w_q @ (X @ w_k).T / math.sqrt(w_q.shape[1])).softmax(0),
        ),
        Misconception(
            "Your softmax is missing.",
            lambda X, w_q, w_k: X @ w_q @ (X @ w_k).T / math.sqrt(w_q.shape[1]),
        ),
        Misconception(
            "Queries and keys have changed places: rows are queries, X w_q.",
            lambda X, w_q, w_k: (X @ w_k @ (X @ w_q).T / math.sqrt(w_q.shape[1])).softmax(-1),
        ),
        Misconception(
            "Your A does not use w_q and w_k.",
            lambda X, w_q, w_k: (X @ X.T / math.sqrt(X.shape[1])).softmax(-1),
        ),
    ),
    accepted=(
        lambda X, w_q, w_k: attention.scaled_dot_product_attention(X @ w_q, X @ w_k, X)[1],
        lambda X, w_q, w_k: F.softmax(X @ (w_q @ w_k.T) @ X.T * w_k.size(1) ** -0.5, dim=1),
        lambda X, w_q, w_k: torch.stack([(_scores(x @ w_q, X @ w_k)).softmax(-1) for x in X]),
        lambda X, w_q, w_k: attention.cross_attention(X, X, w_q, w_k, torch.eye(X.shape[1]))[1],
    ),
)

query_key_value_roles = ChooseExam(
    exercise="query_key_value_roles",
    criteria=(Criterion("the true statements", 3),),
    options={
        "A": Option(True, "the target asks, so it makes the queries; the source answers with keys and values."),
        "B": Option(False, "the weights compare queries with keys; the values are only averaged with them."),
        "C": Option(True, "each query gets one weighted average, so Z has as many rows as Q."),
        "D": Option(False, "each key belongs to one value, so their numbers agree, but d_k and d_v may differ."),
        "E": Option(True, "a key says what a token offers, its value is what is handed over."),
        "F": Option(False, "a softmax gives every unblocked source token some weight, never exactly zero."),
    },
    accepted=("ace", "E, C, A", ["A", "C", "E"], {"A", "C", "E"}),
)

EXAMS = (
    cross_attention_shapes,
    query_key_value_roles,
    scaled_dot_product_attention,
    cross_attention,
    column_attention,
    gram_attention,
    not_additive,
    mixes_tokens,
    attention_matrix,
)
