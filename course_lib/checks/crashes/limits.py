"""Numbers outside the range of a function, and errors that the answer itself raises."""

import re

from course_lib.checks.crashes.raised import Raised
from course_lib.checks.crashes.rule import Rule


def _own(raised: Raised, match: re.Match[str]) -> str | None:
    """An error that the student's own line raises where the exercise expects a result."""
    if raised.line.startswith("raise ") and f"raise {raised.error}" in raised.line:
        return "This is the error that your own line raises: it refuses inputs that belong to the exercise."
    if raised.error == "AssertionError" and raised.line.startswith("assert "):
        return "Your own `assert` does not hold for these inputs, which belong to the exercise."
    return None


RULES = (
    Rule(
        "empty",
        "TypeError ValueError IndexError",
        r"reduce\(\) of empty (?:iterable|sequence) with no initial value|(?:max|min)\(\) (?:arg is "
        r"an empty sequence|iterable argument is empty)|"
        r"pop from empty list",
        "There is nothing to go through here, not one entry: handle that case first.",
    ),
    Rule(
        "overflow",
        "OverflowError",
        r"math range error",
        (
            "The result is too large for a number: for an exponential, subtract the largest "
            "value first, which leaves a softmax as it is."
        ),
    ),
    Rule(
        "overflow",
        "OverflowError",
        r"Numerical result out of range|int too large to convert to float|cannot convert float infinity to integer",
        "A number became too large here: look at the power or the exponential in this line.",
    ),
    Rule(
        "math-domain",
        "ValueError",
        r"math domain error|expected a (?:positive|nonnegative) input",
        "A logarithm needs a number above 0 and a square root one that is not negative: which inputs bring it below?",
    ),
    Rule(
        "division-by-zero",
        "ZeroDivisionError",
        r"",
        "A divisor is 0 here: which inputs make it so, and what should the result be then?",
    ),
    Rule("own-check", "AssertionError ValueError TypeError RuntimeError IndexError Exception", r"", _own),
)
