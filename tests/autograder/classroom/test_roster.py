"""A roster: the exports of Canvas, of Moodle and of spreadsheets are read, and what is wrong in one is named."""

import pytest

from autograder.classroom.directory import init_class
from autograder.classroom.roster import Enrolled, read_roster
from autograder.errors import CourseError
from autograder.gradebook.enrolment import enrol

PLAIN = "student_id,first_name,last_name,email\nada,Ada,Lovelace,ada@uni.example\nbob,Bob,,\n"
CANVAS = (
    "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Unit one (4711),Final Score\n"
    ",,,,,Manual Posting,\n"
    "    Points Possible,,,,,40,(read only)\n"
    '"Lovelace, Ada",12345,S1,ada,"Group, one",12,\n'
    '"Grün, Blå",12346,S2,blue,Group two,,\n'
)
MOODLE = (
    'First name;Last name;ID number;Institution;Email address\n"Ada";"Lovelace";"4711";"";"ada@uni.example"\n'
    "Crème;Brûlée;4712;;creme@uni.example\n"
)


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    return init_class(tmp_path_factory.mktemp("roster") / "class")


@pytest.fixture
def roster(tmp_path):
    def write(content, encoding="utf-8"):
        path = tmp_path / "roster.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return write


def people(path, id_column=None):
    return read_roster(path, id_column).people


def test_plain_columns(roster):
    assert people(roster(PLAIN)) == [
        Enrolled("ada", "Ada", "Lovelace", "ada@uni.example"),
        Enrolled("bob", "Bob", "", ""),
    ]


def test_canvas(roster):
    assert people(roster(CANVAS)) == [
        Enrolled("12345", "Ada", "Lovelace", "", "12345"),
        Enrolled("12346", "Blå", "Grün", "", "12346"),
    ]
    by_login = people(roster(CANVAS), "SIS Login ID")
    assert by_login[0] == Enrolled("ada", "Ada", "Lovelace", "", "12345")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_moodle(roster, encoding):
    found = read_roster(roster(MOODLE, encoding))
    assert found.id_column == "ID number"
    assert found.people[1] == Enrolled("4712", "Crème", "Brûlée", "creme@uni.example")


def test_an_id_column_that_is_not_filled_in_gives_way_to_one_that_is(roster):
    found = read_roster(roster(MOODLE.replace("4712", "")))
    assert found.id_column == "Email address"
    assert [person.id for person in found.people] == ["ada@uni.example", "creme@uni.example"]


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("Ada Lovelace", "Ada", "Lovelace"),
        ("Un dos tres Mañana", "Un dos tres", "Mañana"),
        ("Mononym", "", "Mononym"),
    ],
)
def test_a_name_in_one_column(roster, name, first, last):
    (person,) = people(roster(f"ID\tFull name\r\n7\t{name}\r\n"))
    assert (person.first_name, person.last_name) == (first, last)


def test_accents_come_in_one_form(roster):
    (person,) = people(roster("student id,first name\ncafe\u0301,Noe\u0308l\n"))
    assert (person.id, person.first_name) == ("café", "Noël")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "roster.csv is empty"),
        ("\n\n", "roster.csv is empty"),
        ("student_id,email\n", "has column names, but no students below them"),
        ("first name,last name\nAda,Lovelace\n", "has no column for the students' ids: it has first name, last name"),
        ("id,name\nada,Ada\n,Bob\n", "line 3, column id: the id is missing"),
        ("id,name\nada,Ada\nbob,Bob\nada,Ada\n", "line 4, column id: 'ada' is in line 2 too"),
        ("id,name\ncaf\u00e9,A\ncafe\u0301,B\n", "line 3, column id: 'café' is in line 2 too"),
        ("id,name\na/b,Ada\n", "line 2, column id: 'a/b' cannot be a student id"),
        ("id,name\nada,<script>\n", "line 2, column name: '<script>' has < or > in it"),
        ("id,name\n=1+1,Ada\n", "line 2, column id: '=1+1' cannot be a student id"),
        ('id,name\n"o\'hara",Ada\n', 'line 2, column id: "o\'hara" cannot be a student id'),
        ("id,name\n💥,Ada\n", "line 2, column id: '💥' cannot be a student id"),
        (f"id,name\n{'a' * 101},Ada\n", "cannot be a student id: it is longer than 100"),
        (f"id,name\nada,{'a' * 200}\n", "line 2, column name: 'aaaaaaaaaaaaaaaaaaaa' is too long"),
        ("id,name\nada,Lovelace, Ada\n", "line 2, has 3 columns, expected 2: is a quote missing"),
        ('id,name\nada,"Ada\nbob,Bob\n', "line 2 of"),
        (b"id,name\nada,Zo\xeb\n", "line 2 of"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_imported(roster, directory, course, content, sentence):
    path = roster(content)
    code, printed = course("roster", directory.root, path)
    assert code == 1
    assert sentence in printed, printed
    assert "Traceback" not in printed
    with directory.gradebook() as gradebook:
        assert gradebook.students == []


def test_every_problem_is_named_at_once(roster):
    with pytest.raises(CourseError) as caught:
        read_roster(roster("id,name\n" + "a/b,x\n" * 12))
    assert str(caught.value).count("cannot be a student id") == 10
    assert "and 2 more" in str(caught.value)


def test_a_column_of_that_name_there_is_not(roster):
    with pytest.raises(CourseError, match=r"has no column 'Login': it has student_id, first_name"):
        read_roster(roster(PLAIN), "Login")


def test_import_adds_and_updates_and_removes_nobody(roster, tmp_path, course):
    directory = init_class(tmp_path / "class")
    code, printed = course("roster", directory.root, roster(PLAIN))
    assert code == 0, printed
    assert "2 added, 0 changed, 0 as before" in printed
    second = "id,surname,mail\nbob,Byte,\nada,,\neve,Early,e@x.example\n"
    code, printed = course("roster", directory.root, roster(second))
    assert "1 added, 1 changed, 1 as before" in printed
    code, printed = course("roster", directory.root, roster("id\nada\n"))
    assert "not in" in printed
    assert "bob, eve" in printed
    with directory.gradebook() as gradebook:
        found = {s.id: (s.first_name, s.last_name, s.email) for s in gradebook.students}
    assert found == {
        "ada": ("Ada", "Lovelace", "ada@uni.example"),
        "bob": ("Bob", "Byte", None),
        "eve": (None, "Early", "e@x.example"),
    }


def test_import_is_all_or_nothing(roster, tmp_path, monkeypatch):
    directory = init_class(tmp_path / "class")
    found = read_roster(roster(PLAIN))

    def stop(self, student):
        if student.id == "bob":
            raise KeyboardInterrupt

    monkeypatch.setattr("sqlalchemy.orm.scoped_session.add", stop)
    with pytest.raises(KeyboardInterrupt):
        enrol(directory, found)
    with directory.gradebook() as gradebook:
        assert gradebook.students == []
