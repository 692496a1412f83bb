"""Pairs are found by the names people have at hand; a name that is missing is answered by what is near."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

from pipeport import _describe, catalog
from pipeport._releases import Release
from pipeport.cli import main
from pipeport.errors import NotPorted

pytestmark = pytest.mark.newest_only

# A new pair edits nothing here: lists come from the catalog, names without a pair are in no library.
ROTATES = [native for native in catalog.pairs() if native.endswith(".rotate")]


def listed_first(module: str) -> str:
    """Return how the list of a module's pairs begins in a message."""
    names = [catalog.short(contract) for contract in catalog.matching(module)]
    return f"{module} has {', '.join(name.removeprefix(f'{module}.') for name in names[:3])}, "


def natives(name: str) -> list[str]:
    return [contract.native for contract in catalog.matching(name)]


def below(module: str) -> list[str]:
    return [native for native in catalog.pairs() if native.startswith(module)]


@pytest.mark.parametrize(
    ("name", "native"),
    [
        ("np.rot90", "numpy.rot90"),
        ("ndi.rotate", "scipy.ndimage.rotate"),
        ("ndimage.rotate", "scipy.ndimage.rotate"),
        ("sk.util.crop", "skimage.util.crop"),
        ("cv.remap", "cv2.remap"),
        ("A.D4", "albumentations.D4"),
        ("tf.keras.utils.to_categorical", "keras.utils.to_categorical"),
        ("keras.utils.pad_sequences", "keras.preprocessing.sequence.pad_sequences"),
        ("tfa.image.rotate", "tensorflow_addons.image.rotate"),
        ("tf.contrib.image.rotate", "tensorflow_addons.image.rotate"),
        ("tensorflow_addons.image.transform_ops.rotate", "tensorflow_addons.image.rotate"),
        ("PIL.Image.Image.rotate", "PIL.Image.rotate"),
        ("transform.rotate", "skimage.transform.rotate"),
        ("letterbox", "idioms.letterbox"),
    ],
)
def test_one_pair_is_found_by_any_of_its_names(name: str, native: str) -> None:
    assert catalog.find(name).native == f"pipeport.{native}"
    assert natives(name) == [f"pipeport.{native}"]


@pytest.mark.parametrize("how", [catalog.short, lambda c: c.native, lambda c: c.reference])
def test_every_name_the_catalog_prints_means_one_pair(how: object) -> None:
    for contract in catalog.pairs().values():
        assert catalog.find(how(contract)) is contract
        assert catalog.matching(how(contract)) == (contract,)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("rotate", ROTATES),
        ("*.rotate", ROTATES),
        ("cv2", below("pipeport.cv2.")),
        ("cv2.*", below("pipeport.cv2.")),
        ("pipeport.cv2", below("pipeport.cv2.")),
        ("np", below("pipeport.numpy.")),
        ("np.flip*", below("pipeport.numpy.flip")),
        ("skimage.transform", below("pipeport.skimage.transform.")),
        ("ImageOps", below("pipeport.PIL.ImageOps.")),
        ("pipeport", below("pipeport.")),
    ],
)
def test_several_pairs_are_found_together(name: str, found: list[str]) -> None:
    assert len(found) > 1
    assert natives(name) == found


def test_find_wants_exactly_one() -> None:
    with pytest.raises(NotPorted, match=r"'rotate' \(ambiguous\).* cv2\.rotate, .*scipy\.ndimage\.rotate"):
        catalog.find("rotate")
    with pytest.raises(NotPorted, match=r"'cv2'"):
        catalog.find("cv2")


def test_a_selection_takes_libraries_and_patterns_but_no_ambiguous_end() -> None:
    flips = [pair.native for pair in catalog.selected(["np.flipud", "numpy.flip*", "PIL.ImageOps"])]
    assert flips[:3] == ["pipeport.numpy.flipud", "pipeport.numpy.flip", "pipeport.numpy.fliplr"]
    assert flips[3:] == natives("PIL.ImageOps")
    assert len(catalog.selected([])) == len(catalog.pairs())
    with pytest.raises(NotPorted, match=r"'rotate' \(ambiguous\)"):
        catalog.selected(["rotate"])


