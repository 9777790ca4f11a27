"""Is a gradebook of the version of nbgrader that is installed? One of another version is refused, not altered."""

from functools import cache
from pathlib import Path

from alembic.config import Config
from alembic.script import ScriptDirectory
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.exc import DBAPIError

from autograder.errors import CourseError
from autograder.installed import versions

TABLE = "alembic_version"


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
    head, known = _schemas()
    if found == head:
        return
    has = f"the gradebook of {root} has the tables of another version of nbgrader ({found or 'without a number'}"
    has += f"; nbgrader {versions()['nbgrader']} has {head})"
    if found is None or found in known:
        raise CourseError(f"{has}: keep a copy of it, then run `nbgrader db upgrade` in {root}")
    raise CourseError(f"{has}: it is newer, so install the version of nbgrader that it was made with, or a later one")


@cache
def _schemas() -> tuple[str, frozenset[str]]:
    """The number of the schema that this nbgrader uses, and of all that it knows."""
    config = Config()
    config.set_main_option("script_location", ALEMBIC_DIR.replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    return scripts.get_current_head(), frozenset(script.revision for script in scripts.walk_revisions())
