"""The workflows name what there is: paths, modules, targets of make, artifacts and units."""

import re

import pytest
import yaml

from autograder.course.units import ROOT, all_units

WORKFLOWS = {path.stem: yaml.safe_load(path.read_text("utf-8")) for path in (ROOT / ".github/workflows").glob("*.yml")}
JOBS = [
    pytest.param(job, id=f"{file}-{name}") for file, all_in in WORKFLOWS.items() for name, job in all_in["jobs"].items()
]
OUR_FOLDERS = r"(?:\.ci|autograder|binder|course_lib|docs|notebooks|solutions|tests)"


def lines_of(job):
    return "\n".join(step["run"] for step in job["steps"] if "run" in step)


def uses(job, action):
    return [step["with"] for step in job["steps"] if step.get("uses", "").startswith(f"{action}@")]


def test_there_are_workflows():
    assert set(WORKFLOWS) == {"test", "weekly"}


@pytest.mark.parametrize("job", JOBS)
def test_what_a_job_runs_is_there(job):
    lines = lines_of(job)
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), flags=re.MULTILINE)
    assert set(re.findall(r"\bmake (\w+)", lines)) <= set(targets)
    for path in re.findall(rf"(?:^|\s)({OUR_FOLDERS}/[\w./-]+|[\w-]+\.(?:yml|txt|toml))(?=\s|$)", lines):
        assert (ROOT / path).exists(), path
    for folder, module in re.findall(r"PYTHONPATH=(\w+) \S+ -m (\w+)", lines):
        assert (ROOT / folder / f"{module}.py").exists(), module
    for name in re.findall(r"\b(\d\d_\w+)\.(?:zip|ipynb)", lines):
        assert name in [unit.full_name for unit in all_units()]
    for options in uses(job, "actions/setup-python"):
        assert (ROOT / options.get("cache-dependency-path", "constraints.txt")).exists()


@pytest.mark.parametrize("name", WORKFLOWS)
def test_what_a_job_takes_another_gives(name):
    jobs = WORKFLOWS[name]["jobs"]
    for job in jobs.values():
        needed = [job["needs"]] if isinstance(job.get("needs"), str) else job.get("needs", [])
        given = [options["name"] for other in needed for options in uses(jobs[other], "actions/upload-artifact")]
        for options in uses(job, "actions/download-artifact"):
            assert options["name"] in given


@pytest.mark.parametrize("name", WORKFLOWS)
def test_rights_are_few_and_no_job_runs_for_good(name):
    assert WORKFLOWS[name]["permissions"] == {"contents": "read"}
    for job in WORKFLOWS[name]["jobs"].values():
        assert job["timeout-minutes"] <= 120
        assert set(job.get("permissions", {})) <= {"issues"}


def test_every_python_that_is_promised_is_tested():
    tested = WORKFLOWS["test"]["jobs"]["quick"]["strategy"]["matrix"]["python"]
    (lowest,) = re.findall(
        r'^requires-python = ">=(.+)"', (ROOT / "pyproject.toml").read_text("utf-8"), flags=re.MULTILINE
    )
    assert lowest == tested[0]
    systems = WORKFLOWS["test"]["jobs"]["student"]["strategy"]["matrix"]["system"]
    assert {system.partition("-")[0] for system in systems} == {"ubuntu", "macos", "windows"}
