"""bench/scripts.py: whole scripts as they are and through `pipeport run`, in turn."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.newest_only


@pytest.fixture
def bench(monkeypatch):
    path = Path(__file__).parents[2] / "bench" / "scripts.py"
    spec = importlib.util.spec_from_file_location("bench_scripts", path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


def test_every_side_runs_the_script(bench, tmp_path, monkeypatch, capsys):
    (tmp_path / "noted.py").write_text(
        f"import os, sys\n"
        f"with open({str(tmp_path / 'seen.txt')!r}, 'a') as file:\n"
        f"    print('pipeport.acceleration' in sys.modules, bool(os.environ['PIPEPORT_CACHE']), file=file)\n"
    )
    monkeypatch.setattr(bench, "SCRIPTS", {"noted": tmp_path / "noted.py"})
    monkeypatch.setattr(
        sys, "argv", ["scripts.py", "noted", "--rounds", "2", "--json", str(tmp_path / "out")]
    )
    bench.main()
    assert (tmp_path / "seen.txt").read_text().split("\n")[:-1] == [
        "False True",
        "True True",
        "True True",
    ] * 2
    found = json.loads((tmp_path / "out").read_text())["noted"]
    assert list(found) == ["python", "run --fresh", "run"]
    assert found["python"]["faster"] == found["python"]["least"] == 1
    assert all(0 < row["least"] <= row["faster"] <= row["most"] for row in found.values())
    assert "noted run --fresh: seconds" in capsys.readouterr().out


def test_a_script_that_fails_ends_it(bench, tmp_path):
    (tmp_path / "broken.py").write_text("raise KeyError('mine')\n")
    with pytest.raises(SystemExit, match="KeyError: 'mine'"):
        bench.measured(tmp_path / "broken.py", 1)


def test_an_element_of_a_native_boundary(bench):
    found = bench.element(1)
    assert found["port_us"] > 0
    assert found["faster"] == pytest.approx(found["port_us"] / found["run_us"])


def test_mistakes(bench, monkeypatch, capsys):
    for arguments, told in ((["nothing"], "no script nothing"), (["--rounds", "0"], "at least 1")):
        monkeypatch.setattr(sys, "argv", ["scripts.py", *arguments])
        with pytest.raises(SystemExit):
            bench.main()
        assert told in capsys.readouterr().err
