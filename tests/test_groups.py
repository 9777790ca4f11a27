"""Tests that share something costly run one after the other in one process, as their `xdist_group` asks."""

import os

import pytest


@pytest.mark.xdist_group("group")
@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="there is one process only")
def test_the_group_of_a_test_is_seen(request):
    """pytest-xdist writes it into the name; with a pytest that it does not know it may do nothing, and say nothing."""
    assert request.node.nodeid.endswith("@group")
