"""Collecting garbage does not look at what earlier tests left, which took seconds in every measurement."""

from __future__ import annotations

import gc

import pytest


@pytest.fixture(autouse=True, scope="module")
def _nothing_but_own_garbage():
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()
