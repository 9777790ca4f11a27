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
    fitting,
    gradients,
    indexing,
    joining,
    limits,
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
)
from course_lib.checks.crashes.raised import Raised

_FIRST_MATCH_WINS = tuple(
    rule
    for table in (
        *(limits, modules, losses, transposes, products, fitting, broadcasting, dtypes, gradients),
        *(joining, indexing, reshaping, conditions, sizes, numbers, nothing, tuples, uncalled),
        *(argument_types, calling, names, attributes),
    )
    for rule in table.RULES
)


def explain_crash(error: str, message: str, line: str, arguments: Mapping[str, object]) -> Mistake | None:
    """What the exception means for this line, where that is certain.

    `error` is the type's name, `arguments` are those of the call by their names.
    """
    raised = Raised(error, message, line, arguments)
    for rule in _FIRST_MATCH_WINS:
        if says := rule.sentence(raised):
            return Mistake(f"crash/{rule.slug}", says)
    return None
