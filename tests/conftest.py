"""Tests run on all cores already: threads within each process, and in the kernels it starts, would only wait."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
