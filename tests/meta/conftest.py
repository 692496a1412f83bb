"""Mutants run where what judges them changed; of the others a run tries a sample."""

import pytest

from tests.selection import selection


@pytest.fixture(autouse=True)
def _selected(request):
    if not selection().needs_mutant(request.node.nodeid):
        pytest.skip("not selected: what judges mutants is that of the base")
