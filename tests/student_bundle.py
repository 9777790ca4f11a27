"""Release a unit in a class of its own: its bundle, and beside it the notebook with the course's answers.

PYTHONPATH=tests python -m student_bundle FOLDER 01
"""

import sys
import tempfile
from pathlib import Path
from shutil import copy

from autograder.classroom.directory import init_class
from autograder.classroom.release import release_unit
from autograder.course.notebooks import student_notebook, write_notebook
from autograder.course.units import find_unit
from autograder.demo.stories import fill_in, right_answers


def main(folder: Path, number: str) -> None:
    unit = find_unit(number)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        print(copy(release_unit(init_class(Path(place, "class")), unit), folder))
    solution = folder / "solution.ipynb"
    solution.write_text(write_notebook(fill_in(student_notebook(unit), right_answers(unit))), "utf-8")
    print(solution)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
