"""Each recipe's program before the migration: found, and rewritten where that needs no thought."""

from __future__ import annotations

import importlib.util
import re

import numpy as np
import pytest
import tensorflow as tf

from pipeport import recipes_index
from pipeport.rewrite import rewrite
from pipeport.scan import scan

pytestmark = pytest.mark.newest_only

IMAGES = np.random.default_rng(0).integers(0, 256, (2, 8, 10, 3), np.uint8)
FLOATS = (IMAGES[..., 0] / 255).astype(np.float32)
ANGLES = np.array([30, -45], np.float32)
# What becomes of each, and how many grey levels or thousandths the program after it may be off.
REWRITTEN = {
    "albumentations-by-name": (["port"], None),
    "arithmetic": (["port"], 1e-6),
    "custom-op": (["port"], None),
    "in-place-edits": (["port"], 1e-6),
    "lost-static-shape": (["native"], 0),
    "own-augmentation": (["port"], None),
    "paired-flip": (["port"], None),
    "port-a-body": (["port"], 1e-5),
    "py-function": (["unwrap"], 1e-6),
    "read-resize-normalise": (["port"], 0.01),
    "rotation": (["port"], 1),
    "volume-rotation": (["port"], 1e-5),
    "off-tensorflow-addons": (["import"], 0),
}
STAYING = {"npz-to-tfrecord": "an archive", "data-from-python": "A generator runs in Python"}


def loaded(path):
    spec = importlib.util.spec_from_file_location(f"rewritten_{path.stem.replace('-', '_')}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def rewritten(tmp_path_factory):
    """Return the changes of a recipe's program, and what it is afterwards."""
    folder = tmp_path_factory.mktemp("rewritten")

    def of(name):
        recipe = recipes_index.find(name)
        [file] = rewrite([str(recipe.folder / "before.py")], unsafe=True).files
        path = folder / f"{name}.py"
        path.write_bytes(file.new)
        return [one.becomes for one in file.changes], file, recipe, path

    return of


def test_every_boundary_of_a_recipe_is_known():
    found = set()
    for recipe in recipes_index.recipes():
        before = recipe.folder / "before.py"
        if before.exists() and any(one.kind != "bug" for one in scan([str(before)]).findings):
            found.add(recipe.name)
    assert found == {*REWRITTEN, *STAYING} - {"off-tensorflow-addons"}


@pytest.mark.parametrize("name", STAYING)
def test_what_stays(name, rewritten):
    changes, file, _, _ = rewritten(name)
    assert not changes
    assert all(re.search(STAYING[name], one.reason) for one in file.refusals)


def results(module, folder):
    """Run a program on inputs that fit it."""
    if hasattr(module, "clipped"):
        return [module.clipped(tf.constant(row)) for row in ([0.3, 0.4], [3.0, 4.0])]
    if hasattr(module, "running_mean"):
        return [module.running_mean(tf.constant(FLOATS))]
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
    return list(module.build_dataset(*values))


def paths(folder):
    made = []
    for number, image in enumerate(IMAGES):
        made.append(str(folder / f"{number}.png"))
        tf.io.write_file(made[-1], tf.io.encode_png(image))
    return made


@pytest.mark.parametrize("name", [name for name, (_, apart) in REWRITTEN.items() if apart is not None])
def test_a_rewritten_program_behaves_as_the_one_after(name, rewritten, tmp_path):
    wanted, apart = REWRITTEN[name]
    changes, _, recipe, path = rewritten(name)
    assert changes == wanted
    new, after = results(loaded(path), tmp_path), results(recipe.load("after"), tmp_path)
    assert len(new) == len(after)
    for one, other in zip(tf.nest.flatten(new), tf.nest.flatten(after), strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one.numpy().astype(float), other.numpy().astype(float), atol=apart, rtol=0)


def test_a_loop_with_a_state(rewritten):
    changes, _, recipe, path = rewritten("custom-op")
    assert changes == ["port"]
    new, old = (results(module, None)[0] for module in (loaded(path), recipe.load("before")))
    np.testing.assert_allclose(new, old, rtol=1e-6)


@pytest.mark.parametrize("name", ["own-augmentation", "paired-flip"])
def test_draws_repeat_and_fit(name, rewritten):
    changes, _, _, path = rewritten(name)
    assert changes == ["port"]
    module = loaded(path)
    if name == "own-augmentation":
        module.SIDE = 6
    images = np.repeat(IMAGES, 8, axis=0)
    rows = images if name == "own-augmentation" else (images, images[..., 0])

    def once():
        return list(module.build_dataset(*(rows if isinstance(rows, tuple) else (rows,))))

    first = once()
    for one, other in zip(tf.nest.flatten(first), tf.nest.flatten(once()), strict=True):
        np.testing.assert_array_equal(one, other)
    if name == "own-augmentation":
        assert {(one.dtype, tuple(one.shape)) for one in first} == {(tf.uint8, (6, 6, 3))}
        return
    flipped = [not np.array_equal(image, old) for (image, _), old in zip(first, images, strict=True)]
    assert 0 < sum(flipped) < len(flipped)
    assert all(np.array_equal(image[..., 0], label) for image, label in first)


def test_a_pipeline_of_albumentations(rewritten):
    changes, file, _, _ = rewritten("albumentations-by-name")
    assert changes == REWRITTEN["albumentations-by-name"][0]
    assert b"pipeport.port(augment)" in file.new
