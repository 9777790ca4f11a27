"""Two families from one stack: the mask is the difference."""

from autograder.exam_types import ModuleCriterion, ModuleExam
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_07 import family_mistakes as wrong
from autograder.exams.unit_07.sizes import longest, tokens_alone, tokens_and_padding
from autograder.exams.unit_07.stack import PARTS
from course_lib.models.decoder_only import DecoderOnly
from course_lib.models.encoder_only import EncoderOnly

MODEL_PARTS = (*(f"stack.{part}" for part in PARTS), "output")
PROBABILITIES = "You return probabilities; logits are asked for, and cross-entropy takes the softmax itself."
ONE_PLACE = "You return the logits of the last place only: every place has some."

encoder_only = ModuleExam(
    exercise="EncoderOnly",
    covers=("A10", "E4b"),
    module=EncoderOnly,
    outputs=("logits",),
    parts=MODEL_PARTS,
    criteria=(
        ModuleCriterion("every token sees every other", 1.5, tokens_alone, visible=True),
        ModuleCriterion("padding is hidden from all", 1.5, tokens_and_padding, visible=True),
    ),
    misconceptions=(
        Misconception(
            "causal",
            "Your encoder hides the future: each token should see those on both sides.",
            wrong.Causal,
            hint="which mask",
        ),
        Misconception(
            "sees-padding",
            "Your padding is seen by the others: block it.",
            wrong.SeesPadding,
            hint="where the mask comes from",
        ),
        Misconception(
            "sees-only-padding",
            "Your mask is inverted, so that only padding is seen: True means blocked.",
            wrong.SeesOnlyPadding,
            hint="where the mask comes from",
        ),
        Misconception(
            "zero-is-padding",
            "You take id 0 for padding when pad_id is None: then there is no padding, and nothing is blocked.",
            wrong.ZeroIsPadding,
            hint="without padding",
        ),
        Misconception("probabilities", PROBABILITIES, wrong.encoder(finish="softmax"), hint="which mask"),
        Misconception(
            "finish-mean",
            "You average the tokens into one; the model gives logits for every place.",
            wrong.encoder(finish="mean"),
            hint="which mask",
        ),
    ),
    accepted=(wrong.Encoder, wrong.EncoderByHand, wrong.EncoderWithZeros, wrong.EncoderExpanded),
)

decoder_only = ModuleExam(
    exercise="DecoderOnly",
    covers=("A10", "E4b"),
    module=DecoderOnly,
    outputs=("logits",),
    parts=MODEL_PARTS,
    criteria=(
        ModuleCriterion("each token sees itself and what came before", 2, tokens_alone, visible=True),
        ModuleCriterion("sequences of max_len tokens", 1, longest),
    ),
    misconceptions=(
        Misconception(
            "sees-future",
            "Your tokens see the future: block it, or the model reads the answer instead of guessing it.",
            wrong.SeesFuture,
            hint="which mask",
        ),
        Misconception(
            "blind-to-itself",
            "Your tokens do not see themselves: block what comes later (j > i), not the token itself.",
            wrong.BlindToItself,
            hint="which mask",
        ),
        Misconception(
            "sees-only-future",
            "Your mask is inverted: each token sees only the future.",
            wrong.SeesOnlyFuture,
            hint="which mask",
        ),
        Misconception(
            "shifts",
            "Your model shifts its input; whoever trains it shifts, and the model takes tokens as they come.",
            wrong.Shifts,
            hint="the difference",
        ),
        Misconception("probabilities", PROBABILITIES, wrong.decoder(finish="softmax"), hint="the difference"),
        Misconception("one-place", ONE_PLACE, wrong.decoder(finish="last"), hint="the difference"),
    ),
    accepted=(wrong.Decoder, wrong.DecoderByTriu, wrong.DecoderByPlaces, wrong.DecoderWithPadding),
)
