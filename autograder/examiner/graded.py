"""What grading one submission gives, as plain data that can be sent to other machines and kept as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from autograder.course.cells import exercise_of
from autograder.course.strict_json import boolean, number, table, text, texts
from autograder.exam_types.verdict import Verdict


@dataclass(frozen=True)
class Graded:
    """What became of a submission; `problems` are for the instructor's eye.

    `verdicts` has every graded cell by its name, with None where the examiner issued no verdict; `answered` says of
    every answer whether it was touched, `answers` has a digest of each; `timed_out` says that a limit of time was
    reached; `bubblewrap` says which one made the sandbox, and is empty without one. Records hold all but the notebook.
    """

    notebook: str = ""
    verdicts: dict[str, Verdict | None] = field(default_factory=dict)
    answered: dict[str, bool] = field(default_factory=dict)
    repairs: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    seconds: float = 0.0
    seed: str = ""
    timed_out: bool = False
    answers: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    bubblewrap: str = ""

    @property
    def by_exercise(self) -> Mapping[str, Verdict | None]:
        return {exercise_of(cell): verdict for cell, verdict in self.verdicts.items()}

    @property
    def reasons_to_look(self) -> list[str]:
        """What a person should look at: repairs and problems."""
        return [*self.repairs, *self.problems]

    def to_json(self) -> dict[str, object]:
        """Everything but the notebook."""
        verdicts = {cell: verdict and verdict.to_json() for cell, verdict in self.verdicts.items()}
        return {name: value for name, value in vars(self).items() if name != "notebook"} | {"verdicts": verdicts}

    @classmethod
    def from_json(cls, value: object) -> "Graded":
        """Raises KeyError or TypeError if it is none; the last four were not always recorded."""
        data = table(value)
        return cls(
            verdicts={
                cell: None if verdict is None else Verdict.from_json(verdict)
                for cell, verdict in table(data["verdicts"]).items()
            },
            answered={cell: boolean(answered) for cell, answered in table(data["answered"]).items()},
            repairs=texts(data["repairs"]),
            problems=texts(data["problems"]),
            seconds=number(data["seconds"]),
            seed=text(data["seed"]),
            timed_out=boolean(data.get("timed_out", False)),
            answers={cell: text(digest) for cell, digest in table(data.get("answers", {})).items()},
            versions={name: text(version) for name, version in table(data.get("versions", {})).items()},
            bubblewrap=text(data.get("bubblewrap", "")),
        )
