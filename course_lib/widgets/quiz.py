"""A practice question: ordinary radio buttons, and after a choice the reason why it is right or not."""

from html import escape
from typing import TYPE_CHECKING

from course_lib.notebook_display import require_display
from course_lib.widgets.audience import Audience, audience
from course_lib.widgets.display import how_to, show_widget
from course_lib.widgets.quiz_bank import Question, read_questions

if TYPE_CHECKING:
    import ipywidgets


def quiz(name: str) -> "Quiz":
    """A question for practice, by its name. It counts for nothing, and may be answered as often as you like."""
    questions = read_questions()
    if name not in questions:
        raise ValueError(f"there is no quiz called {name!r}; the quizzes are {', '.join(questions)}")
    return Quiz(questions[name])


class Quiz:
    """The question as text for a reader, with buttons for a person, and nothing for a grader."""

    def __init__(self, question: Question):
        self.question = question

    def answer(self, place: int) -> str:
        """The response to the choice at this index."""
        right, reason = self.question.answer(place)
        return f"{'✓ Right.' if right else '✗ Not quite.'} {reason}"

    @property
    def choices(self) -> list[str]:
        return [choice.text for choice in self.question.choices]

    def text(self) -> str:
        lines = [f"   {letter}  {choice}" for letter, choice in zip("ABCD", self.choices, strict=False)]
        return "\n".join([f"Practice: {self.question.question}", *lines])

    def page(self) -> str:
        items = "".join(f"<li>{escape(choice)}</li>" for choice in self.choices)
        return (
            f'<p><b>Practice:</b> {escape(self.question.question)}</p><ol type="A">{items}</ol>'
            f"<p><i>{how_to('answer')}</i></p>"
        )

    def box(self) -> "ipywidgets.VBox":
        """The widgets: the question, its choices, and room for the reason."""
        import ipywidgets

        options = [(choice, place) for place, choice in enumerate(self.choices)]
        self.buttons = ipywidgets.RadioButtons(options=options, value=None, layout={"width": "98%"})
        self.reason = ipywidgets.HTML('<div role="status" aria-live="polite"></div>')
        self.buttons.observe(self._answered, names="value")
        head = ipywidgets.HTML(f"<p><b>Practice:</b> {escape(self.question.question)}</p>")
        box = ipywidgets.VBox([head, self.buttons, self.reason], layout={"width": "98%"})
        box.add_class("course-quiz")
        return box

    def _answered(self, change: dict) -> None:
        response = self.answer(change["new"]) if change["new"] is not None else ""
        self.reason.value = f'<div role="status" aria-live="polite">{escape(response)}</div>'

    def _words(self) -> dict[str, str]:
        return {"text/plain": f"{self.text()}\n{how_to('answer')}", "text/html": self.page()}

    def _ipython_display_(self) -> None:
        who = audience()
        if who is Audience.PERSON:
            show_widget(self.box(), self._words())
        elif who is Audience.READER:
            require_display()(self._words(), raw=True)

    def __repr__(self) -> str:
        return self.text()
