"""Progress in a unit, by the checks that were run since the kernel started."""

from html import escape

from course_lib.cards.exercise_index import exercises, standing, summary, unit_of
from course_lib.cards.session_outcomes import outcomes
from course_lib.notebook_display import require_display
from course_lib.widgets.audience import Audience, audience

# Colors are inherited, so that the table is readable in light and dark themes.
TABLE = "border-collapse: collapse; table-layout: auto; color: inherit"
CELL = 'style="text-align: left; padding: 0.15em 0.8em; border-bottom: 1px solid currentColor"'
SAYS = CELL.replace("left;", "left; min-width: 8em;")

# the end of every unit: a self-learner, who has the exams, need not wait for a grader
COMMAND = "course check --full"
FULL_CHECK = f"Learning on your own? In a terminal, {COMMAND} and the name of this notebook run the hidden tests too."


def progress(unit: str | None = None) -> "Progress":
    """A table of the exercises of a unit ("01"), or of the unit whose checks you have run."""
    unit = unit or unit_of(list(outcomes()))
    if unit is None:
        raise ValueError(f'no check has been run yet: name the unit, for example progress("{next(iter(exercises()))}")')
    if unit not in exercises():
        raise ValueError(f"there is no unit {unit!r}; the units are {', '.join(exercises())}")
    return Progress(unit)


class Progress:
    """The table, made from what is known when it is shown."""

    def __init__(self, unit: str):
        self.unit, self.title = unit, exercises()[unit]["title"]
        self.lines = standing(unit, outcomes())

    def text(self) -> str:
        width = max(len(line.exercise) for line in self.lines)
        rows = [f"{line.exercise:{width}}  {line.points:>4g}  {line.says}" for line in self.lines]
        head = f"Unit {self.unit} · {self.title}: exercise, points, visible check"
        return "\n".join([head, *rows, self.summary(), FULL_CHECK])

    def summary(self) -> str:
        return f"{summary(self.lines)}. Run the checks, then this cell again."

    def page(self) -> str:
        rows = "".join(
            f'<tr><th scope="row" {CELL}><code style="overflow-wrap: anywhere">{_folding(line.exercise)}</code></th>'
            f"<td {CELL}>{line.points:g}</td><td {SAYS}>{escape(line.says)}</td></tr>"
            for line in self.lines
        )
        head = "".join(f'<th scope="col" {CELL}>{name}</th>' for name in ("exercise", "points", "visible check"))
        return (
            f'<div style="overflow-x: auto; color: inherit"><table style="{TABLE}">'
            f"<caption>Unit {self.unit} · {escape(self.title)}</caption><thead><tr>{head}</tr></thead>"
            f"<tbody>{rows}</tbody></table></div><p>{escape(self.summary())}</p>"
            f"<p>{FULL_CHECK.replace(COMMAND, f'<code>{COMMAND}</code>')}</p>"
        )

    def _ipython_display_(self) -> None:
        if audience() is not Audience.NOBODY:
            require_display()({"text/plain": self.text(), "text/html": self.page()}, raw=True)

    def __repr__(self) -> str:
        return self.text()


def _folding(name: str) -> str:
    """The name with line-break opportunities after its underscores."""
    return name.replace("_", "_<wbr>")
