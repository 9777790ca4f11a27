"""The tasks: data that is what it says, the same for the same seed, and split without overlap."""

import math
from collections import Counter
from datetime import datetime

import pytest
import torch

from course_lib.tasks import dates
from course_lib.tasks.corpus import VOCABULARY, all_windows, load_corpus, unigram_entropy, windows
from course_lib.tasks.digits import image_batches, load_images
from course_lib.tasks.harbour_story import TEXT
from course_lib.tasks.toy_sequences import both_neighbours, reversed_copies
from course_lib.tasks.vocabulary import EOS, MASK, PAD, SOS, SPECIAL, Vocabulary

READERS = ("%d %B %Y", "%B %d, %Y", "%d of %B %Y", "%d %b %Y", "%d.%m.%Y", "%Y, %B %d", "%a %d/%m/%Y")


def test_vocabulary_there_and_back():
    vocabulary = Vocabulary(["hello", "world"])
    assert len(vocabulary) == SPECIAL + len(set("helloworld"))
    ids = vocabulary.encode("hold")
    assert min(ids) >= SPECIAL
    assert vocabulary.decode([SOS, *ids, EOS, *ids]) == "hold"
    assert vocabulary.decode([PAD, MASK, ids[0]]) == "·h"
    assert vocabulary.batch(["he", "hell"], end=True).tolist() == [
        [*vocabulary.encode("he"), EOS, PAD, PAD],
        [*vocabulary.encode("hell"), EOS],
    ]
    assert vocabulary.batch(["he"]).tolist() == [vocabulary.encode("he")]
    assert vocabulary.batch([]).shape == (0, 0)
    with pytest.raises(ValueError, match="'z' in 'zoo'"):
        vocabulary.encode("zoo")


def read_date(written):
    """The date as the standard library reads it, without the endings of ordinals."""
    for ending in ("st", "nd", "rd", "th"):
        for digit in "0123456789":
            written = written.replace(digit + ending, digit)
    for form in READERS:
        try:
            return form, datetime.strptime(written, form).date()
        except ValueError:
            continue
    raise AssertionError(f"no form reads {written!r}")


def test_dates_say_what_they_mean_in_every_style():
    pairs = dates.draw_dates(500, seed=3)
    forms = Counter()
    for written, iso in pairs:
        form, day = read_date(written)
        forms[form] += 1
        assert day.isoformat() == iso
    assert len(forms) >= len(READERS) - 1  # a three-letter month and "may" read alike
    assert dates.draw_dates(500, seed=3) == pairs
    assert dates.draw_dates(500, seed=4) != pairs


@pytest.mark.parametrize(
    ("day", "written"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (11, "11th"), (12, "12th"), (13, "13th"), (22, "22nd")],
)
def test_ordinals(day, written):
    every_day = {text for text, iso in dates.draw_dates(3000, seed=0) if iso.endswith(f"-{day:02}") and "of" in text}
    assert every_day
    assert all(text.startswith(f"{written} of ") for text in every_day)


def test_held_out_days_are_never_trained_on():
    trained = {iso for _, iso in dates.draw_dates(20000, seed=0)}
    unseen = {iso for _, iso in dates.draw_dates(2000, seed=0, held_out=True)}
    assert len(unseen) > 1000
    assert not trained & unseen


def test_date_batches_and_their_score():
    batches = list(dates.date_batches(steps=3, batch=4, seed=1))
    assert [len(src) for src, _ in batches] == [4, 4, 4]
    pairs = dates.draw_dates(12, seed=1)
    src, tgt = dates.encode_pairs(pairs)
    assert [dates.SOURCE.decode(row) for row in src.tolist()] == [written for written, _ in pairs]
    assert tgt.shape == (12, 11)
    assert tgt[:, -1].eq(EOS).all()
    assert dates.exact_match(tgt, pairs) == 1.0
    tgt[:3, 0] = dates.TARGET.encode("3")[0]
    assert dates.exact_match(tgt, pairs) == 0.75


def test_corpus():
    training, test = load_corpus()
    text = VOCABULARY.decode(torch.cat([training, test]).tolist())
    assert text == TEXT
    assert len(test) == pytest.approx(len(TEXT) / 10, abs=1)
    counts = Counter(TEXT[: len(training)])
    by_loop = -sum(c / len(training) * math.log(c / len(training)) for c in counts.values())
    assert unigram_entropy(training) == pytest.approx(by_loop)
    assert max(map(len, TEXT.split())) < 15


def test_windows_are_pieces_of_the_text():
    training, test = load_corpus()
    text = VOCABULARY.decode(training.tolist())
    pieces = list(windows(training, steps=3, batch=4, n=20, seed=5))
    assert [piece.shape for piece in pieces] == [(4, 20)] * 3
    assert all(VOCABULARY.decode(row) in text for piece in pieces for row in piece.tolist())
    assert torch.equal(pieces[0], next(iter(windows(training, 1, 4, 20, seed=5))))
    side_by_side = all_windows(test, 30)
    assert torch.equal(side_by_side.flatten(), test[: len(test) // 30 * 30])
    whole = next(iter(windows(test, 1, 2, len(test), seed=0)))
    assert torch.equal(whole, test.expand(2, -1))


def test_digits():
    training, test = load_images(seed=1)
    assert len(training.labels) == 1400
    assert test.images.shape == (397, 1, 8, 8)
    images = torch.cat([training.images, test.images])
    assert images.min() == 0
    assert images.max() == 1
    assert torch.equal(torch.cat([training.labels, test.labels]).unique(), torch.arange(10))
    assert training.labels[:50].unique().numel() > 5, "shuffled"
    assert torch.equal(load_images(seed=1)[1].images, test.images)
    assert not torch.equal(load_images(seed=2)[1].images, test.images)
    assert len(training.first(50).labels) == 50
    batches = list(image_batches(training.first(50), 2, 8, seed=0))
    assert [len(batch.images) for batch in batches] == [8, 8]
    place = (training.images[:50] == batches[0].images[0]).flatten(1).all(1).nonzero()[0]
    assert training.labels[place] == batches[0].labels[0]


def test_toy_sequences():
    tokens, backwards = reversed_copies(5, 7, 9)
    assert [row[::-1] for row in tokens.tolist()] == backwards.tolist()
    tokens, neighbours = both_neighbours(3, 5, 9)
    for row, pairs in zip(tokens.tolist(), neighbours.tolist(), strict=True):
        assert pairs == [[row[i - 1], row[(i + 1) % 5]] for i in range(5)]
