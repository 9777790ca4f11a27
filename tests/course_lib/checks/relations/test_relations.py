"""Each relation of the vocabulary is found in an output that has it, named the same in cases of other sizes."""

import pytest
import torch
import torch.nn.functional as F

from course_lib.checks.relations import _relations, common_relations, relations

SIZES = [(2, 5, 7, 8), (3, 4, 9, 6)]  # batch, queries, keys, features


def attention(sizes):
    """The arguments, the scores and the outputs of an attention, and a residual stream of the size of the output."""
    batch, n_q, n_k, d = sizes
    generator = torch.Generator().manual_seed(sum(sizes))
    q, k, v, x = (torch.randn(batch, n, d, generator=generator) for n in (n_q, n_k, n_k, n_q))
    mask = torch.rand(batch, n_q, n_k, generator=generator) < 0.3
    mask[..., 0], mask[..., 1] = True, False
    scores = q @ k.mT / d**0.5
    weights = scores.masked_fill(mask, float("-inf")).softmax(-1)
    return {"q": q, "k": k, "v": v, "mask": mask, "x": x}, scores, {"output": weights @ v, "weights": weights}


def ids(got, want, arguments, evidence=True):
    return [mistake.id.removeprefix("relation/") for mistake in _relations(got, want, arguments, evidence)]


def noise(values, seed=0):
    return torch.randn(values.shape, generator=torch.Generator().manual_seed(seed))


def first_only(values, axis):
    index = torch.arange(values.shape[axis]).reshape([-1 if axis % values.ndim == i else 1 for i in range(values.ndim)])
    return torch.where(index == 0, values, noise(values))


def rows_from(values, start):
    return torch.where(torch.arange(values.shape[-2])[:, None] >= start, noise(values), values)


