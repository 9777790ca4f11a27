"""A bias for each distance, and when to use which kind of position."""

import torch
from torch import Tensor

from autograder.exam_types import ChooseExam, CodeCriterion, CodeExam, Option
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Criterion, Misconception
from course_lib.nn.positions import relative


def _arguments(draw: Draw, *heads: int) -> Arguments:
    """More tokens than the table reaches, so that the farthest share an entry."""
    farthest, n = sorted(draw.sizes(2))
    return [n + 2, draw.normal(*heads, 2 * farthest + 1)]


def _short(draw: Draw) -> Arguments:
    """Fewer tokens than the table reaches."""
    n, farthest = sorted(draw.sizes(2))
    return [n, draw.normal(2 * farthest + 1)]


def _places(n: int) -> tuple[Tensor, Tensor]:
    return torch.arange(n)[:, None], torch.arange(n)[None, :]


def _flawed_bias(n, table, *, offset="j - i", far="shared", centre=0, heads="first", narrower=0):
    i, j = _places(n)
    m = table.shape[-1] // 2 - narrower
    distance = {"j - i": j - i, "i - j": i - j, "size": (j - i).abs(), "key": j + 0 * i, "query": i + 0 * j}[offset]
    middle = 0 if centre == "none" else m + narrower + centre
    index = (distance if far == "around" else distance.clamp(-m, m)) + middle
    bias = table[..., index % table.shape[-1]]
    if far == "zero":
        bias = bias * (distance.abs() <= m)
    if far == "blocked":
        bias = bias.masked_fill(distance.abs() > m, -1e9)
    return bias.movedim(0, -1) if heads == "last" and table.ndim > 1 else bias


def _offsets(n: int) -> Tensor:
    i, j = _places(n)
    return j - i


