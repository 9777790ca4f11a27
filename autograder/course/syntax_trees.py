"""Syntax trees of Python code, also of code that students wrote."""

import ast
import warnings


def parse(source: str) -> ast.Module | None:
    """The syntax tree, or None if Python cannot parse the code; warnings about the code are not shown."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last three: null bytes, nesting too deep
        return None


def is_docstring(node: ast.AST) -> bool:
    """Whether the node is a statement that is only a string: a docstring, or a comment in quotes."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