OF_THE_OUTPUT = {
    "factor 2": lambda y, a: y * 2,
    "factor √q.shape[-1]": lambda y, a: y * a["q"].shape[-1] ** 0.5,
    "factor 1/k.shape[-2]": lambda y, a: y / a["k"].shape[-2],
    "factor 0.37": lambda y, a: y * 0.37,
    "one factor": lambda y, a: y * (1.3 + a["k"].shape[-2]),
    "sign": lambda y, a: -y,
    "plus 0.25": lambda y, a: y + 0.25,
    "minus 0.25": lambda y, a: y - 0.25,
    "complement": lambda y, a: 1 - y,
    "dim=-2 and dim=-1 exchanged": lambda y, a: y.mT,
    "dim=0 and dim=-2 exchanged": lambda y, a: y.transpose(0, 1),
    "dim=-2 and dim=-1 exchanged and reshaped": lambda y, a: y.mT.reshape(y.shape),
    "reshaped": lambda y, a: y.flatten(1),
    "without a dimension of size 1": None,
    "has a dimension of size 1 too many": lambda y, a: y[:, None],
    "rolled by 1 along dim=-2": lambda y, a: y.roll(1, -2),
    "shifted by 1 along dim=-2": lambda y, a: F.pad(y, (0, 0, 1, 0))[:, :-1],
    "shifted by -1 along dim=-1": lambda y, a: F.pad(y, (0, 1))[..., 1:],
    "reversed along dim=-2": lambda y, a: y.flip(-2),
    "reversed along dim=0": lambda y, a: y.flip(0),
    "permuted along dim=-1": lambda y, a: y[..., [1, 0, *range(3, y.shape[-1]), 2]],
    "other order": lambda y, a: y.flatten()[torch.randperm(y.numel())].reshape(y.shape),
    "without the first one along dim=-2": lambda y, a: y[:, 1:],
    "without the last one along dim=-1": lambda y, a: y[..., :-1],
    "1 more at the front along dim=-2": lambda y, a: torch.cat([noise(y[:, :1]), y], 1),
    "exp taken": lambda y, a: y.exp(),
    "square taken": lambda y, a: y.square(),
    "relu taken": lambda y, a: y.relu(),
    "softmax dim=-1 taken": lambda y, a: y.softmax(-1),
    "log_softmax dim=-1 taken": lambda y, a: y.log_softmax(-1),
    "is x": lambda y, a: a["x"],
    "is x transposed": lambda y, a: a["x"].mT,
    "plus x": lambda y, a: y + a["x"],
    "minus x": lambda y, a: y - a["x"],
    "plus 2 times x": lambda y, a: y + 2 * a["x"],
    "plus x.mean(dim=-2)": lambda y, a: y + a["x"].mean(-2, keepdim=True),
    "wrong everywhere but at the first index of dim=0": lambda y, a: first_only(y, 0),
    "wrong everywhere but at the first index of dim=-2": lambda y, a: first_only(y, -2),
    "wrong everywhere but at the first index of dim=-1": lambda y, a: first_only(y, -1),
    "wrong only at the last index of dim=-2": lambda y, a: torch.cat([y[:, :-1], noise(y[:, -1:])], 1),
    "wrong from an index of dim=-2 on": lambda y, a: rows_from(y, 2),
    "wrong only at odd indices of dim=-1": lambda y, a: torch.where(torch.arange(y.shape[-1]) % 2 > 0, noise(y), y),
    "wrong only where a negative number is expected": lambda y, a: torch.where(y < 0, 0.1 * y, y),
    "nan everywhere": lambda y, a: y * float("nan"),
    "nan only at the first index of dim=-2": lambda y, a: torch.cat([y[:, :1] * float("nan"), 3 * y[:, 1:]], 1),
    "all zeros": lambda y, a: torch.zeros_like(y),
    "all one number": lambda y, a: torch.full_like(y, 0.2),
    "constant along dim=-2": lambda y, a: y.mean(-2, keepdim=True).expand_as(y),
    "mean over dim=-2 taken": lambda y, a: y.mean(-2),
    "sum over dim=0 taken": lambda y, a: y.sum(0),
    "first slice over dim=-2 taken": lambda y, a: y[:, 0],
    "sum over dim=-2 missing": None,
    "dtype float64 in place of float32": lambda y, a: y.double(),
    "precision of float16": lambda y, a: y.half().float(),
    "precision of bfloat16": lambda y, a: y.bfloat16().float(),
    "same difference along all dimensions but dim=-1": lambda y, a: y + noise(y[0, 0]),
    "same difference along dim=0": lambda y, a: y + noise(y[0]),
    "factor along dim=-1": lambda y, a: y * (2 + torch.rand(y[..., :1].shape)),
}


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("name", [name for name, damage in OF_THE_OUTPUT.items() if damage])
def test_relation_of_an_output_is_found(name, sizes):
    arguments, _, want = attention(sizes)
    got = want | {"output": OF_THE_OUTPUT[name](want["output"], arguments)}
    assert name in ids(got, want, arguments)
    assert name in ids(got, want, arguments, evidence=False)


OF_THE_WEIGHTS = {
    "scores times √q.shape[-1]": lambda s, w, a: (s * s.shape[0] ** 0 * a["q"].shape[-1] ** 0.5, a["mask"]),
    "scores times 1/√k.shape[-1]": lambda s, w, a: (s / a["q"].shape[-1] ** 0.5, a["mask"]),
    "not 0 in some entries where 0 is expected, along dim=-1": lambda s, w, a: (s, torch.zeros_like(a["mask"])),
}


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("name", OF_THE_WEIGHTS)
def test_relation_of_a_softmax_is_found(name, sizes):
    arguments, scores, want = attention(sizes)
    scores, mask = OF_THE_WEIGHTS[name](scores, want["weights"], arguments)
    weights = scores.masked_fill(mask, float("-inf")).softmax(-1)
    assert name in ids({"weights": weights, "output": weights @ arguments["v"]}, want, arguments)


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("log taken", lambda s, a: s.masked_fill(a["mask"], float("-inf")).log_softmax(-1)),
        ("softmax dim=-1 missing", lambda s, a: s.masked_fill(a["mask"], float("-inf"))),
        ("normalized dim=-1 missing", lambda s, a: s.exp().masked_fill(a["mask"], 0.0)),
        ("−inf only where mask is True", lambda s, a: s.masked_fill(a["mask"], float("-inf"))),
        ("distribution along dim=-2 and not dim=-1", lambda s, a: s.softmax(-2)),
        ("no distribution along dim=-1", lambda s, a: s.sigmoid()),
    ],
)
def test_relation_of_what_should_be_a_softmax_is_found(name, damage, sizes):
    arguments, scores, want = attention(sizes)
    assert name in ids(want | {"weights": damage(scores, arguments)}, want, arguments)


