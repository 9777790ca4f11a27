"""Which mask goes where, and at which point of the computation."""

from autograder.exam_types import ChooseExam, Option
from autograder.exam_types.exam import Criterion

where_masks_go = ChooseExam(
    exercise="where_masks_go",
    covers=("E4c", "E4d", "A6"),
    criteria=(Criterion("the true statements", 3),),
    options={
        "A": Option(False, "the whole source is there before the first target token, so cross-attention hides none."),
        "B": Option(True, "a key may be in the future, or padding, or both: one reason is enough."),
        "C": Option(True, "in cross-attention the keys are source tokens, and keys are what a mask blocks."),
        "D": Option(True, "blocked scores must be gone before the softmax divides by their sum."),
        "E": Option(False, "blocked scores have then been in the denominator: rows sum to less than 1, and it leaks."),
        "F": Option(False, "the encoder reads a finished sentence; each of its tokens may look both ways."),
        "G": Option(False, "its input is shifted: token i of the input is target i − 1, which is known by then."),
        "H": Option(False, "its weights on all unblocked source tokens are positive; alignment is learnt, not given."),
    },
    accepted=("bcd", "D, C, B", ["B", "C", "D"], {"B", "C", "D"}),
)
