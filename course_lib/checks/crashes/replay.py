"""Find the part of a line that raises, by trying its arithmetic on zeros of the arguments' shapes.

Nothing of the student's runs: names stand for arguments alone, and only the functions listed here are applied.
"""

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from course_lib.checks.crashes.raised import Raised

LARGEST = 10_000_000  # entries of a result that is worth trying
_OPERATORS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.MatMult: operator.matmul,
}
_ALIKE = frozenset(("exp", "log", "sqrt", "abs", "relu", "tanh", "sigmoid", "softmax", "transpose", "unsqueeze"))
_REDUCTIONS = frozenset(("sum", "mean", "var", "std", "amax", "amin", "logsumexp", "prod"))
_FUNCTIONS = frozenset(("matmul", "mm", "bmm", "dot", "outer")) | _ALIKE | _REDUCTIONS
_METHODS = _FUNCTIONS | frozenset(("float", "double", "clone", "contiguous", "t"))
_PROPERTIES = frozenset(("T", "mT"))


class Unknown(Exception):
    """The value of this part cannot be told from the arguments."""


@dataclass(frozen=True)
class Culprit:
    """The part that raises, as the student wrote it, and its operands with their shapes."""

    node: ast.expr
    operands: tuple[tuple[str, tuple[int, ...]], ...]


class _Raises(Exception):
    def __init__(self, node: ast.expr, operands: list[tuple[ast.expr, object]], message: str):
        self.node, self.operands, self.message = node, operands, message


def culprit(raised: Raised) -> Culprit | None:
    """The product or sum of the line that raises this very message with the arguments of the call."""
    for gradients in (False, True):  # torch words some errors differently where it records gradients
        zeros = {name: _zeros(value, gradients) for name, value in raised.arguments.items()}
        for node in raised.nodes():
            if found := _raising(node, zeros, raised.message):
                shown = ((raised.text(part), value) for part, value in found.operands)
                return Culprit(found.node, tuple((text, tuple(v.shape)) for text, v in shown if isinstance(v, Tensor)))
    return None


def _zeros(value: object, gradients: bool) -> object:
    if not isinstance(value, Tensor):
        return value
    return torch.zeros_like(value, requires_grad=gradients and value.is_floating_point())


def _raising(node: ast.AST, names: Mapping[str, object], message: str) -> "_Raises | None":
    if isinstance(node, ast.BinOp | ast.Call):
        try:
            _value(node, names)
        except _Raises as found:
            return found if found.message == message else None
        except Exception:  # whatever else the arithmetic may do with these values, it explains nothing
            return None
    return None


def _value(node: ast.AST, names: Mapping[str, object]) -> Any:
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as number)):
            return -number
        case ast.Name(id=name) if isinstance(names.get(name), Tensor | int | float):
            return names[name]
        case ast.Attribute(value=inner, attr=name) if name in _PROPERTIES:
            return getattr(_tensor(inner, names), name)
        case ast.Subscript(value=inner, slice=index):
            return _tensor(inner, names)[_index(index)]
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATORS:
            return _apply(node, _OPERATORS[type(sign)], [(part, _value(part, names)) for part in (left, right)], {})
        case ast.Call(func=ast.Attribute(value=ast.Name(id="math"))):
            return 1.0
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr=name), args=parts) if name in _FUNCTIONS:
            operands = [(part, _value(part, names)) for part in parts]
            return _apply(node, getattr(torch, name), operands, _options(node, names))
        case ast.Call(func=ast.Attribute(value=inner, attr=name), args=parts) if name in _METHODS:
            operands = [(inner, _tensor(inner, names)), *((part, _value(part, names)) for part in parts)]
            return _apply(node, getattr(Tensor, name), operands, _options(node, names))
    raise Unknown


def _apply(
    node: ast.expr,
    function: Callable[..., Any],
    operands: list[tuple[ast.expr, Any]],
    options: dict[str, Any],
) -> Any:
    values = [value for _, value in operands]
    tensors = [value for value in values if isinstance(value, Tensor)]
    if not tensors:
        return 1.0  # a number, whichever
    entries = 1
    for tensor in tensors:
        entries *= max(1, tensor.numel())
    if entries > LARGEST:
        raise Unknown
    try:
        return function(*values, **options)
    except (RuntimeError, TypeError, IndexError) as error:
        raise _Raises(node, operands, str(error)) from None


def _options(call: ast.Call, names: Mapping[str, object]) -> dict[str, Any]:
    return {option.arg or "": _flag(option.value, names) for option in call.keywords}


def _flag(node: ast.expr, names: Mapping[str, object]) -> Any:
    return node.value if isinstance(node, ast.Constant) else _value(node, names)


def _tensor(node: ast.AST, names: Mapping[str, object]) -> Tensor:
    value = _value(node, names)
    if not isinstance(value, Tensor):
        raise Unknown
    return value


def _index(node: ast.expr) -> Any:
    """x[:, None] and x[..., 0]: whole dimensions, new ones and single entries."""
    match node:
        case ast.Tuple(elts=parts):
            return tuple(_index(part) for part in parts)
        case ast.Slice(lower=None, upper=None, step=None):
            return slice(None)
        case ast.Constant(value=value) if value is None or value is ... or isinstance(value, int):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as number)):
            return -number
    raise Unknown