def test_scores_of_heads_are_scaled_by_the_width_of_a_head():
    q, k = noise(torch.zeros(2, 5, 12)), noise(torch.zeros(2, 5, 12), 1)
    heads = [x.unflatten(-1, (3, 4)).transpose(1, 2) for x in (q, k)]
    scores = heads[0] @ heads[1].mT
    found = relations({"weights": scores.softmax(-1)}, {"weights": (scores / 2).softmax(-1)}, {"q": q, "k": k, "v": k})
    assert any("√d_head" in mistake.says for mistake in found)
    wide = {"q": noise(torch.zeros(2, 5, 27)), "k": noise(torch.zeros(2, 5, 27), 1)}
    scores = [x.unflatten(-1, (3, 9)).transpose(1, 2) for x in wide.values()]
    scores = scores[0] @ scores[1].mT
    wide_case = {"weights": scores.softmax(-1)}, {"weights": (scores / 3).softmax(-1)}, wide
    assert relations(*wide_case)[0].says.endswith("times 3, which is √d_head here.")


def test_wrong_only_where_an_argument_masks():
    arguments, _, want = attention(SIZES[0])
    mask, weights = arguments["mask"], want["weights"]
    assert "wrong only where mask is True" in ids(want | {"weights": weights + 0.1 * mask}, want, arguments)
    assert "wrong only where mask is False" not in ids(want | {"weights": weights + 0.1 * mask}, want, arguments)


def test_wrong_only_at_ids_that_an_argument_names():
    tokens = torch.tensor([[4, 9, 1, 0, 0], [3, 8, 2, 1, 0]])
    want = {"output": noise(torch.zeros(2, 5, 3))}
    got = {"output": torch.where((tokens == 0)[..., None], want["output"], 0.5)}
    assert "wrong only where tokens is not pad_id" in ids(got, want, {"tokens": tokens, "pad_id": 0})


def test_wrong_in_rows_that_are_masked_throughout():
    mask = torch.tensor([[True] * 4, [False, True, True, False], [False] * 4])
    want = {"weights": torch.where(mask, 0.0, 1.0 + noise(torch.zeros(3, 4)).abs())}
    got = {"weights": torch.where(mask.all(-1, keepdim=True), float("nan"), want["weights"])}
    assert "nan only in rows where mask is True throughout" in ids(got, want, {"mask": mask})


MASK = torch.ones(1, 1, 5, 5, dtype=torch.bool).triu(1)


@pytest.mark.parametrize(
    ("name", "got"),
    [
        ("inverted", ~MASK),
        ("dtype float32 in place of bool", MASK.float()),
        ("dtype int64 in place of bool", MASK.long()),
        ("mask of 0 and 1", (~MASK).float()),
        ("mask of −inf and 0", torch.zeros(1, 1, 5, 5).masked_fill(MASK, float("-inf"))),
        ("dim=-2 and dim=-1 exchanged", MASK.mT),
        ("wrong only on the diagonal", MASK | torch.eye(5, dtype=torch.bool)),
        ("without a dimension of size 1", MASK[0]),
        ("all zeros", torch.zeros_like(MASK)),
    ],
)
def test_relation_of_a_mask_is_found(name, got):
    assert name in ids({"mask": got}, {"mask": MASK}, {"size": 5})


