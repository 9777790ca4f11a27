"""Whatever comes in, a reader gives a value or a sentence; FUZZ_CASES inputs for each, 60 if it is not set."""

import os

import pytest
from hypothesis import HealthCheck, given, seed, settings

from fuzz.classes import class_holds, damages
from fuzz.readers import READERS

CASES = int(os.environ.get("FUZZ_CASES", "60"))
SETTINGS = settings(max_examples=CASES, deadline=None, database=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("name", READERS)
def test_a_reader_gives_a_value_or_a_sentence(name):
    reader = READERS[name]

    @seed(1)
    @SETTINGS
    @given(reader.inputs)
    def holds(value):
        reader.holds(value)

    holds()


def test_damage_costs_only_its_own_submission():
    @seed(1)
    @settings(SETTINGS, max_examples=max(5, CASES // 20))
    @given(damages())
    def holds(damage):
        class_holds(damage)

    holds()
