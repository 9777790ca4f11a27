"""Explain an exception to the student whose code raised it: a table of patterns, with a sentence for each."""

from collections.abc import Mapping

from course_lib.cards.observed import Mistake
from course_lib.checks.crashes import (
    argument_types,
    attributes,
    broadcasting,
    calling,
    conditions,
    dtypes,
    einsum,
    fitting,
    gradients,
    indexing,
    joining,
    limits,
    linear,
    losses,
    modules,
    names,
    nothing,
    numbers,
    products,
    reshaping,
    sizes,
    transposes,
    tuples,
    uncalled,
    weights,
)
from course_lib.checks.crashes.raised import Raised

LONGEST = 400  # characters of a message and of a line that are looked at: a hostile submission may send any

_TABLES = (
    *(limits, modules, weights, losses, transposes, products, einsum, linear, fitting, broadcasting),
    *(dtypes, gradients, joining, indexing, reshaping, conditions, sizes, numbers),
    *(nothing, tuples, uncalled, argument_types, calling, names, attributes),
)
_FIRST_MATCH_WINS = tuple(rule for table in _TABLES for rule in table.RULES)


def explain_crash(error: str, message: str, line: str, arguments: Mapping[str, object]) -> Mistake | None:
    """What the exception means for this line, where that is certain.

    `error` is the type's name, `arguments` are those of the call by their names.
    """
    raised = Raised(error, message[:LONGEST], line[:LONGEST], arguments)
    for rule in _FIRST_MATCH_WINS:
        if says := rule.sentence(raised):
            return Mistake(f"crash/{rule.slug}", says)
    return None
