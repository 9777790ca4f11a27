"""No attack gains a point, reads a secret, outlives its submission or harms another's grade: judged by effects."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
import torch
from builders.submissions import put_submission

from attacks.attack import UNIT, as_bytes, attacks, notebook_with
from attacks.attacked_class import MARK, Canaries, grade, new_class, put_attacks
from attacks.compare import BEGIN, END, PAGE
from attacks.files import PLACED
from attacks.listener import listening
from attacks.outcome import outputs, secrets_and_outcries

pytestmark = pytest.mark.xdist_group("attacks")

MOST_MEGABYTES = 1_500  # of the examiner, which has 400 when it grades honest work
REJECTED = {"another_notebook", "deep_metadata"} | set(PLACED)  # no notebooks of this unit, or no files
ALL = list(attacks())


@pytest.fixture(scope="module")
def canaries():
    return Canaries()


@pytest.fixture(scope="module")
def listener():
    with listening() as server:
        yield server


@pytest.fixture(scope="module")
def attacked(needs_sandbox, canaries, listener, tmp_path_factory):
    directory = new_class(tmp_path_factory.mktemp("attacked"), canaries)
    put_attacks(directory, attacks(), canaries, listener)
    return grade(directory, canaries)


@pytest.fixture(scope="module")
def peaceful(needs_sandbox, canaries, tmp_path_factory):
    """The same class without attacks: neighbours, and each attack's honest answers under the attack's own name."""
    directory = new_class(tmp_path_factory.mktemp("peaceful"), canaries)
    for attack in attacks().values():
        if attack.honest:
            put_submission(directory, UNIT, attack.name, as_bytes(notebook_with(attack.honest)))
    return grade(directory, canaries)


def shown(graded, student):
    return outputs(graded.directory.root / "autograded" / student / UNIT.full_name / UNIT.notebook.name)


def test_there_are_many_attacks_and_each_says_what_it_tries():
    assert len(ALL) >= 40
    for attack in attacks().values():
        assert re.fullmatch(r"[A-Z].{10,150}\.", attack.tries), attack.name


def test_the_class_is_graded_to_its_end(attacked):
    assert set(attacked.results) == set(attacked.directory.students(UNIT)), attacked.printed[-2000:]
    failed = {student for student, result in attacked.results.items() if result["status"] == "failed"}
    assert failed == REJECTED
    assert "grading it stopped with" not in attacked.printed


@pytest.mark.parametrize("name", ALL)
def test_it_gains_no_point(attacked, peaceful, name):
    honest = peaceful.results[name]["score"] if attacks()[name].honest else 0
    assert (attacked.results[name]["score"] or 0) <= honest


@pytest.mark.parametrize("name", ALL)
def test_it_reads_no_secret_and_reaches_nothing(attacked, canaries, name):
    assert secrets_and_outcries(shown(attacked, name), canaries) == []
    assert canaries.found_in(json.dumps(attacked.results[name])) == set()


def test_nothing_is_printed_that_a_terminal_obeys(attacked, canaries):
    assert "\x1b]" not in attacked.printed
    assert canaries.found_in(attacked.printed) == set()


def test_feedback_shows_no_secret(attacked, canaries, tmp_path):
    copy = tmp_path / "class"
    shutil.copytree(attacked.directory.root, copy, ignore=shutil.ignore_patterns("submitted"))
    for folder in (copy / "autograded").iterdir():
        if folder.name not in ("import_exams", "read_class_files"):
            shutil.rmtree(folder)
    command = [sys.executable, "-c", "from autograder.cli.main import main; main()", "feedback", copy, UNIT.id]
    subprocess.run(command, check=True, capture_output=True)
    pages = [page.read_text("utf-8") for page in copy.glob("feedback/*/*/*.html")]
    assert len(pages) == 2
    for page in pages:
        assert canaries.found_in(page) == set()


def neighbours(graded):
    return [student for student in graded.results if student.endswith("neighbour")]


def test_neighbours_get_what_they_get_without_attacks(attacked, peaceful):
    assert len(neighbours(attacked)) > 8
    expected = [(e["id"], e["score"], e["status"]) for e in peaceful.results["0-neighbour"]["exercises"]]
    assert peaceful.results["0-neighbour"]["score"] == 33
    for student in neighbours(attacked):
        result = attacked.results[student]
        assert [(e["id"], e["score"], e["status"]) for e in result["exercises"]] == expected, student
        assert (result["status"], result["problems"]) == ("graded", []), student


def test_nothing_is_left_for_the_next_submission(attacked):
    for student in neighbours(attacked):
        assert "left here: []" in shown(attacked, student), student


def test_nothing_is_left_on_the_machine(attacked):
    for process in psutil.process_iter(["cmdline"]):
        assert MARK not in (process.info["cmdline"] or [])
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run", Path.home(), attacked.directory.root.parent / "home"):
        assert list(Path(folder).glob(f"{MARK}*")) == []
    packages = Path(torch.__file__).parents[1]
    assert not (packages / "sitecustomize.py").exists()
    assert not Path(torch.__file__).read_text("utf-8").endswith("\n\n")


def test_the_network_is_not_reached(attacked, listener):
    assert listener.heard == []


def test_the_examiner_stays_small(attacked):
    assert attacked.examiner_megabytes < MOST_MEGABYTES


def test_the_table_lists_every_attack_and_no_success():
    table = PAGE.read_text("utf-8").partition(BEGIN)[2].partition(END)[0]
    rows = {name: (tries, here) for name, tries, here in re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \|", table, re.M)}
    assert rows == {attack.name: (attack.tries, "nothing") for attack in attacks().values()}
