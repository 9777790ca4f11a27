"""Join a Dask cluster as workers that grade submissions, one at a time each."""

import os
import subprocess
import sys

from autograder.errors import CourseError


def join_cluster(address: str, count: int | None) -> None:
    """Run Dask's own worker command until it ends."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise CourseError("a Dask cluster needs distributed: pip install 'transformer-course[dask]'") from None
    workers = str(count or os.cpu_count() or 1)
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nworkers", workers, "--nthreads", "1"]
    if subprocess.run([*command, "--no-dashboard"]).returncode:
        raise CourseError(f"the worker of {address} ended with an error: is there a Dask scheduler at that address?")
