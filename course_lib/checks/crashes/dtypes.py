"""Tensors of a type that an operation does not take."""

from course_lib.checks.crashes.rule import Rule

_TO_LONG = "The classes, or indices, here must be integers of type long: convert them with `.long()`."
_WITH_INDICES = (
    "cross_entropy",
    "nll_loss",
    "gather",
    "scatter",
    "scatter_",
    "index_select",
    "take_along_dim",
    "one_hot",
)

RULES = (
    Rule(
        "boolean-minus",
        "RuntimeError",
        (
            r"Subtraction, the `-` operator, with a(?: two)? bool tensor|Subtraction, the `-` "
            r"operator, with two bool tensors"
        ),
        (
            "Booleans cannot be subtracted. `~mask` inverts a mask; `mask.float()` turns it "
            "into numbers, 1 and 0, to compute with."
        ),
    ),
    Rule(
        "boolean-minus",
        "RuntimeError",
        r"Negation, the `-` operator, on a bool tensor is not supported",
        "A boolean tensor has no negative: `~mask` inverts it.",
    ),
    Rule(
        "invert-floats",
        "TypeError RuntimeError NotImplementedError",
        (
            r"~ \(operator\.invert\) is only implemented on integer and Boolean-type tensors|"
            r"\"bitwise_not_cpu\" not implemented"
        ),
        (
            "`~` inverts booleans, and this tensor holds floats: compare first (`== 0`), or "
            "make it boolean with `.bool()`."
        ),
    ),
    Rule(
        "bitwise-floats",
        "RuntimeError NotImplementedError",
        r"\"(?:bitwise_)?(and|or|xor)_cpu\" not implemented for '(?:Float|Double)'",
        "`&` and `|` combine booleans, and one side holds floats: make both boolean with `.bool()` or a comparison.",
    ),
    Rule(
        "mask-dtype",
        "RuntimeError",
        (
            r"masked_fill_? only supports boolean masks,? ?but got (?:mask with )?dtype (\w+)|"
            r"expected self dtype.*bool.*mask"
        ),
        (
            "`masked_fill` takes a mask of booleans, and this one holds numbers: compare "
            "(`mask == 0`, `mask > 0`) or call `.bool()`."
        ),
    ),
    Rule(
        "embedding-of-floats",
        "RuntimeError",
        r"Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
        r"torch\.(?:\w+\.)?(\w+)Tensor",
        "An embedding looks up rows by integer ids, and this tensor has type {1}: give it the token ids themselves. "
        "Positions are integers too, from `torch.arange(n)`.",
    ),
    Rule(
        "target-dtype",
        "RuntimeError NotImplementedError",
        r"expected target dtype to be Long or Byte|\"nll_loss\w*\" not implemented for '(?:Int|Bool|Short)'",
        _TO_LONG,
    ),
    Rule(
        "target-dtype",
        "RuntimeError",
        r"[Ee]xpected scalar type Long but found|[Ee]xpected dtype int64 for index",
        lambda raised, match: _TO_LONG if raised.calls(*_WITH_INDICES) else None,
    ),
    Rule(
        "integers-for-floats",
        "RuntimeError NotImplementedError",
        r"\"(log_softmax|softmax)\w*\" not implemented for '(Long|Int|Short|Byte|Char|Bool)'",
        "`{1}` needs floats, and this tensor has type {2}: convert it with `.float()`.",
    ),
    Rule(
        "integers-for-floats",
        "RuntimeError NotImplementedError",
        r"\"(\w+)\" not implemented for '(Long|Int|Short|Byte|Char|Bool)'",
        "This computation is not defined for a tensor of type {2}: convert it with `.float()`.",
    ),
    Rule(
        "integers-for-floats",
        "RuntimeError",
        (
            r"(mean|std|var|std and var)\(?\)?:? ?(?:could not infer output dtype\. Input "
            r"dtype must be either a floating point or complex dtype|only support floating "
            r"point and complex dtypes|only supports? tensors of floating point)"
        ),
        "A mean or variance needs floats, and this tensor holds integers or booleans: convert it with `.float()`.",
    ),
    Rule(
        "two-dtypes",
        "RuntimeError",
        r"expected (?:m1 and m2|mat1 and mat2) to have the same dtype, but got: (.+?) != (\S+)|"
        r"mat1 and mat2 must have the same dtype, but got (\w+) and (\w+)|"
        r"input tensors must have the same dtype, but got \w+, (\w+), and (\w+)|"
        r"expected both vectors to have same dtype, but found (\w+) and (\w+)|expected scalar type "
        r"(\w+) but found (\w+)",
        lambda raised, match: (
            f"This operation needs its tensors in one type, and these have "
            f"{' and '.join(filter(None, match.groups()))}. "
            "Convert one with `.to(other.dtype)`, and make new tensors in the type of your arguments: `dtype=x.dtype`."
        ),
    ),
    Rule(
        "two-dtypes",
        "RuntimeError",
        (
            r"Index put requires the source and destination dtypes match, got (\w+) for the "
            r"destination and (\w+) for the source"
        ),
        "You assign entries of type {2} to a tensor of type {1}: make the tensor with the type of what it is to hold, "
        "`dtype=x.dtype`.",
    ),
    Rule(
        "result-type",
        "RuntimeError",
        r"result type (\w+) can't be cast to the desired output type (\w+)",
        "An in-place operation cannot change a tensor's type: this one holds {2} and would have to hold {1}. Write "
        "`x = x + y` instead of `x += y`, or convert first.",
    ),
    Rule(
        "two-dtypes",
        "RuntimeError",
        r"Input type \((?:torch\.)?(\w+)\) and (?:weight|bias) type \((?:torch\.)?(\w+)\) should be the same",
        "A layer has parameters of type {2}, and its input has {1}: convert the input with `.to(dtype)`.",
    ),
    Rule(
        "integers-for-floats",
        "RuntimeError",
        r"value cannot be converted to type (\w+?)(?:_t)? without overflow",
        "Integers have no infinity: this tensor has type {1}. Make it one of floats first, with `.float()`.",
    ),
    Rule(
        "integers-for-floats",
        "RuntimeError",
        r"[Oo]nly Tensors of floating point(?: and complex)? dtype can require gradients",
        (
            "Only floats have gradients, and this tensor holds integers: write its numbers "
            "with a point, or convert it with `.float()`."
        ),
    ),
    Rule(
        "target-dtype",
        "RuntimeError",
        r"one_hot is only applicable to index tensor",
        "`F.one_hot` takes indices of type long: convert them with `.long()`.",
    ),
    Rule(
        "devices",
        "RuntimeError",
        r"Expected all tensors to be on the same device|Tensor on device (\w+) is not on the expected device (\w+)",
        "The tensors are on different devices: make new ones where your arguments are, with `device=x.device`.",
    ),
)
