# Changes modules for whoever comes next: in memory, in the library, and in the folders from which Python starts.
# %% attack
import contextlib
import site
import sys
from pathlib import Path

import course_lib.checks
import torch

torch.left_by_an_attack = course_lib.checks.left_by_an_attack = True
sys.modules["left_by_an_attack"] = torch
files = [Path(folder, "sitecustomize.py") for folder in (*sys.path, *site.getsitepackages(), site.getusersitepackages()) if folder]
files += [Path(course_lib.__file__), Path(torch.__file__), Path(sys.modules["IPython"].__file__)]
for file in files:
    with contextlib.suppress(OSError), file.open("a") as text:
        text.write("\n")
        text.flush()
        print("" if Path.home() in file.parents else f"poisoned: {file}")
