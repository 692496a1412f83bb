"""The picture of a report's ratios."""

from __future__ import annotations

import pytest

from pipeport.bench import _plot
from pipeport.bench._case import Case
from tests.bench.builders import case_result, report

pytestmark = pytest.mark.newest_only


@pytest.mark.parametrize("library", ["numpy", "albumentations", "random", "tensorflow", "somebodys_own"])
def test_each_library_is_drawn_and_named(tmp_path, library):
    picture = tmp_path / "a.svg"
    case = Case(pair=f"pipeport.{library}.f", dtype="float32")
    _plot.plot(report(case_result(case, reference=(100, 101), native=(400, 410))), picture)
    assert f"<!-- {library} -->" in picture.read_text()


@pytest.mark.parametrize(("pairs", "lines"), [(50, 50), (100, 100), (130, 2)])
def test_of_many_pairs_each_library_has_a_line(tmp_path, pairs, lines):
    picture = tmp_path / "a.svg"
    names = [f"pipeport.{'cv2' if one % 2 else 'numpy'}.f{one}" for one in range(pairs)]
    cases = [Case(pair=name, dtype="float32") for name in names]
    _plot.plot(report(*(case_result(one, reference=(100, 101), native=(40, 41)) for one in cases)), picture)
    text = picture.read_text()
    assert text.count('id="ytick_') == lines
    assert ("<!-- cv2 (65) -->" in text) == (pairs == 130)
