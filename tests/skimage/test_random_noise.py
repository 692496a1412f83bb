"""`skimage.util.random_noise`: modes, batches with options of their own, ported bodies, refusals."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf
from skimage.util import random_noise as reference

import pipeport
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.porting import port
from pipeport.references._noise import noisy
from pipeport.skimage.util import random_noise
from pipeport.skimage.util._random_noise import drawn

pytestmark = pytest.mark.newest_only

BYTES = np.random.default_rng(5).integers(0, 256, (3, 64, 65, 3), np.uint8)
SEED = (7, 11)


@pytest.mark.parametrize("mode", ["gaussian", "speckle", "localvar", "salt", "pepper", "s&p"])
@pytest.mark.parametrize("dtype", ["uint8", "float32", "int16"])
def test_images_of_known_and_unknown_sizes(mode: str, dtype: str) -> None:
    image = BYTES[0].astype(dtype) / (255 if dtype == "float32" else 1)
    image = (image - 100).astype(dtype) if dtype == "int16" else image.astype(dtype)
    right = noisy(image, mode, **drawn({"image": image, "mode": mode, "seed": SEED}))
    for shape in (image.shape, (None, None, 3)):
        spec = tf.TensorSpec(shape, dtype)
        found = tf.function(lambda x: random_noise(x, mode, seed=SEED), input_signature=[spec])(image).numpy()
        assert found.dtype == right.dtype == reference(image, mode).dtype
        np.testing.assert_allclose(found, right, 0, 1e-15)


@pytest.mark.parametrize("clip", [True, False])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("compiled", [None, True])
def test_a_variance_for_each_pixel(dtype: str, clip: bool, compiled: bool | None) -> None:
    image = np.linspace(-0.25, 1.0, 64 * 65).reshape(64, 65).astype(dtype)
    options = {"mode": "localvar", "local_vars": image + 0.5, "clip": clip}
    right = noisy(image, **options, **drawn({"image": image, **options, "seed": SEED}))
    found = tf.function(lambda x: random_noise(x, seed=SEED, **options), jit_compile=compiled)(image)
    assert found.dtype == right.dtype
    np.testing.assert_allclose(found, right, 0, 1e-15)


def test_each_element_has_options_and_a_draw_of_its_own() -> None:
    amounts = np.array([0.0, 0.5, 1.0])
    found = pipeport.batched(random_noise)(BYTES, "salt", amount=tf.constant(amounts), seed=SEED).numpy()
    white = (found == 1).mean((1, 2, 3))
    np.testing.assert_allclose(white, [(BYTES[0] == 255).mean(), 0.5, 1.0], atol=0.02)
    same = pipeport.batched(random_noise)(BYTES[:1].repeat(2, 0), seed=SEED).numpy()
    assert (same[0] != same[1]).any()
    alone = random_noise(BYTES[0], seed=pipeport.seeds.fold_in(SEED, 1)).numpy()
    np.testing.assert_allclose(same[1], alone, 0, 1e-15)


def test_nan_and_infinities_stay() -> None:
    image = np.array([[np.nan, -np.inf, 0.5]])
    for mode in ("gaussian", "pepper"):
        right = noisy(image, mode, **drawn({"image": image, "mode": mode, "seed": SEED}))
        np.testing.assert_array_equal(random_noise(image, mode, seed=SEED), right)


def test_in_a_ported_body() -> None:
    def spoilt(image):
        return reference(image, mode="s&p", amount=0.25)

    dataset = tf.data.Dataset.from_tensor_slices(BYTES).apply(pipeport.seeds.seeded_map(port(spoilt), 3))
    found = np.stack(list(dataset.as_numpy_iterator()))
    assert found.shape == BYTES.shape
    np.testing.assert_allclose((found == 0).mean(), 0.125, atol=0.02)


IMAGE = np.zeros([2, 3])


@pytest.mark.parametrize(
    ("error", "words", "call"),
    [
        (UnsupportedArgument, "'poisson'", lambda: random_noise(IMAGE, "poisson", seed=SEED)),
        (UnsupportedArgument, "amount", lambda: random_noise(IMAGE, amount=0.5, seed=SEED)),
        (UnsupportedArgument, "rng", lambda: random_noise(IMAGE, rng=3, seed=SEED)),
        (UnsupportedArgument, "seed", lambda: random_noise(IMAGE)),
        (OutsideDomain, "var", lambda: random_noise(IMAGE, var=-0.1, seed=SEED)),
        (OutsideDomain, "amount", lambda: random_noise(IMAGE, "salt", amount=1.5, seed=SEED)),
        (OutsideDomain, "no pixels", lambda: random_noise(IMAGE[:0], seed=SEED)),
        (OutsideDomain, "local_vars", lambda: random_noise(IMAGE, "localvar", local_vars=IMAGE, seed=SEED)),
        (OutsideDomain, "shape", lambda: random_noise(IMAGE, "localvar", local_vars=IMAGE[:1], seed=SEED)),
        (WrongType, "mode", lambda: random_noise(IMAGE, 3, seed=SEED)),
    ],
)
def test_what_is_refused(error, words, call) -> None:
    with pytest.raises(error, match=words):
        call()
