"""Similar submissions: a copy under other names is found, and what everybody has is not evidence."""

import random
import string
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.course.units import find_unit
from autograder.demo.bank_answers import bank_answers
from autograder.demo.demo_class import drawn_answers, renamed
from autograder.demo.stories import right_answers
from autograder.reports.class_report.code_fingerprints import RUN, WINDOW, all_runs, fingerprints, shape
from autograder.reports.class_report.similarity import (
    FEWEST_STUDENTS,
    MOST_PAIRS,
    most_holders,
    side_by_side,
    similar_pairs,
)
from autograder.reports.student_answers import Answer

UNIT = find_unit("01")
STUB = {"f": Answer("def f(x):\n    raise NotImplementedError()", False)}


def code(source):
    return {"f": Answer(source, False)}


def own_function(seed):
    """A function that nobody else writes."""
    random_ = random.Random(seed)
    lines = []
    for _ in range(8):
        method = "".join(random_.choices(string.ascii_lowercase, k=6))
        lines.append(f"    x = x.{method}({random_.randrange(1000)}) + {random_.randrange(1000)}")
    return "def f(x):\n" + "\n".join(lines) + "\n    return x"


@pytest.mark.parametrize("answer", bank_answers(UNIT), ids=lambda answer: answer.exercise)
def test_names_are_no_part_of_the_shape(answer):
    assert shape(renamed(answer.source)) == shape(answer.source)


def test_a_docstring_and_comments_are_no_part_of_the_shape():
    plain, spoken = "def f(x):\n    return x + 1", 'def f(y):\n    """Say."""\n    return y + 1  # why'
    assert shape(plain) == shape(spoken)
    assert shape(plain) != shape("def f(x):\n    return x + 2")


@given(st.lists(st.sampled_from("abc"), max_size=80), st.data())
def test_a_shared_piece_is_never_missed(parts, data):
    """What winnowing promises: a run of RUN + WINDOW − 1 parts in common gives a fingerprint in common."""
    piece = data.draw(st.lists(st.sampled_from("abcdef"), min_size=RUN + WINDOW - 1, max_size=30))
    one, other = [*parts, *piece], [*piece, *reversed(parts)]
    assert fingerprints(one) & fingerprints(other)
    assert fingerprints(one) <= all_runs(one)


def test_a_renamed_copy_is_found_among_honest_work():
    students = {f"s{number:02}": own_function(number) for number in range(20)}
    students["copy"] = renamed(students["s07"]).replace("my_", "other_")
    pairs = similar_pairs(((name, code(source)) for name, source in students.items()), STUB)
    assert [(pair.one, pair.other) for pair in pairs] == [("copy", "s07")]
    assert pairs[0].exercises[0].share == 1


def test_what_many_write_is_no_evidence():
    same = own_function(0)
    assert similar_pairs(((f"s{number}", code(same)) for number in range(20)), STUB) == []


def test_what_was_released_is_no_evidence():
    given_away = own_function(0)
    students = {f"s{number}": own_function(number + 1) for number in range(10)}
    students |= {"a": given_away, "b": given_away}
    submissions = [(name, code(source)) for name, source in students.items()]
    assert similar_pairs(submissions, code(given_away)) == []
    assert len(similar_pairs(submissions, STUB)) == 1


def test_few_submissions_are_not_compared():
    same = own_function(0)
    few = [(f"s{number}", code(same)) for number in range(FEWEST_STUDENTS - 1)]
    assert similar_pairs(few, STUB) == []
    assert similar_pairs([], STUB) == []


def test_the_more_is_shared_the_higher_it_ranks():
    students = {f"s{number}": own_function(number) for number in range(10)}
    whole = students["s1"]
    half = "\n".join([*students["s2"].splitlines()[:6], *own_function(99).splitlines()[6:]])
    submissions = [(name, code(source)) for name, source in (students | {"whole": whole, "half": half}).items()]
    first, second = similar_pairs(submissions, STUB)
    assert (first.one, first.other) == ("s1", "whole")
    assert (second.one, second.other) == ("half", "s2")
    assert first.weight > second.weight


def test_copied_prose_and_broken_code_are_found():
    def words(seed):
        return " ".join(random.Random(seed).choices([f"word{n}" for n in range(500)], k=40))

    prose = [(f"s{number}", {"essay": Answer(words(number), True)}) for number in range(10)]
    prose.append(("copy", {"essay": Answer(words(3).title() + ".", True)}))
    assert [(pair.one, pair.other) for pair in similar_pairs(prose, {})] == [("copy", "s3")]
    broken = [(f"s{number}", code(own_function(number) + "\n  ((((")) for number in range(10)]
    broken.append(("copy", code(own_function(3).replace("x", "mine") + "\n  ((((")))
    assert [(pair.one, pair.other) for pair in similar_pairs(broken, STUB)] == [("copy", "s3")]


@pytest.mark.parametrize(
    "source",
    ["", "(" * 300, "\x00", "x = '\ud800'", "é" * 1000, "def f(:", "1" * 5000],
    ids=lambda text: ascii(text)[:20],
)
def test_odd_answers_have_a_shape(source):
    parts, words = shape(source), shape(source, prose=True)
    assert bool(parts) == bool(fingerprints(parts)) == bool(source)
    assert fingerprints(parts) <= all_runs(parts)
    assert fingerprints(words) <= all_runs(words)


def test_the_index_finds_what_comparing_all_pairs_finds():
    """The oracle: every pair of submissions, one after another."""
    students = {f"student-{n:02}": drawn_answers(UNIT, f"student-{n:02}") for n in range(1, 30)}
    students["own"] = students["student-01"] | own(7)
    students["own-copy"] = {name: renamed(source) for name, source in students["own"].items()}
    prints = {
        student: {(name, one) for name, source in answers.items() for one in fingerprints(shape(source))}
        for student, answers in students.items()
    }
    everyone = [one for found in prints.values() for one in found]
    rare = {one for one in set(everyone) if everyone.count(one) <= most_holders(len(students))}
    shared = {pair: len(prints[pair[0]] & prints[pair[1]] & rare) for pair in combinations(sorted(students), 2)}
    submissions = [(s, {n: Answer(a, False) for n, a in answers.items()}) for s, answers in students.items()]
    pairs = similar_pairs(submissions, {})
    assert ("own", "own-copy") in {(pair.one, pair.other) for pair in pairs}
    for pair in pairs:
        for alike in pair.exercises:
            both = {one for one in prints[pair.one] & prints[pair.other] & rare if one[0] == alike.exercise}
            assert alike.shared == len(both)
    largest = max(shared.values())
    assert max(sum(alike.shared for alike in pair.exercises) for pair in pairs) <= largest


def test_a_thousand_students():
    reference = right_answers(UNIT)
    submissions = [
        (f"s{number:04}", {name: Answer(source, False) for name, source in (reference | own(number)).items()})
        for number in range(1000)
    ]
    submissions.append(("copy", {n: Answer(renamed(a.source), False) for n, a in submissions[500][1].items()}))
    pairs = similar_pairs(submissions, {})
    assert (pairs[0].one, pairs[0].other) == ("copy", "s0500")
    assert len(pairs) <= MOST_PAIRS


def own(number):
    return {"gram_attention": own_function(number)}


def test_lines_that_are_the_same_but_for_names_are_marked():
    left, right = side_by_side("a = b + 1\nc = d * 2\nreturn c", "s = t + 1\nu = t - 2\nreturn u")
    assert [line.alike for line in left] == [line.alike for line in right] == [True, False, True]
    assert [line.text for line in left] == ["a = b + 1", "c = d * 2", "return c"]
