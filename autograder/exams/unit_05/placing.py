"""Which mask goes where, and at which point of the computation."""

from autograder.exam_types import ChooseExam, Option
from autograder.exam_types.exam import Criterion

where_masks_go = ChooseExam(
    exercise="where_masks_go",
    covers=("E4c", "E4d", "A6"),
    criteria=(Criterion("the true statements", 3),),
    options={
        "A": Option(
            False, "the whole source exists before the first target token, so cross-attention hides none of it."
        ),
        "B": Option(True, "a key may be in the future, or padding, or both: one reason is enough."),
        "C": Option(True, "in cross-attention the keys are source tokens, and a mask hides keys."),
        "D": Option(True, "masked scores must be gone before the softmax divides by the sum."),
        "E": Option(
            False, "masked scores were still in the denominator: rows sum to less than 1, and the future leaks."
        ),
        "F": Option(False, "the encoder gets a complete sentence; each token may attend in both directions."),
        "G": Option(False, "its input is shifted: token i of the input is target i − 1, which is known by then."),
        "H": Option(False, "all visible source tokens have positive weights; alignment is learned, not given."),
    },
    accepted=("bcd", "D, C, B", ["B", "C", "D"], {"B", "C", "D"}),
    shortcuts=("ABCDEFGH", *"ABCDEFGH"),
)
