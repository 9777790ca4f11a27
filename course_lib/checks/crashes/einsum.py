"""Products of a fixed number of dimensions: einsum, outer, mm, bmm and dot."""

from course_lib.checks.crashes.rule import Rule

RULES = (
    Rule(
        "outer-rank",
        "RuntimeError",
        r"outer: Expected 1-D argument (?:self|vec2), but got (\d)-D",
        "`torch.outer` takes two vectors, and this one has {1} dimensions. For a batch, insert a dimension of size 1 "
        "in each and multiply: then both broadcast.",
    ),
    Rule(
        "matmul-rank",
        "RuntimeError",
        r"(batch1|batch2|mat1|mat2|self|input|vec|1D tensors expected).*must be an? (?:1|2|3)D? "
        r"?-?D? ?(?:tensor|matrix)"
        r"|1D tensors expected, but got (\d)D and (\d)D",
        "This product takes tensors of one fixed number of dimensions (`mm` two, `bmm` three, `dot` one). `@` takes "
        "any.",
    ),
    Rule(
        "matmul-rank",
        "RuntimeError",
        r"(?:self|mat1|mat2|input|mat) must be a matrix",
        "`mm` multiplies two matrices, and one of these has another number of dimensions. `@` takes batches too.",
    ),
    Rule(
        "einsum",
        "RuntimeError",
        r"einsum\(\): output subscript (\w) does not appear in the equation for any input operand",
        "The letter {1} follows `->` in the equation of einsum, but names no dimension of what goes in.",
    ),
    Rule(
        "einsum",
        "RuntimeError",
        r"einsum\(\): the number of subscripts in the equation \((\d+)\) does not match the number of dimensions "
        r"\((\d+)\) for operand (\d+)",
        "Factor {3} of einsum (counting from 0) has {2} dimensions, but its letters name {1}: one letter for each "
        "dimension, the batch too.",
    ),
    Rule(
        "einsum",
        "RuntimeError",
        r"einsum\(\): (more|fewer) operands were provided than specified in the equation",
        (
            "einsum gets {1} tensors than its equation names: before `->` there is one group "
            "of letters for each tensor, with commas between."
        ),
    ),
    Rule(
        "einsum",
        "RuntimeError",
        r"einsum\(\): (?:operands do not broadcast|subscript (\w) has size (\d+) for operand (\d+))",
        "In einsum one letter is one size: here the same letter is used for dimensions of different sizes.",
    ),
)
