"""Load the parts that a student wrote in earlier units from their notebooks, to build a model of them."""

import ast
import contextlib
import importlib
import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from torch import nn

from course_lib.checks import CheckFailed, Finding
from course_lib.checks.answer_forms.weight_transfer import Weight, hand_over, weights_of
from course_lib.checks.check import require_pass

# Each part: the number of the unit whose notebook holds it, and the course's own module of it.
PARTS = {
    "scaled_dot_product_attention": ("01", "nn.attention"),
    "split_heads": ("04", "nn.multihead"),
    "merge_heads": ("04", "nn.multihead"),
    "MultiHeadAttention": ("04", "nn.multihead"),
    "LayerNorm": ("05", "nn.norm"),
    "FeedForward": ("05", "nn.feedforward"),
    "EncoderBlock": ("05", "nn.blocks"),
}
IN_A_BLOCK = (
    *("self_attention.wq", "self_attention.wk", "self_attention.wv", "self_attention.dense"),
    *("feed_forward", "norm1", "norm2"),
)


@dataclass(frozen=True)
class Part:
    """The student's answer, or the course's with the reason for it."""

    name: str
    unit: str
    answer: object
    own: bool
    reason: str = ""


def gather_parts(folder: str | Path = ".") -> dict[str, Part]:
    """Each part from the student's notebook in this folder, if it passes its visible check; else the course's.

    Later parts run in a namespace with the earlier ones, so that a student's block uses the student's attention.
    """
    parts: dict[str, Part] = {}
    names: dict[str, dict] = {}
    for name, (unit, module) in PARTS.items():
        try:
            if unit not in names:
                names[unit] = _cells(Path(folder), unit)
            cells = names[unit]
            namespace: dict[str, object] = {"__name__": "own_parts"}
            with contextlib.redirect_stdout(io.StringIO()):
                for line in cells[""].splitlines():
                    with contextlib.suppress(ImportError):  # a package that only other cells need
                        exec(line, namespace)
                namespace |= {part.name: part.answer for part in parts.values()}
                exec(cells[name], namespace)
                require_pass(name, namespace[name])
            parts[name] = Part(name, unit, namespace[name], own=True)
        except Exception as error:
            course = getattr(importlib.import_module(f"course_lib.{module}"), name)
            parts[name] = Part(name, unit, course, own=False, reason=_reason(error))
    return parts


def show_parts(parts: Mapping[str, Part]) -> str:
    """A line for each part: whose it is, and why if it is not the student's."""
    lines = []
    for part in parts.values():
        whose = "yours" if part.own else f"the course's: {part.reason}"
        lines.append(f"{part.name:29} unit {part.unit}   {whose}")
    own = sum(part.own for part in parts.values())
    return "\n".join([*lines, f"{own} of {len(parts)} parts are yours"])


def carry_over(trained: nn.Module, new: nn.Module) -> None:
    """Copy the weights of one Vision Transformer into another whose blocks may be the student's."""
    blocks = [f"blocks.{i}.{part}" for i, _ in trained.get_submodule("blocks").named_children() for part in IN_A_BLOCK]
    weights = weights_of(trained, ["embedding", "class_token", "positions", *blocks, "norm", "head"])
    hand_over(type(new).__name__, new, [_with_start(weight) for weight in weights])


def _with_start(weight: Weight) -> Weight:
    """Tell a norm's gain from its shift by value, whatever their names: trained gains stay near 1, shifts near 0."""
    if weight.linear or weight.value.ndim != 1:
        return weight
    return replace(weight, start=float(weight.value.mean().round()))


def _cells(folder: Path, unit: str) -> dict[str, str]:
    """The answers of a unit's notebook by name, and under "" the imports of its other cells."""
    notebooks = sorted(folder.glob(f"{unit}_*.ipynb"))
    if not notebooks:
        raise FileNotFoundError(f"no notebook {unit}_….ipynb in this folder")
    cells = json.loads(notebooks[0].read_text("utf-8"))["cells"]
    code = [(_plain("".join(cell["source"])), cell["metadata"]) for cell in cells if cell["cell_type"] == "code"]
    imports = "\n".join(_imports(source) for source, metadata in code if "nbgrader" not in metadata)
    return {"": imports} | {
        metadata["nbgrader"]["grade_id"]: source for source, metadata in code if "nbgrader" in metadata
    }


def _plain(source: str) -> str:
    """A cell as plain Python: lines for IPython, such as `%pip install`, become `pass`."""
    return source if _parsed(source) else re.sub(r"^([ \t]*)[%!].*", r"\1pass", source, flags=re.MULTILINE)


def _imports(source: str) -> str:
    tree = _parsed(source)
    kept = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)] if tree else []
    return "\n".join(map(ast.unparse, kept))


def _parsed(source: str) -> ast.Module | None:
    try:
        return ast.parse(source)
    except SyntaxError:
        return None


def _reason(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return str(error)
    if isinstance(error, NotImplementedError):
        return "yours is not written yet"
    if isinstance(error, CheckFailed | Finding):
        return "yours does not pass its check yet"
    return f"yours stops with {type(error).__name__}: {error}".splitlines()[0][:90]
