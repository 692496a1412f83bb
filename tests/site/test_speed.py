"""The page of speed draws every ratio of a release where it belongs, and says it in words too."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from docs.site import speed
from pipeport import _releases, catalog

pytestmark = pytest.mark.newest_only

RELEASE = _releases.newest()


def row(ratio: float, low: float, high: float, verdict: str, **more: Any) -> dict[str, Any]:
    known = {"case": "uint8, 8x8", "against": "numpy_function + f", "rounds": 7}
    return {**known, "ratio": ratio, "low": low, "high": high, "verdict": verdict, **more}


def test_the_scale_holds_every_interval_and_one() -> None:
    scale = speed.Scale([row(0.5, 0.4, 0.6, "slower"), row(2.0, 1.9, 4.0, "faster")])
    assert (scale.low, scale.high, scale.numbers) == (0.3, 10.0, [0.3, 1.0, 3.0, 10.0])
    assert 0 < scale.x(0.4) < scale.x(0.5) < scale.x(1) < scale.x(4.0) < speed.WIDTH
    assert scale.x(3) - scale.x(1) == pytest.approx(scale.x(0.9) - scale.x(0.3)), "it is logarithmic"
    faster = speed.Scale([row(2.0, 2.0, 2.0, "faster")])
    assert faster.low == 1.0, "the line of equal speed is always there"
    assert faster.x(2.0) > faster.x(1)
    assert speed.Scale([row(1.0, 1.0, 1.0, "no difference")]).high > 1


@pytest.mark.parametrize(
    ("verdict", "mark"), [("faster", 'r="4"'), ("slower", "<path"), ("no difference", 'r="3.5"')]
)
def test_each_verdict_has_its_mark(verdict: str, mark: str) -> None:
    drawn = speed.Scale([row(2.0, 1.0, 3.0, verdict)]).drawn([row(2.0, 1.0, 3.0, verdict)], 'a "<b>"')
    marks = ('r="4"', "<path", 'r="3.5"')
    assert [one for one in marks if one in drawn] == [mark]
    assert 'aria-label="a &quot;&lt;b&gt;&quot;"' in drawn


def test_marks_and_lines_stand_at_their_ratios() -> None:
    one = row(2.0, 1.5, 3.0, "faster")
    scale = speed.Scale([one, row(0.2, 0.2, 0.2, "slower")])
    drawn = scale.drawn([one], "")
    assert f'<circle cx="{scale.x(2.0):.1f}"' in drawn
    assert f'<line x1="{scale.x(1.5):.1f}" x2="{scale.x(3.0):.1f}"' in drawn
    assert f'<line x1="{scale.x(1):.1f}" x2="{scale.x(1):.1f}"' in drawn


def test_every_native_and_program_of_the_release_is_drawn() -> None:
    assert RELEASE is not None
    page = speed.page(
        RELEASE, {"pipeport.cv2.resize": "pipeport.cv2.resize.html#pipeport.cv2.resize"}
    ).replace("<wbr>", "")
    known = [name for name in RELEASE.figures if name in catalog.pairs()]
    for name in known:
        assert f"<code>{name.removeprefix('pipeport.')}</code>" in page
    assert f"of {len(known)} natives, of the {len(catalog.pairs())} that" in page
    assert page.count("<tr><td>") == len(known) + sum(map(len, RELEASE.programs.values()))
    assert '<a href="pipeport.cv2.resize.html#pipeport.cv2.resize"><code>cv2.resize' in page
    assert RELEASE.origin() in page


def test_what_is_drawn_is_against_the_reference_alone_and_the_slowest_comes_first() -> None:
    assert RELEASE is not None
    stock = catalog.find("PIL.Image.convert").stock
    assert stock is not None
    figures = {
        "pipeport.PIL.Image.crop": [row(4.0, 4.0, 4.0, "faster"), row(1.0, 1.0, 1.0, "no difference")],
        "pipeport.PIL.Image.convert": [
            row(0.5, 0.5, 0.5, "slower"),
            row(9.0, 9.0, 9.0, "faster", against=stock.name),
        ],
        "pipeport.PIL.gone": [row(7.0, 7.0, 7.0, "faster")],
    }
    page = speed.page(replace(RELEASE, figures=figures, programs={}), {})
    assert re.findall(r"</code> (\S+)</td>", page) == ["0.50x", "2.00x"]
    assert "3 ratios, 1.26x in geometric mean; 1 of them slower." in page
    assert "gone" not in page
    assert "9.00x" not in page
    assert 'aria-label="uint8, 8x8: 0.50x (95 %: 0.50 to 0.50), slower"' in page


def test_without_a_release_it_says_so() -> None:
    assert "No release has measured" in speed.page(None, {})
