"""What is lowered while a test runs stays known to it."""

from __future__ import annotations

import pytest

from pipeport.kernels.xla import _single_threaded
from tests.porting.programs import LOWERED


@pytest.fixture(autouse=True)
def lowered(monkeypatch):
    real = _single_threaded._program

    def program(concrete):
        made = real(concrete)
        LOWERED[made.signature.name] = concrete.function_def
        return made

    monkeypatch.setattr(_single_threaded, "_program", program)
    yield
    LOWERED.clear()
