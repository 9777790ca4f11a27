"""Verdicts on the entries of a shape sheet, which may be incomplete."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from course_lib.cards.card_types import ShapesCard
from course_lib.cards.cards import read_cards
from course_lib.cards.shape_algebra import Shape, broken_relations, parse_shape, shape_sizes, tensor_in

EMPTY = (None, ..., "")


@dataclass(frozen=True)
class EntryVerdict:
    """`fits` is None as long as nothing can be compared, `shape` for an entry that is empty or cannot be read."""

    fits: bool | None
    says: str
    shape: Shape | None = None


def sheet_verdicts(exercise: str, sheet: Mapping[str, object]) -> dict[str, EntryVerdict]:
    """A verdict for each tensor, by the same products that the exercise's visible check multiplies."""
    card = shapes_card(exercise)
    verdicts = {name: _read_entry(sheet.get(name), card["dimensions"]) for name in card["tensors"]}
    shapes: dict[str, Shape] = {name: tuple(shape) for name, shape in card["given"].items()}
    shapes |= {name: verdict.shape for name, verdict in verdicts.items() if verdict.shape is not None}
    known = [relation for relation in card["relations"] if tensors_of(relation) <= shapes.keys()]
    broken = broken_relations(shapes, known)
    compared: set[str] = set().union(*map(tensors_of, known))
    for name, verdict in verdicts.items():
        if name in broken:
            verdicts[name] = replace(verdict, fits=False, says=broken[name])
        elif name in compared:
            verdicts[name] = replace(verdict, fits=True, says="fits so far")
    return verdicts


def shapes_card(exercise: str) -> ShapesCard:
    """The card of a shape exercise."""
    card = read_cards()[exercise]
    if card["kind"] != "shapes":
        raise ValueError(f"{exercise} is not a shape exercise")
    return card


def tensors_of(relation: str) -> set[str]:
    """The tensors that a relation such as "scores = Q @ K.T" names."""
    return set(map(tensor_in, relation.replace(" = ", " @ ").split(" @ ")))


def _read_entry(entry: object, dimensions: Sequence[str]) -> EntryVerdict:
    """One entry by itself, before it is compared with others."""
    if isinstance(entry, str):
        entry = entry.strip()
    if entry in EMPTY:
        return EntryVerdict(None, "")
    try:
        shape = parse_shape(entry)
        shape_sizes(shape, dict.fromkeys(dimensions, 1))
    except (ValueError, ZeroDivisionError) as error:
        return EntryVerdict(False, str(error))
    return EntryVerdict(None, "nothing to multiply it with yet", shape)