def _reach(n: int, table: Tensor) -> int:
    return min(table.shape[-1] // 2, n - 1)


def _by_first_dimension(n, table):
    m = (len(table) - 1) // 2
    return table[_offsets(n).clamp(-m, m) + m]


def _slip(slug: str, says: str, hint: str, **options: object) -> Misconception:
    return Misconception(slug, says, lambda n, table: _flawed_bias(n, table, **options), hint)


def _by_loop(n, table):
    m = (table.shape[-1] - 1) // 2
    rows = [[table[..., min(max(j - i, -m), m) + m] for j in range(n)] for i in range(n)]
    return torch.stack([torch.stack(row, -1) for row in rows], -2)


def _by_windows(n, table):
    m = table.shape[-1] // 2
    left, right = table[..., :1], table[..., -1:]
    lead = table.shape[:-1]
    padded = torch.cat([left.expand(*lead, n), table, right.expand(*lead, n)], -1)
    return torch.stack([padded[..., n + m - i : n + m - i + n] for i in range(n)], -2)


def _by_gather(n, table):
    i, j = _places(n)
    m = table.shape[-1] // 2
    index = torch.clamp(j - i + m, 0, 2 * m).flatten()
    return table.index_select(-1, index).unflatten(-1, (n, n))


def _by_one_hot(n, table):
    i, j = _places(n)
    m = table.shape[-1] // 2
    chosen = torch.nn.functional.one_hot((j - i).clamp(min=-m, max=m) + m, 2 * m + 1).to(table.dtype)
    return torch.einsum("...o,ijo->...ij", table, chosen)


relative_position_bias = CodeExam(
    exercise="relative_position_bias",
    covers=("D1.3b",),
    function=relative.relative_position_bias,
    outputs=("bias",),
    criteria=(
        CodeCriterion("one table, with far keys that share an entry", 2, _arguments),
        CodeCriterion("a sequence that is short for its table", 0.5, _short),
        CodeCriterion("one table for each head", 1, lambda draw: _arguments(draw, 2)),
        CodeCriterion("a gradient reaches the table", 0.5, _short, "gradients", side=True),
    ),
    misconceptions=(
        _slip(
            "offset-i-minus-j",
            "Your offsets are i − j, query minus key; expected j − i, negative for earlier keys.",
            "a table of offsets",
            offset="i - j",
        ),
        _slip(
            "offset-size",
            "Your bias is the same for earlier and later keys. Keep the sign of j − i.",
            "a table of offsets",
            offset="size",
        ),
        _slip(
            "offset-key",
            "Your bias depends on the key's position alone; expected on j − i.",
            "a table of offsets",
            offset="key",
        ),
        _slip(
            "offset-query",
            "Your bias depends on the query's position alone; expected on j − i.",
            "a table of offsets",
            offset="query",
        ),
        _slip(
            "far-around",
            "Far offsets wrap around the end of your table. Clamp them to −m … m.",
            "from offset to entry",
            far="around",
        ),
        _slip(
            "far-zero",
            "Your bias is 0 beyond m. The farthest keys share the entry at the end of their side.",
            "from offset to entry",
            far="zero",
        ),
        _slip(
            "far-blocked",
            "You mask the keys beyond m. They share the entry at the end of their side.",
            "from offset to entry",
            far="blocked",
        ),
        _slip(
            "centre-1",
            "Your index is one too large: offset 0 is the middle of the table, index m.",
            "from offset to entry",
            centre=1,
        ),
        _slip(
            "no-centre",
            "Your index is the offset itself, so negative offsets count from the end of the table. Add m.",
            "from offset to entry",
            centre="none",
        ),
        _slip(
            "size-without-centre",
            "Your index is |j − i|, which serves both sides with one half of the table. The index is j − i + m.",
            "from offset to entry",
            offset="size",
            centre="none",
        ),
        _slip(
            "reach-one-less",
            "Your offsets are clamped one step too early: the table reaches from −m to m, both included.",
            "from offset to entry",
            narrower=1,
        ),
        Misconception(
            "m-from-n",
            "Your m depends on n, so few tokens miss the middle of the table. Take m from the table's length.",
            lambda n, table: table[..., (_offsets(n)).clamp(-_reach(n, table), _reach(n, table)) + _reach(n, table)],
            "from offset to entry",
        ),
        Misconception(
            "first-dimension",
            "You index the first dimension of the table, the heads. Offsets are the last one: table[..., index].",
            _by_first_dimension,
            "nearly there",
        ),
        _slip(
            "heads-last",
            "Your heads come last; expected (heads, n, n), heads first as in the table.",
            "nearly there",
            heads="last",
        ),
        Misconception(
            "bias-detached-table-would-never",
            "Your bias is detached from the table, which never learns. Index the table itself.",
            lambda n, table: _flawed_bias(n, table.detach()),
            hint="nearly there",
        ),
    ),
    accepted=(_by_loop, _by_windows, _by_gather, _by_one_hot),
)

absolute_or_relative = ChooseExam(
    exercise="absolute_or_relative",
    covers=("D1.3b", "A1"),
    criteria=(Criterion("the true statements", 3),),
    options={
        "A": Option(
            True,
            "a melody is in the steps between its notes: moved as a whole it stays the same, and so do all offsets.",
        ),
        "B": Option(
            False,
            "field 3 of a form means the same whatever its neighbors are: its absolute position says what it is.",
        ),
        "C": Option(
            True,
            "the bias is looked up by j − i, and moving both by one leaves j − i as it is.",
        ),
        "D": Option(False, "they were fixed sines and cosines; BERT and ViT learn their positions."),
        "E": Option(
            False,
            "they have a value at every position, but a model trained on short sequences has never seen the far ones; "
            "yours lost about half of its answers there.",
        ),
        "F": Option(
            True, "its rows are trained only at positions that occur in training, and there are max_len of them."
        ),
    },
    accepted=("acf", "F, C, A", ["A", "C", "F"], {"A", "C", "F"}),
    shortcuts=("ABCDEF",),
)
