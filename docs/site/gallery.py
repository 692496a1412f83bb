"""Draw the pictures of the site: natives of images and of signals at values of their main parameter, recipes.

    python -m docs.site.gallery            # into build/docs/pictures; `nox -s pictures`
    python -m docs.site.gallery rotate     # those of natives with this in their names, anew

Photographs are those that scikit-image ships, arguments those that the bench gives, and values come from the
contract: no native is listed here by name. A transform that draws is shown at several seeds, with its masks,
boxes and points; a native of signals by a rising tone, as lines, or as heat where it gives frequencies; a
recipe by elements of its two datasets. A picture is named by the hash of what it depends on, so that only
what changed is drawn.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import json
import math
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from docs.site.pages import PICTURES, RECIPES, SHARED
from pipeport import catalog, config, errors, recipes_index
from pipeport import contract as c
from pipeport._lazy import tf
from pipeport.bench import _bodies, _photographs, _program_sides, _typical
from pipeport.bench._arguments import Arguments, accepts, arguments_for, gathered, takes_photographs
from pipeport.bench._case import Case
from pipeport.bench._factories import Factories
from pipeport.bench._programs import Program
from pipeport.bench._resolve import resolve
from pipeport.bench._suites import read_suite
from pipeport.bench._variants import variants_of
from pipeport.verify._fingerprint import code

SIDE, GAP, LINE = 144, 4, 14
MOST, CANDIDATES = 5, 5
# Where the natives of signals are; a signal's samples, for lines and for heat; what counts samples there is
# more than in the arrays of the proof.
SIGNALS = ("pipeport.scipy.signal.", "pipeport.scipy.interpolate.")
SAMPLES, MANY = 64, 4096
COUNTS = {"nperseg": 128}
# Heat shows so many decades of power below the largest.
DECADES = 5
# Three of each kind, also where four make one mosaic.
RECIPE_ELEMENTS = 12
# What is there to be seen in the first photograph, the astronaut: the person and the eyes, as fractions.
BOXES = np.array([[0.29, 0.01, 0.59, 0.51], [0.66, 0.49, 0.82, 0.98]], np.float32)
POINTS = np.array([[0.40, 0.21], [0.48, 0.205]], np.float32)
# Tiles, the parameter that is changed, its values.
Drawn = tuple[list[Image.Image], str, list[str]] | None
COLOURS = {"bboxes": (255, 210, 0), "keypoints": (0, 230, 120), "mask": (90, 140, 255)}


def shown() -> Iterator[c.Contract]:
    """Yield the natives of images that get pictures, if they give images."""
    for contract in catalog.pairs().values():
        mine = contract.kind != "reader" and contract.native.split(".")[1] not in SHARED
        if mine and signal_of(contract) is None and takes_photographs(contract):
            yield contract


def name_of(contract: c.Contract) -> str:
    """Return a picture's file name: the native, and the hash of what the picture depends on."""
    return _named(contract.native, code(contract, "eager"))


def _named(name: str, depends_on: str) -> str:
    parts = [depends_on, Path(__file__).read_text(encoding="utf-8"), _photographs.fingerprint()]
    parts += [importlib.metadata.version(name) for name in ("tensorflow", "pillow")]
    digest = hashlib.sha256("|".join(parts).encode()).hexdigest()[:12]
    return f"{name}-{digest}.webp"


# --- values ----------------------------------------------------------------------------------------


def values(spec: c.Spec, typical: Any, rank: int = 2) -> list[Any]:
    """Return a few values of a parameter, in order: those around the typical one, else those of its domain.

    Parameters
    ----------
    spec : Spec
        What the contract says of the parameter.
    typical : object
        The value that the bench gives it.
    rank : int
        The rank of the image, for parameters with a value for each of its axes.

    Returns
    -------
    list
        At most five; none of a parameter that is not a number, flag, choice, or tuple of these.
    """
    match _typical.inner(spec):
        case c.Real(low=low, high=high) | c.Integer(low=low, high=high) as inner:
            turn = {c.Degrees: 90.0, c.Radians: math.pi / 2}.get(type(inner), math.inf)
            low, high = max(low, -turn), min(high, turn)
            if isinstance(typical, (int, float)) and typical > 0 and turn == math.inf:
                found = [typical * factor for factor in (0, 0.5, 1, 2, 4)]
            else:
                found = list(np.linspace(low, high, MOST))
            whole = isinstance(inner, c.Integer)
            clipped = [min(max(one, low), high) for one in found]
            return sorted({round(one) if whole else round(float(one), 3) for one in clipped})
        case c.OneOf(values=listed):
            return [one for one in listed if _is_plain(one)][:MOST]
        case c.Boolean():
            return [False, True]
        case c.PerAxis(spec=inner, count=count, of=of):
            first = typical[0] if isinstance(typical, tuple) and typical else typical
            axes = rank if of and count is None else count or 2
            return [(one,) * axes for one in values(inner, first)] if axes <= 3 else []
    return []


