"""The claim that a key which is scaled up gets more weight."""

from torch import Tensor

from course_lib.checks.claims.not_refuted import NotRefuted


def refute_scaling_up(Q: Tensor, K: Tensor, query: int, key: int) -> None:
    doubled = K.clone()
    doubled[key] *= 2
    before, after = ((Q @ keys.T / Q.shape[1] ** 0.5).softmax(-1)[query, key].item() for keys in (K, doubled))
    if after < before * (1 - 1e-6):
        return
    score = (Q[query] @ K[key]).item()
    went = "leaves it where it was" if abs(after - before) <= 1e-6 * before else f"takes it up to {after:.4g}"
    raise NotRefuted(
        f"the weight of query {query} on key {key} is {before:.4g}, and doubling the key {went}, so the claim holds "
        f"here; their dot product is {score:.3g}",
        known=_why(len(K), score),
    )


def _why(keys: int, score: float) -> str:
    if keys == 1:
        return "alone"
    if score > 0:
        return "positive"
    return "zero" if score == 0 else "lost"
