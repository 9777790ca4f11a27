"""A test that finds a decoder which sees the answer."""

from functools import partial

import torch
from torch import Tensor

from autograder.exam_types import Bug, BugsCaught, NoFalseAlarm, StudentTestsExam
from autograder.exam_types.exam import Misconception

VOCAB, WIDTH = 10, 8


def _random(*shape: int, seed: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


EMBEDDING, OUTPUT = _random(VOCAB, WIDTH, seed=1), _random(WIDTH, VOCAB, seed=2)
PLACES = _random(64, WIDTH, seed=3) / 2


def _embed(tgt_in: Tensor) -> Tensor:
    return EMBEDDING[tgt_in] + PLACES[: tgt_in.shape[1]]


def _offsets(n: int) -> Tensor:
    return torch.arange(n) - torch.arange(n)[:, None]  # key − query


def _attend(x: Tensor, blocked: Tensor) -> Tensor:
    return x + (x @ x.mT / WIDTH**0.5).masked_fill(blocked, float("-inf")).softmax(-1) @ x


def _decoder(blocked):
    """A small decoder with this mask, made from key − query."""
    return lambda tgt_in: _attend(_embed(tgt_in), blocked(_offsets(tgt_in.shape[1]))) @ OUTPUT


def _two_layers(first, second):
    def decode(tgt_in):
        offsets = _offsets(tgt_in.shape[1])
        return _attend(_attend(_embed(tgt_in), first(offsets)), second(offsets)) @ OUTPUT

    return decode


def _causal(offsets: Tensor) -> Tensor:
    return offsets > 0


def _running_mean(tgt_in: Tensor) -> Tensor:
    counts = torch.arange(1, tgt_in.shape[1] + 1)[:, None]
    return (_embed(tgt_in).cumsum(1) / counts).tanh() @ OUTPUT


def _each_alone(tgt_in: Tensor) -> Tensor:
    return _embed(tgt_in) @ OUTPUT


def _rounds_with_length(tgt_in: Tensor) -> Tensor:
    """Correct, with the rounding of another order of summation."""
    return _running_mean(tgt_in) + 1e-6 * torch.sin(tgt_in.sum().float())


def _normalised_over_places(tgt_in: Tensor) -> Tensor:
    x = _attend(_embed(tgt_in), _causal(_offsets(tgt_in.shape[1])))
    return ((x - x.mean(1, keepdim=True)) / x.std(1, keepdim=True)) @ OUTPUT


def _leaks_in_part(part: float, distance: int):
    """Two tokens, as far into the sequence as this part of it, leak into the positions so many before them.

    Two, so that a test which replaces tokens by random ones does not miss them where one stays the same by chance.
    """

    def decode(tgt_in: Tensor) -> Tensor:
        x = _embed(tgt_in)
        n = x.shape[1]
        first = max(distance, distance + round(part * (n - 2 - distance)))
        leaked = torch.zeros_like(x)
        for token in range(first, min(first + 2, n)):
            leaked[:, token - distance] = x[:, token]
        return (x.cumsum(1) + leaked).tanh() @ OUTPUT

    return decode


# A test that changes one token alone catches the general leaks and a few of the others.
BUGS = (
    Bug("a decoder without any look-ahead mask", _decoder(lambda o: o > 99)),
    Bug("features normalized over the whole sequence, future included", _normalised_over_places),
    *(
        Bug(f"two tokens, {part:.0%} into the sequence, are seen {words} too early", _leaks_in_part(part, distance))
        for distance, words, parts in (
            (1, "one position", (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)),
            (2, "two positions", (0.0, 0.5, 1.0)),
        )
        for part in parts
    ),
)


def _tokens(n: int = 8) -> Tensor:
    return torch.randint(VOCAB, (2, n))


def no_leak(decode):
    tgt_in = _tokens()
    before = decode(tgt_in)
    for t in range(1, 8):
        changed = tgt_in.clone()
        changed[:, t] = (changed[:, t] + 1) % VOCAB
        after = decode(changed)
        assert torch.allclose(before[:, :t], after[:, :t], atol=1e-4), f"token {t} changes an earlier place"


def _by_prefix(decode):
    tgt_in = _tokens()
    whole = decode(tgt_in)
    for n in range(1, 8):
        assert (decode(tgt_in[:, :n]) - whole[:, :n]).abs().max() < 1e-4


def _by_suffix(decode):
    one, two = _tokens(9), _tokens(9)
    return all(
        torch.allclose(decode(torch.cat([one[:, :t], two[:, t:]], 1))[:, :t], decode(one)[:, :t], atol=1e-3)
        for t in range(1, 9)
    )


def _one_row_at_a_time(decode):
    for row in _tokens(7):
        before = decode(row[None])[0]
        for t in range(1, 7):
            other = row.clone()
            other[t:] = (other[t:] + 3) % VOCAB
            moved = (decode(other[None])[0] - before).abs().amax(-1) > 1e-3
            if moved[:t].any():
                raise AssertionError(f"place {moved.nonzero()[0].item()} sees token {t} or a later one")


def _to_the_last_bit(decode):
    tgt_in = _tokens()
    before = decode(tgt_in)
    for t in range(1, 8):
        changed = tgt_in.clone()
        changed[:, t] = (changed[:, t] + 1) % VOCAB
        assert torch.equal(before[:, :t], decode(changed)[:, :t])


def _past_instead(decode):
    tgt_in = _tokens()
    changed = tgt_in.clone()
    changed[:, 0] = (changed[:, 0] + 1) % VOCAB
    assert torch.allclose(decode(tgt_in)[:, 1:], decode(changed)[:, 1:], atol=1e-4)


def _last_token_only(decode):
    tgt_in = _tokens()
    changed = tgt_in.clone()
    changed[:, -1] = (changed[:, -1] + 1) % VOCAB
    assert torch.allclose(decode(tgt_in)[:, :-1], decode(changed)[:, :-1], atol=1e-4)


def _one_token(token, decode):
    tgt_in = _tokens()
    changed = tgt_in.clone()
    changed[:, token] = (changed[:, token] + 1) % VOCAB
    assert torch.allclose(decode(tgt_in)[:, :token], decode(changed)[:, :token], atol=1e-4)


def _next_door_only(decode):
    tgt_in = _tokens()
    before = decode(tgt_in)
    for t in range(1, 8):
        changed = tgt_in.clone()
        changed[:, t] = (changed[:, t] + 1) % VOCAB
        assert torch.allclose(before[:, t - 1], decode(changed)[:, t - 1], atol=1e-4)


def _shapes_only(decode):
    assert decode(_tokens()).shape == (2, 8, VOCAB)


def _no_assert(decode):
    tgt_in = _tokens()
    for t in range(1, 8):
        changed = tgt_in.clone()
        changed[:, t] = (changed[:, t] + 1) % VOCAB
        torch.allclose(decode(tgt_in)[:, :t], decode(changed)[:, :t], atol=1e-4)


leak_test = StudentTestsExam(
    exercise="leak_test",
    covers=("A8", "Bt8"),
    test=no_leak,
    correct=(_decoder(_causal), _two_layers(_causal, _causal), _running_mean, _each_alone, _rounds_with_length),
    bugs=BUGS,
    criteria=(NoFalseAlarm("no false alarm", 0.25), BugsCaught("planted leaks are caught", 3.75)),
    misconceptions=(
        Misconception(
            "to-the-last-bit",
            "You ask for exact equality, but rounding differs from run to run: compare with torch.allclose.",
            _to_the_last_bit,
            hint="nearly there",
        ),
        Misconception(
            "past-instead",
            "You change the past and compare the future, which may change: change a later token, compare earlier "
            "positions.",
            _past_instead,
            hint="change one thing",
        ),
        Misconception(
            "last-token-only",
            "You change the last token only, but a leak may come from any later token: change each token in turn.",
            _last_token_only,
            hint="all places, all tokens",
        ),
        Misconception(
            "next-door-only",
            "You compare only the position before the changed token: a leak may reach further. Compare all earlier "
            "positions.",
            _next_door_only,
            hint="all places, all tokens",
        ),
        Misconception(
            "shapes-only",
            "Your test passes every decoder: compare the logits of earlier positions, and let a difference fail.",
            _shapes_only,
            hint="change one thing",
        ),
        Misconception(
            "shapes-only",
            "Your test passes every decoder: compare the logits of earlier positions, and let a difference fail.",
            _no_assert,
            hint="change one thing",
        ),
    ),
    accepted=(_by_prefix, _by_suffix, _one_row_at_a_time, no_leak),
    shortcuts=(
        lambda decode: None,
        lambda decode: False,
        _shapes_only,
        _past_instead,
        *(partial(_one_token, token) for token in range(1, 8)),
    ),
)
