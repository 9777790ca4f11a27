"""What the evaluation of a claim raises when the claim holds on the tensors that were to refute it."""

from course_lib.checks.finding import Finding


class NotRefuted(Finding):
    """The claim holds on the student's tensors; `known` is the slug of the misconception behind it."""

    def __init__(self, got: str, expected: str = "", *, known: str | None):
        super().__init__(got, expected)
        self.known = known
