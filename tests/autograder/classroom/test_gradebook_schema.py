"""A gradebook of another version of nbgrader is refused with a sentence, and left as it is."""

import contextlib
import os
import sqlite3
import sys
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from nbgrader.api import Gradebook
from nbgrader.dbutil import ALEMBIC_DIR

from autograder.classroom.directory import init_class, open_class
from autograder.course.units import find_unit
from autograder.errors import CourseError

pytestmark = pytest.mark.slow

UNIT = find_unit("01")


def alter(directory, *statements):
    with contextlib.closing(sqlite3.connect(directory.root / "gradebook.db")) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


@pytest.mark.parametrize(
    ("statements", "sentence"),
    [
        (["UPDATE alembic_version SET version_num = '724cde206c17'"], "run `nbgrader db upgrade` in"),
        (["DROP TABLE alembic_version"], r"without a number.*run `nbgrader db upgrade` in"),
        (
            ["UPDATE alembic_version SET version_num = 'f00000000000'"],
            "it is newer, so install the version",
        ),
    ],
)
def test_another_version_is_refused_and_nothing_is_altered(directory, course, statements, sentence):
    alter(directory, *statements)
    before = (directory.root / "gradebook.db").read_bytes()
    with pytest.raises(CourseError, match=sentence), directory.gradebook():
        pass
    for command in (["export"], ["doctor"], ["release", "00", "--due", "2027-01-01"], ["roster", "any.csv"]):
        code, printed = course(command[0], directory.root, *command[1:])
        assert code == 1
        assert "has the tables of another version of nbgrader" in " ".join(printed.split())
        assert "Traceback" not in printed
    assert (directory.root / "gradebook.db").read_bytes() == before


def test_a_new_gradebook_is_what_nbgrader_makes(tmp_path, monkeypatch):
    scripts = str(Path(sys.executable).parent)  # where nbgrader looks for alembic
    monkeypatch.setenv("PATH", scripts, prepend=os.pathsep)
    init_class(tmp_path / "class")
    with Gradebook(f"sqlite:///{tmp_path}/theirs.db"):
        pass
    ours, theirs = (dict(tables(tmp_path / name)) for name in ("class/gradebook.db", "theirs.db"))
    assert ours.keys() == theirs.keys()
    assert {name: columns for name, (columns, _) in ours.items()} == {name: c for name, (c, _) in theirs.items()}
    assert ours["alembic_version"][1] == theirs["alembic_version"][1] != []


def tables(path):
    """The columns of each table, and its rows."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for name in names:
            columns = [column[1:4] for column in database.execute(f"PRAGMA table_info({name})")]
            yield name, (columns, database.execute(f"SELECT * FROM {name}").fetchall())


def test_a_database_in_use_by_another_version_is_refused_until_it_is_mended(directory, tmp_path):
    alter(directory, "UPDATE alembic_version SET version_num = '724cde206c17'")
    database = f"sqlite:///{directory.root}/gradebook.db"
    with pytest.raises(CourseError, match=f"then run `nbgrader db upgrade` in {tmp_path}/new"):
        init_class(tmp_path / "new", database)
    (head,) = ScriptDirectory(ALEMBIC_DIR).get_heads()
    alter(directory, f"UPDATE alembic_version SET version_num = '{head}'")  # as that command does in the end
    with open_class(tmp_path / "new").gradebook() as gradebook:
        assert [assignment.name for assignment in gradebook.assignments] == [UNIT.full_name]


def test_its_own_version_is_well(directory):
    with directory.gradebook() as gradebook:
        assert [assignment.name for assignment in gradebook.assignments] == [UNIT.full_name]


def test_a_file_that_is_no_database_is_said_in_a_sentence(directory, course):
    (directory.root / "gradebook.db").write_bytes(b"not a database" * 1000)
    code, printed = course("export", directory.root)
    assert code == 1
    assert "cannot be opened: file is not a database" in " ".join(printed.split())
