"""Pictures show what differs, with what belongs to an image, and are drawn anew when that changes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from docs.site import gallery, pages
from pipeport import catalog, config
from pipeport import contract as c

pytestmark = pytest.mark.newest_only


@pytest.fixture(autouse=True)
def _without_compiler():
    with config.use_jit("never"):
        yield


@pytest.mark.parametrize(
    ("spec", "typical", "found"),
    [
        (c.Real(0.0, 3.0), 0.7, [0.0, 0.35, 0.7, 1.4, 2.8]),
        (c.Real(-1.0, 1.0), None, [-1.0, -0.5, 0.0, 0.5, 1.0]),
        (c.Integer(1, 9), 2, [1, 2, 4, 8]),
        (c.Degrees(-720, 720), 30, [-90.0, -45.0, 0.0, 45.0, 90.0]),
        (c.Maybe(spec=c.Boolean()), None, [False, True]),
        (c.OneOf("edge", "float32", "wrap", np.ones(2), "int16"), None, ["edge", "wrap"]),
        (c.PerAxis(spec=c.OneOf(3, 5), count=2), (3, 3), [(3, 3), (5, 5)]),
        (c.SeedPair(), None, []),
    ],
)
def test_values_come_from_the_contract(spec: c.Spec, typical: object, found: list) -> None:
    assert gallery.values(spec, typical) == found


def test_the_main_parameter_is_the_first_that_is_seen() -> None:
    tiles, parameter, values = gallery.strip_of(catalog.find("skimage.transform.rotate"))
    assert (parameter, values) == ("angle", ["-90", "-45", "0", "45", "90"])
    assert len({np.asarray(tile)[gallery.LINE :].tobytes() for tile in tiles}) == 5, "0 degrees is the input"


def test_a_transform_that_draws_is_shown_at_seeds_with_what_belongs_to_the_image() -> None:
    contract = catalog.find("albumentations.CoarseDropout")
    tiles, parameter, values = gallery.strip_of(contract)
    assert (parameter, len(values), len(tiles)) == ("seed", 5, 6)
    colours = {tuple(pixel) for pixel in np.asarray(tiles[0]).reshape(-1, 3)}
    assert set(gallery.COLOURS.values()) <= colours


def test_what_gives_no_image_has_no_picture() -> None:
    assert gallery.strip_of(catalog.find("skimage.filters.threshold_otsu")) is None


# --- signals ---------------------------------------------------------------------------------------


def test_a_native_of_signals_is_shown_on_a_tone() -> None:
    contract = catalog.find("scipy.signal.detrend")
    tiles, parameter, values = gallery.strip_of_signal(contract)
    assert (parameter, values, len(tiles)) == ("bp", ["0", "1", "(3, 2)", "(0, 4, 4, 7)"], 5)
    assert gallery.signal_of(contract) == "data"
    assert contract not in list(gallery.shown()), "it has no photograph besides"


def test_frequencies_are_heat_and_rise_with_the_tone() -> None:
    tiles, _, _ = gallery.strip_of_signal(catalog.find("scipy.signal.spectrogram"))
    heat = np.asarray(tiles[1].convert("L"))[gallery.LINE :]
    brightest = heat[:, [20, -20]].argmax(axis=0)
    assert brightest[0] > brightest[1], "higher up to the right"


def test_values_between_nodes_are_drawn() -> None:
    tiles, parameter, _ = gallery.strip_of_signal(catalog.find("scipy.interpolate.CubicSpline"))
    assert parameter == "bc_type"
    assert len({np.asarray(tile)[gallery.LINE :].tobytes() for tile in tiles}) == len(tiles)


@pytest.mark.parametrize("name", ["scipy.signal.fftconvolve", "scipy.ndimage.rotate", "numpy.convolve"])
def test_what_takes_images_is_shown_on_a_photograph(name: str) -> None:
    assert gallery.signal_of(catalog.find(name)) is None


def test_a_line_stands_between_its_ends() -> None:
    tile = np.asarray(gallery.plot(np.array([-1.0, 1.0]), "", -1.0, 1.0).convert("L"))[gallery.LINE :]
    rows, columns = np.nonzero(tile < 180)
    assert (rows[columns == 0].max(), rows[columns == gallery.SIDE - 1].min()) == (gallery.SIDE - 1, 0)
    assert (tile[gallery.SIDE // 2 - 1 : gallery.SIDE // 2 + 1] < 255).any(axis=0).all(), "the zero"


@pytest.mark.parametrize(
    ("image", "least", "most"),
    [
        (np.array([[0.0, 0.5]] * 8).repeat(4, 1), 0, 128),
        (np.array([[-1.0, 3.0]] * 8).repeat(4, 1), 0, 255),
        (np.array([[False, True]] * 8).repeat(4, 1), 0, 255),
        (np.array([[0, 200]] * 8, np.int32).repeat(4, 1), 0, 200),
    ],
)
def test_images_keep_their_scale_where_they_have_one(image: np.ndarray, least: int, most: int) -> None:
    found = gallery.as_bytes(image)
    assert (found.min(), found.max()) == (least, most)
    assert gallery.as_bytes(image[:2]) is None, "too small to be an image"


def test_only_what_changed_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    natives = [catalog.find(name) for name in ("numpy.flip", "skimage.util.invert", "cv2.meanStdDev")]
    monkeypatch.setattr(gallery, "PICTURES", tmp_path)
    monkeypatch.setattr(pages, "PICTURES", tmp_path)
    monkeypatch.setattr(gallery, "shown", lambda: iter(natives))
    monkeypatch.setattr(gallery, "recipes", lambda: iter(()))
    monkeypatch.setattr(gallery, "signals", lambda: iter(()))
    monkeypatch.setattr("sys.argv", ["gallery"])
    drawn = []
    strip_of = gallery.strip_of
    monkeypatch.setattr(gallery, "strip_of", lambda one: drawn.append(one.native) or strip_of(one))
    gallery.main()
    gallery.main()
    assert drawn == [one.native for one in natives], "nothing twice, not even what has no picture"
    assert set(pages.drawn()) == {"pipeport.numpy.flip", "pipeport.skimage.util.invert"}
    names = {one: gallery.name_of(one) for one in natives}
    monkeypatch.setattr(gallery, "name_of", lambda one: names[one].replace("invert-", "invert-0"))
    gallery.main()
    assert drawn[3:] == ["pipeport.skimage.util.invert"]
    files = {row["file"] for row in json.loads((tmp_path / "index.json").read_text()).values()} - {""}
    assert {file.name for file in tmp_path.glob("*.webp")} == files
    page = pages.of_catalog("pipeport.skimage.util.invert", natives[1:2], None, {}, pages.drawn())
    assert f"](pictures/{names[natives[1]].replace('invert-', 'invert-0')})" in page
    assert "skimage.util.invert" in pages.gallery_page(pages.drawn())


def test_a_recipe_is_shown_by_elements_of_both_programs() -> None:
    programs = {program.name: program for program in gallery.recipes()}
    tiles, parameter, values = gallery.strip_of_recipe(programs["rotation"])
    assert (parameter, values) == ("", [])
    before, after = np.stack(tiles[:3]).astype(int), np.stack(tiles[3:]).astype(int)
    assert before.shape == after.shape
    below = (slice(None), slice(gallery.LINE, None))  # the label
    assert np.abs(before[below] - after[below]).mean() < 1
    assert np.abs(before - after).max() > 100, "the labels differ"
    assert "off-tensorflow-addons" not in programs, "its packages are not here"


@pytest.mark.parametrize(
    ("shape", "shown"),
    [
        ((8, 9), (8, 9)),
        ((8, 9, 3), (8, 9, 3)),
        ((2, 8, 9, 3), (8, 9, 3)),
        ((8, 9, 7), (8, 9)),
        ((8, 9, 7, 1), (8, 9)),
    ],
)
def test_what_is_shown_of_batches_and_volumes(shape: tuple[int, ...], shown: tuple[int, ...]) -> None:
    assert gallery.plane(np.zeros(shape)).shape == shown
