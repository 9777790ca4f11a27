"""The same submissions under Otter, where it is installed: a test for each exercise, which calls its exam."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from autograder.course.units import ROOT, Unit
from autograder.exams import exams_of

TEST = """OK_FORMAT = False

from otter.test_files import test_case

name, points = "{exercise}", {points}


@test_case(points={points})
def test_exam({exercise}):
    from autograder.exams import find_exam

    verdict = find_exam("{exercise}").grade({exercise})
    assert verdict.score == verdict.points, verdict
"""


def otter_seconds(unit: Unit, submissions: Sequence[Path]) -> float | None:
    """Seconds of `otter run` for one submission, or None where there is no Otter."""
    otter = shutil.which("otter")
    if otter is None:
        return None
    settings = {"PYTHONPATH": str(ROOT), "NBGRADER_EXECUTION": "autograde", "OMP_NUM_THREADS": "1"}  # as for the others
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tests").mkdir()
        for exam in exams_of(unit.id):
            text = TEST.format(exercise=exam.exercise, points=exam.points)
            (folder / "tests" / f"{exam.exercise}.py").write_text(text, "utf-8")

        def run(*command: object) -> None:
            subprocess.run(
                [otter, *map(str, command)], cwd=folder, env=os.environ | settings, check=True, capture_output=True
            )

        run("generate", "-t", "tests", "-o", "autograder.zip", "--no-environment")
        start = time.monotonic()
        for submission in submissions:
            run("run", submission, "-a", "autograder.zip", "-o", folder, "--no-logo")
        return (time.monotonic() - start) / len(submissions)
