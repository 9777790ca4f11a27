"""Which family for which task, and what self-attention costs."""

from autograder.exam_types import ChooseExam, Option
from autograder.exam_types.exam import Criterion

task_to_family = ChooseExam(
    exercise="task_to_family",
    covers=("A10", "C7", "E4b"),
    criteria=(Criterion("the right family for the task", 4),),
    options={
        "A": Option(
            True,
            "the whole review is given at once and the output is one label: an encoder-only model attends in both "
            "directions.",
        ),
        "B": Option(
            False,
            "BERT was trained to predict masked tokens from both sides; it has no look-ahead mask, so it was never "
            "trained to generate word after word.",
        ),
        "C": Option(
            True,
            "a program grows from left to right, and the prompt is its beginning: decoder-only, as GPT and Llama.",
        ),
        "D": Option(
            True,
            "one text is given whole, another is generated: the encoder attends in both directions, the decoder "
            "generates and uses the source through cross-attention. T5 is such a model.",
        ),
        "E": Option(
            False,
            "FLAN-T5 is T5, trained further on instructions: the training differs, the encoder and the decoder stay.",
        ),
        "F": Option(
            True,
            "a name's kind can depend on words to its right (“Washington said” or “Washington State”): encoder-only "
            "models see both sides.",
        ),
        "G": Option(
            False,
            "with instructions and examples in the prompt, GPT and Llama translate and summarise too: the source is "
            "the first part of the text they continue.",
        ),
        "H": Option(
            False,
            "DistilBERT is a smaller BERT taught by the large one: encoder-only, so it gives vectors and labels, no "
            "long replies.",
        ),
    },
    accepted=("acdf", "A, C, D, F", ["F", "D", "C", "A"], {"A", "C", "D", "F"}),
    shortcuts=("ABCDEFGH", *"ABCDEFGH"),
)

price_of_attention = ChooseExam(
    exercise="price_of_attention",
    covers=("D1.4b",),
    criteria=(Criterion("what self-attention gives, and its price", 3),),
    options={
        "A": Option(True, "any two tokens meet in one layer, so a signal or a gradient needs one step between them."),
        "B": Option(True, "all n outputs of a layer are a few matrix products; none waits for the one before it."),
        "C": Option(
            True,
            "the scores are an n × n matrix for each head: twice the length, four times the scores to make and keep.",
        ),
        "D": Option(
            False, "self-attention alone treats its tokens as a set (unit 03): order has to be added with positions."
        ),
        "E": Option(
            False,
            "each token must be sampled before the next can be: training is parallel over positions, generation is "
            "not.",
        ),
        "F": Option(
            False,
            "the number of parameters, 4 (d² + d), doesn't depend on n: it is time and memory for the scores that "
            "grow.",
        ),
        "G": Option(
            True,
            "no assumption about neighbours is built in, so what a convolution or a recurrence gets for free must be "
            "learned from data.",
        ),
    },
    accepted=("abcg", "G C B A", ["A", "B", "C", "G"], ("g", "c", "a", "b")),
    shortcuts=("ABCDEFG", *"ABCDEFG"),
)
