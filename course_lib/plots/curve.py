"""Curves: numbers against steps or sizes, distinguished by color and by line style."""

from collections.abc import Mapping, Sequence

from course_lib.plots.picture import BLUE, INK, ORANGE, Picture
from course_lib.plots.skip_when_graded import skipped_when_graded

STYLES = ((BLUE, "-"), (ORANGE, "--"), ("#009E73", "-."), ("#CC79A7", ":"), (INK, (0, (6, 1.5))))
Numbers = Sequence[float] | Sequence[int]


@skipped_when_graded
def curves(
    title: str,
    series: Mapping[str, Numbers],
    x: Numbers | None = None,
    x_label: str = "step",
    y_label: str = "loss",
    log_x: bool = False,
    log_y: bool = False,
    smooth: int = 1,
    levels: Mapping[str, float] | None = None,
    names_beside: bool = False,
) -> Picture:
    """One line for each series, over x (or 1, 2, …); `levels` are named horizontal lines to compare with.

    With smooth > 1 a line is the mean of the last `smooth` values, with the values pale behind it. With
    names_beside the names are written to the right, for curves that leave no room for a legend.
    """
    if len(series) > len(STYLES):
        raise ValueError(f"at most {len(STYLES)} curves can be told apart, got {len(series)}")
    levels = levels or {}
    in_words = [f"{name} goes from {y[0]:.3g} to {y[-1]:.3g}" for name, y in series.items()]
    in_words += [f"{name} is at {value:.3g}" for name, value in levels.items()]
    picture = Picture(6.4, 3.6, f"{title}. {y_label} against {x_label}: " + "; ".join(in_words) + ".")
    ax = picture.subplots()
    for (name, y), (color, style) in zip(series.items(), STYLES, strict=False):
        places = list(x) if x is not None else list(range(1, len(y) + 1))
        if smooth > 1:
            ax.plot(places, y, color=color, alpha=0.22, linewidth=0.8)
        line = _running_mean(y, smooth)
        marker = "o" if len(y) <= 12 else ""
        ax.plot(places, line, color=color, linestyle=style, linewidth=2, marker=marker, markersize=4, label=name)
    for name, value in levels.items():
        ax.axhline(value, color="#777777", linewidth=1, linestyle=(0, (2, 2)))
        ax.annotate(
            name,
            (0.99, value),
            xycoords=("axes fraction", "data"),
            ha="right",
            va="bottom",
            fontsize=9,
            color="#555555",
        )
    ax.set(title=title, xlabel=x_label, ylabel=y_label)
    if log_x:
        ax.set_xscale("log")
    if log_y:
        ax.set_yscale("log")
    ax.grid(alpha=0.25)
    ax.spines[["top", "right"]].set_visible(False)
    if names_beside:
        picture.legend(loc="outside right center", frameon=False, handlelength=3)
    elif len(series) > 1:
        ax.legend(frameon=False, handlelength=3)
    return picture


def _running_mean(y: Numbers, width: int) -> list[float]:
    return [sum(y[max(0, i - width + 1) : i + 1]) / min(width, i + 1) for i in range(len(y))]
