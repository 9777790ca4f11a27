"""The agent answers the examiner's requests in the student's kernel: look up a name, perform a task, lend an ear."""

import builtins
import functools
import inspect
from collections.abc import Callable, Mapping

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

LONGEST_MESSAGE = 4_000
# imported, so that TASKS has them
TASKS_FROM = (student_call, weight_transfer, module_tasks, observers, errors, bug_hunts)
Ask = Callable[[list[bytes]], list[bytes]]


class LentFunction:
    """A function of the examiner's, to be called from here."""

    def __init__(self, agent: "Agent", reference: Reference):
        self._agent, self._number = agent, reference.number
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        self.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in reference.names])

    def __call__(self, *arguments: object, **options: object) -> object:
        return self._agent.call_examiner(self._number, "", True, arguments, options)


class LentModule(nn.Module):
    """A module of the examiner's: it can be called, has a mode, and has the methods that the examiner lends."""

    def __init__(self, agent: "Agent", reference: Reference):
        super().__init__()
        self.device_marker = nn.Parameter(torch.zeros(1))  # for code that asks a parameter for its device
        self._number = reference.number
        for name in ("forward", *reference.names):
            setattr(self, name, functools.partial(self._call_examiner, agent, name))

    def _call_examiner(self, agent: "Agent", method: str, *arguments: object, **options: object) -> object:
        return agent.call_examiner(self._number, method, self.training, arguments, options)


class Agent:
    """`namespace` is the student's; `ask` sends frames to the examiner in the middle of a request, and waits."""

    def __init__(self, namespace: Mapping[str, object], ask: Ask):
        self._namespace, self._ask = namespace, ask
        self._kept: dict[int, object] = {}
        self._lent: list[LentModule] = []

    def answer(self, frames: list[bytes]) -> list[bytes]:
        """The reply to one request: a value, or what was found."""
        self._lent = []
        try:
            request = unpack(frames, self._resolve)
            reply = {"value": self._perform(request)}
            reply["modes"] = {module._number: module.training for module in self._lent}
        except Finding as finding:
            reply = {"finding": {name: text[:LONGEST_MESSAGE] for name, text in vars(finding.observed).items()}}
        except WireError as error:
            reply = _unreadable(error)
        except BaseException as error:
            reply = {"error": type(error).__name__}
        try:
            return pack(reply, self._keep)
        except WireError as error:
            return pack(_unreadable(error), self._keep)
        except BaseException as error:
            return pack({"error": type(error).__name__}, self._keep)

    def call_examiner(self, number: int, method: str, training: bool, arguments: tuple, options: dict) -> object:
        """What a function of the examiner's returns, or a method of a module in this mode."""
        call = {"number": number, "method": method, "arguments": arguments, "options": options}
        call |= {"training": training, "gradients": torch.is_grad_enabled()}
        reply = unpack(self._ask(pack(call, self._keep)), self._resolve)
        if "value" in reply:
            return reply["value"]
        error = getattr(builtins, reply["error"], RuntimeError)
        raise error(reply["message"]) if issubclass(error, Exception) else RuntimeError(reply["message"])

    def _perform(self, request: dict) -> object:
        if "look up" in request:
            name = request["look up"]
            return (True, self._namespace[name]) if name in self._namespace else (False, None)
        name, answer, *details = request["arguments"]
        return TASKS[request["task"]](name, answer, *details)

    def _keep(self, value: object) -> Reference:
        number = len(self._kept)
        self._kept[number] = value
        kind = "module" if isinstance(value, nn.Module) else "function" if callable(value) else "object"
        return Reference(number, kind, type(value).__name__)

    def _resolve(self, item: Reference | Recipe) -> object:
        if isinstance(item, Recipe):
            return Weight(**item.options) if item.name == "Weight" else build(item)
        if not item.of_sender:
            return self._kept[item.number]
        if item.kind == "function":
            return LentFunction(self, item)
        self._lent.append(LentModule(self, item))
        return self._lent[-1]


def _unreadable(error: WireError) -> dict[str, object]:
    return {"finding": vars(Observed(str(error), kind=Kind.NOT_READABLE))}
