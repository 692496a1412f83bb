"""Transforms of scikit-image: constants and tensors, composition, inverse, properties, refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.skimage.transform import (
    AffineTransform,
    EuclideanTransform,
    ProjectiveTransform,
    SimilarityTransform,
    matrix_transform,
)

pytestmark = pytest.mark.newest_only

CLASSES = (ProjectiveTransform, AffineTransform, EuclideanTransform, SimilarityTransform)
POINTS = np.array([[0.0, 0.0], [3.0, -2.0], [10.5, 4.25]])


def test_a_quarter_turn_swaps_the_axes() -> None:
    turned = EuclideanTransform(rotation=math.pi / 2)(POINTS)
    np.testing.assert_allclose(turned, np.stack([-POINTS[:, 1], POINTS[:, 0]], 1), atol=1e-15)


def test_scaling_precedes_turning_and_shifting() -> None:
    made = AffineTransform(scale=(2, 3), rotation=math.pi / 2, translation=(10, 20))
    np.testing.assert_allclose(made([[1.0, 1.0]]), [[10 - 3, 20 + 2]], atol=1e-14)


def test_python_numbers_cost_no_graph_nodes() -> None:
    with tf.Graph().as_default() as graph:
        made = SimilarityTransform(scale=2, rotation=0.1, translation=(1, 2)) + AffineTransform(shear=0.2)
        assert isinstance(made.inverse.params, np.ndarray)
    assert not graph.get_operations()


@pytest.mark.parametrize("compiled", [False, True])
def test_tensors_give_what_numbers_give(compiled: bool) -> None:
    numbers = {"scale": (2.0, 0.5), "rotation": 0.3, "shear": (0.1, -0.2), "translation": (3.0, -1.0)}

    @tf.function(jit_compile=compiled)
    def read(scale, rotation, shear, translation):
        made = AffineTransform(scale=scale, rotation=rotation, shear=shear, translation=translation)
        assert tf.is_tensor(made.params)
        assert made.params.dtype == tf.float64
        return made.params, made.inverse.params, made(POINTS), made.scale, made.rotation, made.shear

    plain = AffineTransform(**numbers)
    expected = (plain.params, plain.inverse.params, plain(POINTS), plain.scale, plain.rotation, plain.shear)
    found = read(**{name: tf.constant(value, tf.float64) for name, value in numbers.items()})
    for right, got in zip(expected, found, strict=True):
        np.testing.assert_allclose(got, right, rtol=1e-13, atol=1e-14)


def test_three_angles_turn_in_space_about_moving_axes() -> None:
    def about(axis: int, angle: float) -> np.ndarray:
        matrix, (i, j) = np.eye(3), [(1, 2), (2, 0), (0, 1)][axis]
        matrix[i, i] = matrix[j, j] = math.cos(angle)
        matrix[i, j], matrix[j, i] = -math.sin(angle), math.sin(angle)
        return matrix

    angles = (0.3, -1.1, 2.0)
    made = SimilarityTransform(scale=2.0, rotation=angles, translation=(1, 2, 3))
    expected = 2 * about(0, angles[0]) @ about(1, angles[1]) @ about(2, angles[2])
    np.testing.assert_allclose(made.params[:3, :3], expected, atol=1e-15)
    assert made.scale == pytest.approx(2.0)
    space = SimilarityTransform(scale=tf.constant(2.0), rotation=tf.constant(angles, tf.float64))
    np.testing.assert_allclose(space.params[:3, :3], expected, atol=1e-15)
    assert float(space.scale) == pytest.approx(2.0)


@pytest.mark.parametrize("first", CLASSES)
@pytest.mark.parametrize("second", CLASSES)
def test_plus_applies_the_left_one_first(first: type, second: type) -> None:
    one = first([[1, 0.5, 3], [0, 2, 1], [0, 0, 1]])
    two = second([[0, -1, 3], [1, 0, 1], [0, 0, 1]])
    both = one + two
    assert type(both) is (first if first is second else ProjectiveTransform)
    np.testing.assert_allclose(both(POINTS), two(one(POINTS)), atol=1e-13)
    np.testing.assert_allclose(both.inverse(both(POINTS)), POINTS, atol=1e-12)
    assert type(one.inverse) is first


def test_a_point_on_the_horizon_is_divided_by_eps() -> None:
    matrix = np.array([[1.0, 0, 0], [0, 1, 0], [1, 0, 0]])
    eps = np.finfo(np.float64).eps
    np.testing.assert_array_equal(matrix_transform([[0.0, 2.0]], matrix), [[0.0, 2.0 / eps]])


def test_a_batch_has_a_matrix_each_or_one_for_all() -> None:
    import pipeport

    matrices = np.stack([np.eye(3), np.diag([2.0, 3.0, 1.0])])
    points = np.stack([POINTS, POINTS + 1])
    each = pipeport.batched(matrix_transform)(points, tf.constant(matrices))
    np.testing.assert_allclose(each, np.stack([POINTS, (POINTS + 1) * [2, 3]]))
    shared = pipeport.batched(matrix_transform)(points, matrices[1])
    np.testing.assert_allclose(shared, points * [2, 3])


def test_a_singular_matrix_has_no_inverse() -> None:
    flat = np.array([[1.0, 0, 0], [0, 0, 0], [0, 0, 1]])
    with pytest.raises(OutsideDomain, match="an inverse"):
        _ = AffineTransform(flat).inverse
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.function(lambda matrix: AffineTransform(matrix).inverse.params)(tf.constant(flat))


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: AffineTransform(np.eye(3), scale=2), OutsideDomain),
        (lambda: AffineTransform(rotation=(1, 2)), OutsideDomain),
        (lambda: AffineTransform(scale="2"), WrongType),
        (lambda: AffineTransform(rotation=math.inf), OutsideDomain),
        (lambda: AffineTransform(translation=(1, 2, 3)), OutsideDomain),
        (lambda: EuclideanTransform(rotation=(1, 2)), OutsideDomain),
        (lambda: EuclideanTransform(rotation=[0.3]), WrongType),
        (lambda: SimilarityTransform(scale=(1, 2, 3), rotation=0.3), OutsideDomain),
        (lambda: ProjectiveTransform(np.ones((2, 3))), OutsideDomain),
        (lambda: ProjectiveTransform(np.eye(3), dimensionality=3), OutsideDomain),
        (lambda: ProjectiveTransform(dimensionality=1), UnsupportedArgument),
        (lambda: ProjectiveTransform()([[1.0, 2.0, 3.0]]), OutsideDomain),
        (lambda: ProjectiveTransform() + 1, WrongType),
        (lambda: ProjectiveTransform(np.eye(3, dtype=np.float16)).inverse, WrongType),
        (lambda: ProjectiveTransform.from_estimate(POINTS, POINTS), UnsupportedArgument),
        (lambda: SimilarityTransform().estimate(POINTS, POINTS), UnsupportedArgument),
    ],
)
def test_refusals_name_what_is_allowed(make, error) -> None:
    with pytest.raises(error, match="allowed: "):
        make()


def test_a_matrix_of_unknown_size_is_refused_while_tracing() -> None:
    spec = tf.TensorSpec([None, 3], tf.float64)
    with pytest.raises(OutsideDomain, match="ensure_shape"):
        tf.function(lambda matrix: ProjectiveTransform(matrix).params).get_concrete_function(spec)


def test_unknown_numbers_of_points_and_columns() -> None:
    shift = AffineTransform(translation=(1, 2))
    traced = tf.function(shift, input_signature=[tf.TensorSpec([None, None], tf.float32)])
    np.testing.assert_allclose(traced(POINTS.astype(np.float32)), POINTS + np.array([1, 2]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="columns"):
        traced(np.ones((2, 3), np.float32))


def test_residuals_are_distances() -> None:
    shift = EuclideanTransform(translation=(3, 4))
    np.testing.assert_allclose(shift.residuals(POINTS, POINTS), [5.0, 5.0, 5.0])


def test_identity_and_conversion_to_numpy() -> None:
    same = EuclideanTransform.identity(3)
    assert same.dimensionality == 3
    np.testing.assert_array_equal(np.asarray(same), np.eye(4))
    assert "EuclideanTransform" in repr(same)

    @tf.function
    def inside(angle):
        with pytest.raises(WrongType, match="params"):
            np.asarray(EuclideanTransform(rotation=angle))
        return angle

    inside(tf.constant(0.5))
