"""The site's sources: documents as they are, and pages that are derived from contracts and the release."""

from __future__ import annotations

import dataclasses
import html
import re
from pathlib import Path

import pytest

from docs.site import pages
from pipeport import _describe, _releases, catalog
from pipeport import contract as c

pytestmark = pytest.mark.newest_only

LINKS = pages.elsewhere()


def page_of(name: str) -> str:
    """Return the page of a native."""
    contract = catalog.find(name)
    place = pages.place(contract)
    return pages.of_catalog(place, pages.pages()[place], _releases.newest(), LINKS, {})


def test_every_native_has_one_page_and_a_link_from_the_index() -> None:
    placed = [contract for found in pages.pages().values() for contract in found]
    assert sorted(contract.native for contract in placed) == list(catalog.pairs())
    text = pages.index_page(pages.index_rows(_releases.newest()), ["numpy"])
    for name, found in pages.pages().items():
        for contract in found:
            assert f'<a href="{name}.html#{contract.native}">' in text


def test_natives_of_arrays_share_pages_and_those_of_images_have_their_own() -> None:
    assert pages.place(catalog.find("skimage.transform.rotate")) == "pipeport.skimage.transform.rotate"
    assert pages.place(catalog.find("numpy.sum")) == pages.place(catalog.find("numpy.mean"))
    text = page_of("numpy.sum")
    assert "\n## pipeport.numpy.sum\n" in text
    assert "\n## pipeport.numpy.mean\n" in text


def test_a_page_has_the_contract_and_the_figures() -> None:
    entry = _describe.entry(catalog.find("numpy.rot90"), _releases.newest())
    text = page_of("numpy.rot90")
    for part in (entry["agreement"], entry["proof"], *entry["differences"], entry["ratios"][0]["against"]):
        assert part in text
    assert ".. autofunction:: pipeport.numpy.rot90" in text
    assert _releases.newest().origin() in text


def test_a_pair_that_no_release_has_says_what_to_run() -> None:
    release, name = _releases.newest(), "pipeport.numpy.flip"
    proofs = {native: row for native, row in release.proofs.items() if native != name}
    figures = {native: rows for native, rows in release.figures.items() if native != name}
    without = dataclasses.replace(release, proofs=proofs, figures=figures)
    told = "- Proof: not in a release yet: run `pipeport verify numpy.flip`, `pipeport bench numpy.flip`"
    contract = catalog.find(name)
    assert told in pages.section(_describe.entry(contract, without), {})
    assert told not in pages.section(_describe.entry(contract, release), {})
    rows = {row["native"]: row for row in pages.index_rows(without)}
    assert rows[name]["figure"] == "not in a release yet"
    assert rows["pipeport.numpy.rot90"]["figure"].endswith("x")


def test_the_index_can_be_filtered_by_each_of_its_columns() -> None:
    rows = pages.index_rows(_releases.newest())
    text = pages.index_page(rows, ["numpy"])
    for column in pages.FILTERS:
        for value in {row[column] for row in rows}:
            assert f"<option>{html.escape(value)}</option>" in text
            assert f'data-{column}="{html.escape(value)}"' in text


def test_every_explained_line_is_in_the_entry() -> None:
    text = pages.entry_page()
    printed = text.split("```text\n")[1].split("\n```")[0]
    assert printed.startswith("rot90(m, k=1, axes=(0, 1))\n")
    assert [line for line in pages.LINES if line not in printed] == []
    assert "| `drawn` | the range of the examples" in text


def test_references_that_are_documented_elsewhere_are_linked() -> None:
    assert pages.section(_describe.entry(catalog.find("numpy.rot90")), LINKS)[0] == (
        "- Replaces: {external+numpy:py:obj}`numpy.rot90`"
    )
    assert pages.section(_describe.entry(catalog.find("cv2.warpAffine")), LINKS)[0] == (
        "- Replaces: `cv2.warpAffine`"
    )


def test_links_to_the_readme_lead_to_the_first_page() -> None:
    file = Path("docs/porting.md")
    assert pages.page(file, "[a](../README.md#try-it)", {}) == "[a](../index.md#try-it)"
    assert pages.page(file, "[a](../recipes/rotation/README.md)", {}) == "[a](../recipes/rotation/README.md)"
    assert pages.page(file, "[a](https://example.org/README.md)", {}) == "[a](https://example.org/README.md)"
    assert pages.page(file, "see [`tests`](../tests)", {}) == "see `tests`"


def test_every_nearest_function_is_listed_with_how_it_differs() -> None:
    lines = pages.beside_page(_releases.newest()).splitlines()
    stock = [one for one in catalog.pairs().values() if one.stock]
    assert len(stock) > 20
    for contract in stock:
        (row,) = [line for line in lines if f"<{contract.native}>`" in line]
        assert f"| `{contract.stock.name}` |" in row
    assert any(re.search(r"\| float32, 256x256 \d+\.\d\dx", line) for line in lines)


def test_a_recipe_has_its_picture_behind_the_second_program() -> None:
    file = Path("recipes/rotation/README.md")
    text = "# Rotation\n\n## After\n\nIt is native.\n\n## What differs\n\nNothing.\n"
    assert pages.page(file, text, {}) == text
    shown = "![Elements of before.py, then of after.py](../../docs/api/pictures/rotation-1.webp)"
    found = pages.page(file, text, {"recipes/rotation": {"file": "rotation-1.webp"}})
    assert found == text.replace("## What differs", f"{shown}\n\n## What differs")


def test_every_code_leads_to_its_explanation() -> None:
    text = pages.codes_page()
    for code, file in (("PP101", "rules.md"), ("PP207", "run.md")):
        (anchor,) = re.findall(rf"\[{code}\]\({file}#([\w-]+)\)", text)
        headings = re.findall(rf"^#+ ({code}: .*)$", (pages.ROOT / "docs" / file).read_text(), re.MULTILINE)
        assert anchor == headings[0].lower().replace(":", "").replace(" ", "-").replace("'", "")


def test_every_document_is_in_the_contents() -> None:
    """Sphinx in strict mode finds those that are not; here, that the table names what is there."""
    for file, names in pages.CONTENTS.items():
        folder = (pages.ROOT / file).parent
        for name in names:
            target = re.sub(r".*<(.*)>", r"\1", name)
            if target not in ("docs/api/index", "docs/codes"):
                assert list(folder.glob(f"{target}.md")) or (folder / f"{target}.md").exists(), name


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
    page = page_of("cv2.warpAffine")
    assert "| parameter | default | supported | drawn in the proof | given as |" in page
    assert "| `dsize` | required | 2 of them: integer | 1 to 20 |" in page


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
    assert (_describe.spec_text(spec), _describe.sampled_text(spec)) == (supported, drawn)


def test_the_page_says_which_sizes_were_drawn() -> None:
    entry = _describe.entry(catalog.find("scipy.ndimage.rotate"))
    assert entry["large_images"].startswith("`input` of 64x65, ")
    assert all(f"{rows}x{columns}" in entry["large_images"] for rows, columns in c.LARGE)
    assert f"- Large images: {entry['large_images']}" in page_of("scipy.ndimage.rotate")
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
