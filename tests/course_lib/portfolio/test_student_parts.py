"""A student's own parts are taken out of their notebooks, tried, and put together."""

import json

import pytest
import torch
import torch.nn.functional as F

from course_lib.models.vision_transformer import VisionTransformer, ViTConfig
from course_lib.nn.norm import LayerNorm
from course_lib.portfolio.student_parts import PARTS, carry_over, gather_parts, show_parts

COLAB = "import no_such_package\nif False:\n    %pip install --quiet jaxtyping\nraise RuntimeError('not an import')"
IMPORTS = "import math\nimport torch\nprint('hello')"
ATTENTION = '''
%load_ext autoreload
def scaled_dot_product_attention(q, k, v, mask=None):
    """Mine."""
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = scores.softmax(-1)
    return weights @ v, weights
'''
SPLIT = "def split_heads(x, num_heads):\n    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)"
WRONG_MERGE = "def merge_heads(x):\n    return x.flatten(-2)"
HEADS = """
class MultiHeadAttention(torch.nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("does not divide")
        self.h = num_heads
        self.wq, self.wk, self.wv, self.dense = (torch.nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, q, k, v, mask=None):
        q, k, v = (split_heads(x, self.h) for x in (self.wq(q), self.wk(k), self.wv(v)))
        output, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.dense(merge_heads(output)), weights
"""


class OtherNames(LayerNorm):
    """A norm whose parameters are called something else, and stand in another order."""

    def __init__(self, d):
        torch.nn.Module.__init__(self)
        self.beta, self.gamma = torch.nn.Parameter(torch.zeros(d)), torch.nn.Parameter(torch.ones(d))

    def forward(self, x):
        return F.layer_norm(x, (len(self.beta),), self.gamma, self.beta)


def write_notebook(folder, name, **answers):
    cells = [{"cell_type": "markdown", "metadata": {}, "source": ["# Title"]}]
    for source in (COLAB, IMPORTS):
        cells.append({"cell_type": "code", "metadata": {}, "source": source.splitlines(keepends=True)})
    for answer, source in answers.items():
        metadata = {"nbgrader": {"grade_id": answer}}
        cells.append({"cell_type": "code", "metadata": metadata, "source": source.splitlines(keepends=True)})
    (folder / name).write_text(json.dumps({"cells": cells}), "utf-8")


def test_without_notebooks_every_part_is_the_courses(tmp_path):
    parts = gather_parts(tmp_path)
    assert list(parts) == list(PARTS)
    assert not any(part.own for part in parts.values())
    assert "the course's: no notebook 05_….ipynb in this folder" in show_parts(parts)
    assert show_parts(parts).endswith("0 of 7 parts are yours")


def test_own_parts_that_pass_are_used_and_call_each_other(tmp_path, capsys):
    write_notebook(tmp_path, "01_cross_attention_shapes.ipynb", scaled_dot_product_attention=ATTENTION)
    answers = {"split_heads": SPLIT, "merge_heads": WRONG_MERGE, "MultiHeadAttention": HEADS}
    write_notebook(tmp_path, "04_multi_head_attention.ipynb", **answers)
    parts = gather_parts(tmp_path)
    assert {name for name, part in parts.items() if part.own} == {
        "scaled_dot_product_attention",
        "split_heads",
        "MultiHeadAttention",
    }
    assert parts["merge_heads"].reason == "yours does not pass its check yet"
    names = parts["MultiHeadAttention"].answer.forward.__globals__
    assert names["scaled_dot_product_attention"].__doc__ == "Mine."
    assert names["merge_heads"] is parts["merge_heads"].answer
    assert "hello" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (
            "def scaled_dot_product_attention(q, k, v, mask=None):\n    raise NotImplementedError()",
            "is not written yet",
        ),
        ("def scaled_dot_product_attention(q, k, v, mask=None)\n    pass", "yours stops with SyntaxError"),
        ("another = 1", "yours stops with KeyError: 'scaled_dot_product_attention'"),
    ],
)
def test_what_cannot_be_used_is_told(tmp_path, source, reason):
    write_notebook(tmp_path, "01_cross_attention_shapes.ipynb", scaled_dot_product_attention=source)
    part = gather_parts(tmp_path)["scaled_dot_product_attention"]
    assert not part.own
    assert reason in part.reason


def test_weights_are_carried_over_to_blocks_with_other_names():
    config = ViTConfig(4, 2, 1, 3, 8, 2, 12, 2)
    trained, new = VisionTransformer(config), VisionTransformer(config)
    with torch.no_grad():
        for parameter in trained.parameters():
            parameter += 0.1 * torch.randn_like(parameter)
    for block in new.blocks:
        block.norm1, block.norm2 = OtherNames(8), OtherNames(8)
    carry_over(trained, new)
    images = torch.rand(3, 1, 4, 4)
    torch.testing.assert_close(new(images), trained(images))
