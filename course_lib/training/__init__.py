"""Training: objectives and schedules, the loop with its live curve, hooks that record attention, length probes.

May import: cards, nn, tasks, plots, models.
"""

from importlib import import_module


def __getattr__(name: str) -> object:
    if name == "shift_right":  # was here up to version 0.1
        return import_module("course_lib.training.objectives").shift_right
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
