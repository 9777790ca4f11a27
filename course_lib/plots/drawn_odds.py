"""How often each token was drawn, one panel for each setting, beside the expected probabilities."""

from collections.abc import Mapping, Sequence

from jaxtyping import Float, Int
from torch import Tensor

from course_lib.plots.picture import BLUE, INK, ORANGE, Picture
from course_lib.plots.skip_when_graded import skipped_when_graded


@skipped_when_graded
def drawn_odds(
    title: str,
    drawn: Mapping[str, Int[Tensor, "draws"]],
    names: Sequence[str],
    wanted: Mapping[str, Float[Tensor, "vocab"]] | None = None,
    quick: bool = False,
) -> Picture:
    """Bars are relative frequencies; a mark on a bar is the expected probability of that token, if given.

    `quick` places the panels by hand, for a picture that follows a slider.
    """
    shares = {setting: _shares(tokens, len(names)) for setting, tokens in drawn.items()}
    alt = f"{title}. " + " ".join(_in_words(s, w) for s, w in shares.items())
    if quick:
        picture = Picture(1.0 + 3.0 * len(drawn), 3.4, alt, "none")
        picture.subplots_adjust(left=0.1, right=0.98, bottom=0.23, top=0.8, wspace=0.08)
    else:
        picture = Picture(0.7 + 2.3 * len(drawn), 3.0, alt)
    axes = picture.subplots(1, len(drawn), squeeze=False, sharey=True)[0]
    for ax, (setting, share) in zip(axes, shares.items(), strict=True):
        ax.bar(range(len(share)), share, color=BLUE, width=0.7, label="drawn")
        if wanted:
            heights = wanted[setting].tolist()
            ax.plot(range(len(heights)), heights, "_", color=ORANGE, markersize=14, markeredgewidth=2.5, label="wanted")
        for i, value in enumerate(share):
            height = max(value, wanted[setting].tolist()[i] if wanted else 0.0)
            ax.text(i, height + 0.03, f"{value:.2f}", ha="center", va="bottom", fontsize=8, color=INK)
        ax.set_title(setting, y=1.0, fontsize=10)
        ax.set_xticks(range(len(share)), names)
        ax.set(ylim=(0, 1.13), xlabel="next token")
        ax.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("share of the draws")
    if wanted:
        axes[-1].legend(frameon=False, fontsize=9, loc="upper right")
    picture.suptitle(title, fontsize=12)
    return picture


def _shares(tokens: Tensor, vocab: int) -> list[float]:
    return (tokens.flatten().bincount(minlength=vocab) / max(1, tokens.numel())).tolist()


def _in_words(setting: str, shares: Sequence[float]) -> str:
    return f"{setting}: shares {', '.join(f'{share:.2f}' for share in shares)}."
