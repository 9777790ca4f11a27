"""A class directory: an ordinary nbgrader course, plus a secret that seeds its hidden inputs."""

import hashlib
import hmac
import secrets
import shlex
import shutil
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from os.path import lexists
from pathlib import Path
from typing import TYPE_CHECKING

from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from autograder.classroom.canary import canary_of
from autograder.classroom.lock import class_lock
from autograder.classroom.notes import TIMESTAMP, read_note, read_timestamp
from autograder.classroom.settings import SETTINGS, SETTINGS_TEXT
from autograder.course.units import Unit
from autograder.errors import CourseError

if TYPE_CHECKING:  # nbgrader is slow to import, and finding a class does not need it
    from nbgrader.api import Gradebook
    from nbgrader.coursedir import CourseDirectory

# SQLAlchemy warns of the order in which nbgrader adds objects to a session; grades are recorded correctly.
warnings.filterwarnings("ignore", "Object of type", module=r"nbgrader\.api")

CONFIG = "nbgrader_config.py"
SECRET = "secret.key"
FOLDERS = ("source", "release", "submitted", "autograded", "feedback", "results")
PATTERNS = "*?[]$"  # nbgrader expands these in paths as patterns or variables, and then finds nothing

CONFIG_TEXT = '''"""nbgrader's configuration of this class. Add your own settings below the call."""

from autograder.nbgrader_plugins.configure import configure

c = get_config()
configure(c, __file__)
'''


@dataclass(frozen=True)
class ClassDirectory:
    root: Path

    @property
    def database(self) -> str:
        return self.coursedir().db_url

    @property
    def quoted(self) -> str:
        """The directory quoted for a shell command."""
        return shlex.quote(str(self.root))

    @property
    def jupyter_data(self) -> Path:
        """Where the class keeps its kernelspecs, separate from the user's own."""
        return self.root / ".jupyter"

    @property
    def canary(self) -> str:
        return canary_of(self._secret())

    def config(self) -> Config:
        try:
            return PyFileConfigLoader(CONFIG, path=str(self.root)).load_config()
        except (Exception, SystemExit) as error:  # the file is Python code that the instructor may edit
            reason = f"{type(error).__name__}: {error}"
            raise CourseError(f"{self.root / CONFIG} cannot be read, so mend it first ({reason})") from error

    def coursedir(self) -> "CourseDirectory":
        from nbgrader.coursedir import CourseDirectory

        return CourseDirectory(config=self.config())

    @contextmanager
    def gradebook(self) -> Iterator["Gradebook"]:
        """The open gradebook; a CourseError if its database fails meanwhile."""
        from nbgrader.api import Gradebook
        from sqlalchemy.exc import DBAPIError

        from autograder.classroom.database_url import with_patience

        try:
            with Gradebook(with_patience(self.require_gradebook()), self.root.name) as gradebook:
                yield gradebook
        except DBAPIError as error:
            reason = str(error.orig).strip().splitlines()[0]
            raise CourseError(
                f"the gradebook of {self.root} failed, so the command stopped: {reason}. Mend that and run it again"
            ) from error

    def require_gradebook(self) -> str:
        """The URL of the gradebook; a CourseError if it is missing, or was made by another version of nbgrader."""
        from autograder.classroom.database_url import with_patience
        from autograder.classroom.gradebook_schema import require_own_version

        database = self.database
        file = database.removeprefix("sqlite:///")
        if file != database and not Path(file).exists():
            raise CourseError(
                f"the gradebook {file} is missing: put it back from a copy. If there is none, make another class "
                "directory with `course init`, release the units there, and copy submitted/ into it"
            )
        require_own_version(with_patience(database), self.root)
        return database

    def submission(self, student: str, unit: Unit) -> Path:
        return self.root / "submitted" / student / unit.full_name / unit.notebook.name

    def autograded(self, student: str, unit: Unit) -> Path:
        return self.root / "autograded" / student / unit.full_name / unit.notebook.name

    def source(self, unit: Unit) -> Path:
        return self.root / "source" / unit.full_name / unit.notebook.name

    def released(self, unit: Unit) -> Path:
        path = self.root / "release" / unit.full_name / unit.notebook.name
        if not path.exists() or not self.source(unit).exists():
            raise CourseError(
                f"unit {unit.id} has not been released in {self.root}: "
                f"run `course release {self.quoted} {unit.id}` first"
            )
        return path

    @property
    def submitted(self) -> Path:
        """The folder of what students handed in: all below it is theirs."""
        return self.root / "submitted"

    def students(self, unit: Unit) -> list[str]:
        """The ids of all who have submitted the unit, in whatever form."""
        if not self.submitted.is_dir():
            return []
        return sorted(path.name for path in self.submitted.iterdir() if lexists(path / unit.full_name))

    def timestamp(self, folder: Path) -> datetime | None:
        """When the submission in a folder was handed in, in UTC; None if there is no timestamp, or an empty one."""
        text = read_note(self.submitted, folder / TIMESTAMP)
        return None if text is None else read_timestamp(text, folder / TIMESTAMP)

    def locked(self, task: str) -> AbstractContextManager[None]:
        """Lock the class; a CourseError names the holder if it is locked already."""
        return class_lock(self.root, task)

    def seed(self, student: str, unit: Unit) -> str:
        """The seed of a submission's hidden inputs: the same on each regrade, different for each student."""
        about = f"{student}\0{unit.full_name}".encode("utf-8", "surrogateescape")  # a folder may be called anything
        return hmac.new(self._secret(), about, hashlib.sha256).hexdigest()[:16]

    def _secret(self) -> bytes:
        try:
            return (self.root / SECRET).read_bytes()
        except FileNotFoundError:
            raise CourseError(
                f"{self.root / SECRET} is missing, which makes the hidden inputs of this class: put it back from a "
                "copy. If there is none, make another class directory with `course init`"
            ) from None


