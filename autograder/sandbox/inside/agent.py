"""The agent serves the examiner's requests in the student's process: look up a name, run a task, put a stand-in."""

import builtins
import functools
import inspect
from collections.abc import Callable, MutableMapping
from typing import Any

import torch
from torch import nn

from course_lib.checks import observers, student_call
from course_lib.checks.answer_forms import bug_hunts, errors, module_tasks, weight_transfer
from course_lib.checks.answer_forms.weight_transfer import Weight
from course_lib.checks.finding import Finding, Kind, Observed
from course_lib.checks.remote_task import TASKS

from ..protocol.decode import unpack
from ..protocol.encode import pack
from ..protocol.modules import build
from ..protocol.types import Recipe, Reference, WireError
from .stand_ins import stand_in

LONGEST_MESSAGE = 4_000  # characters of a Finding: more than any check writes, too few to flood the examiner
# Importing these modules registers their functions in TASKS.
TASKS_FROM = (student_call, weight_transfer, module_tasks, observers, errors, bug_hunts)
Ask = Callable[[list[bytes]], list[bytes]]


class CallbackFunction:
    """A proxy of an exam's function, which runs at the examiner's; its signature is the function's own."""

    def __init__(self, agent: "Agent", reference: Reference):
        self._agent, self._number = agent, reference.number
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        self.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in reference.names])

    def __call__(self, *arguments: object, **options: object) -> object:
        return self._agent.call_examiner(self._number, "", True, arguments, options)


class CallbackModule(nn.Module):
    """A proxy of an exam's module: calls and its `callback_methods` run at the examiner's, in this module's mode."""

    def __init__(self, agent: "Agent", reference: Reference):
        super().__init__()
        self.device_marker = nn.Parameter(torch.zeros(1))  # for code such as next(model.parameters()).device
        self._number = reference.number
        for name in ("forward", *reference.names):
            setattr(self, name, functools.partial(self._call_examiner, agent, name))

    def _call_examiner(self, agent: "Agent", method: str, *arguments: object, **options: object) -> object:
        return agent.call_examiner(self._number, method, self.training, arguments, options)


class Agent:
    """`namespace` is the student's; `ask` sends a callback to the examiner in the middle of a request, and waits."""

    def __init__(self, namespace: MutableMapping[str, object], ask: Ask):
        self._namespace, self._ask = namespace, ask
        self._kept: dict[int, object] = {}
        self._modules: list[CallbackModule] = []  # that the current request passed

    def answer(self, frames: list[bytes]) -> list[bytes]:
        """The reply to one request: a value, a Finding, or the type of another exception."""
        self._modules = []
        try:
            request = unpack(frames, self._resolve)
            reply: dict[str, object] = {"value": self._run_request(request)}
            reply["modes"] = {module._number: module.training for module in self._modules}
        except Finding as finding:
            reply = _reply(finding.observed)
        except WireError as error:
            reply = _reply(Observed(str(error), kind=Kind.NOT_READABLE))
        except BaseException as error:
            reply = {"error": type(error).__name__}
        try:
            return pack(reply, self._keep)
        except WireError as error:
            return pack(_reply(Observed(str(error), kind=Kind.NOT_READABLE)), self._keep)
        except BaseException as error:
            return pack({"error": type(error).__name__}, self._keep)

    def call_examiner(
        self, number: int, method: str, training: bool, arguments: tuple[object, ...], options: dict[str, object]
    ) -> object:
        """Run the exam's callback of this number, or a method of it: returns its value or raises its exception."""
        call = {"number": number, "method": method, "arguments": arguments, "options": options}
        call |= {"training": training, "gradients": torch.is_grad_enabled()}
        return self._question(call, self._keep)

    def _question(self, call: dict[str, object], refer: Callable[[object], Reference]) -> Any:
        """The examiner's answer in the middle of a request or a cell, or the exception that it sends."""
        reply = unpack(self._ask(pack(call, refer)), self._resolve)
        assert isinstance(reply, dict)
        if "value" in reply:
            return reply["value"]
        error = getattr(builtins, reply["error"], RuntimeError)
        raise error(reply["message"]) if issubclass(error, Exception) else RuntimeError(reply["message"])

    def _run_request(self, request: object) -> object:
        assert isinstance(request, dict)
        if "look up" in request:
            name = request["look up"]
            return (True, self._namespace[name]) if name in self._namespace else (False, None)
        if "stand in" in request:
            name = request["stand in"]
            ask = functools.partial(self._question, refer=_refer_back)
            self._namespace[name] = stand_in(ask, name, request["module"], request["names"])
            return None
        name, answer, *details = request["arguments"]
        return TASKS[request["task"]](name, answer, *details)

    def _keep(self, value: object) -> Reference:
        """Refer to an object that is not data; it lives as long as this process, for the examiner to come back to."""
        number = len(self._kept)
        self._kept[number] = value
        kind = "module" if isinstance(value, nn.Module) else "function" if callable(value) else "object"
        return Reference(number, kind, type(value).__name__)

    def _resolve(self, item: Reference | Recipe) -> object:
        """The object for what the examiner sent: built here, kept here before, or a proxy of its callback."""
        if isinstance(item, Recipe):
            return Weight(**item.options) if item.name == "Weight" else build(item)
        if not item.of_sender:
            return self._kept[item.number]
        if item.kind == "function":
            return CallbackFunction(self, item)
        self._modules.append(CallbackModule(self, item).train(item.kind == "module"))
        return self._modules[-1]


def _refer_back(value: object) -> Reference:
    """The examiner's own object, in an argument of a stand-in; the student's objects stay here."""
    if isinstance(value, CallbackFunction | CallbackModule):
        return Reference(value._number, "object", type(value).__name__, of_sender=False)
    raise TypeError(f"a {type(value).__name__} cannot be handed over")


def _reply(observed: Observed) -> dict[str, object]:
    """What was found, as plain texts."""
    return {"finding": {name: str(text)[:LONGEST_MESSAGE] for name, text in vars(observed).items()}}
