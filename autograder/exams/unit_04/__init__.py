"""Exams of unit 04, Multi-head attention, in the order of the notebook."""

from autograder.exams.unit_04.convolution import convolution_head
from autograder.exams.unit_04.counting import parameter_count
from autograder.exams.unit_04.handmade import identity_head, shift_head
from autograder.exams.unit_04.heads import merge_heads, split_heads
from autograder.exams.unit_04.module import multi_head_attention
from autograder.exams.unit_04.shape_sheet import head_widths, multi_head_shapes
from autograder.exams.unit_04.torch_weights import load_from_torch
from autograder.exams.unit_04.two_heads import two_heads_at_once

EXAMS = (
    multi_head_shapes,
    split_heads,
    merge_heads,
    multi_head_attention,
    head_widths,
    parameter_count,
    load_from_torch,
    identity_head,
    shift_head,
    convolution_head,
    two_heads_at_once,
)