def init_class(root: Path, database: str | None = None) -> ClassDirectory:
    """Make an empty class directory, with its gradebook in a file there or in the given database."""
    from autograder.classroom.gradebook_schema import make_tables

    if forbidden := sorted(set(PATTERNS) & set(str(root.resolve()))):
        raise CourseError(
            f"nbgrader cannot work in {root.resolve()}: choose a path without {' '.join(forbidden)} in it"
        )
    if (root / CONFIG).exists():
        raise CourseError(f"{root} is a class directory already")
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise CourseError(f"{root} is not empty: name a folder that does not exist yet")
    for folder in FOLDERS:
        (root / folder).mkdir(parents=True, exist_ok=True)
    db_url = f"c.CourseDirectory.db_url = {database!r}\n" if database else ""
    (root / CONFIG).write_text(CONFIG_TEXT + db_url, "utf-8")
    (root / SETTINGS).write_text(SETTINGS_TEXT, "utf-8")
    secret = root / SECRET
    secret.touch(mode=0o600)
    secret.write_bytes(secrets.token_bytes(32))
    directory = ClassDirectory(root.resolve())
    try:
        make_tables(directory.database)
        with directory.gradebook():
            pass
    except CourseError:  # the database was in use before: keep the directory, in which the error says what to do
        raise
    except Exception as error:
        shutil.rmtree(root)
        reason = str(error).strip().splitlines()[0]
        raise CourseError(f"the gradebook could not be made: {reason}") from error
    return directory


def find_class(root: Path) -> ClassDirectory:
    """An existing class directory; a CourseError says how to make one."""
    if not (root / CONFIG).exists():
        raise CourseError(f"{root} is not a class directory: make one with `course init {shlex.quote(str(root))}`")
    return ClassDirectory(root.resolve())


def open_class(root: Path) -> ClassDirectory:
    """An existing class directory whose gradebook is usable."""
    directory = find_class(root)
    directory.require_gradebook()
    return directory


def write_timestamp(folder: Path, moment: datetime) -> None:
    """Record when a submission was handed in, in nbgrader's format: in UTC, as it reads an offset as seconds."""
    (folder / TIMESTAMP).write_text(moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f UTC"), "utf-8")
