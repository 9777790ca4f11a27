"""Where each row of a batch ends."""

import torch
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_06.targets import tokens
from course_lib.models import decoding

EOS, PAD = 41, 40


def _ended(draw: Draw) -> Arguments:
    """Every row has an EOS at a place of its own, the first two late; the first row has a second one at its end.

    The end token is not 2, nor padding 0.
    """
    rows, more = draw.sizes(2)
    length = rows + more + 3
    written = tokens(draw, 3, 40, rows, length)
    places = torch.arange(rows) + 1
    places[:2] = torch.tensor([length - 5, length - 3])
    written[torch.arange(rows), places] = EOS
    written[0, -1] = EOS
    return [written, EOS, PAD]


def _one_goes_on(draw: Draw) -> Arguments:
    """A row in the middle has no EOS."""
    written, *ids = _ended(draw)
    written[1] = written[1].masked_fill(written[1] == EOS, 7)
    return [written, *ids]


def _first_end(tokens: Tensor, eos_id: int) -> Tensor:
    """The place of each row's first EOS, 0 in a row that has none."""
    return (tokens == eos_id).long().argmax(1)


def _places(tokens: Tensor) -> Tensor:
    return torch.arange(tokens.shape[1]).expand_as(tokens)


def _whole_batch(tokens, eos_id, pad_id):
    ended = (tokens == eos_id).any(dim=0).long()
    return tokens.masked_fill(ended.cumsum(0) > ended, pad_id)


def _cut_off(tokens, eos_id, pad_id):
    first = int((tokens == eos_id).any(dim=0).long().argmax())
    return tokens[:, : first + 1]


def _last_of_all(tokens, eos_id, pad_id):
    return tokens.masked_fill(_places(tokens) > _first_end(tokens, eos_id).max(), pad_id)


def _like_the_first_row(tokens, eos_id, pad_id):
    return tokens.masked_fill(_places(tokens) > _first_end(tokens, eos_id)[0], pad_id)


def _along_the_batch(tokens, eos_id, pad_id):
    is_end = (tokens == eos_id).long()
    return tokens.masked_fill(is_end.cumsum(0) - is_end > 0, pad_id)


def _before_eos(tokens, eos_id, pad_id):
    is_end = (tokens == eos_id).long()
    return tokens.masked_fill(is_end.cumsum(1) - is_end == 0, pad_id)


def _eos_alone(tokens, eos_id, pad_id):
    return tokens.masked_fill(tokens == eos_id, pad_id)


def _stops_at_a_whole_row(tokens, eos_id, pad_id):
    kept = tokens.clone()
    for row in kept:
        if eos_id not in row:
            break
        row[(row == eos_id).nonzero()[0, 0] + 1 :] = pad_id
    return kept


def _without_eos(tokens, eos_id, pad_id):
    return tokens.masked_fill((tokens == eos_id).cumsum(1) > 0, pad_id)


def _one_more(tokens, eos_id, pad_id):
    ended = (tokens == eos_id).long().cumsum(1).clamp(max=1)
    return tokens.masked_fill(ended.cumsum(1) > 2, pad_id)


def _last_eos(tokens, eos_id, pad_id):
    last = (_places(tokens) * (tokens == eos_id)).amax(1, keepdim=True)
    nothing = ~(tokens == eos_id).any(1, keepdim=True)
    return tokens.masked_fill((_places(tokens) > last) & ~nothing, pad_id)


def _lost_row(tokens, eos_id, pad_id):
    return tokens.masked_fill(_places(tokens) > _first_end(tokens, eos_id)[:, None], pad_id)


def _between(tokens, eos_id, pad_id):
    ends = (tokens == eos_id).long().cumsum(1)
    return tokens.masked_fill((ends % 2 == 1) & (tokens != eos_id), pad_id)


def _in_place(tokens, eos_id, pad_id):
    is_end = (tokens == eos_id).long()
    tokens[is_end.cumsum(1) - is_end > 0] = pad_id
    return tokens


