"""Similar submissions: pairs whose answers share what few others have; a help for a person, never a verdict.

What the release gave to everybody is taken off, and what many have written too. An index from each fingerprint that is
left to the few who have it gives the pairs, so that no two submissions without anything in common are ever compared.
"""

import difflib
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from autograder.reports.class_report.code_fingerprints import all_runs, fingerprints, shape
from autograder.reports.student_answers import Answer

FEWEST_STUDENTS = 4  # among fewer one cannot tell what is common
FEWEST_SHARED = 8  # fingerprints
NEARLY = 0.6  # of the rarer parts of an answer
MOST_PAIRS = 20
IDENTIFIER = re.compile(r"[^\W\d]\w*")

Answers = Mapping[str, Answer]


@dataclass(frozen=True)
class Alike:
    """An exercise in which two answers are nearly the same; `share` of the rare parts of one are in the other."""

    exercise: str
    share: float
    shared: int


@dataclass(frozen=True)
class Pair:
    """Two students whose answers are alike; `weight` is larger the more they share and the fewer others have it."""

    one: str
    other: str
    weight: float
    exercises: tuple[Alike, ...]


@dataclass(frozen=True)
class ComparedLine:
    text: str
    alike: bool


def similar_pairs(submissions: Iterable[tuple[str, Answers]], released: Answers) -> list[Pair]:
    """The most alike first; each submission is read once, and only its fingerprints are kept."""
    given = {name: all_runs(shape(answer.source, answer.prose)) for name, answer in released.items()}
    prints: dict[str, dict[str, set[bytes]]] = {}
    for student, answers in submissions:
        prints[student] = {
            name: fingerprints(shape(answer.source, answer.prose)) - given.get(name, set())
            for name, answer in answers.items()
        }
    if len(prints) < FEWEST_STUDENTS:
        return []
    holders = _rare_holders(prints)
    rare = Counter((student, name) for (name, _), students in holders.items() for student in students)
    shared: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    weight: dict[tuple[str, str], float] = defaultdict(float)
    for (name, _), students in holders.items():
        for pair in combinations(students, 2):
            shared[pair][name] += 1
            weight[pair] += math.log(len(prints) / len(students)) + 1
    pairs = (_pair(pair, shared[pair], rare, weight[pair]) for pair in shared)
    return sorted(filter(None, pairs), key=lambda pair: (-pair.weight, pair.one, pair.other))[:MOST_PAIRS]


def most_holders(students: int) -> int:
    """How many may share a part of an answer before it counts as common: a tenth of the class, and at least two."""
    return min(30, max(2, students // 10))


def _rare_holders(prints: Mapping[str, Mapping[str, set[bytes]]]) -> dict[tuple[str, bytes], list[str]]:
    holders: dict[tuple[str, bytes], list[str]] = defaultdict(list)
    for student in sorted(prints):
        for name, found in prints[student].items():
            for one in found:
                holders[name, one].append(student)
    most = most_holders(len(prints))
    return {key: students for key, students in holders.items() if len(students) <= most}


def _pair(
    students: tuple[str, str], shared: Mapping[str, int], rare: Mapping[tuple[str, str], int], weight: float
) -> Pair | None:
    one, other = students
    alike = [
        Alike(name, count / min(rare[one, name], rare[other, name]), count)
        for name, count in shared.items()
        if count >= NEARLY * min(rare[one, name], rare[other, name])
    ]
    if sum(exercise.shared for exercise in alike) < FEWEST_SHARED:
        return None
    return Pair(one, other, weight, tuple(sorted(alike, key=lambda exercise: -exercise.shared)))


def side_by_side(one: str, other: str) -> tuple[list[ComparedLine], list[ComparedLine]]:
    """The lines of two answers, those marked that are alike when all names are."""
    left, right = one.splitlines(), other.splitlines()
    matcher = difflib.SequenceMatcher(None, list(_nameless(left)), list(_nameless(right)), autojunk=False)
    blocks = matcher.get_matching_blocks()
    alike_left = {place for block in blocks for place in range(block.a, block.a + block.size)}
    alike_right = {place for block in blocks for place in range(block.b, block.b + block.size)}
    return (
        [ComparedLine(text, place in alike_left) for place, text in enumerate(left)],
        [ComparedLine(text, place in alike_right) for place, text in enumerate(right)],
    )


def _nameless(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield IDENTIFIER.sub("n", " ".join(line.split()))