def test_masks_of_one_token_have_only_what_is_sure():
    one = torch.zeros(1, 1, 1, 1, dtype=torch.bool)
    assert ids({"mask": one.float()}, {"mask": one}, {"size": 1}) == ["dtype float32 in place of bool"]
    assert ids({"mask": ~one}, {"mask": one}, {"size": 1}) == []
    assert "inverted" in ids({"mask": ~one}, {"mask": one}, {"size": 1}, evidence=False)
    assert "mask of −inf and 0" in ids({"mask": one.float()}, {"mask": one}, {"size": 1}, evidence=False)


def test_outputs_in_the_other_order():
    arguments, _, want = attention((2, 5, 7, 8))
    assert ids({"output": want["weights"], "weights": want["output"]}, want, arguments)[:2] == [
        "is the other output weights",
        "is the other output output",
    ]


def test_relu_that_is_missing_and_sum_that_is_missing():
    y = noise(torch.zeros(3, 4, 5))
    assert "relu missing" in ids({"output": y}, {"output": y.relu()}, {})
    assert "sum over dim=-2 missing" in ids({"output": y}, {"output": y.sum(1)}, {})
    assert "argmax over dim=-1 missing" in ids({"tokens": y}, {"tokens": y.argmax(-1)}, {})
    assert "without a dimension of size 1" in ids({"output": y}, {"output": y[:, None]}, {})


@pytest.mark.parametrize("evidence", [True, False])
def test_vectors_have_relations_too(evidence):
    want, values = noise(torch.zeros(6)), noise(torch.zeros(3, 6), 1)
    found = {
        "factor 3": 3 * want,
        "reversed along dim=-1": want.flip(0),
        "rolled by 1 along dim=-1": want.roll(1),
        "plus 0.5": want + 0.5,
        "is a part of values": values[1],
        "softmax dim=-1 taken": want.softmax(0),
        "without the last one along dim=-1": want[:-1],
    }
    for name, got in found.items():
        assert name in ids({"output": got}, {"output": want}, {"values": values}, evidence)


def test_a_mask_of_another_shape_is_described_apart_from_it():
    want = {"mask": MASK}
    assert "apart from the shape: relation/inverted" in ids({"mask": ~MASK[0]}, want, {})
    assert "apart from the shape: relation/mask of 0 and 1" in ids({"mask": (~MASK[0, 0]).float()}, want, {})
    added = torch.zeros(5, 5).masked_fill(MASK[0, 0], float("-inf"))
    assert relations({"mask": added}, want, {})[0].says == (
        "Apart from the shape, your mask holds −inf where True is expected, and 0 elsewhere."
    )
    assert not any("apart" in name for name in ids({"mask": MASK[0]}, want, {}))


def test_a_mask_that_starts_one_step_too_far():
    assert "wrong only one step above the diagonal" in ids({"mask": MASK.triu(2)}, {"mask": MASK}, {"size": 5})


def test_log_where_small_numbers_came_as_zero():
    scores = torch.tensor([[0.0, -1000.0, -1.0, -2.0], [-1.5, -3.0, 0.5, -900.0]])
    found = ids({"y": scores.log_softmax(-1)}, {"y": scores.softmax(-1)}, {"x": scores, "dim": -1})
    assert "log taken" in found


@pytest.mark.parametrize("dim", [0, 1, -1])
def test_a_dimension_that_an_argument_chooses_has_the_name_of_the_argument(dim):
    x = noise(torch.zeros(4, 5, 6))
    assert "normalized dim missing" in ids({"y": x.exp()}, {"y": x.softmax(dim)}, {"x": x, "dim": dim})


def test_scores_of_one_hot_rows_do_not_speak_against_a_factor():
    x = noise(torch.zeros(4, 6))
    usual = {"w": x.softmax(-1)}, {"w": (3 * x).softmax(-1)}, {"x": x, "beta": 3.0}
    hard = {"w": x.softmax(-1)}, {"w": F.one_hot(x.argmax(-1), 6).float()}, {"x": x, "beta": 1000.0}
    assert common_relations([usual, hard])[0].id == "relation/scores times 1/beta"


