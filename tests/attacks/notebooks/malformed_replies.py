# Answers the examiner's requests with frames that are no value: noise, deep nesting, false shapes, recipes, references.
# %% attack
import json

from sandbox.inside.agent import Agent

trees = [
    b"",
    b"\xff\xfe",
    b"null",
    b"[" * 100_000,
    b"[" * 900 + b"]" * 900,
    b'{"__class__": 1}',
    b'["x", "float32", [1000000, 1000000], 0]',
    b'["x", "float32", [-1], 0]',
    b'["a", "O", [1], 0]',
    b'["a", "V4000000000", [0], 0]',
    b'["m", "Linear", ["d", ["in_features", 1000000]], ["d"], ["d"]]',
    b'["r", "yours", 0, "module", "x"]',
    b'["r", "mine", 0, "module", "__class__.__init__"]',
    b'["d", ["value", ["s", ["l", 1]]]]',
    b'["d", ["value", ["c", "x", "y"]]]',
    b"1" * 100_000,
    b"1e999999",
    json.dumps(["d", ["finding", "x" * 3_000_000]]).encode(),
]
turn = iter(range(10**9))
Agent.answer = lambda self, frames: [trees[next(turn) % len(trees)], b"1234", b""]
