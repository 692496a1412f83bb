"""The picture of a report."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from pipeport.cli import main
from pipeport.errors import OutsideDomain
from pipeport.inspection import _plot
from pipeport.inspection._report import Boundary, Report, Run, Stage

pytestmark = pytest.mark.newest_only


def report():
    stages = [Stage(number=1, name="range", seconds=0.001), Stage(number=2, name="map", seconds=0.004)]
    boundary = Boundary(wrapper="numpy_function", token="t", function="turn", stage=2, seconds=0.003)
    run = Run(elements=9, passes=1, measured_by="model")
    return Report(name="a dataset", kind="dataset", stages=stages, boundaries=[boundary], run=run)


def test_stages_are_drawn_with_their_python(tmp_path):
    picture = tmp_path / "stages.svg"
    _plot.plot(report(), picture)
    drawn = picture.read_text(encoding="utf-8")
    assert drawn.startswith("<?xml")
    for text in ("1 range", "2 map", "Python in it", "of all threads together"):
        assert f"<!-- {text}" in drawn or text in drawn
    _plot.plot(report(), tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_text(encoding="utf-8") == drawn


def test_the_command_draws(tmp_path):
    picture = tmp_path / "stages.svg"
    target = "tests.inspection.pipelines:with_one_slow_stage"
    done = CliRunner().invoke(main, ("inspect", target, "--seconds", "0.1", "--plot", str(picture)))
    assert done.exit_code == 1
    assert "Drawn: " in done.stderr
    assert picture.exists()


def test_what_cannot_be_drawn_is_refused(tmp_path):
    with pytest.raises(OutsideDomain, match=r"\.doc"):
        _plot.plot(report(), tmp_path / "stages.doc")
    bare = report()
    bare.run = None
    with pytest.raises(OutsideDomain, match="without times of stages"):
        _plot.plot(bare, tmp_path / "stages.svg")
