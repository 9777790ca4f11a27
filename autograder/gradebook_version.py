"""A gradebook has the tables of the nbgrader that is installed; one of another version is refused, not altered."""

from functools import cache
from pathlib import Path

from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from nbgrader.api import Base
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.exc import DBAPIError

from autograder.errors import CourseError
from autograder.installed import versions

TABLE = "alembic_version"


def make_tables(database: str) -> None:
    """The tables of an empty gradebook; nbgrader itself would start alembic in a process, which takes seconds."""
    engine = create_engine(database)
    try:
        with engine.begin() as connection:
            if not inspect(connection).get_table_names():
                Base.metadata.create_all(connection)
                MigrationContext.configure(connection).stamp(_scripts(), "head")
    finally:
        engine.dispose()


def require_own_version(database: str, root: Path) -> None:
    """A CourseError says what to do about a gradebook with other tables; one that is still empty is well."""
    engine = create_engine(database)
    try:
        tables = inspect(engine).get_table_names()
        if not tables:
            return
        with engine.connect() as connection:
            found = connection.execute(text(f"SELECT version_num FROM {TABLE}")).scalar() if TABLE in tables else None
    except DBAPIError as error:
        reason = str(error.orig).strip().splitlines()[0]
        raise CourseError(f"the gradebook of {root} cannot be opened: {reason}") from error
    finally:
        engine.dispose()
    head = _scripts().get_current_head()
    if found == head:
        return
    has = f"the gradebook of {root} has the tables of another version of nbgrader ({found or 'without a number'}"
    has += f"; nbgrader {versions()['nbgrader']} has {head})"
    if found is None or found in {script.revision for script in _scripts().walk_revisions()}:
        raise CourseError(f"{has}: keep a copy of it, then run `nbgrader db upgrade` in {root}")
    raise CourseError(f"{has}: it is newer, so install the version of nbgrader that it was made with, or a later one")


@cache
def _scripts() -> ScriptDirectory:
    """How this nbgrader came to its tables, version by version."""
    config = Config()
    config.set_main_option("script_location", ALEMBIC_DIR.replace("%", "%%"))
    return ScriptDirectory.from_config(config)
