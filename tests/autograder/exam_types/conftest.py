"""The visible check of an exam that belongs to no unit, through its card as students would get it."""

import json
import sys

import pytest

from course_lib.checks import CheckFailed, check


@pytest.fixture
def visible(monkeypatch, capsys):
    """visible(exam, answer) is what the check of the exam's card prints, or the message it fails with."""

    def run(exam, answer):
        cards = {exam.exercise: json.loads(json.dumps(exam.card(), allow_nan=False))}
        monkeypatch.setattr(sys.modules["course_lib.checks.check"], "read_cards", lambda: cards)
        try:
            check(exam.exercise, answer)
        except NotImplementedError:
            raise
        except CheckFailed as failed:
            return str(failed)
        return capsys.readouterr().out

    return run
