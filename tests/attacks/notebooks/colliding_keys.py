# Answers with dicts and sets whose keys all have the same hash, so that reading them takes the examiner minutes.
# %% attack
import json

from sandbox.inside.agent import Agent

keys = [number * (2**61 - 1) for number in range(60_000)]
replies = [["d", ["value", ["t", True, ["d", *([key, 0] for key in keys)]]]], ["d", ["value", ["s", *keys]]]]
frames = [json.dumps(reply).encode() for reply in replies]
Agent.answer = lambda self, request: frames[: len(request)][-1:]