def _row_by_row(tokens, eos_id, pad_id):
    rows = []
    for row in tokens.tolist():
        end = row.index(eos_id) + 1 if eos_id in row else len(row)
        rows.append(row[:end] + [pad_id] * (len(row) - end))
    return torch.tensor(rows)


def _by_place(tokens, eos_id, pad_id):
    is_end = tokens == eos_id
    end = torch.where(is_end.any(1), is_end.long().argmax(1), tokens.shape[1])
    return torch.where(_places(tokens) <= end[:, None], tokens, pad_id)


def _step_by_step(tokens, eos_id, pad_id):
    kept, ended = tokens.clone(), torch.zeros(len(tokens), dtype=torch.bool)
    for place in range(tokens.shape[1]):
        kept[ended, place] = pad_id
        ended |= tokens[:, place] == eos_id
    return kept


def _running_maximum(tokens, eos_id, pad_id):
    seen = (tokens == eos_id).long().cummax(1).values
    before = torch.cat([torch.zeros_like(seen[:, :1]), seen[:, :-1]], 1)
    return tokens * (1 - before) + pad_id * before


keep_to_eos = CodeExam(
    exercise="keep_to_eos",
    covers=("Bt9",),
    function=decoding.keep_to_eos,
    outputs=("kept",),
    criteria=(
        CodeCriterion("each row up to its own EOS", 1, _ended),
        CodeCriterion("a row without EOS stays whole", 0.5, _one_goes_on),
        CodeCriterion("the argument is left unchanged", 0.5, _ended, "arguments after", True, side=True),
    ),
    misconceptions=(
        Misconception(
            "whole-batch",
            "You end all sequences where the first of them ends: each has its own EOS.",
            _whole_batch,
            hint="which dimension?",
        ),
        Misconception(
            "cut-off",
            "You cut the whole batch at one position: each sequence ends at its own.",
            _cut_off,
            hint="which dimension?",
        ),
        Misconception(
            "along-the-batch",
            "You count along the batch, dim=0: a sequence runs along dim=1.",
            _along_the_batch,
            hint="which dimension?",
        ),
        Misconception(
            "before-eos",
            "You replace what comes before EOS: it stays, and what follows becomes padding.",
            _before_eos,
            hint="after the first one, for good",
        ),
        Misconception(
            "eos-alone",
            "You replace EOS by padding and nothing else: EOS stays, and all that follows it becomes padding.",
            _eos_alone,
            hint="after the first one, for good",
        ),
        Misconception(
            "stops-at-a-whole-row",
            "You stop at the first row without EOS, so the rows after it keep what follows their own: go on with "
            "the next row.",
            _stops_at_a_whole_row,
            hint="after the first one, for good",
        ),
        Misconception(
            "last-of-all",
            "You end all sequences where the last of them ends, so the others keep what follows their EOS.",
            _last_of_all,
            hint="which dimension?",
        ),
        Misconception(
            "like-the-first-row",
            "You end all sequences where the first one in the batch ends: look for EOS in each.",
            _like_the_first_row,
            hint="which dimension?",
        ),
        Misconception(
            "without-eos",
            "You replace EOS by padding too: it stays, and only what follows becomes padding.",
            _without_eos,
            hint="nearly there",
        ),
        Misconception(
            "one-more", "You keep one token after EOS: the row ends with it.", _one_more, hint="nearly there"
        ),
        Misconception(
            "last-eos",
            "You keep what comes before a sequence's last EOS: the first one ends it.",
            _last_eos,
            hint="after the first one, for good",
        ),
        Misconception(
            "between",
            "You keep what follows a second EOS: the first one ends the sequence.",
            _between,
            hint="after the first one, for good",
        ),
        Misconception(
            "lost-row",
            "A row without EOS loses nearly all its tokens: argmax of nothing but False is 0.",
            _lost_row,
            hint="after the first one, for good",
        ),
        Misconception("in-place", "You change your caller's tokens: work on a copy.", _in_place, hint="nearly there"),
    ),
    accepted=(_row_by_row, _by_place, _step_by_step, _running_maximum),
)