def _is_plain(value: Any) -> bool:
    """Return whether a value can be read on a label, and changes more than a dtype."""
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    dtype = isinstance(value, str) and re.fullmatch(r"(u?int|float|complex)\d+|bool", value)
    return value is None or (isinstance(value, (bool, int, float, str)) and not dtype)


def variations(contract: c.Contract, arguments: Arguments) -> Iterator[tuple[str, list[Any]]]:
    """Yield names of parameters and values to show: seeds of what draws first, then in the order of calls."""
    rank = np.ndim(next(iter(arguments.arrays.values()))[0])
    if "seed" in arguments.ours:
        yield "seed", [(7, number) for number in range(MOST)]
    for name, spec in contract.domain.items():
        if name in arguments.arrays or name == "p":
            continue
        if found := values(spec, arguments.fixed.get(name, spec.typical), rank):
            yield name, found


# --- calls -----------------------------------------------------------------------------------------


def arguments_of(contract: c.Contract) -> Arguments:
    """Return the arguments of a call on photographs of bytes, or of floats where bytes would wrap around."""
    wraps = contract.native.startswith("pipeport.scipy.")  # what is below zero, in the image's own dtype
    for dtype in ("float32", "uint8") if wraps else ("uint8", "float32", "bool"):
        if accepts(contract, dtype):
            variant = variants_of(contract.native, dtype)[0]
            case = Case(pair=contract.native, dtype=dtype, size=(SIDE, SIDE), variant=variant.name)
            found = arguments_for(contract, case)
            return replace(found, fixed={**found.fixed, **variant.native})
    raise LookupError(f"{contract.native}: no photograph is in its domain")


def _targets(contract: c.Contract, shape: tuple[int, ...]) -> dict[str, Any]:
    """Return what belongs to the photograph, of that which a transform takes beside it."""
    height, width = shape[:2]
    x, y = np.meshgrid(np.arange(width) / width, np.arange(height) / height)
    left, top, right, bottom = BOXES[0]
    radii = ((x - (left + right) / 2) / (right - left)) ** 2 + (
        (y - (top + bottom) / 2) / (bottom - top)
    ) ** 2
    points = np.zeros((len(POINTS), 5), np.float32)
    points[:, :2] = POINTS * (width, height)
    known = {"mask": (radii < 0.25).astype(np.uint8), "bboxes": BOXES, "keypoints": points}
    return {name: value for name, value in known.items() if name in contract.targets}


def called(
    contract: c.Contract,
    arguments: Arguments,
    changed: Mapping[str, Any],
    seen: Callable[[Any], Any] | None = None,
) -> dict[str, Any]:
    """Call a native on the first photograph, with some parameters changed.

    Parameters
    ----------
    contract : Contract
        The native.
    arguments : Arguments
        What the bench gives it.
    changed : mapping
        Other values, by parameter.
    seen : callable or None
        What is drawn of a result; None stands for its image.

    Returns
    -------
    dict
        The image that it gives and what belongs to that, as NumPy arrays; `image` is missing where it gives
        something else.
    """
    element = {name: column[0] for name, column in arguments.arrays.items()}
    element |= {
        name: column[0] for name, column in {**arguments.per_element_values, **arguments.ours}.items()
    }
    fixed = {**arguments.fixed, **arguments.fixed_ours, **changed}
    element = {name: value for name, value in element.items() if name not in changed}
    if contract.targets:
        seed = fixed.pop("seed", element.pop("seed", (7, 0)))
        given = {**element, **_targets(contract, element["image"].shape)}
        found = contract.function(**fixed)(**given, seed=np.array(seed, np.int32))
    else:
        seeded = {"seed": np.array(fixed.pop("seed"), np.int32)} if "seed" in fixed else {}
        result = contract.function(**gathered(element), **fixed, **seeded)
        if seen is None and not _is_array(result):
            result = (resolve(contract.compared[0]) if contract.compared else list)(result)
        found = {"image": (seen or _image_of)(result)}
    return {name: np.asarray(value) for name, value in found.items() if _is_array(value)}


def _image_of(result: Any) -> Any:
    """Return what can be looked at of a result: itself, or the first image among several."""
    several = result if isinstance(result, (list, tuple)) else [result]
    arrays = [one for one in several if _is_array(one)]
    return next((one for one in arrays if as_bytes(np.asarray(one)) is not None), None)


