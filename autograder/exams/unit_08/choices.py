"""What the Vision Transformer is told about images, and what a convolutional network is."""

from autograder.exam_types import ChooseExam, Option
from autograder.exam_types.exam import Criterion

inductive_biases = ChooseExam(
    exercise="inductive_biases",
    covers=("D1.5a", "D1.5d"),
    criteria=(Criterion("the true statements", 3),),
    options={
        "A": Option(True, "a filter has the same few numbers at every position: its parameters are shared."),
        "B": Option(True, "attention compares every patch with every other, near or far, in every layer."),
        "C": Option(False, "positions start as random numbers: that two patches are neighbours has to be learned."),
        "D": Option(
            False,
            "an inductive bias that fits the data saves examples; with enough of them, doing without may be better, "
            "but nothing says that it must be.",
        ),
        "E": Option(True, "its kernel and stride are the patch, so it is a convolution whose windows do not overlap."),
        "F": Option(False, "this is one experiment: with other sizes, steps and learning rates the order changes."),
    },
    accepted=("abe", "E, B, A", ["A", "B", "E"], {"B", "A", "E"}),
    shortcuts=("ABCDEF", *"ABCDEF"),
)

positions_here_and_there = ChooseExam(
    exercise="positions_here_and_there",
    covers=("D1.5b",),
    criteria=(Criterion("the true statements", 3),),
    options={
        "A": Option(False, "those of 2017 are fixed sines and cosines; the ViT and BERT learn a table."),
        "B": Option(True, "the table is a parameter with a row for the class token and one for each patch."),
        "C": Option(False, "the table has 1 + N rows and no more: for another grid, new rows are interpolated."),
        "D": Option(True, "both are added to the tokens once, before the first block."),
        "E": Option(True, "with positions of zero the class token sees a bag of patches, as the experiment shows."),
        "F": Option(
            False,
            "each row of the table is a free vector: it holds neither row nor column of the patch unless training puts "
            "them there.",
        ),
    },
    accepted=("bde", "B D E", ("E", "D", "B"), ["B", "D", "E"]),
    shortcuts=("ABCDEF", *"ABCDEF"),
)
