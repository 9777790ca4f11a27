"""Indices that do not fit, and functions that pick entries."""

from course_lib.checks.crashes.rule import Rule

RULES = (
    Rule(
        "too-many-indices",
        "IndexError",
        r"too many indices for tensor of dimension (\d+)",
        "There are more indices than dimensions: this tensor has {1}.",
    ),
    Rule(
        "index-of-number",
        "IndexError",
        r"invalid index of a 0-dim tensor|slice\(\) cannot be applied to a 0-dim tensor",
        "This tensor is a single number, without dimensions, so there is nothing to index in it.",
    ),
    Rule(
        "index-too-large",
        "IndexError",
        r"index (-?\d+) is out of bounds for dimension (\d+) with size 0",
        "You take entry {1} of something that has none: nothing was found here, or it is a single "
        "number. Handle that case before you index.",
    ),
    Rule(
        "index-too-large",
        "IndexError",
        r"index (-?\d+) is out of bounds for dimension (\d+) with size (\d+)",
        "There is no index {1}: dimension {2}, counted from 0, has {3} entries. Is it the dimension that you mean?",
    ),
    Rule(
        "index-too-large",
        "IndexError RuntimeError",
        r"^index out of range in self$|index (\d+) is out of bounds for dimension \d+ with size \d+",
        "An index is not among the rows of the table: an `nn.Embedding(num, …)` has rows 0 to num "
        "- 1. Compare its first size "
        "with the largest index.",
    ),
    Rule(
        "index-type",
        "IndexError",
        r"tensors used as indices must be long, int, byte or bool tensors",
        "Indices must be integers or booleans, and these have another type, such as float: convert "
        "them with `.long()`.",
    ),
    Rule(
        "index-shapes",
        "IndexError",
        r"shape mismatch: indexing tensors could not be broadcast together with shapes \[([\d, ]*)\], \[([\d, ]*)\]",
        "The tensors in one index must broadcast with each other, and they have shapes ({1}) and ({2}).",
    ),
    Rule(
        "gather",
        "RuntimeError",
        r"Index tensor must have the same number of dimensions as (?:input|self) tensor",
        "`gather` needs an index with as many dimensions as the tensor: insert the missing one, "
        "`index[..., None]`, and drop it from the "
        "result.",
    ),
    Rule(
        "gather",
        "RuntimeError",
        (
            r"Size does not match at dimension (\d+) expected index \[([\d, ]*)\] to be "
            r"(?:smaller than|no larger than) self \[([\d, ]*)\]"
        ),
        (
            "The index of `gather` is ({2}) and the tensor ({3}): but for the dimension "
            "gathered along, no size of the index may be larger."
        ),
    ),
    Rule(
        "multinomial-count",
        "RuntimeError",
        r"cannot sample n_sample > prob_dist\.size\(-1\) samples without replacement",
        "`torch.multinomial` is asked for more samples than there are entries: for the next token it is one.",
    ),
    Rule(
        "multinomial-rank",
        "RuntimeError",
        r"prob_dist must be 1 or 2 dim",
        "`torch.multinomial` draws from each row of a matrix (B, vocab). These probabilities have "
        "more dimensions: take the last "
        "position first, `[:, -1]`.",
    ),
    Rule(
        "multinomial-weights",
        "RuntimeError",
        r"probability tensor contains either `inf`, `nan` or element < 0|invalid multinomial distribution",
        "`torch.multinomial` needs probabilities: none below 0, no inf or nan, and not all 0. "
        "Logits go through a softmax "
        "first.",
    ),
    Rule(
        "top-k-too-large",
        "RuntimeError",
        r"selected index k out of range",
        "`topk` asks for more entries than the dimension has.",
    ),
)
