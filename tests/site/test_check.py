"""The check of the built site finds what it is for."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from docs.site import check

pytestmark = pytest.mark.newest_only

RIGHT = """<html><head><link rel="stylesheet" href="_static/a.css"><link rel="canonical" href="https://example.org/">
</head><body><h1 id="top-of-it">x</h1><a href="other.html#a%20b">o</a> <a href="#top-of-it">here</a>
<a href="https://example.org/page">elsewhere</a> <img src="data:image/png;base64,AA" alt="x"></body></html>"""


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
    monkeypatch.setattr(check, "MENU", False)
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
    assert any(line.startswith("wide ") and " at 400, light: 9" in line for line in others)
    (site / "index.html").write_text('<h1 style="width:90px;overflow:hidden">one.name.that.is.long</h1>')
    cut = check.in_browser(site, "chromium")
    assert any(line.startswith("cut ") and line.endswith("one.name.that.is.long") for line in cut)
    assert searched == f"the search for rotate does not find {check.FOUND}"


FAINT = {
    '<p style="color:#999">on white</p>': "contrast 2.85: on white",
    '<p style="color:#fff9;background:#888">in part</p>': "contrast 2.28: in part",
    '<p style="color:#999;font-size:30px">large</p>': "contrast 2.85: large",
}
UNREACHED = {
    '<a href="other.html" tabindex="2">second</a>': "keyboard out of order: <a href=",
    "<button></button>": "keyboard without a name: <button>",
    '<div onclick="go()">go</div>': "keyboard not reached: <div onclick=",
    '<img src="data:image/png;base64,AA">': "keyboard without words: data:image",
}


@pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")
def test_what_is_hard_to_read_or_to_reach(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = '<p style="color:#666">grey</p><button>a name</button><label>b <input></label>'
    right += '<img src="x.svg" alt="x">'
    (site / "x.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    (site / "favicon.ico").write_text("")
    (site / "search.html").write_text(f'<a href="{check.FOUND}">found</a>')
    (site / "index.html").write_text(right)
    monkeypatch.setattr(check, "OPENED", ("index.html",))
    monkeypatch.setattr(check, "VIEWS", ((400, "light"),))
    monkeypatch.setattr(check, "MENU", False)
    assert check.in_browser(site, "chromium") == []
    faults = FAINT | UNREACHED
    (site / "index.html").write_text(right + "".join(faults))
    where = f"{(site / 'index.html').as_uri()} at 400, light: "
    found = [line.replace(where, "") for line in check.in_browser(site, "chromium")]
    assert len(found) == len(faults)
    for start in faults.values():
        assert [line for line in found if line.startswith(start)], (start, found)
    (site / "index.html").write_text(right)
    monkeypatch.setattr(check, "MENU", True)
    assert check.in_browser(site, "chromium") == [f"keyboard {where}no link past the menu comes first"]
