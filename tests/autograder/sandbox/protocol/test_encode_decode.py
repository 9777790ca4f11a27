"""The wire format: what is packed comes back, and malformed frames are refused."""

import contextlib
import json
import math
import os
import tracemalloc

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.sandbox.protocol import types as wire
from autograder.sandbox.protocol.decode import unpack
from autograder.sandbox.protocol.encode import pack
from autograder.sandbox.protocol.types import Recipe, Reference, WireError


def refer(value):
    return Reference(7, "object", type(value).__name__)


def there_and_back(value):
    return unpack(pack(value, refer), lambda item: item)


numbers = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.just(...))
keys = st.one_of(st.text(), st.integers(), st.booleans())
values = st.recursive(
    numbers,
    lambda parts: st.one_of(
        st.lists(parts, max_size=4),
        st.tuples(parts, parts),
        st.dictionaries(keys, parts, max_size=4),
    ),
    max_leaves=20,
)


def equal(one, other):
    if isinstance(one, float) and isinstance(other, float):
        return one == other or (math.isnan(one) and math.isnan(other))
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
    return one == other


@settings(max_examples=500, deadline=None)
@given(values)
def test_data_comes_back_as_it_was(value):
    assert equal(there_and_back(value), value)


@pytest.mark.parametrize("dtype", wire.DTYPES.values(), ids=wire.DTYPES.keys())
@pytest.mark.parametrize("shape", [(), (0, 5), (2, 3), (1, 1, 4)])
def test_tensors_come_back_bit_for_bit(dtype, shape):
    value = (torch.rand(shape) * 3).to(dtype)
    back = there_and_back(value)
    assert (back.dtype, back.shape) == (value.dtype, value.shape)
    assert torch.equal(back, value)


def test_views_and_nan_come_back():
    value = torch.randn(3, 4)
    value[0, 0], value[1, 1] = math.nan, math.inf
    assert torch.equal(there_and_back(value.T[1:]).nan_to_num(5), value.T[1:].nan_to_num(5))
    assert torch.equal(there_and_back(torch.ones(1).expand(4)), torch.ones(4))


def test_a_tensor_of_another_class_is_only_its_numbers():
    class Liar(torch.Tensor):
        @classmethod
        def __torch_function__(cls, function, types, arguments=(), options=None):
            return True

        def numel(self):
            return 1

    back = there_and_back(torch.arange(4.0).as_subclass(Liar))
    assert type(back) is torch.Tensor
    assert back.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("value", [np.arange(3), np.ones((2, 0)), np.float32(1.5), np.bool_(True), np.int64(-1)])
def test_numpy_comes_back(value):
    back = there_and_back(value)
    assert type(back) is type(value)
    assert back.dtype == value.dtype
    assert np.array_equal(back, value)


def test_what_is_not_data_becomes_a_reference():
    back = there_and_back([print, object(), torch.eye(2).to_sparse(), np.array([None])])
    assert [item.kind for item in back] == ["object"] * 4
    assert back[2].type_name.startswith("sparse_coo tensor")


def deep(levels):
    value = 0
    for _ in range(levels):
        value = [value]
    return value


def cyclic():
    value = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    "value",
    [deep(40), deep(900), cyclic(), torch.ones(1).expand(10**12), list(range(300_000)), "x" * 5_000_000],
    ids=["deep", "deeper", "cyclic", "huge", "long", "wordy"],
)
def test_too_much_is_refused_before_it_is_sent(value):
    with pytest.raises(WireError):
        pack(value, refer)


@pytest.mark.parametrize(
    "frames",
    [
        [],
        [b""],
        [b"{"],
        [b"{}"],
        [b'["x"]'],
        [b'["x", "float32", [2], 0]', b"1234"],
        [b'["x", "float32", [-1], 0]', b""],
        [b'["x", "float32", [1], 5]', b"1234"],
        [b'["x", "float32", [4611686018427387904, 4], 0]', b""],
        [b'["x", "object", [1], 0]', b"12345678"],
        [b'["a", "|O8", [1], 0]', b"12345678"],
        [b'["a", "<U9", [1], 0]', b"1" * 36],
        [b'["r", "mine", "1", "function", "f"]'],
        [b'["r", "mine", 1, "eval", "f"]'],
        [b'["d", [["l"], 1]]'],
        [b'["s", ["l"]]'],
        [b'["z", 1]'],
        [b"[" * 100_000],
        [b'["l", ' * 500 + b"1" + b"]" * 500],
        [b"1" * 5000],
        [b'["c", "a", 1]'],
        [b"\xff\xfe"],
        [b'["l"' + b', ["x", "uint8", [4000000], 0]' * 20 + b"]", b"x" * 4_000_000],
    ],
    ids=lambda frames: str(frames)[:60],
)
def test_malformed_messages_are_one_kind_of_error(frames):
    with pytest.raises(WireError):
        unpack(frames, lambda item: item)


nodes = st.recursive(
    st.one_of(numbers.filter(lambda value: value is not ...), st.sampled_from(list("eltsdckxagomr"))),
    lambda parts: st.lists(parts, max_size=6),
    max_leaves=30,
)
tensors = st.tuples(
    st.sampled_from("xag"),
    st.one_of(st.sampled_from([*wire.DTYPES, "<f8", "|O8", "<M8"]), st.text(max_size=5)),
    st.lists(st.integers(-2, 2**40), max_size=4),
    st.integers(-2, 3),
).map(list)


@settings(max_examples=int(os.environ.get("FUZZ_CASES", "2000")), deadline=None)
@given(st.one_of(nodes, tensors, st.lists(tensors, max_size=3).map(lambda t: ["l", *t])), st.lists(st.binary()))
def test_the_decoder_gives_a_value_or_a_wire_error(tree, frames):
    check_decoder([json.dumps(tree).encode(), *frames])


@settings(max_examples=1000, deadline=None)
@given(st.lists(st.binary(max_size=200), max_size=4))
def test_the_decoder_survives_noise(frames):
    check_decoder(frames)


def check_decoder(frames):
    with contextlib.suppress(WireError):
        unpack(frames, lambda item: item)


def test_the_decoder_allocates_no_more_than_its_bound():
    tree = json.dumps(["l", *[["x", "uint8", [1_000_000], 0]] * 1000]).encode()
    tracemalloc.start()
    with pytest.raises(WireError):
        unpack([tree, b"x" * 1_000_000], lambda item: item)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * wire.MOST_BYTES


def test_recipes_cross():
    back = there_and_back(Recipe("Linear", {"in_features": 2}, {}, {"weight": torch.ones(2)}))
    assert back.name == "Linear"
    assert back.options == {"in_features": 2}
    assert torch.equal(back.state["weight"], torch.ones(2))
