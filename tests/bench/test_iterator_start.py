"""bench/iterator_start.py: maps of so many natives, their functions counted, and first batches compared."""

from __future__ import annotations

import importlib.util
import itertools
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.recipes.recipe_tools import boundaries

pytestmark = pytest.mark.newest_only

pytest.importorskip("psutil")


@pytest.fixture
def script(monkeypatch):
    path = Path(__file__).parents[2] / "bench" / "iterator_start.py"
    spec = importlib.util.spec_from_file_location("bench_iterator_start", path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ELEMENTS", 9)
    monkeypatch.setattr(module, "ROUNDS", 1)
    return module


def test_each_native_adds_functions_and_nodes(script):
    counted = []
    for count in range(len(script.COMPILED) + 1):
        dataset = script.mapped(script.images(2), script.chain(list(script.COMPILED)[:count]))
        assert boundaries(dataset) == set()
        counted.append(script.size_of(dataset))
    functions, nodes = zip(*counted, strict=True)
    assert list(functions) == sorted(set(functions))
    assert list(nodes) == sorted(set(nodes))


@pytest.fixture
def ticking(script, monkeypatch):
    """A clock that moves by one each time it is read."""
    monkeypatch.setattr(script, "time", SimpleNamespace(perf_counter=itertools.count().__next__))


@pytest.mark.usefixtures("ticking")
def test_starts_of_every_map(script):
    found = script.starts()
    assert list(found)[:4] == [f"{count} compiled" for count in range(4)]
    assert len(found) == 6
    for figures in found.values():
        assert figures.pop("nodes") >= figures.pop("functions") > 0
        # The clock is read at the begin of an epoch, after its first element and at its end.
        assert figures == {"compiled_s": 1, "start_s": 1, "epoch_s": 2, "repeated_s": 1, "fast_start_s": 1}


def test_the_first_epoch_compiles_and_the_others_give_the_median(script, monkeypatch):
    monkeypatch.setattr(script, "ROUNDS", 3)
    epochs = iter([(9, 10), (1, 6), (3, 4), (2, 5)])
    monkeypatch.setattr(script, "epoch", lambda dataset: next(epochs))
    found = script.start(script.mapped(script.images(9), script.chain([])))
    assert [found[name] for name in ("compiled_s", "start_s", "epoch_s")] == [9, 2, 5]
    assert next(epochs, None) is None


def test_all_natives_are_held_against_the_longest_of_them(script, monkeypatch):
    seconds = {"cv2.warpAffine": 2.0, "skimage.transform.rotate": 1.0, "scipy.ndimage.rotate": 0.5}
    monkeypatch.setattr(script, "_in_a_process", lambda names: sum(seconds[name] for name in names))
    *alone, together = script.batches().values()
    assert [one["first_batch_s"] for one in alone] == [2.0, 1.0, 0.5]
    assert together == {"natives": 3, "first_batch_s": 3.5, "of_longest": 1.75}


@pytest.mark.usefixtures("ticking")
def test_a_first_batch_is_timed_here(script, monkeypatch):
    read = []
    monkeypatch.setattr(script, "mapped", lambda dataset, body: read.append(body) or dataset.map(body))
    assert script.first_batch(["skimage.transform.rotate"]) == 1
    assert len(read) == 1


def test_what_is_printed_and_kept(script, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(script, "TABLES", {"starts": lambda: {"0 compiled": {"start_s": 0.25}}})
    monkeypatch.setattr(sys, "argv", ["x", "starts", "--json", str(tmp_path / "a.json")])
    script.main()
    assert capsys.readouterr().out == "0 compiled: start_s 0.25\n"
    assert json.loads((tmp_path / "a.json").read_text()) == {"starts": {"0 compiled": {"start_s": 0.25}}}
    monkeypatch.setattr(sys, "argv", ["x", "stats"])
    with pytest.raises(SystemExit):
        script.main()
    assert "no table stats; there are starts" in capsys.readouterr().err