def test_the_rest_is_right_where_it_is_finite():
    want = noise(torch.zeros(4, 5))
    got = want.clone()
    got[[0, 2, 3], [1, 4, 0]] = float("nan")
    assert ids({"y": got}, {"y": want}, {}) == ["right where finite"]


def test_a_gain_and_a_shift_that_are_missing():
    want, gain, shift = noise(torch.zeros(3, 5, 4)), 1 + torch.rand(4), torch.rand(4)
    found = ids({"y": want * gain + shift}, {"y": want}, {})
    assert "factor and constant along all dimensions but dim=-1" in found


def test_every_combination_where_equal_indices_are_expected():
    a, b = noise(torch.zeros(3, 4)), noise(torch.zeros(3, 5), 1)
    got, want = torch.einsum("in,jm->ijnm", a, b), torch.einsum("in,im->inm", a, b)
    assert "diagonal of dim=0 and dim=-3" in ids({"c": got}, {"c": want}, {"a": a, "b": b})


def test_only_where_an_id_is_expected():
    want = torch.tensor([[5, 7, 9, 2, 0, 0], [6, 2, 0, 0, 0, 0], [8, 5, 3, 4, 2, 0]])
    got = torch.where(want == 0, 11, want)
    assert "wrong only where pad_id is expected" in ids({"kept": got}, {"kept": want}, {"pad_id": 0})


def test_sums_in_place_of_means():
    tokens = torch.tensor([[4, 5, 6, 0], [4, 0, 0, 0], [4, 5, 0, 0]])
    two = torch.tensor([[4, 5, 0, 0, 0], [4, 7, 8, 9, 0]])
    cases = [
        (
            {"loss": torch.tensor(mean * (ids != 0).sum().item())},
            {"loss": torch.tensor(mean)},
            {"tgt": ids, "pad_id": 0},
        )
        for mean, ids in ((1.25, tokens), (0.75, two))
    ]
    assert common_relations(cases)[0].says == "Your loss is the expected number times (tgt != pad_id).sum()."


def test_numbers_in_the_other_order_or_of_another_type():
    cases = [({"a": two, "b": one}, {"a": one, "b": two}, {}) for one, two in ((1.5, 2.0), (3.0, 0.7))]
    assert common_relations(cases)[0].says == "Your a is what is expected as b."
    assert relations({"count": 1680.0}, {"count": 1680}, {})[0].says == (
        "Your count has the right value, but the type float, expected int."
    )


PARTS = {
    "dense.weight": noise(torch.zeros(4, 4), 5),
    "dense.bias": noise(torch.zeros(4), 6),
    "norm2.gain": 1 + torch.rand(4),
    "norm2.shift": torch.rand(4),
}


@pytest.mark.parametrize(
    ("says", "got", "want"),
    [
        (
            "What is expected is dense applied to your output.",
            lambda y: y,
            lambda y: F.linear(y, PARTS["dense.weight"], PARTS["dense.bias"]),
        ),
        (
            "Your output is norm2 applied to what is expected.",
            lambda y: F.layer_norm(y, (4,), PARTS["norm2.gain"], PARTS["norm2.shift"]),
            lambda y: y,
        ),
        ("Your output equals the expected one minus dense.bias.", lambda y: y - PARTS["dense.bias"], lambda y: y),
        ("Your output equals the expected one plus norm2.shift.", lambda y: y + PARTS["norm2.shift"], lambda y: y),
    ],
)
def test_a_part_of_a_module_that_is_missing_or_used_twice(says, got, want):
    y = noise(torch.zeros(2, 3, 4))
    assert relations({"output": got(y)}, {"output": want(y)}, {"x": noise(y, 9)}, PARTS)[0].says == says


def test_tokens():
    want = torch.tensor([[5, 7, 9, 4, 2], [6, 8, 5, 3, 2]])
    assert "plus 1" in ids({"tokens": want + 1}, {"tokens": want}, {})
    assert "without the first one along dim=-1" in ids({"tokens": want[:, 1:]}, {"tokens": want}, {})
    want = torch.cat([want, want + 1])
    late = torch.where(torch.arange(5) > 3, 11, want)
    assert "wrong only at the last index of dim=-1" in ids({"tokens": late}, {"tokens": want}, {})


