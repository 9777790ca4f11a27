"""What became of an attack, by its effects alone."""

import json
from collections.abc import Iterator
from pathlib import Path

from attacks.attacked_class import Canaries

# what an attack prints only when it has done what it tried
OUTCRIES = {
    "escaped:": "leaves its sandbox",
    "tampered:": "tampers with other processes",
    "poisoned:": "changes the library",
    "network: connected": "reaches the network",
    "secret object": "finds the exams in memory",
    "_flawed_columns": "reads the exams",
    "/mem'": "opens the memory of the grader",
}
PLACES = {
    "gradebook": "reads the gradebook",
    "source": "reads the hidden tests",
    "submission": "reads other submissions",
    "key": "reads the secret of the class",
    "home": "reads the home directory",
    "environment": "reads environment variables",
}


def outputs(notebook: Path) -> str:
    """All that the cells of a graded notebook show, but for those that the examiner filled."""
    if not notebook.exists():
        return ""
    return "\n".join(_texts(json.loads(notebook.read_text("utf-8"))))


def _texts(notebook: dict) -> Iterator[str]:
    for cell in notebook["cells"]:
        if not cell["metadata"].get("nbgrader", {}).get("grade"):
            for output in cell.get("outputs", []):
                text = output.get("text", "")
                yield "".join(text) if output["output_type"] == "stream" else json.dumps(output)


def secrets_and_outcries(shown: str, canaries: Canaries) -> list[str]:
    """What the attack has read or reached, in words."""
    said = [means for word, means in OUTCRIES.items() if word in shown]
    return [PLACES[place] for place in PLACES if place in canaries.found_in(shown)] + said
