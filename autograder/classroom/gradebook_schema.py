"""The schema version of a gradebook: one made by another version of nbgrader is refused, never migrated."""

import re
from functools import cache
from pathlib import Path

from nbgrader.api import Base
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy import Column, MetaData, String, Table, create_engine, inspect, select
from sqlalchemy.exc import DBAPIError

from autograder.course.versions import versions
from autograder.errors import CourseError

VERSION = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))  # as alembic's own


def make_tables(database: str) -> None:
    """Create the tables of an empty gradebook; nbgrader would run alembic in a subprocess, which takes seconds."""
    engine = create_engine(database)
    try:
        with engine.begin() as connection:
            if not inspect(connection).get_table_names():
                Base.metadata.create_all(connection)
                VERSION.create(connection)
                connection.execute(VERSION.insert().values(version_num=_head()))
    finally:
        engine.dispose()


def require_own_version(database: str, root: Path) -> None:
    """Raise a CourseError if the tables are of another version of nbgrader; an empty database is accepted."""
    engine = create_engine(database)
    try:
        tables = inspect(engine).get_table_names()
        if not tables:
            return
        with engine.connect() as connection:
            found = connection.execute(select(VERSION)).scalar() if VERSION.name in tables else None
    except DBAPIError as error:
        reason = str(error.orig).strip().splitlines()[0]
        raise CourseError(f"the gradebook of {root} cannot be opened: {reason}") from error
    finally:
        engine.dispose()
    head = _head()
    if found == head:
        return
    has = f"the gradebook of {root} has the tables of another version of nbgrader ({found or 'without a number'}"
    has += f"; nbgrader {versions()['nbgrader']} has {head})"
    if found is None or found in _versions():
        raise CourseError(f"{has}: keep a copy of it, then run `nbgrader db upgrade` in {root}")
    raise CourseError(f"{has}: it is newer, so install the version of nbgrader that it was made with, or a later one")


@cache
def _versions() -> dict[str, set[str]]:
    """Each schema version with its predecessors, read from nbgrader's migration files; importing alembic is slower."""
    versions: dict[str, set[str]] = {}
    for step in Path(ALEMBIC_DIR, "versions").glob("*.py"):
        text = step.read_text("utf-8")
        (version,) = re.findall(r"""^revision\b.*=\s*["'](\w+)""", text, flags=re.MULTILINE)
        (before,) = re.findall(r"^down_revision\b.*=(.*)", text, flags=re.MULTILINE)
        versions[version] = set(re.findall(r"""["'](\w+)""", before))
    return versions


def _head() -> str:
    """The newest version: the predecessor of none."""
    (head,) = _versions().keys() - set().union(*_versions().values())
    return head
