"""The check of the built site finds what it is for."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from docs.site import check

pytestmark = pytest.mark.newest_only

RIGHT = """<html><head><link rel="stylesheet" href="_static/a.css"><link rel="canonical" href="https://example.org/">
</head><body><h1 id="top-of-it">x</h1><a href="other.html#a%20b">o</a> <a href="#top-of-it">here</a>
<a href="https://example.org/page">elsewhere</a> <img src="data:image/png;base64,AA"></body></html>"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site of two pages without a fault."""
    (tmp_path / "_static").mkdir()
    (tmp_path / "_static" / "a.css").write_text("")
    (tmp_path / "_static" / "template.html").write_text('<a href="{{ nowhere }}">x</a>')
    (tmp_path / "index.html").write_text(RIGHT)
    (tmp_path / "other.html").write_text('<p id="a b"><a href="index.html">back</a></p>')
    return tmp_path


def test_a_site_without_a_fault(site: Path) -> None:
    assert check.broken(site) == []


@pytest.mark.parametrize(
    ("tag", "found"),
    [
        ('<a href="missing.html">', "index.html: missing.html"),
        ('<a href="other.html#nowhere">', "index.html: other.html#nowhere"),
        ('<a href="#nowhere">', "index.html: #nowhere"),
        ('<img src="a.png">', "index.html: a.png"),
        ('<script src="https://example.org/a.js">', "index.html: fetches https://example.org/a.js"),
        ('<link rel="stylesheet" href="//example.org/a.css">', "index.html: fetches //example.org/a.css"),
    ],
)
def test_a_fault_is_found(site: Path, tag: str, found: str) -> None:
    (site / "index.html").write_text(RIGHT + tag)
    assert check.broken(site) == [found]


@pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")
def test_what_is_wrong_in_a_browser(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "OPENED", ("index.html", "other.html"))
    result = f'<a href="{check.FOUND}">found</a>'
    (site / "search.html").write_text(result)
    (site / "favicon.ico").write_text("")
    assert check.in_browser(site, "chromium") == []
    (site / "index.html").write_text(
        '<div style="width:900px">wide</div><script>throw Error("broken")</script>'
    )
    (site / "search.html").write_text("nothing")
    console, *others, searched = check.in_browser(site, "chromium")
    assert console.startswith("console:")
    assert "broken" in console
    assert any(line.startswith("wide ") and " at 400: 9" in line for line in others)
    (site / "index.html").write_text('<h1 style="width:90px;overflow:hidden">one.name.that.is.long</h1>')
    cut = check.in_browser(site, "chromium")
    assert any(line.startswith("cut ") and line.endswith("one.name.that.is.long") for line in cut)
    assert searched == f"the search for rotate does not find {check.FOUND}"