def _is_array(value: Any) -> bool:
    return hasattr(value, "dtype") and hasattr(value, "shape")


# --- pictures --------------------------------------------------------------------------------------


def as_bytes(image: np.ndarray) -> np.ndarray | None:
    """Return an image of bytes to look at; None of an array that is not an image.

    Floats in [0, 1] and values in [0, 255] keep their scale; others are scaled from their least to their
    largest value.
    """
    if image.ndim == 3 and image.shape[-1] in (1, 4):
        image = image[..., 0] if image.shape[-1] == 1 else image[..., :3]
    if image.ndim not in (2, 3) or (image.ndim == 3 and image.shape[-1] != 3) or min(image.shape[:2]) < 8:
        return None
    if image.dtype.kind not in "buif" or image.dtype == np.uint8:
        return image if image.dtype == np.uint8 else None
    kind = image.dtype.kind
    image = np.nan_to_num(image.astype(np.float64))
    low, high = image.min(), image.max()
    if kind == "b" or (kind == "f" and low >= 0 and high < 1.001):  # 1, but for rounding
        image = image * 255
    elif low < 0 or high > 255:
        image = (image - low) * (255 / max(high - low, 1e-12))
    return np.rint(image).clip(0, 255).astype(np.uint8)


def tile(found: Mapping[str, Any], label: str) -> Image.Image | None:
    """Return a picture of a result with its label; None where it is not an image."""
    image = as_bytes(found["image"]) if "image" in found else None
    if image is None:
        return None
    image = np.stack([image] * 3, -1) if image.ndim == 2 else image.copy()
    mask = found.get("mask")
    if mask is not None and mask.shape == image.shape[:2]:
        inside = mask > 0
        edge = inside & ~(np.roll(inside, 1, 0) & np.roll(inside, -1, 0) & np.roll(inside, 1, 1) & inside)
        image[edge] = COLOURS["mask"]
    picture = Image.fromarray(image)
    draw = ImageDraw.Draw(picture)
    width, height = picture.size
    for box in found.get("bboxes", ()):
        corners = [
            float(v) for v in (box[0] * width, box[1] * height, box[2] * width - 1, box[3] * height - 1)
        ]
        draw.rectangle(corners, outline=COLOURS["bboxes"])
    for x, y, *_ in found.get("keypoints", ()):
        draw.ellipse((float(x) - 2, float(y) - 2, float(x) + 2, float(y) + 2), fill=COLOURS["keypoints"])
    return _labelled(picture, label)


def _labelled(picture: Image.Image, label: str) -> Image.Image:
    """Return a picture at the size of a tile, below its label."""
    picture.thumbnail((SIDE, SIDE))
    larger = SIDE // max(picture.size)
    picture = picture.resize((larger * picture.width, larger * picture.height), Image.Resampling.NEAREST)
    labelled = Image.new("RGB", (SIDE, SIDE + LINE), "white")
    labelled.paste(picture, (0, LINE))
    ImageDraw.Draw(labelled).text((0, 0), label, fill="black")
    return labelled


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_text, value))})"
    return f"{value:g}" if isinstance(value, float) else str(value)


def strip_of(contract: c.Contract) -> Drawn:
    """Return the tiles of a native: its input, then results that differ.

    Parameters
    ----------
    contract : Contract
        The native.

    Returns
    -------
    tuple or None
        The tiles, the parameter that is changed (empty where none changes the picture), and its values as
        text. None where the native gives no image.
    """
    arguments = arguments_of(contract)
    if not arguments.arrays:
        return None
    image = next(iter(arguments.arrays.values()))[0]
    beside = _targets(contract, image.shape) if contract.targets else {}
    first = tile({"image": image, **beside}, "input")
    plain = tile(called(contract, arguments, {}), contract.native.rpartition(".")[2])
    if first is None or plain is None:
        return None
    return first_and_varied(
        contract,
        arguments,
        first,
        plain,
        lambda changed, label: tile(called(contract, arguments, changed), label),
    )


