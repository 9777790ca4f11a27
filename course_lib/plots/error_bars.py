"""Repeated measurements: means with error bars, and each measurement as an open circle."""

from collections.abc import Mapping, Sequence
from statistics import mean, stdev

from course_lib.plots.curve import STYLES
from course_lib.plots.picture import Picture
from course_lib.plots.skip_when_graded import skipped_when_graded


@skipped_when_graded
def error_bars(
    title: str,
    series: Mapping[str, Mapping[int, Sequence[float]]],
    x_label: str,
    y_label: str,
) -> Picture:
    """For each series a line through the means, with a bar of one standard deviation up and down.

    A series maps each x, on a logarithmic axis, to the values measured there.
    """
    in_words = [
        f"{name} " + ", ".join(f"{mean(values):.2f} ± {_deviation(values):.2f} at {x:g}" for x, values in runs.items())
        for name, runs in series.items()
    ]
    picture = Picture(6.4, 3.8, f"{title}. {y_label} against {x_label}: " + "; ".join(in_words) + ".")
    ax = picture.subplots()
    places = sorted({x for runs in series.values() for x in runs})
    for number, ((name, runs), (color, style)) in enumerate(zip(series.items(), STYLES, strict=False)):
        shift = 1.09 ** (number - (len(series) - 1) / 2)  # side by side, so that error bars do not overlap
        x = [place * shift for place in runs]
        ax.errorbar(
            x,
            [mean(values) for values in runs.values()],
            [_deviation(values) for values in runs.values()],
            color=color,
            linestyle=style,
            linewidth=2,
            marker="o",
            markersize=5,
            capsize=5,
            label=name,
        )
        for place, values in zip(x, runs.values(), strict=True):
            ax.plot([place * 1.04] * len(values), values, "o", color=color, markersize=4, markerfacecolor="white")
    ax.set_xscale("log")
    ax.set_xticks(places, [f"{place:g}" for place in places])
    ax.minorticks_off()
    ax.set(title=title, xlabel=x_label, ylabel=y_label)
    ax.grid(alpha=0.25)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, handlelength=3, loc="lower right")
    return picture


def _deviation(values: Sequence[float]) -> float:
    return stdev(values) if len(values) > 1 else 0.0
