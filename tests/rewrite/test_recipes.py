"""Each recipe's program before the migration: found, and rewritten where that needs no thought."""

from __future__ import annotations

import importlib.util
import re
import sys

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import recipes_index
from pipeport.rewrite import Evidence, rewrite
from pipeport.scan import scan

pytestmark = pytest.mark.newest_only

IMAGES = np.random.default_rng(0).integers(0, 256, (2, 8, 10, 3), np.uint8)
FLOATS = (IMAGES[..., 0] / 255).astype(np.float32)
ANGLES = np.array([30, -45], np.float32)
# What a run makes ports of, and how many grey levels or thousandths the program after it may be off.
REWRITTEN = {
    "arithmetic": 1e-6,
    "in-place-edits": 1e-6,
    "lost-static-shape": 0,
    "port-a-body": 1e-5,
    "read-resize-normalise": 0.01,
    "rotation": 1,
    "volume-rotation": 1e-5,
}
# They draw, stand outside of a dataset, or need more than the inputs here.
OTHERS = (
    "albumentations-by-name", "custom-op", "detector", "elastic-volumes", "image-data-generator",
    "keras-sequence", "log-mel", "nifti-patches", "npz-to-tfrecord", "ocr-labels", "own-augmentation",
    "paired-flip", "py-function", "resume-in-mid-epoch", "run-a-script", "scale-out",
)  # fmt: skip
STAYING = {"data-from-python": "A generator runs in Python"}


def loaded(path):
    name = f"program_{path.stem.replace('-', '_')}"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def test_every_boundary_of_a_recipe_is_known():
    found = set()
    for recipe in recipes_index.recipes():
        before = recipe.folder / "before.py"
        if before.exists() and any(one.kind != "bug" for one in scan([str(before)]).findings):
            found.add(recipe.name)
    assert found == {*REWRITTEN, *STAYING, *OTHERS}


@pytest.mark.parametrize("name", STAYING)
def test_what_stays(name):
    [file] = rewrite([str(recipes_index.find(name).folder / "before.py")]).files
    assert not file.changes
    assert all(re.search(STAYING[name], one.reason) for one in file.refusals)


def results(module, folder):
    """Run a program on inputs that fit it."""
    if hasattr(module, "clipped"):
        return [module.clipped(tf.constant(row)) for row in ([0.3, 0.4], [3.0, 4.0])]
    given = {
        "images": IMAGES,
        "frames": FLOATS,
        "labels": np.arange(2),
        "angles": ANGLES,
        "volumes": np.stack([FLOATS, FLOATS[::-1]], axis=-1),
        "paths": paths(folder),
        "image_paths": paths(folder),
        "mask_paths": paths(folder),
    }
    code = module.build_dataset.__code__
    names = [name for name in code.co_varnames[: code.co_argcount] if name in given]
    floats = "doubled" in vars(module) or "flipped" in vars(module)
    values = [IMAGES.astype(np.float32) if floats else given[name] for name in names]
    repeated = module.build_repeated(values[0][0]) if hasattr(module, "build_repeated") else ()
    return [*module.build_dataset(*values), *repeated]


def paths(folder):
    made = []
    for number, image in enumerate(IMAGES):
        made.append(str(folder / f"{number}.png"))
        tf.io.write_file(made[-1], tf.io.encode_png(image))
    return made


@pytest.mark.parametrize("name", REWRITTEN)
def test_a_rewritten_program_behaves_as_the_one_after(name, tmp_path):
    recipe = recipes_index.find(name)
    path = tmp_path / f"{name}.py"
    # AutoGraph names the lines of the first of two equal functions, and other tests load the recipe.
    path.write_bytes(b"\n" + (recipe.folder / "before.py").read_bytes())
    with pipeport.install(prefer_native=True) as report:
        results(loaded(path), tmp_path)
    [file] = rewrite([str(path)], evidence=Evidence(report.as_json())).files
    assert {one.becomes for one in file.changes} == {"port"}, [*file.changes, *file.refusals]
    assert not file.refusals
    path.write_bytes(file.new)
    new, after = results(loaded(path), tmp_path), results(recipe.load("after"), tmp_path)
    assert len(new) == len(after)
    for one, other in zip(tf.nest.flatten(new), tf.nest.flatten(after), strict=True):
        assert one.dtype == other.dtype
        apart = np.abs(one.numpy().astype(float) - other.numpy().astype(float))
        assert apart.max() <= REWRITTEN[name]