def first_and_varied(
    contract: c.Contract,
    arguments: Arguments,
    first: Image.Image,
    plain: Image.Image,
    draw: Callable[[Mapping[str, Any], str], Image.Image | None],
) -> tuple[list[Image.Image], str, list[str]]:
    """Return the input, then the results that differ at values of the parameter that changes most.

    Parameters
    ----------
    contract : Contract
        The native.
    arguments : Arguments
        What it is called with.
    first, plain : Image
        The input, and the result where no parameter changes it.
    draw : callable
        Gives the tile of changed parameters with a label.

    Returns
    -------
    tuple
        As of `strip_of`.
    """
    best: tuple[list[Image.Image], str, list[str]] = ([plain], "", [])
    for number, (name, listed) in enumerate(variations(contract, arguments)):
        tiles: dict[bytes, tuple[Image.Image, str]] = {}
        for value in listed:
            try:
                made = draw({name: value}, f"{name}={_text(value)}")
            except (errors.PipeportError, TypeError, ValueError):
                continue  # not with the other arguments
            if made is not None:
                pixels = np.asarray(made)[LINE:].tobytes()
                tiles.setdefault(pixels, (made, _text(value)))
        if len(tiles) > max(1, len(best[0])):
            best = [one for one, _ in tiles.values()], name, [text for _, text in tiles.values()]
        if len(best[0]) > 2 or number >= CANDIDATES:
            break
    return [first, *best[0]], best[1], best[2]


def joined(tiles: list[Image.Image]) -> Image.Image:
    """Return tiles side by side."""
    width = len(tiles) * (SIDE + GAP) - GAP
    whole = Image.new("RGB", (width, SIDE + LINE), "white")
    for place, one in enumerate(tiles):
        whole.paste(one, (place * (SIDE + GAP), 0))
    return whole


# --- signals ---------------------------------------------------------------------------------------


def signal_of(contract: c.Contract) -> str | None:
    """Return the parameter of a native that takes a signal: its first array, where that may have one axis."""
    if not contract.native.startswith(SIGNALS):
        return None
    arrays = [name for name, spec in contract.domain.items() if isinstance(spec, (c.Array, c.Shaped))]
    spec = contract.domain[arrays[0]]
    return arrays[0] if not isinstance(spec, c.Array) or 1 in spec.ranks else None


def signals() -> Iterator[c.Contract]:
    """Yield the natives of signals."""
    yield from (contract for contract in catalog.pairs().values() if signal_of(contract) is not None)


def tone(samples: int) -> np.ndarray:
    """Return a tone that rises, on a line that does, with noise."""
    x = np.linspace(0, 1, samples, endpoint=False)
    noise = np.random.default_rng(7).normal(0, 0.1, samples)
    return (0.6 * np.sin(2 * np.pi * samples * (x / 60 + x**2 / 16)) + x - 0.5 + noise).astype(np.float32)


def drawn_of(result: Any, samples: int) -> np.ndarray:
    """Return what is drawn of a result: itself, the array of most axes, or the values between nodes."""
    if isinstance(result, (list, tuple)):
        result = max(result, key=lambda one: len(one.shape))
    elif not _is_array(result):
        result = result(np.linspace(0, samples - 1, SIDE))
    return np.asarray(result)


def plot(array: np.ndarray, label: str, low: float, high: float) -> Image.Image:
    """Return a tile of an array: one axis as a line from `low` to `high`, two as heat, times to the right."""
    if array.ndim == 2:
        power = np.abs(array) ** 2 if array.dtype.kind == "c" else array
        power = np.log10(np.maximum(power.astype(np.float64), 1e-30))
        scaled = (power - power.max() + DECADES) * (255 / DECADES)
        levels = np.rint(scaled.clip(0, 255)).astype(np.uint8)[::-1]
        heat = Image.fromarray(levels).resize((SIDE, SIDE), Image.Resampling.NEAREST)
        return _labelled(heat.convert("RGB"), label)
    picture = Image.new("RGB", (SIDE, SIDE), "white")
    draw = ImageDraw.Draw(picture)
    x = np.linspace(0, SIDE - 1, len(array))
    y = (SIDE - 1) * (high - array) / (high - low)
    zero = (SIDE - 1) * high / (high - low)
    draw.line([(0, zero), (SIDE - 1, zero)], fill=(200, 200, 200))
    draw.line(list(zip(x.tolist(), y.tolist(), strict=True)), fill=(20, 90, 180))
    return _labelled(picture, label)


