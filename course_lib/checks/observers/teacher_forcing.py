"""One step of training with teacher forcing."""

from course_lib.checks.finding import Finding
from course_lib.checks.observers.fake_models import Writer
from course_lib.checks.observers.registry import observer
from course_lib.checks.observers.return_values import values
from course_lib.checks.question import Outputs, Question


@observer("training step")
def training_step(question: Question) -> Outputs:
    """The target tokens that the model is given to read, and the loss."""
    model, name = Writer(), question.exercise
    returned = values(question.with_arguments(model=model))
    read = model.notes["targets"]
    if len(read) != 1:
        raise Finding(f"calls model(src, tgt_in) {len(read)} times", "once", where=name)
    return {"what the model reads as tgt_in": read[0].float(), "loss": returned["loss"]}
