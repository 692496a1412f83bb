"""The paired flip and standardisation beyond what Hypothesis draws."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport import batched, references, seeds
from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType
from pipeport.idioms import random_flip_pair, standardize
from pipeport.references import _paired, _standardize

pytestmark = pytest.mark.newest_only

IMAGE = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
LABEL = np.arange(6).reshape(2, 3)


class TestPairedFlip:
    """One draw for image and label."""

    @pytest.mark.parametrize("axis", [0, 1, (0, 1), (1, 0), (1,)])
    @pytest.mark.parametrize("rank", [2, 3, 5])
    def test_both_are_flipped_along_the_same_axis(self, axis: object, rank: int) -> None:
        label = LABEL.reshape(2, 3, *[1] * (rank - 2))
        image, mask = random_flip_pair(IMAGE, label, 1.0, axis, seed=(1, 2))
        np.testing.assert_array_equal(image, np.flip(IMAGE, axis))
        np.testing.assert_array_equal(mask, np.flip(label, axis))
        image, mask = random_flip_pair(IMAGE, label, 0.0, axis, seed=(1, 2))
        np.testing.assert_array_equal(image, IMAGE)
        np.testing.assert_array_equal(mask, label)

    def test_one_seed_draws_the_same_on_every_engine(self) -> None:
        many = tf.stack([tf.zeros([32], tf.int32), tf.range(32)], 1)

        def flips(draw: object) -> list[int]:
            return [int(draw(IMAGE, LABEL, seed=seed)[1][0, 0]) for seed in many]

        eager = flips(random_flip_pair)
        assert 0 < sum(value == 2 for value in eager) < 32
        for jit in (False, True):
            assert flips(tf.function(random_flip_pair, jit_compile=jit)) == eager
            form = tf.function(batched(random_flip_pair), jit_compile=jit)
            _, masks = form(np.stack([IMAGE] * 32), np.stack([LABEL] * 32), seed=many)
            assert masks[:, 0, 0].numpy().tolist() == eager

    def test_one_seed_is_folded_per_element_of_a_batch(self) -> None:
        images, labels = np.stack([IMAGE] * 16), np.stack([LABEL] * 16)
        found = batched(random_flip_pair)(images, labels, seed=(5, 6))
        alone = [random_flip_pair(IMAGE, LABEL, seed=seeds.fold_in((5, 6), i)) for i in range(16)]
        np.testing.assert_array_equal(found[0], np.stack([one for one, _ in alone]))
        np.testing.assert_array_equal(found[1], np.stack([one for _, one in alone]))

    def test_probability_per_element_of_a_batch(self) -> None:
        images, labels = np.stack([IMAGE] * 2), np.stack([LABEL] * 2)
        _, masks = batched(random_flip_pair)(images, labels, tf.constant([0.0, 1.0]), seed=(5, 6))
        np.testing.assert_array_equal(masks, np.stack([LABEL, np.fliplr(LABEL)]))

    def test_in_a_dataset_every_element_has_its_own_draw_and_its_shape(self) -> None:
        data = tf.data.Dataset.from_tensors((IMAGE, LABEL)).repeat(64).enumerate()
        mapped = data.map(lambda i, pair: random_flip_pair(*pair, seed=tf.stack([7, i])))
        assert [spec.shape.as_list() for spec in mapped.element_spec] == [[2, 3, 3], [2, 3]]
        flipped = [bool(label[0, 0] == 2) for _, label in mapped.as_numpy_iterator()]
        assert 15 < sum(flipped) < 49
        assert flipped == [bool(label[0, 0] == 2) for _, label in mapped.as_numpy_iterator()]

    def test_the_ambient_seed(self) -> None:
        for index in range(8):
            with seeds.ambient((3, index)):
                seed = seeds.look_up()
            with seeds.ambient((3, index)):
                found = random_flip_pair(IMAGE, LABEL)[1]
            np.testing.assert_array_equal(found, random_flip_pair(IMAGE, LABEL, seed=seed)[1])

    def test_the_distribution_test_sees_a_wrong_probability(self) -> None:
        assert _paired.statistic(tf.function(random_flip_pair)) > 1e-6

        def half(image: object, label: object, p: float, axis: int, seed: object) -> object:
            return random_flip_pair(image, label, p / 2, axis, seed=seed)

        def apart(image: object, label: object, p: float, axis: int, seed: object) -> object:
            one = random_flip_pair(image, label, p, axis, seed=seed)[0]
            return one, random_flip_pair(image, label, p, axis, seed=seeds.fold_in(seed, 1))[1]

        assert _paired.statistic(tf.function(half)) < 1e-6
        assert _paired.statistic(tf.function(apart)) == 0

    def test_the_reference_flips_as_often(self) -> None:
        np.random.seed(0)
        flips = sum(references.random_flip_pair(IMAGE, LABEL, 0.25)[1][0, 0] == 2 for _ in range(2000))
        assert 400 < flips < 600

    @pytest.mark.parametrize(
        ("arguments", "kind", "message"),
        [
            (
                {"seed": None},
                UnsupportedArgument,
                "seed: got none, and no ambient seed; allowed: `seed=`.*ambient",
            ),
            ({"label": LABEL[:1]}, OutsideDomain, r"label: got shape \(1, 3\) for an image of \(2, 3\)"),
            ({"label": LABEL[0]}, OutsideDomain, "label: got rank 1; allowed: rank 2 or more"),
            ({"image": LABEL[0]}, OutsideDomain, "image: got rank 1"),
            ({"p": 50}, OutsideDomain, r"p: got 50; allowed: a probability in \[0, 1\]"),
            ({"p": float("nan")}, OutsideDomain, "p: got nan"),
            ({"p": "often"}, WrongType, "p: got 'often'"),
            ({"p": [0.5, 0.5]}, OutsideDomain, r"p: got shape \(2,\); allowed: one probability"),
            ({"axis": 2}, UnsupportedArgument, r"axis: got 2; allowed: 0, 1 or \(0, 1\)"),
            ({"axis": -1}, UnsupportedArgument, "negative axes differ"),
            ({"axis": ()}, UnsupportedArgument, "axis"),
            ({"axis": (1, 1)}, UnsupportedArgument, "axis"),
            ({"seed": 3}, OutsideDomain, r"seed: got shape \(\); allowed: two integers"),
            ({"seed": (0.5, 1)}, WrongType, "seed"),
        ],
    )
    def test_bad_input(self, arguments: dict[str, object], kind: type, message: str) -> None:
        with pytest.raises(kind, match=message):
            random_flip_pair(**{"image": IMAGE, "label": LABEL, "seed": (1, 2), **arguments})

    def test_sizes_unknown_while_tracing_are_checked_in_the_graph(self) -> None:
        spec = [tf.TensorSpec([None, None, 3], tf.uint8), tf.TensorSpec([None, None], tf.int64)]
        graph = tf.function(lambda i, m: random_flip_pair(i, m, seed=(1, 2)), input_signature=spec)
        graph(IMAGE, LABEL)
        with pytest.raises(tf.errors.InvalidArgumentError, match="height and width of `image`"):
            graph(IMAGE, LABEL.T)


class TestStandardize:
    """(x - mean) / (std + epsilon), in NumPy's dtypes."""

    @pytest.mark.parametrize("dtype", ["bool", "uint8", "int32", "float16", "float32", "float64"])
    def test_dtypes_are_numpys(self, dtype: str) -> None:
        image = np.arange(12).reshape(2, 2, 3).astype(dtype)
        assert np.asarray(standardize(image)).dtype == references.standardize(image).dtype

    @pytest.mark.parametrize("value", [0.1, 1e6, -3.3])
    @pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
    @pytest.mark.parametrize("shape", [(1, 1), (7, 5), (100, 101, 3)])
    def test_equal_pixels_give_nan_whatever_their_mean_rounds_to(
        self, shape: tuple[int, ...], dtype: str, value: float
    ) -> None:
        image = np.full(shape, min(value, 6e4), dtype)
        assert np.isnan(standardize(image)).all()
        assert not np.any(standardize(image, epsilon=1e-7))

    def test_close_pixels_keep_their_differences(self) -> None:
        image = np.array([[1000, np.nextafter(np.float32(1000), np.float32(2000))]], np.float32)
        np.testing.assert_allclose(standardize(image), [[-1, 1]], rtol=1e-6)

    def test_large_images_are_as_accurate_as_numpy_or_more(self) -> None:
        image = np.random.default_rng(0).random((512, 512, 3), np.float32) + np.float32(50)
        exact = references.standardize(image.astype(np.float64))
        bound = 2 * np.abs(references.standardize(image) - exact).max() + 1e-6
        for jit in (False, True):
            found = tf.function(standardize, jit_compile=jit)(image)
            assert np.abs(found - exact).max() <= bound

    @pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf])
    def test_one_special_pixel_takes_its_group(self, special: float) -> None:
        image = np.random.default_rng(0).random((4, 5, 3))
        image[1, 2, 0] = special
        with np.errstate(invalid="ignore"):
            expected = references.standardize(image, axis=(0, 1))
        np.testing.assert_allclose(standardize(image, (0, 1)), expected, rtol=1e-12)

    def test_unknown_rank_and_sizes(self) -> None:
        image = np.random.default_rng(0).random((4, 5, 3))
        for axis in (None, (0, 1), -1):
            spec = tf.TensorSpec(None if axis is None else [None, None, 3], tf.float64)
            graph = tf.function(lambda t, axis=axis: standardize(t, axis), input_signature=[spec])
            np.testing.assert_allclose(graph(image), references.standardize(image, axis), rtol=1e-10)

    def test_a_batch_has_one_mean_per_element(self) -> None:
        images = np.random.default_rng(0).random((3, 4, 5)) * [[[1]], [[10]], [[100]]]
        epsilon = tf.constant([0.0, 0.5, 1.0], tf.float64)
        found = batched(standardize)(images, epsilon=epsilon)
        expected = [references.standardize(i, epsilon=float(e)) for i, e in zip(images, epsilon, strict=True)]
        np.testing.assert_allclose(found, np.stack(expected), rtol=1e-10)

    @pytest.mark.parametrize(
        ("arguments", "kind", "message"),
        [
            ({"axis": 2}, BadAxis, "axis: got 2; allowed: -2 to 1"),
            ({"axis": (0, -2)}, UnsupportedArgument, "distinct axes"),
            ({"epsilon": "small"}, WrongType, "epsilon: got 'small'; allowed: a real number"),
            ({"epsilon": tf.constant(1)}, WrongType, "epsilon: got dtype int32"),
            ({"image": np.zeros((2, 2), np.complex64)}, OutsideDomain, "image: got dtype complex64"),
        ],
    )
    def test_bad_input(self, arguments: dict[str, object], kind: type, message: str) -> None:
        with pytest.raises(kind, match=message):
            standardize(**{"image": np.zeros((2, 2)), **arguments})

    def test_discontinuities_are_the_reference_up_to_rounding(self) -> None:
        image = np.random.default_rng(0).random((4, 5, 3))
        for axis in (None, 0, (0, 1), (2, -3), ()):
            with np.errstate(invalid="ignore"):
                expected = references.standardize(image, axis)
            np.testing.assert_allclose(_standardize.discontinuities(image, axis)[0], expected, rtol=1e-10)
