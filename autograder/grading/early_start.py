"""Workers for grading, begun before what this process needs itself is imported; importing this is cheap."""

from typing import TYPE_CHECKING

from autograder.course.units import Unit
from autograder.sandbox.zygote_pool import Zygote

if TYPE_CHECKING:
    from autograder.grading.worker_pool import NewWorkers


def start_workers(unit: Unit, sandbox: str, count: int | None, scheduler: str | None) -> "NewWorkers":
    """Workers of a Dask cluster, or on this machine; there the zygote imports torch while this process does."""
    if scheduler:
        from autograder.grading.worker_pool import dask_cluster

        return dask_cluster(scheduler)
    early = Zygote(unit, sandbox)

    from autograder.grading.worker_pool import local_workers

    return local_workers(count, early)
