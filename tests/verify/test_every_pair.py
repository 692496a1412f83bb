"""Every pair of the catalog, in every engine; and every exemption is still needed.

A run proves what changed since a base, and a sample of the rest (see tests/selection.py). The counts are
those of a change: `pipeport verify --examples 200` is the whole proof. Where TensorFlow Addons can be
imported its pairs are proved, and the others sampled.
"""

from __future__ import annotations

import importlib

import numpy as np
import pytest
from hypothesis import settings
from packaging.requirements import Requirement

import pipeport
from pipeport import catalog
from pipeport.contract import ENGINES
from pipeport.errors import NotEquivalent
from pipeport.verify._case import Plan, run_case
from pipeport.verify._engines import run_native
from pipeport.verify._examine import examine
from pipeport.verify._fingerprint import environment
from pipeport.verify._given import call_of, elements_of_batch
from pipeport.verify._outcome import run_reference
from pipeport.verify._pair import pair_of

pytestmark = pytest.mark.both

# About 5 s of one core per pair. Eagerly and in a graph one example is of a large image, if a pair has one.
COUNTS = {"eager": 16, "graph": 4, "xla": 2, "dataset": 2, "batched": 3}
SAMPLED = {"eager": 4, "graph": 1}
HERE = environment()

PAIRS = dict(catalog.pairs())
CASES = [(name, engine) for name in PAIRS for engine in ENGINES]
DIFFERENCES = [(name, index) for name, c in PAIRS.items() for index in range(len(c.differences))]
UNSERVED = [(name, index) for name, c in PAIRS.items() for index in range(len(c.cannot_serve))]


def pair_here(name):
    contract = PAIRS[name]
    if contract.environment == "addons" and HERE == "main":
        pytest.skip("environment: the reference needs the addons environment")
    return pair_of(contract)


def examples(name, engine):
    counts = COUNTS if PAIRS[name].environment == HERE else SAMPLED
    if engine not in counts:
        pytest.skip(f"environment: {engine} is proved in the {PAIRS[name].environment} environment")
    profile = settings.get_profile("nightly").max_examples if settings().max_examples >= 1000 else None
    return profile or counts[engine]


def test_the_catalog_is_not_empty():
    assert PAIRS


@pytest.mark.parametrize(("name", "engine"), CASES)
def test_native_agrees_with_its_reference(name, engine):
    pair = pair_here(name)
    seed = 0 if settings().derandomize else None
    record = run_case(pair, engine, Plan(examples=examples(name, engine), seed=seed))
    if record.status == "not run":
        pytest.skip(f"declared: {record.note}")
    if record.failure is not None:
        pytest.fail(
            f"{record.failure.reason} (seed {record.seed})\n\n{record.failure.snippet}", pytrace=False
        )
    assert record.examples > 0


@pytest.mark.parametrize(("name", "index"), DIFFERENCES)
def test_a_declared_difference_is_still_there(name, index):
    pair = pair_here(name)
    difference = pair.differences[index]
    if difference.where:
        needed = Requirement(difference.where)
        found = importlib.import_module(needed.name).__version__
        if found not in needed.specifier:
            pytest.skip(f"environment: seen with {needed}, here is {found}")
    witness = difference.witness()
    assert difference.applies(pair.complete(witness)), "the witness does not fall under its own difference"
    try:
        examine(pair, call_of(pair, witness, "eager"), "eager")
    except NotEquivalent:
        return
    pytest.fail("the difference has healed: remove it from the contract", pytrace=False)


ONLY = [(name, index) for name, index in DIFFERENCES if PAIRS[name].differences[index].only]


@pytest.mark.parametrize(("name", "index"), ONLY)
def test_what_a_difference_is_limited_to_as_data_is_what_it_applies_to(name, index):
    pair = pair_here(name)
    difference = pair.differences[index]
    witness = pair.complete(difference.witness())
    for parameter, needed in difference.only.items():
        if isinstance(needed, tuple):
            assert witness.get(parameter) in needed
            known = getattr(PAIRS[name].domain[parameter], "values", (False, True))
            values = [{**witness, parameter: value} for value in known if value not in needed]
        else:
            array = np.asarray(witness[parameter])
            assert array.dtype.kind in needed
            other = np.uint8 if "f" in needed else np.float32
            values = [{**witness, parameter: np.nan_to_num(array, posinf=0).astype(other)}]
        assert values
        for one in values:
            assert not difference.applies(one), one


@pytest.mark.parametrize(("name", "index"), UNSERVED)
def test_an_engine_that_cannot_serve_still_cannot(name, index):
    """A witness for `batched` is a batch; the others are arguments of one call."""
    pair = pair_here(name)
    limit = pair.cannot_serve[index]
    witness = limit.witness()
    if limit.engine == "batched":
        elements = elements_of_batch(pair, witness)
        with pytest.raises(Exception):  # noqa: B017, PT011 - whatever TensorFlow raises
            pipeport.batched(pair.native)(**witness)
    else:
        assert limit.when(pair.complete(witness)), "the witness does not fall under its own exemption"
        call = call_of(pair, witness, "static")
        elements = list(call.elements)
        if limit.inexact:
            with pytest.raises(NotEquivalent):
                examine(pair, call, limit.engine)
            return
        assert run_native(pair.native, call, limit.engine).error is not None, "healed: remove the exemption"
    for element in elements:
        outcome = run_reference(pair.reference, pair.of_reference(element))
        assert outcome.error is None, "the reference refuses the witness too, so it shows nothing"
