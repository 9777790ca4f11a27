"""Exams of student-written tests: planted bugs caught count, false alarms undo them."""

import json

import numpy as np
import pytest
import torch

from autograder.authoring.audit.audit import audit_exam
from autograder.exam_types import Bug, BugsCaught, NoFalseAlarm, StudentTestsExam
from autograder.exam_types.exam import Misconception


def attend(x, blocked=None):
    scores = x @ x.T / x.shape[-1] ** 0.5
    return (scores if blocked is None else scores.masked_fill(blocked, -1e9)).softmax(-1) @ x


def causal(x):
    return attend(x, torch.ones(len(x), len(x), dtype=torch.bool).triu(1))


def causal_by_loop(x):
    return torch.stack([attend(x[: i + 1])[-1] for i in range(len(x))])


def running_mean(x):
    return x.cumsum(0) / torch.arange(1, len(x) + 1)[:, None]


def sees_everything(x):
    return attend(x)


def sees_one_ahead(x):
    blocked = torch.ones(len(x), len(x), dtype=torch.bool).triu(2)
    return attend(x, blocked)


def normalised_over_the_future(x):
    scores = (x @ x.T / x.shape[-1] ** 0.5).softmax(-1)
    return scores.tril() @ x


def forgets_itself(x):
    return torch.cat([x[:1] * 0, causal(x)[:-1]])


def cannot_do_longer(x):
    if len(x) > 4:
        raise RuntimeError("too long")
    return causal(x)


def prefixes_agree(implementation):
    x = torch.randn(6, 3)
    whole = implementation(x)
    assert whole.shape == x.shape
    for n in range(1, 6):
        assert torch.allclose(implementation(x[:n]), whole[:n], atol=1e-5), "the future changes the past"
    changed = x.clone()
    changed[2] += 1
    assert not torch.allclose(implementation(changed)[2], whole[2])


def by_gradients(implementation):
    x = torch.randn(6, 4, requires_grad=True)
    y = implementation(x)
    for i in range(6):
        gradient = torch.autograd.grad(y[i].sum(), x, retain_graph=True)[0]
        if gradient[i + 1 :].any() or not gradient[i].any():
            return False
    return True


def by_testing_module(implementation):
    x = torch.randn(5, 3)
    for i in range(5):
        other = x.clone()
        other[i] = 9.0
        same = torch.isclose(implementation(x), implementation(other), atol=1e-5).all(-1)
        np.testing.assert_array_equal(same[:i].numpy(), True)
        assert not same[i]


def last_token_only(implementation):
    x = torch.randn(4, 3)
    other = x.clone()
    other[3] += 5
    torch.testing.assert_close(implementation(x)[:2], implementation(other)[:2])


def shape_only(implementation):
    assert implementation(torch.randn(3, 2)).shape == (3, 2)


def alarms_at_everything(implementation):
    raise AssertionError("wrong")


def demands_attention(implementation):
    x = torch.randn(6, 3)
    assert torch.allclose(implementation(x), causal(x), atol=1e-5)


LAST = "You change the last token only, and look away from the token before it."
SHAPE = "You look at the shape alone: the future shows in numbers."
DEMANDS = "You compare with one attention: a running mean is causal too."

exam = StudentTestsExam(
    exercise="prefix_test",
    test=prefixes_agree,
    correct=(causal, causal_by_loop, running_mean),
    bugs=(
        Bug("every token sees all others", sees_everything),
        Bug("a token sees its right neighbour", sees_one_ahead),
        Bug("blocked weights still count in the sum", normalised_over_the_future),
        Bug("a token does not see itself", forgets_itself),
        Bug("sequences longer than 4 fail", cannot_do_longer),
    ),
    criteria=(NoFalseAlarm("no false alarm", 1), BugsCaught("bugs caught", 5)),
    misconceptions=(
        Misconception("last", LAST, last_token_only),
        Misconception("shape", SHAPE, shape_only),
        Misconception("demands", DEMANDS, demands_attention),
    ),
    accepted=(by_gradients, by_testing_module),
)


def test_the_answers_that_it_knows_are_graded_rightly_with_every_seed():
    audit = audit_exam(exam, seeds=20)
    assert audit.sound, audit.problems


def test_score_is_the_share_of_bugs_caught_and_names_the_others():
    quiet, bugs = exam.grade(last_token_only).criteria
    assert quiet.score == 1
    assert bugs.score == 2
    assert bugs.message == (
        "3 of 5 planted bugs slip through: a token sees its right neighbour; "
        "a token does not see itself; sequences longer than 4 fail"
    )


