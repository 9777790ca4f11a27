"""A learning-rate schedule, step by step."""

import torch

from course_lib.checks.answer_forms.numbers import read_number
from course_lib.checks.observers.registry import observer
from course_lib.checks.question import Outputs, Question


@observer("learning rates")
def learning_rates(question: Question) -> Outputs:
    """The learning rate at each of the steps listed in `step`."""
    rates: Outputs = {}
    for step in question.items("step"):
        values = [step, question.arguments["d_model"], question.arguments["warmup"]]
        title = f"{question.exercise}({', '.join(map(str, values))})"
        rate = question.ask(*values)[question.outputs[0]]
        rates[title] = torch.tensor(read_number(title, rate), dtype=torch.float32)
    return rates
