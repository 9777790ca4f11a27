"""Proxies of a student's objects: what an exam does with one happens in the student's process."""

import inspect
from functools import lru_cache
from typing import TYPE_CHECKING

from torch import nn

from autograder.sandbox.protocol.modules import recipe_of
from autograder.sandbox.protocol.types import Recipe, Reference, WireError
from course_lib.checks.answer_forms.weight_transfer import Weight
from course_lib.checks.remote_task import Elsewhere

if TYPE_CHECKING:
    from autograder.examiner.session import Conversation

MOST_PARAMETERS = 20


class Remote(Elsewhere):
    """An object that stays with the student; its class here bears the name of its class there, for messages."""

    def __init__(self, conversation: "Conversation", reference: Reference):
        self._conversation, self.reference = conversation, reference

    def do(self, task: str, name: str, *details: object) -> object:
        return self._conversation.perform(task, name, self, *details)

    def __getattr__(self, attribute: str) -> object:
        if attribute.startswith("_"):
            raise AttributeError(attribute)
        return self.do("attribute", type(self).__name__, attribute)


class RemoteFunction(Remote):
    def __call__(self, *arguments: object) -> object:
        return self.do("call", type(self).__name__, list(arguments))


class RemoteModule(RemoteFunction):
    def state_dict(self) -> dict:
        return self.do("state_of", type(self).__name__)

    def load_state_dict(self, state: dict) -> None:
        self.do("load_state", type(self).__name__, state)

    def named_parameters(self) -> list:
        return self.do("parameters_of", type(self).__name__)

    def train(self, mode: bool = True) -> "RemoteModule":
        self.do("set_training", type(self).__name__, mode)
        return self

    def eval(self) -> "RemoteModule":
        return self.train(False)


_KINDS = {"function": RemoteFunction, "module": RemoteModule, "object": Remote}


@lru_cache(maxsize=1_000)
def _named(kind: str, type_name: str) -> type[Remote]:
    return type(type_name or "object", (_KINDS[kind],), {})


def proxy(conversation: "Conversation", item: Reference | Recipe) -> Remote:
    """The proxy of an object that the student's side keeps."""
    if isinstance(item, Recipe) or not item.of_sender:
        raise WireError("the answer refers to something that it cannot have")
    return _named(item.kind, item.type_name)(conversation, item)


def refer(value: object, lent: list) -> Reference | Recipe:
    """How an argument that is not data is named on the wire; what is lent is added to the list.

    A function is lent, to be called, and so is a module that names its `lent_methods`; other modules are copied.
    """
    if isinstance(value, Remote):
        return Reference(value.reference.number, value.reference.kind, value.reference.type_name, of_sender=False)
    if isinstance(value, Weight):
        return Recipe("Weight", vars(value), {}, {})
    if isinstance(value, nn.Module) and not hasattr(value, "lent_methods"):
        return recipe_of(value)
    if not callable(value):
        raise TypeError(f"an exam cannot hand over a {type(value).__name__}")
    lent.append(value)
    if isinstance(value, nn.Module):
        return Reference(len(lent) - 1, "module", type(value).__name__, tuple(value.lent_methods))
    return Reference(len(lent) - 1, "function", "function", _parameters(value))


def _parameters(function: object) -> tuple[str, ...]:
    try:
        return tuple(inspect.signature(function).parameters)[:MOST_PARAMETERS]
    except (TypeError, ValueError):
        return ()
