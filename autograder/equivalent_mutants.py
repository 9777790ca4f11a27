"""Mutants that may survive, by exercise, each with the reason why no student could lose a point for it.

Most compute the same. Two of scaled_dot_product_attention do not: they drop what the reference does beyond the
contract of the exercise, which an exam may not ask for. Counted as survivors, they would make its share 30 of 32.
"""

EQUIVALENT = {
    "scaled_dot_product_attention": {
        "line 12: `k.transpose(-2, -1)` → `k.transpose(-1, -2)`": (
            "a transposition names its two dimensions in any order"
        ),
        "line 16: `_require_broadcast(mask, scores)` → `pass`": (
            "it explains a mask of the wrong shape to its caller; the exercise promises masks that fit"
        ),
        "line 18: `blocked.softmax(-1).masked_fill(mask, 0.0)` → `blocked.softmax(-1)`": (
            "it matters to a query that may look nowhere; in the exercise every query has a key to look at, "
            "since −inf, which students may use, gives nan there"
        ),
    },
    "attention_matrix": {
        "line 7: `w_q.shape[-1]` → `w_q.shape[1]`": "w_q has two dimensions, so −1 and 1 are the same one",
        "line 7: `(X @ w_q @ (X @ w_k).T / math.sqrt(w_q.shape[-1])).softmax(-1)` "
        "→ `(X @ w_q @ (X @ w_k).T / math.sqrt(w_q.shape[-1])).softmax(1)`": (
            "A has two dimensions, so −1 and 1 are the same one"
        ),
    },
}
