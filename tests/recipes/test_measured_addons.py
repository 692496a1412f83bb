"""bench/addons.py measures the whole mirror and the recipe."""

from __future__ import annotations

import importlib.util
import json
import sys

import pytest

from bench import release_parts
from pipeport.bench._measure import Protocol, Steady
from tests.recipes.recipe_tools import RECIPES

pytestmark = pytest.mark.both

BENCH = RECIPES.parent / "bench"
PREFIX = "pipeport.tensorflow_addons.image."
ENTRY = {"case": "c", "against": "before.py", "ratio": 2.0, "low": 1.9, "high": 2.1, "verdict": "faster"}


def imported(file: str):
    spec = importlib.util.spec_from_file_location(f"bench_{file}", BENCH / f"{file}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def script():
    pytest.importorskip("tensorflow_addons", reason="bench/addons.py measures against the real library")
    return imported("addons")


SHORT = Protocol(rounds=2, seconds=0.01, steady=Steady(window_s=0.001, windows=2, cap_s=0.01))


def test_every_function_is_measured(script):
    measured = {PREFIX + function for function, *_ in script.CASES.values()}
    others = {contract.native for contract in script.others().values()}
    assert measured | others == set(release_parts.natives_beside_addons())
    assert not measured & others


@pytest.mark.parametrize(
    ("name", "cases"),
    [("matrices_to_flat_transforms", ["no image"]), ("blend", ["float32, 256x256", "uint8, 256x256"])],
)
def test_others_are_measured_as_the_bench_calls_them(script, name, cases):
    contract = script.others()[name]
    found = list(script.measure_other(contract, SHORT))
    assert [one["ratio"]["case"] for one in found] == cases
    for one in found:
        assert one["ratio"]["against"] == contract.reference
        assert set(one["rounds"]) == {contract.reference, contract.native}


@pytest.mark.parametrize("case", ["bilinear", "a flow per image"])
def test_measure(script, case):
    found = script.measure(case, "float32", SHORT)
    function = script.CASES[case][0]
    assert found["ratio"]["against"] == f"tensorflow_addons.image.{function}"
    assert found["ratio"]["low"] <= found["ratio"]["ratio"] <= found["ratio"]["high"]
    assert set(found["rounds"]) == {found["ratio"]["against"], PREFIX + function}
    assert all(len(rounds) == 2 for rounds in found["rounds"].values())


def test_both_sides_of_every_case_agree(script):
    """A ratio of two answers would mean nothing. One level, one pixel in a thousand: see the contracts."""
    import numpy as np
    import tensorflow as tf

    photographs = script._photographs.photographs((script.SIDE, script.SIDE), "uint8")
    for function, dtypes, parameters, call in script.CASES.values():
        for dtype in dtypes:
            image = tf.cast(photographs[0], dtype)
            drawn = tf.constant(parameters[0], tf.float32)
            expected, got = (call(side, image, drawn).numpy() for side in (script.theirs, script.ours))
            assert got.shape == expected.shape, function
            apart = np.abs(got.astype(np.float64) - expected) > (1e-2 if dtype == "float32" else 1)
            assert apart.mean() < 1e-3, (function, dtype)


def test_recipe(script, monkeypatch):
    monkeypatch.setattr(script, "ELEMENTS", 64)
    found = script.measure_recipe(SHORT)
    assert found["ratio"]["against"] == "before.py"
    assert set(found["rounds"]) == {"before.py", "after.py"}


def test_ratio_is_ours_over_theirs(script, monkeypatch):
    from pipeport.bench._measure import Round

    def rounds(rate):
        return [Round(elements=rate, seconds=1.0, discarded=0, warm_s=0.0, steady=True)] * 3

    def interleaved(sides, _protocol):
        return {side.name: rounds(400 if side.kind == "native" else 100) for side in sides}

    monkeypatch.setattr(script, "interleaved", interleaved)
    entry = script.measure("bilinear", "uint8", SHORT)["ratio"]
    assert (entry["ratio"], entry["verdict"]) == (4.0, "faster")


def test_written_file_is_added_to(script, monkeypatch, tmp_path):
    file = tmp_path / "addons.json"
    monkeypatch.setattr(script, "measure_recipe", lambda _protocol: {"ratio": ENTRY, "rounds": {}})
    monkeypatch.setattr(
        script, "measure", lambda case, *_: {"ratio": ENTRY | {"case": case}, "rounds": {case: []}}
    )
    for name in ("resampler", script.RECIPE):
        monkeypatch.setattr(sys, "argv", ["addons.py", name, "--output", str(file)])
        script.main()
    written = json.loads(file.read_text())
    assert set(written["ratios"]) == {f"{PREFIX}resampler", f"recipes/{script.RECIPE}"}
    assert {"format", "machine", "commit", "protocol", "versions", "threads", "rounds"} <= set(written)
    monkeypatch.setattr(sys, "argv", ["addons.py", "resampler", "--rounds", "9", "--output", str(file)])
    script.main()
    assert set(json.loads(file.read_text())["ratios"]) == {f"{PREFIX}resampler"}, (
        "another protocol begins anew"
    )
