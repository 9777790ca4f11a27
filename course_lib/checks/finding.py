"""What an examination finds wrong with an answer."""


class Finding(Exception):
    """What happened, what was expected and what to look at; `share` of the points is earned all the same.

    `diagnosis` names the misconception behind it; `compared` is (name, got, wanted) where a picture may show both.
    """

    def __init__(
        self,
        message: str,
        share: float = 0.0,
        diagnosis: str | None = None,
        compared: tuple[str, object, object] | None = None,
    ):
        super().__init__(message)
        self.share = share
        self.diagnosis = diagnosis
        self.compared = compared


class NotWritten(Finding, NotImplementedError):
    """The answer is still the stub."""