def test_false_alarm_costs_everything():
    verdict = exam.grade(demands_attention)
    assert verdict.score == 0
    assert "gives a false alarm on a correct implementation (AssertionError" in verdict.criteria[0].message
    assert "so no bug it catches counts" in verdict.criteria[1].message


def test_test_that_cannot_fail_earns_nothing():
    verdict = exam.grade(lambda implementation: None)
    assert verdict.score == 0
    assert verdict.tried


def stub(implementation):
    raise NotImplementedError


@pytest.mark.parametrize("blank", [..., None, stub])
def test_blank_answers_get_nothing(blank, visible):
    verdict = exam.grade(blank)
    assert verdict.score == 0
    assert not verdict.tried
    with pytest.raises(NotImplementedError, match="not written yet"):
        visible(exam, blank)


def returning(value):
    def asked(implementation):
        good = prefixes_agree
        try:
            good(implementation)
        except (AssertionError, RuntimeError):
            return value
        return None

    return asked


@pytest.mark.parametrize("value", [False, np.False_, torch.tensor(False), torch.tensor([True, False])])
def test_returning_false_is_an_alarm(value):
    assert exam.grade(returning(value)).score == exam.points


@pytest.mark.parametrize("value", [0, None, True, "no", torch.tensor(0.0)])
def test_returning_anything_else_is_none(value):
    assert exam.grade(returning(value)).score == 0


def test_error_of_the_test_itself_is_no_catch():
    def crashes_on_bugs(implementation):
        x = torch.randn(4, 3)
        if not torch.allclose(implementation(x)[:2], implementation(x[:2]), atol=1e-5):
            raise ValueError("that is odd")

    verdict = exam.grade(crashes_on_bugs)
    assert verdict.score == 0
    assert str(verdict).count("your test itself failed: ValueError: that is odd") == 2  # once for each criterion


def test_test_that_recognises_implementations_by_name_sees_none():
    seen = set()

    def spy(implementation):
        seen.add((implementation.__name__, implementation.__qualname__, implementation.__doc__))

    exam.grade(spy)
    assert seen == {("implementation", "implementation", None)}


def test_order_differs_by_seed_and_repeats_for_one():
    def order(seed):
        shapes = []
        exam.grade(lambda implementation: shapes.append(float(implementation(torch.ones(3, 1).cumsum(0)).sum())), seed)
        return shapes

    assert order(1) == order(1)
    assert len({tuple(order(seed)) for seed in range(5)}) > 1


def test_random_numbers_of_the_answer_repeat_and_leave_the_examiners_alone():
    torch.manual_seed(3)
    before = torch.random.get_rng_state()
    drawn = []
    exam.grade(lambda implementation: drawn.append(torch.randn(()).item()), 5)
    exam.grade(lambda implementation: drawn.append(torch.randn(()).item()), 5)
    assert drawn[: len(drawn) // 2] == drawn[len(drawn) // 2 :]
    assert torch.equal(before, torch.random.get_rng_state())


@pytest.mark.parametrize(
    ("answer", "sentence", "shown"),
    [
        (7, "should be a function, but it is of type int", "should be a function, but it is of type int"),
        ("test", "of type str", "of type str"),
        (lambda: None, "stops with an error of its own on a correct implementation (TypeError", "take one argument"),
        (lambda a, b: None, "stops with an error of its own", "take one argument"),
        (lambda implementation: 1 / 0, "(ZeroDivisionError: division by zero)", "raised ZeroDivisionError"),
        (lambda implementation: implementation(1, 2, 3), "gives a false alarm", "○"),
        (lambda implementation: True, "5 of 5 planted bugs slip through", "never calls the implementation"),
    ],
)
def test_odd_answers_end_in_a_sentence(answer, sentence, shown, visible):
    verdict = exam.grade(answer)
    assert verdict.score == 0
    assert sentence in verdict.criteria[1].message
    assert shown in visible(exam, answer)


def test_visible_check_says_nothing_of_bugs_where_it_has_no_models_to_try(visible):
    for answer in (exam.reference, *exam.accepted, shape_only):
        assert visible(exam, answer).startswith("○ prefix_test")
    assert json.dumps(exam.card()) == '{"kind": "student tests"}'


def test_a_test_that_fails_everything_is_told_so():
    assert [mistake.id for mistake in exam.grade(alarms_at_everything).mistakes] == ["tests/alarm-for-all"]
