"""How long an explorer takes from a moved slider to a picture that can be sent: run it, and read the table.

On a machine that does other things besides, the time of the clock says little; the time of the processor is beside it.
"""

import statistics
import sys
import time

import torch
from browser.gallery import gallery

from course_lib.widgets.explorers.controls import Choice, Field, Slider, Steps, Switch

GOAL = 150  # milliseconds
REPEATS = 15


def another_value(control, turn):
    """A value of the control that differs from the one before."""
    match control:
        case Slider():
            steps = int((control.high - control.low) / control.step)
            return control.low + (turn * 7) % max(2, steps) * control.step
        case Steps() | Choice():
            return control.options[turn % len(control.options)]
        case Switch():
            return turn % 2 == 0
        case Field():
            return control.value.replace("1", str(1 + turn % 2))


class Handle:
    """Takes a new picture as a notebook does, up to the bytes that would go to the browser."""

    def update(self, picture):
        picture._repr_mimebundle_()


def redraws(explorer, name):
    """Milliseconds of the clock and of the processor, for each of several moves of one control."""
    widget, times = explorer.widgets[name], []
    explorer._handle = Handle()
    for turn in range(REPEATS + 2):
        clock, processor = time.perf_counter(), time.process_time()
        widget.value = another_value(explorer.controls[name], turn)
        times.append((1000 * (time.perf_counter() - clock), 1000 * (time.process_time() - processor)))
    return zip(*times[2:], strict=True)  # the first fill caches of fonts


def main():
    torch.set_num_threads(2)
    slowest = 0.0
    print(f"{'explorer':12} {'control':12} {'median ms':>10} {'worst ms':>10} {'processor ms':>13}")
    for number, make in gallery(steps=0).items():
        explorer = make()
        for name in explorer.controls:
            times, work = redraws(explorer, name)
            middle = statistics.median(times)
            slowest = max(slowest, middle)
            print(f"{number:12} {name:12} {middle:10.0f} {max(times):10.0f} {statistics.median(work):13.0f}")
    print(f"slowest median {slowest:.0f} ms, wanted below {GOAL} ms")
    return slowest >= GOAL


if __name__ == "__main__":
    sys.exit(main())