def test_gradient_that_does_not_arrive():
    want = {"whether a gradient reaches q": True, "whether a gradient reaches k": True}
    got = {"whether a gradient reaches q": False, "whether a gradient reaches k": True}
    assert ids(got, want, {}) == ["no gradient reaches q"]


@pytest.mark.parametrize("seed", range(20))
def test_noise_has_no_relation(seed):
    torch.manual_seed(seed)
    arguments, _, want = attention(SIZES[seed % 2])
    output = want["output"]
    half = torch.where(torch.rand(output.shape) < 0.5, output, torch.randn(output.shape))
    for got in (output + 0.1 * torch.randn(output.shape), torch.randn(output.shape), half, torch.cos(7 * output + 1)):
        assert ids(want | {"output": got}, want, arguments) == []
        assert ids({"output": got}, {"output": want["output"]}, arguments) == []


def test_one_wrong_entry_is_no_row():
    arguments, _, want = attention(SIZES[0])
    output = want["output"].clone()
    output[1, 2, 3] += 1
    assert ids(want | {"output": output}, want, arguments) == []


def test_what_holds_of_the_expected_values_themselves_is_no_relation():
    symmetric = noise(torch.zeros(4, 4))
    symmetric = symmetric + symmetric.T
    for want in (symmetric, torch.zeros(3, 4), torch.ones(3, 4), torch.eye(4), torch.ones(4, 1)):
        assert ids({"output": want + 0.1 * noise(want)}, {"output": want}, {}) == []
        assert ids({"output": want.clone()}, {"output": want}, {}) == []


def test_a_large_difference_does_not_hide_what_is_wrong():
    """Next to a term of 10⁵, rounding would be larger than all that was expected."""
    want, x = noise(torch.zeros(4, 5)), 1e5 * noise(torch.zeros(4, 5), 1)
    assert "plus x" not in ids({"y": noise(want, 2) + x}, {"y": want}, {"x": x})
    assert "plus 1e+05" not in ids({"y": noise(want, 2) + 1e5}, {"y": want}, {})


def test_sentences_are_about_the_students_own_output():
    arguments, _, want = attention(SIZES[0])

    def first(**got):
        return relations(want | got, want, arguments)[0].says

    assert first(output=8**0.5 * want["output"]) == (
        "Your output equals the expected one times 2.828, which is √q.shape[-1] here."
    )
    assert first(weights=-want["weights"]) == "Your weights equal the expected ones with the opposite sign."
    assert first(output=rows_from(want["output"], 3)) == (
        "Your output is wrong from index 3 of dim=-2 on; the rest is right."
    )
    gradient = "the gradient of q"
    says = relations({gradient: 2 * want["output"]}, {gradient: want["output"]}, {})[0].says
    assert says == "The gradient of q equals the expected one times 2."


class Hostile(torch.Tensor):
    @classmethod
    def __torch_function__(cls, *arguments, **options):
        raise RuntimeError("not with me")


