"""The agent answers the examiner's requests in the student's kernel: look up a name, perform a task, lend an ear."""

import builtins
import inspect
from collections.abc import Callable, Mapping

from torch import nn

from course_lib.checks import calling, handing_over, modules, observing, refusing, student_tests
from course_lib.checks.elsewhere import TASKS
from course_lib.checks.finding import Finding, NotWritten
from course_lib.checks.handing_over import Weight

from .recipes import build
from .wire import Recipe, Reference, WireError, pack, unpack

LONGEST_MESSAGE = 4_000
TASKS_FROM = (calling, handing_over, modules, observing, refusing, student_tests)  # imported, so that TASKS has them
Ask = Callable[[list[bytes]], list[bytes]]


class Lent:
    """A function of the examiner's, to be called from here."""

    def __init__(self, agent: "Agent", reference: Reference):
        self._agent, self._number = agent, reference.number
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        self.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in reference.parameters])

    def __call__(self, *arguments: object, **options: object) -> object:
        return self._agent.call_examiner(self._number, arguments, options)


class Agent:
    """`namespace` is the student's; `ask` sends frames to the examiner in the middle of a request, and waits."""

    def __init__(self, namespace: Mapping[str, object], ask: Ask):
        self._namespace, self._ask = namespace, ask
        self._kept: dict[int, object] = {}

    def answer(self, frames: list[bytes]) -> list[bytes]:
        """The reply to one request: a value, or what was found."""
        try:
            request = unpack(frames, self._resolve)
            reply = {"value": self._perform(request)}
        except Finding as finding:
            reply = {"finding": str(finding)[:LONGEST_MESSAGE], "not written": isinstance(finding, NotWritten)}
        except WireError as error:
            reply = {"finding": str(error)}
        except BaseException as error:
            reply = {"error": type(error).__name__}
        try:
            return pack(reply, self._keep)
        except WireError as error:
            return pack({"finding": str(error)}, self._keep)
        except BaseException as error:
            return pack({"error": type(error).__name__}, self._keep)

    def call_examiner(self, number: int, arguments: tuple, options: dict) -> object:
        """What a function of the examiner's returns."""
        call = {"number": number, "arguments": arguments, "options": options}
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
        return Lent(self, item) if item.of_sender else self._kept[item.number]
