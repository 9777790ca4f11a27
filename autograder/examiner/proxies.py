"""Proxies of a student's objects: what an exam does with one happens in the student's process."""

import inspect
from collections.abc import Callable
from functools import lru_cache
from typing import Protocol

from torch import nn

from autograder.examiner.callbacks import Callback
from autograder.sandbox.protocol.modules import recipe_of
from autograder.sandbox.protocol.types import Recipe, Reference, WireError
from course_lib.checks.answer_forms.weight_transfer import Weight
from course_lib.checks.remote_task import RemoteObject

MOST_PARAMETERS = 20  # of a callback, enough to tell students' code its signature


class TaskRunner(Protocol):
    """The session with the process that holds the object."""

    def run_task(self, task: str, name: str, answer: RemoteObject, *details: object) -> object: ...


class Proxy(RemoteObject):
    """An object that stays with the student; its class here has the name of its class there, for messages."""

    def __init__(self, session: TaskRunner, reference: Reference):
        self._session, self.reference = session, reference

    def run_task(self, task: str, name: str, *details: object) -> object:
        return self._session.run_task(task, name, self, *details)

    def __getattr__(self, attribute: str) -> object:
        if attribute.startswith("_"):
            raise AttributeError(attribute)
        return self.run_task("attribute", type(self).__name__, attribute)


class FunctionProxy(Proxy):
    def __call__(self, *arguments: object) -> object:
        return self.run_task("call", type(self).__name__, list(arguments))


class ModuleProxy(FunctionProxy):
    """What an exam does with an nn.Module; what comes back is the student's word, as of any task."""

    def state_dict(self) -> object:
        return self.run_task("state_of", type(self).__name__)

    def load_state_dict(self, state: dict[str, object]) -> None:
        self.run_task("load_state", type(self).__name__, state)

    def named_parameters(self) -> object:
        return self.run_task("parameters_of", type(self).__name__)

    def train(self, mode: bool = True) -> "ModuleProxy":
        self.run_task("set_training", type(self).__name__, mode)
        return self

    def eval(self) -> "ModuleProxy":
        return self.train(False)


_KINDS = {"function": FunctionProxy, "module": ModuleProxy, "object": Proxy}


@lru_cache(maxsize=1_000)  # the names of classes are the student's choice: without a bound they would fill the memory
def _class_named(kind: str, type_name: str) -> type[Proxy]:
    return type(type_name or "object", (_KINDS[kind],), {})


def make_proxy(session: TaskRunner, item: Reference | Recipe) -> Proxy:
    """The proxy of an object that the student's process keeps."""
    if isinstance(item, Recipe) or not item.of_sender or item.kind not in _KINDS:
        raise WireError("the answer refers to something that it cannot have")
    return _class_named(item.kind, item.type_name)(session, item)


def refer(value: object, callbacks: list[Callback]) -> Reference | Recipe:
    """How an argument that is not data goes to the student's process.

    A function becomes a callback, and so does a module that names its `callback_methods`: both are added to
    `callbacks`, and the reference has their index. Other modules are copied.
    """
    if isinstance(value, Proxy):
        return Reference(value.reference.number, value.reference.kind, value.reference.type_name, of_sender=False)
    if isinstance(value, Weight):
        return Recipe("Weight", vars(value), {}, {})
    if isinstance(value, nn.Module):
        methods = getattr(value, "callback_methods", None)
        if methods is None:
            return recipe_of(value)
        kind = "module" if value.training else "module in eval mode"
        type_name, names = type(value).__name__, tuple(methods)
    elif callable(value):
        kind, type_name, names = "function", "function", _parameters(value)
    else:
        raise TypeError(f"an exam cannot hand over a {type(value).__name__}")
    callbacks.append(value)
    return Reference(len(callbacks) - 1, kind, type_name, names)


def _parameters(function: Callable[..., object]) -> tuple[str, ...]:
    try:
        return tuple(inspect.signature(function).parameters)[:MOST_PARAMETERS]
    except (TypeError, ValueError):
        return ()
