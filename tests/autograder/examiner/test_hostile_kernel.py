"""A real kernel that turns hostile in the middle of a grading: its answers lose, and the grading ends as ever."""

import base64
import copy
import json

import pytest
from builders.hostile_wire import CASES, replies, streams, trees
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell

from autograder.course.cells import grade_id, is_answer
from autograder.course.notebooks import solution_notebook, student_notebook, write_notebook
from autograder.course.units import find_unit
from autograder.demo.stories import fill_in
from autograder.examiner.assignment import Limits
from autograder.examiner.grade_submission import assignment_of, grade_submission

UNIT = find_unit("00")
TURNS = """
import base64, gc, json
from sandbox.inside.agent import Agent
from sandbox.inside.main_loop import MainLoop

honest, requests = Agent.answer, []


def answer(self, frames):
    requests.append(frames)
    if len(requests) == {which}:
        loop = next(part for part in gc.get_objects() if type(part) is MainLoop)
        for kind, tree in json.loads(base64.b64decode({messages!r})):
            loop._channel.send(kind.encode(), loop._number, [json.dumps(tree).encode()])
        loop._channel.socket.sendall(base64.b64decode({noise!r}))
    return honest(self, frames)


Agent.answer = answer
"""


@pytest.fixture(scope="module")
def answered():
    answers = {grade_id(cell): cell.source for cell in solution_notebook(UNIT).cells if is_answer(cell)}
    return fill_in(student_notebook(UNIT), answers)


def encoded(data):
    return base64.b64encode(data).decode()


@settings(
    max_examples=max(3, CASES // 200),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)
@given(
    which=st.integers(1, 12),
    messages=st.lists(st.tuples(st.sampled_from("r?od"), st.one_of(replies, trees)), max_size=3),
    noise=st.one_of(st.just(b""), streams()),
)
def test_every_exercise_has_its_verdict_whatever_the_kernel_sends(answered, which, messages, noise):
    notebook = copy.deepcopy(answered)
    source = TURNS.format(which=which, messages=encoded(json.dumps(messages).encode()), noise=encoded(noise))
    notebook.cells.insert(0, new_code_cell(source, id="turns"))
    assignment = assignment_of(UNIT, limits=Limits(cell=5, call=2))
    graded = grade_submission(write_notebook(notebook).encode(), assignment, "seed")
    assert None not in graded.verdicts.values()
    assert all(0 <= verdict.score <= verdict.points for verdict in graded.verdicts.values())