def strip_of_signal(contract: c.Contract) -> Drawn:
    """Return the tiles of a native of signals, as `strip_of` does."""
    name = signal_of(contract)
    assert name is not None
    case = Case(pair=contract.native, dtype="float32", size=(SIDE, SIDE))
    arguments = arguments_for(contract, case)
    counts = {one: count for one, count in COUNTS.items() if one in arguments.fixed}
    spec = contract.domain[name]
    nodes = spec.shape[0] if isinstance(spec, c.Shaped) else None
    if isinstance(nodes, int):
        signal = tone(SAMPLES)[:: SAMPLES // nodes][:nodes]
    else:
        signal = tone(MANY if counts else SAMPLES)
    low, high = 1.25 * signal.min(), 1.25 * signal.max()
    fixed = {**arguments.fixed, **counts}
    arguments = replace(arguments, arrays={name: [signal]}, per_element_values={}, fixed=fixed)

    def draw(changed: Mapping[str, Any], label: str) -> Image.Image:
        found = called(contract, arguments, changed, partial(drawn_of, samples=len(signal)))["image"]
        return plot(found, label, low, high)

    plain = draw({}, contract.native.rpartition(".")[2])
    first = plot(signal[: 4 * SAMPLES], "input" if len(signal) <= 4 * SAMPLES else "input begins", low, high)
    return first_and_varied(contract, arguments, first, plain, draw)


# --- recipes ---------------------------------------------------------------------------------------


def plane(array: np.ndarray) -> np.ndarray:
    """Return what is shown of an array: the first image of a batch, the middle slice of a volume."""
    if array.ndim == 4:
        array = array[0] if array.shape[-1] == 3 else array[..., 0]
    return array[..., array.shape[-1] // 2] if array.ndim == 3 and array.shape[-1] > 4 else array


def strip_of_recipe(program: Program) -> Drawn:
    """Return tiles of elements of before.py, then of after.py; None where they hold no image.

    Parameters
    ----------
    program : Program
        The recipe, as the bench measures it.

    Returns
    -------
    tuple or None
        As of `strip_of`: at most three tiles of each program. Those of random pipelines differ.
    """
    np.random.seed(0)  # what before.py draws from
    program = replace(program, elements=RECIPE_ELEMENTS)
    sides = program.sides_of(program.cases()[0])[:2]
    tiles = []
    with _program_sides.builders(program, sides, Factories()) as build:
        for side in sides:
            label = Path(side.factory.partition(":")[0]).name
            for element in build[side.name]().take(3).as_numpy_iterator():
                arrays = [plane(one) for one in tf.nest.flatten(element) if isinstance(one, np.ndarray)]
                found = [made for one in arrays if (made := tile({"image": one}, label))]
                tiles += found[:1]
    return (tiles, "", []) if tiles else None


def recipes() -> Iterator[Program]:
    """Yield the recipes whose packages are here, each as it is measured first."""
    names = {recipe.name for recipe in recipes_index.recipes()}
    for program in read_suite("recipes").programs:
        if program.name in names and all(map(_bodies.can_resolve, program.needs)):
            yield program


# --- all of them -----------------------------------------------------------------------------------


def wanted() -> Iterator[tuple[str, str, str, Callable[[], Drawn]]]:
    """Yield the name of each picture, its file, what its first tile is, and what draws it."""
    for contract in shown():
        yield contract.native, name_of(contract), "photograph", partial(strip_of, contract)
    for contract in signals():
        yield contract.native, name_of(contract), "tone", partial(strip_of_signal, contract)
    for program in recipes():
        depends_on = Factories().code(program, program.cases()[0])
        file = _named(program.name, depends_on)
        yield f"{RECIPES}{program.name}", file, "recipe", partial(strip_of_recipe, program)


def main() -> None:
    """Draw what is not there yet, remove what is no longer wanted, and write what each picture shows."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("names", nargs="*", help="parts of names, to be drawn anew")
    names = arguments.parse_args().names
    PICTURES.mkdir(parents=True, exist_ok=True)
    index = PICTURES / "index.json"
    known = json.loads(index.read_text(encoding="utf-8")) if index.exists() else {}
    told: dict[str, Any] = {}
    drawn, start = 0, time.monotonic()
    with config.use_jit("never"):  # each call is the only one
        for name, file, of, draw in wanted():
            before = known.get(name)
            again = any(part in name for part in names)
            if before and before["file"] in (file, "") and before["made"] == file and not again:
                told[name] = before
                continue
            found = draw()
            drawn += 1
            row = {"made": file, "file": file if found else "", "of": of, "parameter": "", "values": []}
            if found:
                joined(found[0]).save(PICTURES / file, quality=80)
                row |= {"parameter": found[1], "values": found[2]}
            told[name] = row
    for old in PICTURES.glob("*.webp"):
        if old.name not in {row["file"] for row in told.values()}:
            old.unlink()
    index.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    pictures = sum(bool(row["file"]) for row in told.values())
    seconds = time.monotonic() - start
    sys.stderr.write(f"{pictures} pictures, {drawn} drawn in {seconds:.0f} s\n")


if __name__ == "__main__":
    main()
