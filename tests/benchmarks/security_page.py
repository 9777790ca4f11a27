"""Sentences of docs/security.md that a command writes, each between two marks of its own."""

from autograder.course.units import ROOT

PAGE = ROOT / "docs" / "security.md"


def write_sentence(mark: str, sentence: str) -> None:
    begin, end = f"<!-- {mark} -->", f"<!-- end of {mark} -->"
    before, _, rest = PAGE.read_text("utf-8").partition(begin)
    PAGE.write_text(f"{before}{begin}\n{sentence}\n{end}{rest.partition(end)[2]}", "utf-8")
