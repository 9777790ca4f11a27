"""Mutation operators: small changes to a node of a syntax tree, as a slip of the pen would make them."""

import ast
import copy
from collections.abc import Iterator, Mapping
from types import ModuleType

from autograder.course.syntax_trees import is_docstring

OPERATORS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}
COMPARISONS = {
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.GtE, ast.LtE),
    ast.LtE: (ast.Gt, ast.Lt),
    ast.Gt: (ast.LtE, ast.GtE),
    ast.GtE: (ast.Lt, ast.Gt),
}
OTHER_DIMENSION: dict[float, float] = {1: 2, 2: 1}  # −1 becomes −2, and the reverse


def alternatives(node: ast.AST, parent: ast.AST, names: Mapping[str, object]) -> Iterator[ast.AST]:
    """The nodes to try in place of this one; `names` are the globals of its module."""
    match node:
        case ast.BinOp(left=left, op=ast.MatMult(), right=right):
            yield ast.BinOp(right, ast.MatMult(), left)
        case ast.BinOp() | ast.AugAssign() if type(node.op) in OPERATORS:
            yield _with(node, op=OPERATORS[type(node.op)]())
        case ast.Compare(ops=[op]):
            yield from (_with(node, ops=[other()]) for other in COMPARISONS[type(op)])
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield operand
            if isinstance(operand, ast.Constant) and isinstance(operand.value, int | float):
                yield _with(node, operand=ast.Constant(OTHER_DIMENSION.get(operand.value, _changed(operand.value))))
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool) and not _is_minus(parent):
            yield ast.Constant(_changed(value))
        case ast.If(test=test) | ast.IfExp(test=test) if not isinstance(
            test, ast.Compare
        ):  # a comparison is negated by COMPARISONS
            yield _with(node, test=ast.UnaryOp(ast.Not(), test))
        case ast.Call():
            yield from _other_calls(node, names)
        case ast.Attribute(value=value, attr="T" | "mT"):
            yield value
        case ast.Return(value=ast.Tuple(elts=parts)):
            yield _with(node, value=ast.Tuple(parts[::-1], ast.Load()))
    if isinstance(node, ast.stmt) and not isinstance(node, ast.Return | ast.Pass) and not is_docstring(node):
        yield ast.copy_location(ast.Pass(), node)


def _other_calls(node: ast.Call, names: Mapping[str, object]) -> Iterator[ast.AST]:
    """x.f(y) becomes x, math.f(x) becomes x, and f(x, y) becomes f(y, x)."""
    plain = [argument for argument in node.args[:2] if not isinstance(argument, ast.Starred)]
    if isinstance(node.func, ast.Attribute):
        if not _is_in_module(node.func, names):
            yield node.func.value
        elif plain:
            yield plain[0]
    if len(plain) == 2:
        yield _with(node, args=[plain[1], plain[0], *node.args[2:]])


def _is_in_module(node: ast.expr, names: Mapping[str, object]) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and isinstance(names.get(node.id), ModuleType)


def _changed(value: float) -> float:
    if isinstance(value, int):
        return {0: 1, 1: 0}.get(value, value + 1)
    return 2 * value if value else 1.0


def _is_minus(node: ast.AST) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed
