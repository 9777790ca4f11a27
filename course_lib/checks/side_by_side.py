"""In a notebook, show a student's matrix beside the one that was expected."""

import sys

import torch
from torch import Tensor


def show_side_by_side(name: str, got: object, want: object) -> None:
    """Two heat maps, where both are matrices of modest size; outside a notebook, nothing."""
    notebook = sys.modules.get("IPython")
    if notebook is None or notebook.get_ipython() is None:
        return
    from course_lib.plots.yours_and_wanted import MOST, yours_and_wanted  # importing matplotlib takes a second

    if not (type(got) is type(want) is Tensor and got.shape == want.shape and got.ndim >= 2 and got.numel()):
        return
    first = (0,) * (got.ndim - 2)
    yours, wanted = got[first].detach(), want[first]
    if yours.dtype == wanted.dtype == torch.bool:
        yours, wanted = yours.float(), wanted.float()
    if max(wanted.shape) > MOST or not (wanted.is_floating_point() and yours.isfinite().all()):
        return
    label = f"{name}[{', '.join('0' for _ in first)}]" if first else name
    notebook.display.display(yours_and_wanted(label, yours, wanted))
