"""How the tensors of each shape exercise flow; the same steps as in its notebook."""

from course_lib.widgets.shape_form.flow import Block, Carried, Flow, Passing, Row


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


MATMUL = Flow(
    (
        (_given("X", 2), _given("Y", 2)),
        (_layer("W", 1), Block("X Yᵀ", 2), Passing()),
        (Carried("P"), Carried("S", 2), Passing()),
        (Block("P Pᵀ"), Block("S Y", 3)),
        (Carried("G"), Carried("R", 3)),
    ),
    widths=(4, 2, 2, 1),
)
CROSS_ATTENTION = Flow(
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
)
MULTI_HEAD = Flow(
    (
        (_given("X_q"), _given("X_kv", 2)),
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
)
DECODER_BLOCK = Flow(
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
)
FLOWS = {
    "matmul_shapes": MATMUL,
    "cross_attention_shapes": CROSS_ATTENTION,
    "multi_head_shapes": MULTI_HEAD,
    "decoder_block_shapes": DECODER_BLOCK,
}
