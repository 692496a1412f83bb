"""The catalog page is derived from the contracts, and committed fresh."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeport import _describe, catalog, catalog_page
from pipeport import contract as c
from tests.house import overlay


def test_the_committed_page_is_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(overlay.ROOT)
    assert catalog_page.main(["--check"]) == 0, "run `python -m pipeport.catalog_page` and commit the page"


def test_a_stale_page_is_noticed_and_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert catalog_page.main(["--check"]) == 1
    assert catalog_page.main([]) == 0
    assert catalog_page.main(["--check"]) == 0
    with catalog_page.PAGE.open("a", encoding="utf-8") as page:
        page.write("edited by hand\n")
    assert catalog_page.main(["--check"]) == 1


def test_other_arguments_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert catalog_page.main(["--chek"]) == 2
    assert "usage" in capsys.readouterr().err


def test_every_pair_has_a_section_and_a_link_to_it() -> None:
    page = catalog_page.page()
    for native in catalog.pairs():
        assert f"\n## {native}\n" in page
        assert f"[{native}](#{native.replace('.', '').lower()})" in page


@pytest.mark.parametrize(
    ("base", "words"), [(c.Spec, _describe.spec_text), (c.Agreement, _describe.agreement_text)]
)
def test_every_kind_has_words(base: type, words: object) -> None:
    for kind in vars(c).values():
        if isinstance(kind, type) and issubclass(kind, base) and kind is not base:
            assert words.dispatch(kind) is not words.dispatch(base), kind
