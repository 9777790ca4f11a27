"""What all tests of course_lib share: repeatable random numbers, and hypothesis without a clock."""

import pytest
import torch
from hypothesis import settings

settings.register_profile("course", deadline=None, max_examples=25, derandomize=True)
settings.load_profile("course")


@pytest.fixture(autouse=True)
def _seed() -> None:
    torch.manual_seed(1)


@pytest.fixture(params=[torch.float32, torch.float64], ids=["float32", "float64"])
def dtype(request: pytest.FixtureRequest) -> torch.dtype:
    return request.param