@pytest.mark.parametrize("ask", [catalog.find, catalog.matching])
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("cv2.xyzzy", listed_first("cv2")),
        ("cv2.warpafine", "Nearest: cv2.warpAffine."),
        ("np.flipr", "Nearest: numpy.fliplr, "),
        ("skimage.rotate", "Nearest: skimage.transform.rotate."),
        ("skimage.no_such_module.watershed", "skimage has "),
        ("cv2.zzz*", listed_first("cv2")),
        ("pil.image.rotate", "Nearest: PIL.Image.rotate."),
        ("zzz", "Run `pipeport catalog` for the list."),
    ],
)
def test_a_missing_name_is_answered_by_what_is_near(ask: object, name: str, says: str) -> None:
    with pytest.raises(NotPorted) as caught:
        ask(name)
    assert says in str(caught.value)
    assert repr(name) in str(caught.value)


def test_the_command_shows_a_list_or_one_entry() -> None:
    def shown(*arguments: str) -> str:
        result = CliRunner().invoke(main, ["catalog", *arguments], env={"COLUMNS": "80"})
        assert result.exit_code == 0, result.output
        return result.stdout

    listed = shown("rotate")
    assert [line.split()[0] for line in listed.splitlines() if "rotate  " in line] == [
        catalog.short(catalog.find(native)) for native in ROTATES
    ]
    assert f"{len(ROTATES)} pairs." in listed
    assert len(ROTATES) >= 5
    assert shown("np.rot90").startswith("rot90(m, k=1, axes=(0, 1))\n")
    assert [pair["native"] for pair in json.loads(shown("rotate", "--json"))["pairs"]] == ROTATES
    missing = CliRunner().invoke(main, ["catalog", "cv2.xyzzy"])
    assert (missing.exit_code, missing.stdout) == (2, "")
    assert listed_first("cv2").strip() in re.sub(r"\s+", " ", missing.stderr)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("albumentations.Compose", "pipeport.albumentations.Compose"),
        ("A.OneOf", "pipeport.albumentations.OneOf"),
        ("pipeport.albumentations.from_albumentations", "pipeport.albumentations.from_albumentations"),
        ("np.float32", "pipeport.numpy.float32"),
    ],
)
def test_what_is_exported_without_a_pair_is_found(name: str, found: str) -> None:
    assert catalog.exported(name)[0] == found


@pytest.mark.parametrize(
    "name",
    ["albumentations.Lambda", "albumentations._node", "no.Compose", "Compose", "numpy.pi", "numpy.fft"],
)
def test_other_names_are_not(name: str) -> None:
    assert catalog.exported(name) is None


@pytest.mark.parametrize(
    ("name", "ratio", "text"),
    [
        ("cv2.equalizeHist", 0.35, "islands={'cv2.equalizeHist': True}"),
        ("albumentations.CLAHE", 0.5, "leave the function in tf.numpy_function"),
        ("cv2.equalizeHist", 0.95, ""),
    ],
)
def test_an_entry_says_what_a_release_measured_slower(name: str, ratio: float, text: str) -> None:
    contract = catalog.find(name)
    figure = {"case": "uint8, 256x256", "against": f"numpy_function + {contract.reference}", "ratio": ratio}
    figures = {contract.native: [{**figure, "verdict": "slower"}]}
    release = Release("1.0", "now", "here", {}, {}, figures, {})
    told = _describe.entry(contract, release)["speed"]
    begin = f"slower than {contract.reference}, {ratio:.2f}x (uint8, 256x256). "
    assert told.startswith(begin) == bool(text)
    assert text in told


@pytest.mark.parametrize(("name", "line"), [("numpy.cbrt", "Speed: float32 is slower"), ("numpy.fliplr", "")])
def test_an_entry_begins_with_what_is_slower(name: str, line: str) -> None:
    shown = CliRunner().invoke(main, ["catalog", name], env={"COLUMNS": "80"}).stdout
    first = shown.partition("\n\n")[0]
    assert first.startswith(line)
    assert (catalog.find(name).summary in first) != bool(line)
