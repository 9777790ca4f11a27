"""A first quiz: the Transformer from far away, and what its two new parts are for."""

from autograder.exam_types import ChooseExam, Option
from autograder.exam_types.exam import Criterion

original_transformer = ChooseExam(
    exercise="original_transformer",
    covers=("C1",),
    criteria=(Criterion("the true statements", 2),),
    options={
        "A": Option(False, "the paper stacks six encoder blocks and six decoder blocks; how many is a choice."),
        "B": Option(True, "it is made of matrix products with weights, and the weights are learned from examples."),
        "C": Option(True, "the encoder's output is latent: a vector for each source token, made for the decoder."),
        "D": Option(False, "that is a recurrent network; the encoder works on all source tokens at once."),
        "E": Option(True, "the decoder takes the memory and what is generated so far, and scores the next token."),
    },
    accepted=("bce", "E, C, B", ["B", "C", "E"], {"B", "C", "E"}),
    shortcuts=("ABCDE",),
)

why_positions = ChooseExam(
    exercise="why_positions",
    covers=("C2",),
    criteria=(Criterion("the true statements", 2),),
    options={
        "A": Option(True, "without positions a word's output is the same in both, as the cell above shows."),
        "B": Option(False, "every token keeps its own row; a position is added to it, nothing gets shorter."),
        "C": Option(False, "saying what not to attend to is the work of a mask, in unit 05."),
        "D": Option(True, "attention averages over all tokens, and an average does not know their order."),
        "E": Option(False, "the 2017 model adds fixed sine and cosine waves; later models learn their positions."),
    },
    accepted=("ad", "D, A", ["A", "D"], ("D", "A")),
    shortcuts=("ABCDE",),
)

why_self_attention = ChooseExam(
    exercise="why_self_attention",
    covers=("C3",),
    criteria=(Criterion("the true statements", 2),),
    options={
        "A": Option(False, "one sequence that attends to another is cross-attention; here it attends to itself."),
        "B": Option(True, "each output is an average over the whole sequence, weighted by what fits the token."),
        "C": Option(True, "every pair of tokens is compared directly, so distance costs no extra steps."),
        "D": Option(False, "that is a recurrent network; attention takes all tokens at once and keeps no state."),
        "E": Option(True, "the weights are computed from the tokens, so another sentence gets other weights."),
    },
    accepted=("bce", "C E B", ["B", "C", "E"], {"B", "C", "E"}),
    shortcuts=("ABCDE",),
)
