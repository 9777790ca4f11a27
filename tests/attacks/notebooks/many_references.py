# Answers with twenty thousand objects, each of a class of another name, of all of which the examiner makes proxies.
# %% attack
import itertools
import json

from sandbox.inside.agent import Agent

names = itertools.count()


def answer(self, frames):
    objects = [["r", "mine", 0, "object", f"{next(names):x}"] for _ in range(20_000)]
    return [json.dumps(["d", ["value", ["t", True, ["l", *objects]]]]).encode()]


Agent.answer = answer
