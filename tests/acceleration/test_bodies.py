"""Every body of the fixtures in a boundary of a dataset: equal to what it was, and most of them native."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf
from bodies import PORTED

import pipeport
from pipeport.acceleration import _changes
from tests.porting.modes import chosen
from tests.porting.test_bodies import check, copied, specs_of

# What stays Python, and why.
STAY = {
    "bound_method": "changes",
    "callable_object": "changes",
    "closure": "changes",
    "sibling": "effect",
}
LEAST = 0.85


def results(body):
    """Return what a body gives, flat, and the Tout of its boundary; None where a boundary cannot give it."""
    want = body.function(*copied(body.inputs[0]))
    if isinstance(want, dict) or any(isinstance(one, dict) for one in body.inputs[0]):
        return None
    flat = list(want) if isinstance(want, (tuple, list)) else [want]
    dtypes = [
        tf.string if isinstance(one, (str, bytes)) else tf.as_dtype(np.asarray(one).dtype) for one in flat
    ]
    return flat, dtypes if isinstance(want, (tuple, list)) else dtypes[0]


@pytest.fixture
def sources(monkeypatch):
    """Look for changes in the sources of the bodies alone: those of other tests change many names."""
    find = _changes._sources
    monkeypatch.setattr(
        _changes, "_sources", lambda: {name: one for name, one in find().items() if name.startswith("bodies")}
    )


@pytest.mark.parametrize("name", PORTED)
@pytest.mark.usefixtures("sources")
def test_a_body_in_a_boundary(name, acceleration):
    """With sizes or without, by lot."""
    body = PORTED[name]
    found = results(body)
    if found is None:
        pytest.skip("a boundary takes and gives no dictionaries")
    want, dtypes = found
    installed = acceleration(prefer_native=True, limit=1e9)
    for sized in chosen([True, False]):
        specs = specs_of(body, body.inputs[0], sized=sized)

        def step(*inputs, specs=specs):
            shaped = [
                tf.compat.v1.placeholder_with_default(one, spec.shape)
                for one, spec in zip(inputs, specs, strict=True)
            ]
            return tf.numpy_function(body.function, shaped, dtypes)

        elements = tf.data.Dataset.from_tensors(tuple(map(tf.constant, body.inputs[0])))
        element = next(iter(elements.map(step)))
        got = list(element) if isinstance(dtypes, list) else [element]
        verdict = installed.report.verdicts[-1]
        assert verdict.reason == STAY.get(name, ""), verdict.why
        programs = [one.program for one in installed.engine._decided.values()]
        if not any(one is not None and one.draws for one in programs):
            check(body, tuple(one.numpy() for one in got), tuple(want), where=name)
    pipeport.uninstall()


def test_few_stay():
    assert len(STAY) <= (1 - LEAST) * len(PORTED)
    assert set(STAY) <= set(PORTED)
