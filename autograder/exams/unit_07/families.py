"""Two families from one stack: the mask is the difference."""

from functools import partial

from autograder.exam_types import ModuleCriterion, ModuleExam
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_07 import family_mistakes as wrong
from autograder.exams.unit_07.sizes import longest, tokens_alone, tokens_and_padding
from autograder.exams.unit_07.stack import PARTS
from course_lib.models.decoder_only import DecoderOnly
from course_lib.models.encoder_only import EncoderOnly

MODEL_PARTS = (*(f"stack.{part}" for part in PARTS), "output")
PROBABILITIES = "You return probabilities: return the logits; cross-entropy applies the softmax itself."
LOG_PROBABILITIES = (
    "You return log-probabilities (log_softmax): return the logits; cross-entropy applies the softmax itself."
)
NO_BIAS = "Your output layer has no bias, as in GPT-2: here it has one."
SEES_PADDING = "Your tokens attend to padding: pass the stack a padding mask, made with config.pad_id."
TIED = "Your output layer shares its weight with the embedding (weight tying, as in GPT-2): here each has its own."
ONE_PLACE = "You return the logits of the last position only: return those of every position."
AVERAGE = "You average the tokens into one: return logits for every position."

encoder_only = ModuleExam(
    exercise="EncoderOnly",
    covers=("A10", "E4b"),
    module=EncoderOnly,
    outputs=("logits",),
    parts=MODEL_PARTS,
    criteria=(
        ModuleCriterion("every token sees every other", 1, tokens_alone, "reach of tokens"),
        ModuleCriterion("padding is hidden from all", 0.5, tokens_and_padding, "more padding"),
        ModuleCriterion(
            "padding is hidden from all, with id 0",
            0.5,
            partial(tokens_and_padding, pad_id=0),
            "more padding",
        ),
        ModuleCriterion("the logits of every token", 1, tokens_alone),
    ),
    misconceptions=(
        Misconception(
            "causal",
            "Your encoder masks the future: each token attends to both sides.",
            wrong.Causal,
            hint="which mask",
        ),
        Misconception(
            "sees-padding",
            SEES_PADDING,
            wrong.SeesPadding,
            hint="where the mask comes from",
        ),
        Misconception(
            "sees-only-padding",
            "Your mask is inverted, so only padding is visible: True means masked.",
            wrong.SeesOnlyPadding,
            hint="where the mask comes from",
        ),
        Misconception(
            "zero-is-padding",
            "You take id 0 for padding when pad_id is None: then there is no padding, and nothing is masked.",
            wrong.ZeroIsPadding,
            hint="without padding",
        ),
        Misconception(
            "zero-is-no-padding",
            "Your model masks no padding when pad_id is 0: 0 is an id like any other, so ask whether pad_id `is not "
            "None`.",
            wrong.ZeroIsFalse,
            hint="without padding",
        ),
        Misconception(
            "padding-of-the-first",
            "Your model masks in every sequence what is padding in the first one: each has its own.",
            wrong.PaddingOfTheFirst,
            hint="where the mask comes from",
        ),
        Misconception(
            "sees-padding",
            SEES_PADDING,
            wrong.AlwaysZeroIsPadding,
            hint="where the mask comes from",
        ),
        Misconception("probabilities", PROBABILITIES, wrong.encoder(finish="softmax"), hint="without padding"),
        Misconception("log-probabilities", LOG_PROBABILITIES, wrong.encoder(finish="log"), hint="without padding"),
        Misconception("no-bias", NO_BIAS, wrong.encoder(bias=False)),
        Misconception("tied", TIED, wrong.encoder(tied=True)),
        Misconception("finish-mean", AVERAGE, wrong.encoder(finish="mean"), hint="without padding"),
    ),
    accepted=(
        wrong.Encoder,
        wrong.EncoderByHand,
        wrong.EncoderWithZeros,
        wrong.EncoderExpanded,
        wrong.EncoderQueriesToo,
    ),
)

decoder_only = ModuleExam(
    exercise="DecoderOnly",
    covers=("A10", "E4b"),
    module=DecoderOnly,
    outputs=("logits",),
    parts=MODEL_PARTS,
    criteria=(
        ModuleCriterion("each token sees itself and what came before", 1, tokens_alone, "reach of tokens"),
        ModuleCriterion("the logits of every token", 1, tokens_alone),
        ModuleCriterion("sequences of max_len tokens", 1, longest, "reach of tokens"),
    ),
    misconceptions=(
        Misconception(
            "sees-future",
            "Your tokens attend to the future: mask it, or the model sees the token that it has to predict.",
            wrong.SeesFuture,
            hint="which mask",
        ),
        Misconception(
            "blind-to-itself",
            "Your tokens don't attend to themselves: mask what comes later (j > i), not the token itself.",
            wrong.BlindToItself,
            hint="which mask",
        ),
        Misconception(
            "sees-only-future",
            "Your mask is inverted, so each token attends to the future alone: True means masked.",
            wrong.SeesOnlyFuture,
            hint="which mask",
        ),
        Misconception(
            "shifts",
            "Your model shifts its input: it takes tokens as they come, and whoever trains it shifts the targets.",
            wrong.Shifts,
            hint="what not to do",
        ),
        Misconception("probabilities", PROBABILITIES, wrong.decoder(finish="softmax"), hint="what not to do"),
        Misconception("log-probabilities", LOG_PROBABILITIES, wrong.decoder(finish="log"), hint="what not to do"),
        Misconception("no-bias", NO_BIAS, wrong.decoder(bias=False)),
        Misconception("tied", TIED, wrong.decoder(tied=True)),
        Misconception("one-place", ONE_PLACE, wrong.decoder(finish="last"), hint="what not to do"),
    ),
    accepted=(wrong.Decoder, wrong.DecoderByTriu, wrong.DecoderByPlaces, wrong.DecoderWithPadding),
)
