"""bench/recipes.py measures every recipe, and what it writes is what the READMEs read."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from pipeport.bench._measure import Protocol, Steady
from tests.recipes.recipe_tools import NAMES, RECIPES

pytest.importorskip("psutil")

# Measured with the real library beside it, see test_measured_addons.py.
ELSEWHERE = {"off-tensorflow-addons"}
HERE = [name for name in NAMES if name not in ELSEWHERE]


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("bench_recipes", RECIPES.parent / "bench" / "recipes.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["bench_recipes"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def small(script, monkeypatch):
    monkeypatch.setattr(script, "SIZE", (16, 16))
    monkeypatch.setattr(script, "ELEMENTS", 64)
    monkeypatch.setattr(script, "VOLUME", (16, 16, 4))
    monkeypatch.setattr(script, "ARCHIVES", 64)


SHORT = Protocol(rounds=2, seconds=0.01, steady=Steady(window_s=0.001, windows=2, cap_s=0.01))


def test_no_recipe_is_forgotten(script):
    assert sorted(script.DATA) == sorted(script.CASES) == HERE
    assert set(script.ELSEWHERE) == ELSEWHERE
    assert all((RECIPES.parent / file).is_file() for file in script.ELSEWHERE.values())


@pytest.mark.parametrize("name", HERE)
def test_data_has_the_size_its_case_states(script, name):
    if name in script.OF_FILES:
        assert "files of 256x256" in script.CASES[name]
        columns = [np.atleast_1d(column) for column in script.DATA[name]()]
        assert len({len(column) for column in columns}) == 1
        assert all(Path(path).exists() for column in columns for path in column)
        return
    images, others = script.DATA[name]()
    assert len(others) == len(images)
    assert script.CASES[name].startswith(str(images.dtype))
    if name == "volume-rotation":
        assert images.shape == (script.VOLUMES, 128, 128, 64)
        assert "128x128x64" in script.CASES[name]
    else:
        assert images.shape == (script.ELEMENTS, 256, 256, 3)
        assert "256x256" in script.CASES[name]


@pytest.mark.parametrize("name", HERE)
def test_measure(script, small, name, capsys):
    found = script.measure(name, SHORT)
    assert len(found["ratios"]) == len(found["rounds"]) == 1 + len(script.TOLD.get(name, {}))
    for entry in found["ratios"]:
        assert entry["against"] == "before.py"
        assert entry["verdict"] in {"faster", "slower", "no difference"}
        assert entry["low"] <= entry["ratio"] <= entry["high"]
        assert entry["case"].startswith(script.CASES[name])
        sides = {side: len(rounds) for side, rounds in found["rounds"][entry["case"]].items()}
        assert sides == {"before.py": 2, "after.py": 2}
    assert "after.py, round 2 of 2" in capsys.readouterr().out


def test_ratio_is_after_over_before(script, small, monkeypatch):
    from pipeport.bench._measure import Round

    def rounds(rate):
        return [Round(elements=rate, seconds=1.0, discarded=0, warm_s=0.0, steady=True)] * 3

    monkeypatch.setattr(
        script, "interleaved", lambda *_args, **_more: {"before.py": rounds(100), "after.py": rounds(400)}
    )
    (entry,) = script.measure("arithmetic", SHORT)["ratios"]
    assert (entry["ratio"], entry["verdict"]) == (4.0, "faster")


def test_written_file(script, monkeypatch, tmp_path):
    entry = {"case": "c", "against": "before.py", "ratio": 2.0, "low": 1.9, "high": 2.1, "verdict": "faster"}
    monkeypatch.setattr(script, "measure", lambda name, protocol: {"ratios": [entry], "rounds": {name: []}})
    file = tmp_path / "recipes.json"
    for name in ("rotation", "arithmetic"):
        monkeypatch.setattr(sys, "argv", ["recipes.py", name, "--output", str(file)])
        script.main()
    written = json.loads(file.read_text())
    assert written["ratios"] == {"recipes/rotation": [entry], "recipes/arithmetic": [entry]}
    assert {"format", "machine", "commit", "environment", "rounds"} <= set(written)
