"""A database in a network is given up after a while; one in a file is opened as it is."""

from autograder.classroom.database_url import PATIENCE, with_patience


def test_only_what_lies_in_a_network_needs_patience():
    assert with_patience("sqlite:////a class/gradebook.db") == "sqlite:////a class/gradebook.db"
    patient = with_patience("postgresql://grader:s%40crt@localhost:5432/grades?connect_timeout=3")
    assert patient.startswith("postgresql://grader:s%40crt@localhost:5432/grades?")
    assert "connect_timeout=3" in patient
    assert all(f"{name}={value}" in patient for name, value in PATIENCE.items() if name != "connect_timeout")
