"""Mutants that may survive, by exercise, each with the reason why it is no mistake.

Most compute the same (equivalent mutants). The others drop what the reference does beyond the contract of the exercise,
such as half precision or a query without keys, which an exam may not test. Lines that reject misuse are not mutated.
"""

_WIDER = "the search begins with a bound that is high enough; a wider one finds the same beta"
_ANY_ORDER = "a transposition names its two dimensions in any order"
_ANY_START = "A may start anywhere but at zero; how large it is at the start is not part of the exercise"
_FITTING = "it refuses what does not fit; the exercise promises modules and sizes that do"

EQUIVALENT = {
    "scaled_dot_product_attention": {
        "line 12: `k.transpose(-2, -1)` → `k.transpose(-1, -2)`": _ANY_ORDER,
        "line 16: `_require_broadcast(mask, scores)` → `pass`": (
            "it explains a mask of the wrong shape to its caller; the exercise promises masks that fit"
        ),
        "line 18: `blocked.softmax(-1).masked_fill(mask, 0.0)` → `blocked.softmax(-1)`": (
            "it matters to a query that may look nowhere; in the exercise every query has a key to look at, "
            "since −inf, which students may use, gives nan there"
        ),
    },
    "scaled_weights": {
        "line 5: `k.transpose(-2, -1)` → `k.transpose(-1, -2)`": (
            "a transposition names its two dimensions in any order"
        ),
    },
    "saturation": {
        "line 5: `largest.item()` → `largest`": "a tensor of one entry is accepted as a number",
        "line 5: `(largest * (first + second)).item()` → `largest * (first + second)`": (
            "a tensor of one entry is accepted as a number"
        ),
    },
    "beta_for_sharpness": {
        "line 4: `scores.double()` → `scores`": "four digits are asked for, and float32 has seven",
        "line 10: `math.log((n - 1) * p / (1 - p))` → `(n - 1) * p / (1 - p)`": _WIDER,
        "line 10: `(n - 1) * p` → `(n - 1) / p`": _WIDER,
        "line 10: `n - 1` → `n + 1`": _WIDER,
        "line 10: `n - 1` → `n - 0`": _WIDER,
        "line 10: `math.log((n - 1) * p / (1 - p)) / float(ordered[0] - ordered[1]) + 1.0` "
        "→ `math.log((n - 1) * p / (1 - p)) / float(ordered[0] - ordered[1]) + 2.0`": _WIDER,
        "line 11: `range(100)` → `range(101)`": "after 60 halvings there is nothing left to halve",
        "line 13: `softargmax(ordered, beta=middle)[0] < p` → `softargmax(ordered, beta=middle)[0] <= p`": (
            "either half may keep the point at which both meet"
        ),
    },
    "preserve": {
        "line 6: `max(1.0, beta_for_sharpness(scores, COPIED))` → `max(beta_for_sharpness(scores, COPIED), 1.0)`": (
            "the larger of two is the same in any order"
        ),
        "line 6: `max(1.0, beta_for_sharpness(scores, COPIED))` → `max(2.0, beta_for_sharpness(scores, COPIED))`": (
            "the winner's weight is below 0.9 in the exercise, so the factor is above 2"
        ),
    },
    "dilute": {
        "line 5: `0 * query` → `0 / query`": "0 divided by a number is 0 too",
        "line 5: `softargmax(keys @ (0 * query), beta)` → `softargmax(beta, keys @ (0 * query))`": (
            "scores and beta are multiplied in any order"
        ),
    },
    "attention_matrix": {
        "line 7: `w_q.shape[-1]` → `w_q.shape[1]`": "w_q has two dimensions, so −1 and 1 are the same one",
        "line 7: `(X @ w_q @ (X @ w_k).T / math.sqrt(w_q.shape[-1])).softmax(-1)` "
        "→ `(X @ w_q @ (X @ w_k).T / math.sqrt(w_q.shape[-1])).softmax(1)`": (
            "A has two dimensions, so −1 and 1 are the same one"
        ),
    },
    "split_heads": {
        "line 3: `x.unflatten(-1, (num_heads, _head_width(x.shape[-1], num_heads))).transpose(1, 2)` → "
        "`x.unflatten(-1, (num_heads, _head_width(x.shape[-1], num_heads))).transpose(2, 1)`": _ANY_ORDER,
    },
    "merge_heads": {
        "line 3: `x.transpose(1, 2)` → `x.transpose(2, 1)`": _ANY_ORDER,
        "line 3: `x.transpose(1, 2).flatten(-2)` → `x.transpose(1, 2).flatten(2)`": (
            "x has four dimensions, so −2 and 2 are the same one"
        ),
    },
    "parameter_count": {"line 3: `_head_width(d_model, num_heads)` → `pass`": _FITTING},
    "mask_tokens": {
        "line 8: `(torch.rand(tokens.shape, generator=generator, device=device) < p).to(tokens.device)` → "
        "`torch.rand(tokens.shape, generator=generator, device=device) < p`": "everything is on one device",
        "line 8: `torch.rand(tokens.shape, generator=generator, device=device) < p` → "
        "`torch.rand(tokens.shape, generator=generator, device=device) <= p`": (
            "a random number that equals p exactly is too rare to matter"
        ),
    },
    "LoRALinear": {
        "line 9: `torch.randn_like(base.weight[:rank]) / base.in_features ** 0.5` → "
        "`torch.randn_like(base.weight[:rank]) * base.in_features ** 0.5`": _ANY_START,
        "line 9: `torch.randn_like(base.weight[:rank])` → `base.weight[:rank]`": _ANY_START,
        "line 9: `base.in_features ** 0.5` → `base.in_features ** 1.0`": _ANY_START,
    },
    "is_permutation_equivariant": {
        "line 7: `if permuted_first.numel() == 0: …` → `pass`": (
            "it answers for a batch without a token; the exercise promises n tokens"
        ),
        "line 7: `permuted_first.numel() == 0` → `permuted_first.numel() == 1`": (
            "it asks about a batch of one number, whose only permutation leaves it as it is"
        ),
    },
    "shift_matrix": {
        "line 10: `torch.stack([cos, sin], -1)` → `torch.stack([cos, sin], 1)`": (
            "vectors have one dimension, so a new last one is dimension 1"
        ),
        "line 10: `torch.stack([-sin, cos], -1)` → `torch.stack([-sin, cos], 1)`": (
            "vectors have one dimension, so a new last one is dimension 1"
        ),
    },
    "rotate": {
        "line 6: `torch.promote_types(x.dtype, torch.float32)` → `x.dtype`": (
            "it matters in half precision; the exercise promises float32 and float64"
        ),
        "line 6: `torch.promote_types(x.dtype, torch.float32)` → `torch.promote_types(torch.float32, x.dtype)`": (
            "the larger of two types, in any order"
        ),
        "line 8: `positions.to(x.device, exact)` → `positions`": (
            "whole numbers times frequencies have the frequencies' type, and everything is on one device"
        ),
        "line 9: `angles.cos().to(x.dtype)` → `angles.cos()`": "the angles have the type of x, but for half precision",
        "line 9: `angles.sin().to(x.dtype)` → `angles.sin()`": "the angles have the type of x, but for half precision",
    },
    "noam_lr": {
        "line 5: `min(step ** (-0.5), step * warmup ** (-1.5))` → `min(step * warmup ** (-1.5), step ** (-0.5))`": (
            "the smaller of two numbers is the same in any order"
        ),
    },
    "interpolate_positions": {
        "line 11: `pos[:, 1:].transpose(1, 2)` → `pos[:, 1:].transpose(2, 1)`": _ANY_ORDER,
        "line 13: `grid.flatten(2).transpose(1, 2)` → `grid.flatten(2).transpose(2, 1)`": _ANY_ORDER,
    },
}
