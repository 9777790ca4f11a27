"""Chromium, and the pages that tests open in it; a page with an error in its console fails its test."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from builders.submissions import put_submission
from needs import needs_sandbox, skip_or_fail
from playwright.sync_api import Browser, Error, Locator, Page, expect, sync_playwright

from autograder.classroom.directory import ClassDirectory, init_class
from autograder.classroom.release import release_unit
from autograder.course.cells import grade_id, is_answer
from autograder.course.notebooks import solution_notebook, student_notebook
from autograder.course.units import ROOT, Unit, find_unit
from autograder.demo.stories import fill_in
from autograder.grading.grade_class import grade_class
from autograder.grading.worker_pool import local_workers
from browser.find_browser import MISSING, find_browser
from browser.injections import injected_notebook
from browser.notebook_page import NotebookPage
from browser.server import COURSE, Server, running

SCREENSHOTS = ROOT / "build" / "screenshots"
CHROMIUM_IS_BUSY = "Unable to capture screenshot"  # says so now and then under load, of any page
MOST_ATTEMPTS = 5
PATIENCE = 120_000  # milliseconds that a page may take for one thing, on a slow machine under load
FLAGS = (
    "--no-sandbox",  # Chromium's own sandbox does not start for root, as in a container
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # a container's /dev/shm is often too small
    "--disable-dev-shm-usage",
    # nothing to draw with: its stand-in is a process more, which a busy machine may lose
    "--disable-gpu",
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = find_browser()
    if program is None:
        skip_or_fail(MISSING)
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE)
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser, picture: Callable, request: pytest.FixtureRequest) -> Callable:
    """`with open_page(allow=...) as page`: at the end, the console has no error but those allowed.

    Of a page in which something else fails, there is a picture.
    """

    @contextmanager
    def opened(allow: tuple[str, ...] = (), **options) -> Iterator[Page]:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        errors: list[str] = []
        page.on(
            "console", lambda said: errors.append(f"{said.text} ({said.location})") if said.type == "error" else None
        )
        page.on("pageerror", lambda error: errors.append(str(error)))
        try:
            yield page
        except BaseException:
            picture(page, f"failed-{request.node.originalname}")
            raise
        finally:
            context.close()
        left = [error for error in errors if not any(part in error for part in allow)]
        assert not left, "\n".join(left)

    return opened


@pytest.fixture(scope="session")
def picture() -> Callable[[Page, str], Path]:
    """Keep a screenshot as a build product."""

    def keep(page: Page | Locator, name: str, **options) -> Path:
        path = SCREENSHOTS / f"{name}.png"
        for attempts_left in reversed(range(MOST_ATTEMPTS)):
            try:
                page.screenshot(path=path, **options)
                break
            except Error as error:
                if CHROMIUM_IS_BUSY not in str(error) or not attempts_left:
                    raise
        return path

    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    return keep


@pytest.fixture(scope="session")
def student_folder(tmp_path_factory) -> Path:
    """Where the student keeps their copies."""
    return tmp_path_factory.mktemp("student") / "mine"


@pytest.fixture(scope="session")
def lab(browser: Browser, student_folder: Path) -> Iterator[Server]:
    """What `course lab 01` starts; one for all tests of a student."""
    command = [*COURSE, "lab", "01", "--folder", student_folder, "--no-browser", "--port", "0", "--allow-root"]
    home = student_folder.parent
    with running(list(map(str, command)), home, home / "home") as server:
        yield server


@pytest.fixture
def notebook(lab: Server, student_folder: Path, open_page: Callable) -> Iterator[NotebookPage]:
    """Unit 01, open and with a kernel, as `course lab` puts it before a student."""
    with open_page() as page:
        page.goto(f"{lab.start}&reset")  # with nothing else open, whatever another test has left
        notebook = NotebookPage(page, student_folder / find_unit("01").notebook.name)
        notebook.wait_until_ready()
        yield notebook


@pytest.fixture(scope="session")
def graded_once(tmp_path_factory) -> tuple[ClassDirectory, Unit]:
    """A class of two, graded: `careful` has answered everything, `injector` has put scripts everywhere."""
    needs_sandbox()
    unit = find_unit("01")
    directory = init_class(tmp_path_factory.mktemp("browser") / "class")
    release_unit(directory, unit)
    answers = {grade_id(cell): cell.source for cell in solution_notebook(unit).cells if is_answer(cell)}
    for student, notebook in {
        "careful": fill_in(student_notebook(unit), answers),
        "injector": injected_notebook(unit),
    }.items():
        put_submission(directory, unit, student, notebook)
    results = {result.student: result for result in grade_class(directory, unit, workers=local_workers(1))}
    assert results["careful"].score == 36  # the other 4 points wait for a person
    assert results["injector"].score is not None
    return directory, unit


@pytest.fixture(scope="module")
def graded_class(graded_once, tmp_path_factory) -> tuple[ClassDirectory, Unit]:
    """A copy for each file of tests: what one does to its class, another does not see."""
    directory, unit = graded_once
    copy = tmp_path_factory.mktemp("browser") / "class"
    shutil.copytree(directory.root, copy)
    return ClassDirectory(copy), unit
