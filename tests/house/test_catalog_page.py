"""The catalog page is derived from the contracts and the release."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from pipeport import _describe, _releases, catalog, catalog_page
from pipeport import contract as c

pytestmark = pytest.mark.newest_only


def test_the_page_is_built_below_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    catalog_page.main()
    assert (tmp_path / "build" / "docs" / "catalog.md").read_text(encoding="utf-8") == catalog_page.page()


def test_every_pair_has_a_section_and_a_link_to_it() -> None:
    page = catalog_page.page()
    for native in catalog.pairs():
        assert f"\n## {native}\n" in page
        assert f"[{native}](#{native.replace('.', '').lower()})" in page


def test_a_pair_that_no_release_has_says_what_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    release, name = _releases.newest(), "pipeport.numpy.flip"
    before = catalog_page.page()
    proofs = {native: row for native, row in release.proofs.items() if native != name}
    figures = {native: rows for native, rows in release.figures.items() if native != name}
    monkeypatch.setattr(
        _releases, "newest", lambda: dataclasses.replace(release, proofs=proofs, figures=figures)
    )
    told = "- Proof: not in a release yet: run `pipeport verify numpy.flip`, `pipeport bench numpy.flip`\n"
    assert told not in before
    assert told in catalog_page.page()
    assert (
        catalog_page.page().count("| not in a release yet |") == before.count("| not in a release yet |") + 1
    )


@pytest.mark.parametrize(
    ("base", "words"), [(c.Spec, _describe.spec_text), (c.Agreement, _describe.agreement_text)]
)
def test_every_kind_has_words(base: type, words: object) -> None:
    for kind in vars(c).values():
        if isinstance(kind, type) and issubclass(kind, base) and kind is not base:
            assert words.dispatch(kind) is not words.dispatch(base), kind


def test_what_is_drawn_is_told_apart_from_what_is_supported() -> None:
    entry = _describe.entry(catalog.find("cv2.warpAffine"))
    size = next(parameter for parameter in entry["parameters"] if parameter["name"] == "dsize")
    assert (size["supported"], size["drawn"]) == ("2 of them: integer", "1 to 20")
    page = catalog_page.page()
    assert "| parameter | default | supported | drawn in the proof | given as |" in page
    assert "| `dsize` | required | 2 of them: integer | 1 to 20 | static |" in page


@pytest.mark.parametrize(
    ("spec", "supported", "drawn"),
    [
        (c.Integer(1, 20), "integer", "1 to 20"),
        (c.Degrees(-720, 720), "degrees", "-720 to 720"),
        (c.Maybe(spec=c.Point(low=-3, high=12)), "None, or pair of real numbers", "None, or -3 to 12"),
        (c.OneOf("edge", "wrap"), "'edge' or 'wrap'", ""),
        (c.OneOf(None, 0, 1, 3), "None, 0, 1 or 3", ""),
        (c.OneOf(0, 0.5, (1, 2, 3)), "a number, or 3 numbers", "0, 0.5 or (1, 2, 3)"),
        (c.Shaped(shape=(7,), dtypes=("int32",)), "array of rank 1, of int32", "shape (7,); values -1 to 1"),
        (c.Boolean(), "True or False", ""),
    ],
)  # fmt: skip
def test_ranges_are_no_limits_and_choices_are(spec: c.Spec, supported: str, drawn: str) -> None:
    assert (_describe.spec_text(spec), _describe.drawn_text(spec)) == (supported, drawn)


def test_the_page_says_which_sizes_were_drawn() -> None:
    entry = _describe.entry(catalog.find("scipy.ndimage.rotate"))
    assert entry["large_images"].startswith("`input` of 64x65, ")
    assert all(f"{rows}x{columns}" in entry["large_images"] for rows, columns in c.LARGE)
    assert f"- Large images: {entry['large_images']}" in catalog_page.page()
    assert _describe.entry(catalog.find("numpy.flip"))["large_images"] == ""


@pytest.mark.parametrize("name", ["pipeport.numpy.flip", "pipeport.cv2.getRotationMatrix2D"])
def test_pairs_without_an_image_have_no_large_one(name: str) -> None:
    contract = catalog.find(name)
    assert c.large_image(contract.domain, contract.agreement) is None


@pytest.mark.parametrize(
    ("name", "image"),
    [
        ("cv2.remap", "src"),
        ("scipy.ndimage.map_coordinates", "input"),
        ("scipy.ndimage.spline_filter1d", "input"),
        ("pipeport.idioms.rotate_volume", "volume"),
        ("tensorflow_addons.image.dense_image_warp", "image"),
        ("tensorflow_addons.image.resampler", "data"),
        ("tensorflow_addons.image.rotate", "images"),
    ],
)
def test_every_kind_of_geometry_has_a_large_image(name: str, image: str) -> None:
    contract = catalog.find(name)
    assert c.large_image(contract.domain, contract.agreement) == image
