"""Block diagrams: boxes for tensors, arrows between them, each box with its shape and whether it fits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from course_lib.cards.shape_flow import Arrow
from course_lib.plots.picture import BLUE, INK, ORANGE, PAPER, Picture

DARK_ORANGE = "#A84300"  # readable at small font sizes
WIDTH, HEIGHT = 1.5, 0.82  # of a box, in the diagram's units


@dataclass(frozen=True)
class Box:
    """A tensor at (x, y); `kind` is "input", "weight" or "result"."""

    name: str
    x: float | int
    y: float | int
    kind: str = "result"


def block_diagram(
    title: str,
    boxes: Sequence[Box],
    arrows: Sequence[Arrow],
    shapes: Mapping[str, str],
    broken: Mapping[str, str],
) -> Picture:
    """Draw the boxes with their shapes; a broken one has a thick dashed frame and its reason below."""
    notes = [f"✗ {name}: {reason}" for name, reason in broken.items()]
    described = [f"{box.name} has shape {shapes.get(box.name, 'unknown')}" for box in boxes]
    alt = f"{title}. " + "; ".join([*described, *notes]) + "."
    left, right = min(box.x for box in boxes) - 1, max(box.x for box in boxes) + 1
    low, high = min(box.y for box in boxes) - 0.7, max(box.y for box in boxes) + 0.7
    picture = Picture((right - left) * 0.92, (high - low) * 0.92 + 0.3 + 0.25 * len(notes), alt)
    ax = picture.subplots()
    ax.set(xlim=(left, right), ylim=(low, high), aspect="equal")
    ax.set_axis_off()
    ax.set_title(title, fontsize=12)
    places = {box.name: box for box in boxes}
    for arrow in arrows:
        _draw_arrow(ax, places[arrow.start], places[arrow.end], arrow.label)
    for box in boxes:
        _draw_box(ax, box, shapes.get(box.name), box.name in broken)
    if notes:
        picture.supxlabel("\n".join(notes), x=0.02, ha="left", fontsize=9, color=DARK_ORANGE)
    return picture


def _draw_box(ax: Axes, box: Box, shape: str | None, broken: bool) -> None:
    edge = ORANGE if broken else BLUE if shape else "#888888"
    fill = {"input": "#e8e8e8", "weight": "#fff6dd", "result": "white"}[box.kind]
    frame = FancyBboxPatch(
        (box.x - WIDTH / 2, box.y - HEIGHT / 2),
        WIDTH,
        HEIGHT,
        facecolor=fill,
        edgecolor=edge,
        linewidth=2.6 if broken else 1.4,
        linestyle="--" if broken else "-",
        zorder=2,
        boxstyle="round,pad=0.02,rounding_size=0.12" if box.kind == "weight" else "square,pad=0.02",
    )
    ax.add_patch(frame)
    name = f"✗ {box.name}" if broken else box.name
    ax.text(box.x, box.y + 0.16, name, ha="center", va="center", fontsize=11, weight="bold", color=INK, zorder=3)
    ax.text(box.x, box.y - 0.18, shape or "?", ha="center", va="center", fontsize=9, color=edge, zorder=3)


def _draw_arrow(ax: Axes, start: Box, end: Box, label: str) -> None:
    ax.annotate(
        "",
        xy=_edge(end, start),
        xytext=_edge(start, end),
        arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 1.1, "shrinkA": 2, "shrinkB": 2},
        zorder=1,
    )
    if label:
        level = start.y == end.y
        x, y = (start.x + end.x) / 2, (start.y + end.y) / 2 + 0.12 * level
        below = "bottom" if level else "center"
        # On a slanted arrow the label interrupts the line; above it, it would lie across it.
        behind = {"facecolor": PAPER, "edgecolor": "none", "pad": 1}
        ax.text(x, y, label, fontsize=8, style="italic", color=INK, bbox=behind, zorder=1.5, ha="center", va=below)


def _edge(box: Box, other: Box) -> tuple[float, float]:
    """The point of the box's frame on the line to the other box."""
    dx, dy = other.x - box.x, other.y - box.y
    scale = min(WIDTH / 2 / abs(dx) if dx else 9, HEIGHT / 2 / abs(dy) if dy else 9)
    return box.x + dx * scale, box.y + dy * scale
