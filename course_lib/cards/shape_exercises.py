"""The four shape exercises, each described once: its exam and card, its diagram and its form are made from this."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from course_lib.cards.shape_flow import Arrow, Block, Carried, Flow, Passing, Row


@dataclass(frozen=True)
class ShapeExercise:
    """What is computed (`given`, `relations`, `flow`) and how the diagram shows it (`title`, `boxes`, `labels`).

    `widths` are the last dimensions that the words of the notebook give.
    `boxes` are the centers of the tensors' boxes. `labels` are those of arrows, by (start, end), that the flow leaves
    without one. With `through_weights` an arrow goes into the weight and out again; else a weight has its own arrow.
    """

    name: str
    dimensions: tuple[str, ...]
    given: Mapping[str, str]
    relations: tuple[str, ...]
    widths: Mapping[str, str]
    flow: Flow
    title: str
    boxes: Mapping[str, tuple[float | int, float | int]]
    labels: Mapping[tuple[str, str], str] = field(default_factory=dict)
    through_weights: bool = False

    def kind(self, tensor: str) -> str:
        """What a tensor is: "input", "weight" or "result"."""
        return "input" if tensor in self.given else "weight" if tensor in self.flow.weights else "result"

    @property
    def arrows(self) -> list[Arrow]:
        return [
            replace(arrow, label=self.labels.get((arrow.start, arrow.end), arrow.label))
            for arrow in self.flow.arrows(self.through_weights)
        ]


def _layer(weight: str, columns: int, then: str = "") -> Block:
    return Block("multiply by", columns, weight, then)


def _layers(*weights: str) -> Row:
    return tuple(_layer(weight, 1) for weight in weights)


def _given(tensor: str, columns: int = 1) -> Carried:
    return Carried(tensor, columns, outside=True)


def _carried(*tensors: str) -> Row:
    return tuple(map(Carried, tensors))


def _attention(queries: str, keys: str, weights: str, values: str, result: str, mask: str = "") -> tuple[Row, ...]:
    """From queries, keys and values side by side to one result."""
    return (
        (Block(f"softmax( {queries} {keys}ᵀ / √d_k{mask} )", 2), Passing()),
        (Carried(weights, 2), Passing()),
        (Block(f"{weights} {values}", 3),),
        (Carried(result, 3),),
    )


def _column(
    names: Sequence[str], x: float | int, ys: Sequence[float | int]
) -> dict[str, tuple[float | int, float | int]]:
    return {name: (x, y) for name, y in zip(names, ys, strict=True)}


MATMUL = ShapeExercise(
    "matmul_shapes",
    dimensions=("B", "n", "m", "d", "d_k"),
    given={"X": "B n d", "Y": "B m d"},
    relations=("P = X @ W", "G = P @ P.T", "S = X @ Y.T", "R = S @ Y"),
    widths={"P": "d_k"},
    flow=Flow(
        (
            (_given("X", 2), _given("Y", 2)),
            (_layer("W", 1), Block("X Yᵀ", 2), Passing()),
            (Carried("P"), Carried("S", 2), Passing()),
            (Block("P Pᵀ"), Block("S Y", 3)),
            (Carried("G"), Carried("R", 3)),
        ),
        widths=(4, 2, 2, 1),
    ),
    title="Four products, with your shapes",
    boxes={
        **_column(("W", "X", "Y"), 0, (3.3, 1.9, 0.3)),
        **_column(("P", "S"), 2.6, (2.7, 1.1)),
        **_column(("G", "R"), 5.2, (2.7, 0.3)),
    },
    labels={("Y", "S"): "Yᵀ"},
)
CROSS_ATTENTION = ShapeExercise(
    "cross_attention_shapes",
    dimensions=("B", "n_tgt", "n_src", "d", "d_q", "d_v"),
    given={"X_tgt": "B n_tgt d", "X_src": "B n_src d"},
    relations=("Q = X_tgt @ W_q", "K = X_src @ W_k", "V = X_src @ W_v", "scores = Q @ K.T", "A = scores", "Z = A @ V"),
    widths={"Q": "d_q", "K": "d_q", "V": "d_v"},
    flow=Flow(
        (
            (_given("X_tgt"), _given("X_src", 2)),
            _layers("W_q", "W_k", "W_v"),
            _carried("Q", "K", "V"),
            (Block("Q Kᵀ / √d_q", 2), Passing()),
            (Carried("scores", 2), Passing()),
            (Block("softmax", 2), Passing()),
            (Carried("A", 2), Passing()),
            (Block("A V", 3),),
            (Carried("Z", 3),),
        )
    ),
    title="Cross-attention, with your shapes",
    boxes={
        **_column(("X_tgt", "X_src"), 0, (3.0, 0.8)),
        **_column(("W_q", "W_k", "W_v"), 2.2, (4.0, 1.9, -0.3)),
        **_column(("Q", "K", "V"), 4.4, (3.0, 1.4, 0.1)),
        **{"scores": (6.6, 2.2), "A": (8.9, 2.2), "Z": (11.1, 1.1)},
    },
)
MULTI_HEAD = ShapeExercise(
    "multi_head_shapes",
    dimensions=("B", "n_q", "n_k", "d", "t", "h", "d_k", "d_v"),
    given={"X_q": "B n_q d", "X_k": "B n_k d", "X_v": "B n_k t"},
    relations=(
        *("Q = X_q @ W_q", "K = X_k @ W_k", "V = X_v @ W_v"),
        *("Q_heads = Q.split", "K_heads = K.split", "V_heads = V.split", "A = Q_heads @ K_heads.T"),
        *("Z_heads = A @ V_heads", "Z = Z_heads.merge", "H = Z @ W_o"),
    ),
    widths={"Q": "h*d_k", "K": "h*d_k", "V": "h*d_v", "H": "t"},
    flow=Flow(
        (
            (_given("X_q"), _given("X_k"), _given("X_v")),
            _layers("W_q", "W_k", "W_v"),
            _carried("Q", "K", "V"),
            (Block("split"), Block("split"), Block("split")),
            _carried("Q_heads", "K_heads", "V_heads"),
            *_attention("Q_heads", "K_heads", "A", "V_heads", "Z_heads"),
            (Block("merge", 3),),
            (Carried("Z", 3),),
            (_layer("W_o", 3),),
            (Carried("H", 3),),
        )
    ),
    title="Multi-head attention, with your shapes",
    boxes={
        **_column(("X_q", "X_k", "X_v"), 0, (4.4, 2.2, 0.6)),
        **_column(("W_q", "W_k", "W_v"), 2.2, (5.5, 3.3, -0.5)),
        **_column(("Q", "K", "V"), 4.4, (4.4, 2.2, 0.6)),
        **_column(("Q_heads", "K_heads", "V_heads"), 6.9, (4.4, 2.2, 0.6)),
        **_column(("A", "Z_heads"), 9.2, (3.3, 1.4)),
        **_column(("Z", "W_o"), 11.7, (1.4, 3.3)),
        "H": (13.9, 2.3),
    },
)
# Sums with the input and norms keep a shape. In the diagram masked self-attention runs along the top from left to
# right, cross-attention comes back from right to left, and the feed-forward network closes the block.
DECODER_BLOCK = ShapeExercise(
    "decoder_block_shapes",
    dimensions=("B", "n_tgt", "n_src", "d", "d_k", "d_v", "d_ff"),
    given={"X": "B n_tgt d", "M": "B n_src d"},
    relations=(
        *("Q1 = X @ W_q1", "K1 = X @ W_k1", "V1 = X @ W_v1", "A1 = Q1 @ K1.T", "Z1 = A1 @ V1"),
        *("H1 = X", "H1 = Z1 @ W_o1"),
        *("Q2 = H1 @ W_q2", "K2 = M @ W_k2", "V2 = M @ W_v2", "A2 = Q2 @ K2.T", "Z2 = A2 @ V2"),
        *("H2 = H1", "H2 = Z2 @ W_o2"),
        *("F = H2 @ W_1", "Y = H2", "Y = F @ W_2"),
    ),
    widths={"Q1": "d_k", "K1": "d_k", "V1": "d_v", "Q2": "d_k", "K2": "d_k", "V2": "d_v", "F": "d_ff"},
    flow=Flow(
        (
            (_given("X", 3),),
            _layers("W_q1", "W_k1", "W_v1"),
            _carried("Q1", "K1", "V1"),
            *_attention("Q1", "K1", "A1", "V1", "Z1", " + mask"),
            (_layer("W_o1", 3, "then + X, norm"),),
            (Carried("H1"), _given("M", 2)),
            _layers("W_q2", "W_k2", "W_v2"),
            _carried("Q2", "K2", "V2"),
            *_attention("Q2", "K2", "A2", "V2", "Z2"),
            (_layer("W_o2", 3, "then + H1, norm"),),
            (Carried("H2", 3),),
            (_layer("W_1", 3, "then ReLU"),),
            (Carried("F", 3),),
            (_layer("W_2", 3, "then + H2, norm"),),
            (Carried("Y", 3),),
        )
    ),
    title="A decoder block, with your shapes",
    boxes={
        "X": (0, 6.2),
        **_column(("W_q1", "W_k1", "W_v1"), 2.2, (7.3, 6.2, 5.1)),
        **_column(("Q1", "K1", "V1"), 4.4, (7.3, 6.2, 5.1)),
        **{"A1": (7.1, 6.75), "Z1": (8.9, 5.65), "W_o1": (11.1, 5.65), "H1": (13.4, 4.1), "M": (13.4, 1.5)},
        **_column(("W_q2", "W_k2", "W_v2"), 11.1, (3.7, 2.6, 1.5)),
        **_column(("Q2", "K2", "V2"), 8.9, (3.7, 2.6, 1.5)),
        **{"A2": (6.2, 3.15), "Z2": (4.4, 2.05), "W_o2": (2.2, 2.05), "H2": (0, 0.6)},
        **{"W_1": (2.2, -0.3), "F": (4.4, -0.3), "W_2": (6.6, -0.3), "Y": (9.5, -0.3)},
    },
    labels={("Q1", "A1"): "mask", ("K1", "A1"): "softmax", ("K2", "A2"): "softmax"},
    through_weights=True,
)
SHAPE_EXERCISES = {exercise.name: exercise for exercise in (MATMUL, CROSS_ATTENTION, MULTI_HEAD, DECODER_BLOCK)}
