"""A shape sheet that is still being filled in: what can be said about each entry so far."""

from collections.abc import Mapping
from dataclasses import dataclass

from course_lib.cards import read_cards
from course_lib.cards.shape_algebra import Shape, broken_relations, parse_shape, shape_sizes

EMPTY = (None, ..., "")


@dataclass(frozen=True)
class EntryVerdict:
    """`fits` is None as long as nothing can be said."""

    fits: bool | None
    says: str


def sheet_verdicts(exercise: str, sheet: Mapping[str, object]) -> dict[str, EntryVerdict]:
    """A verdict for each tensor, by the same products that the exercise's visible check multiplies."""
    card = read_cards()[exercise]
    shapes: dict[str, Shape] = {name: tuple(shape) for name, shape in card["given"].items()}
    verdicts = {}
    for name in card["tensors"]:
        entry = sheet.get(name)
        if isinstance(entry, str):
            entry = entry.strip()
        if entry in EMPTY:
            verdicts[name] = EntryVerdict(None, "")
            continue
        try:
            shape = parse_shape(entry)
            shape_sizes(shape, dict.fromkeys(card["dimensions"], 1))
        except (ValueError, ZeroDivisionError) as error:
            verdicts[name] = EntryVerdict(False, str(error))
            continue
        shapes[name] = shape
    known = [relation for relation in card["relations"] if tensors_of(relation) <= shapes.keys()]
    broken = broken_relations(shapes, known)
    told = set().union(*map(tensors_of, known)) if known else set()
    for name in card["tensors"]:
        if name in verdicts:
            continue
        if name in broken:
            verdicts[name] = EntryVerdict(False, broken[name])
        elif name in told:
            verdicts[name] = EntryVerdict(True, "fits so far")
        else:
            verdicts[name] = EntryVerdict(None, "nothing to multiply it with yet")
    return {name: verdicts[name] for name in card["tensors"]}


def tensors_of(relation: str) -> set[str]:
    """The tensors that a relation such as "scores = Q @ K.T" names."""
    return {name.removesuffix(".T") for name in relation.replace(" = ", " @ ").split(" @ ")}
