"""Verdicts on the entries of a shape sheet, which may be incomplete."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from course_lib.cards.card_types import ShapesCard
from course_lib.cards.cards import read_cards
from course_lib.cards.shape_algebra import Shape, parse_shape, shape_sizes
from course_lib.cards.sheet_rules import judge

EMPTY = (None, ..., "")


@dataclass(frozen=True)
class EntryVerdict:
    """`fits` is None as long as nothing can be compared, `shape` for an entry that is empty or cannot be read."""

    fits: bool | None
    says: str
    shape: Shape | None = None


def sheet_verdicts(exercise: str, sheet: Mapping[str, object]) -> dict[str, EntryVerdict]:
    """A verdict for each tensor, by the same rules as the exercise's visible check: a question where one is broken."""
    card = shapes_card(exercise)
    verdicts = {name: _read_entry(sheet.get(name), card["dimensions"]) for name in card["tensors"]}
    shapes: dict[str, Shape] = {name: tuple(shape) for name, shape in card["given"].items()}
    shapes |= {name: verdict.shape for name, verdict in verdicts.items() if verdict.shape is not None}
    for judgement in judge(exercise, shapes):
        rule, clash = judgement.rule, judgement.clash
        if clash:
            verdicts[clash.tensor] = replace(verdicts[clash.tensor], fits=False, says=clash.question)
        waits_for = clash.tensor if clash else judgement.waits_for
        for name in verdicts.keys() & set(rule.tensors) - {waits_for}:
            if verdicts[name].fits is None and waits_for:
                verdicts[name] = replace(verdicts[name], says=f"judged once {waits_for} is right")
            elif verdicts[name].fits is None and rule.inputs:
                verdicts[name] = replace(verdicts[name], fits=True, says="fits")
    return verdicts


def shapes_card(exercise: str) -> ShapesCard:
    """The card of a shape exercise."""
    card = read_cards()[exercise]
    if card["kind"] != "shapes":
        raise ValueError(f"{exercise} is not a shape exercise")
    return card


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