@pytest.mark.parametrize(
    "got",
    [
        torch.randn(3, 4).as_subclass(Hostile),
        torch.randn(3, 4, dtype=torch.complex64),
        torch.eye(3).to_sparse(),
        torch.empty(3, 4, device="meta"),
        torch.zeros(0, 4),
        torch.tensor(float("nan")),
        torch.full((3, 4), float("inf")),
        torch.full((3, 4), float("nan")),
        torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=torch.jagged),
        torch.zeros(1000, 1000),
        torch.randn(3, 4, requires_grad=True) * 2,
        torch.ones(2, 3, 4, 5, 1, 1, 1),
        None,
        "text",
        10**400,
        object(),
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize("want", [noise(torch.zeros(3, 4)), torch.tensor(0.5), torch.eye(3, dtype=torch.bool), True, 3])
def test_nothing_that_came_is_an_error(got, want):
    for evidence in (True, False):
        found = list(_relations({"y": got}, {"y": want}, {"x": got, "n": 10**400, "z": 0.0}, evidence))
        assert all(mistake.says for mistake in found)
        assert list(_relations({}, {"y": want}, {}, evidence)) == []


def test_an_error_of_the_search_costs_nothing(monkeypatch):
    monkeypatch.setattr("course_lib.checks.relations._relations", lambda *arguments: 1 / 0)
    assert relations({"y": torch.ones(2)}, {"y": torch.zeros(2)}, {}) == ()


def case(size, damage):
    arguments, _, want = attention(size)
    return want | {"output": damage(want["output"])}, want, arguments


def test_what_holds_in_all_cases_decides():
    doubled = [case((4, 5, 7, 4), lambda y: 2 * y), case((3, 5, 7, 8), lambda y: 2 * y)]
    assert next(mistake.id for mistake in common_relations(doubled)) == "relation/factor 2"
    rooted = [case((5, 6, 7, 4), lambda y: 2 * y), case((6, 5, 7, 9), lambda y: 3 * y)]
    assert next(mistake.id for mistake in common_relations(rooted)) == "relation/factor √q.shape[-1]"
    common = common_relations([doubled[0], case((3, 5, 7, 8), lambda y: y + noise(y))])
    assert common == ()
    assert common_relations([]) == ()


def test_a_sentence_has_the_numbers_of_its_own_case():
    cases = [case(sizes, lambda y: y.flatten(1)) for sizes in SIZES]
    assert [common_relations(cases, shown)[0].says.rpartition(": ")[2] for shown in (0, 1)] == ["(2, 40).", "(3, 24)."]


def test_a_case_with_little_to_compare_does_not_speak_against_it():
    small = case((1, 1, 7, 1), lambda y: y * 2)
    assert "relation/factor 2" not in {mistake.id for mistake in relations(*small)}
    assert common_relations([case((2, 5, 7, 8), lambda y: y * 2), small])[0].id == "relation/factor 2"
    assert common_relations([case((2, 5, 7, 8), lambda y: y * 2), case((1, 1, 7, 1), lambda y: y * 3)])[0].id == (
        "relation/one factor"
    )


def number(got, want, **arguments):
    return {"rate": torch.tensor(got)}, {"rate": torch.tensor(want)}, arguments


def test_a_single_number_is_believed_in_two_cases():
    one, two = number(0.5, 0.25, d=16), number(1.4, 0.7, d=9)
    assert "relation/number times 2" in {mistake.id for mistake in relations(*one)}
    assert common_relations([one]) == ()
    assert [mistake.id for mistake in common_relations([one, two])] == ["relation/number times 2"]
    roots = common_relations([number(0.4, 0.1, d=16), number(2.1, 0.7, d=9)])
    assert [mistake.says for mistake in roots] == ["Your rate is the expected number times √d."]


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("number reciprocal taken", lambda x: 1 / x),
        ("number square root taken", lambda x: x**0.5),
        ("number natural logarithm taken", lambda x: torch.tensor(x).log().item()),
        ("number times 100", lambda x: 100 * x),
        ("number with the opposite sign", lambda x: -x),
        ("number 1 more", lambda x: x + 1),
        ("number d/(d − 1)", None),
    ],
)
def test_relation_of_a_number_is_found(name, change):
    if change is None:
        got = common_relations([number(3.0 * 8 / 7, 3.0, d=8), number(5.0 * 6 / 5, 5.0, d=6)])
        assert [mistake.id for mistake in got] == ["relation/number times d/(d − 1)"]
    else:
        found = common_relations([number(change(x), x) for x in (3.0, 7.0)])
        assert [mistake.id for mistake in found] == [f"relation/{name}"]


def test_several_numbers_of_one_case_must_agree():
    want = {"f(1)": torch.tensor(0.5), "f(2)": torch.tensor(0.7)}
    doubled = {name: 2 * value for name, value in want.items()}
    assert ids(doubled, want, {})[0] == "of several numbers: relation/number times 2"
    assert ids(doubled | {"f(2)": torch.tensor(0.9)}, want, {}) == []
