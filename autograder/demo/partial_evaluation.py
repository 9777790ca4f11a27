"""Partial evaluation of an AST: fold keyword-only arguments whose values are fixed, and drop dead branches."""

import ast
import copy
import operator
from collections.abc import Mapping

COMPARED = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.In: lambda part, whole: part in whole,
    ast.NotIn: lambda part, whole: part not in whole,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}


def specialized(function: ast.FunctionDef, options: Mapping[str, ast.expr]) -> ast.FunctionDef:
    """The function without its keyword-only arguments: each is replaced by the given value or its default."""
    arguments = function.args
    values = {
        option.arg: default
        for option, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is not None
    }
    values |= {name: value for name, value in options.items() if name in {a.arg for a in arguments.kwonlyargs}}
    if arguments.kwonlyargs and len(values) < len(arguments.kwonlyargs):
        raise ValueError(f"{function.name} has an option without a value")
    if options.keys() - values.keys():
        raise ValueError(f"{function.name} is given what is no option of it")
    copied = copy.deepcopy(function)
    copied.args.kwonlyargs, copied.args.kw_defaults = [], []
    return ast.fix_missing_locations(_FoldConstants(values).visit(copied))


class _FoldConstants(ast.NodeTransformer):
    """Substitute values for names, evaluate what becomes constant, and remove unreachable code."""

    def __init__(self, values: Mapping[str, ast.expr]):
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._values.get(node.id, node) if isinstance(node.ctx, ast.Load) else node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        if len(node.ops) == 1 and type(node.ops[0]) in COMPARED:
            try:
                left, right = ast.literal_eval(node.left), ast.literal_eval(node.comparators[0])
            except ValueError:
                return node
            return ast.Constant(COMPARED[type(node.ops[0])](left, right))
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        decisive = isinstance(node.op, ast.Or)  # `True or x` is True, `False and x` is False
        rest = [value for value in node.values if not _is(value, not decisive)]
        if any(_is(value, decisive) for value in rest):
            return ast.Constant(decisive)
        return ast.Constant(not decisive) if not rest else rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Constant):
            return ast.Constant(not node.operand.value)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        return (node.body if node.test.value else node.orelse) if isinstance(node.test, ast.Constant) else node

    def visit_If(self, node: ast.If) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.value, ast.Dict) and isinstance(node.slice, ast.Constant):
            for key, value in zip(node.value.keys, node.value.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == node.slice.value:
                    return value
        whole = isinstance(node.value, ast.Tuple) and ast.unparse(node.slice) == "::1"
        return node.value if whole else node


def _is(node: ast.expr, value: bool) -> bool:
    return isinstance(node, ast.Constant) and node.value is value
