"""One row of the table: which exceptions it explains, and the sentence."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from course_lib.checks.crashes.raised import Raised

Say = Callable[[Raised, re.Match[str]], str | None]


@dataclass(frozen=True)
class Rule:
    """`message` is searched in the text of the exceptions in `errors`; `says` is the sentence, with {1} for the
    pattern's first group, or a function that returns it, or None where it is not certain."""

    slug: str
    errors: str
    message: str
    says: str | Say

    def sentence(self, raised: Raised) -> str | None:
        if raised.error not in self.errors.split():
            return None
        match = re.search(self.message, raised.message)
        if match is None:
            return None
        if callable(self.says):
            return self.says(raised, match)
        return self.says.format(match[0], *match.groups())
