"""What NumPy computes from constants is one; grids of drawn numbers."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport import seeds
from pipeport.errors import PortRefused
from pipeport.porting import port


def minlength(x):
    return np.bincount(np.array([1, 2, 3]), minlength=int(np.round(9.6)))


def of_the_graph(x):
    return np.bincount(x.astype(np.int64).ravel(), minlength=int(np.around(9.6)))


def sections(x):
    return np.array_split(x, int(np.ceil(1.6)))[0], np.zeros(int(np.sqrt(np.array(9.0))))


def checked(x):
    if np.unique([0, 1, 2]).size != 3:
        raise ValueError("classes")
    kinds = np.array([3, 1, 3])
    if len(np.unique(kinds)) != 2 or np.any(np.sort(kinds) != np.sort([3, 3, 1])):
        raise ValueError("kinds")
    return x[: np.unique(kinds)[0]]


def kept_apart(x):
    kinds = np.array([3, 1, 3])
    order = np.argsort(kinds)
    order[0] = 7
    kinds[order[1]] = 5
    return kinds, order, np.argsort(kinds)


def mgrid(x):
    rows, columns = np.mgrid[0 : x.shape[0], 1 : x.shape[1] * 2 : 2]
    return rows, columns, np.mgrid[: x.shape[0] / 2], np.mgrid[0 : float(x.max()) : 5j]


def disc(x):
    r = int(x[0, 0, 0]) % 3 + 2
    rows, columns = np.ogrid[-r : r + 1, -r : r + 1]
    return rows**2 + columns**2 <= r * r, np.ogrid[-r : r + 1], np.ogrid[0 : r * 0.5 : 0.25, :2][0]


def by_scalars_of_an_array(x):
    y = x[0, 1] * 2
    return np.mgrid[0 : y[0]], np.mgrid[0 : y[1] : 0.5], np.mgrid[y[0] : y[1] : 4j], np.mgrid[0 : y[0], 0:2]


def end_to_end(x):
    flat = x.ravel()
    b = (flat > 2).astype(np.int8)
    steps = np.diff(np.r_[0, b, 0])
    return (
        steps,
        np.r_[flat, 1, 2.5],
        np.r_[flat[0], flat[1:3]],
        np.r_[1:3, b],
        np.r_[x[0], x[1, :1]],
        np.r_[x[0]],
    )


def side_by_side(x):
    flat, rows = x.ravel(), x.reshape(-1, 2)
    return (
        np.c_[flat, flat * 2],
        np.c_[rows, np.ones(len(rows))],
        np.c_[rows, rows],
        np.c_[flat],
        np.c_[x.max(), 1],
    )


def ends_of_runs(x):
    flat = x.astype(int).ravel()
    n = int(flat[1]) + 2
    return (
        np.flatnonzero(np.r_[flat[1:] != flat[:-1], True]),
        np.r_[0:n, n],
        np.r_[0:1:5j, flat],
        np.r_[[1, 2], flat],
    )


def ranges(x):
    return np.arange(0, 5, 1, np.float32), np.arange(0, x.shape[0], 1, "int16"), np.arange(5, None, 2, float)


def squeezed(x):
    y = np.squeeze(x)
    if np.random.uniform() < 2:
        y = y[..., ::-1]
    return y


BODIES = [
    minlength, of_the_graph, sections, checked, kept_apart, mgrid, disc, by_scalars_of_an_array, end_to_end,
    side_by_side, ends_of_runs, ranges, squeezed,
]  # fmt: skip


@pytest.mark.parametrize("function", BODIES)
def test_constants_are_known(function):
    x = (np.arange(12).reshape(2, 3, 2) % 7).astype(np.float32)
    right = function(x.copy())
    ported = port(function)
    data = tf.data.Dataset.from_tensors(x)
    unknown = data.padded_batch(1, [None, None, None]).unbatch()
    with seeds.ambient((1, 2)):
        results = [ported(x), next(iter(data.map(ported))), next(iter(unknown.map(ported)))]
    for found in results:
        for ours, theirs in zip(
            tf.nest.flatten(found), right if isinstance(right, tuple) else [right], strict=True
        ):
            ours, theirs = np.asarray(ours), np.asarray(theirs)
            assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
            np.testing.assert_allclose(ours, theirs, rtol=1e-6)


MIXING = np.array([[0.3, 0.6, 0.1], [0.6, -0.3, -0.3], [0.2, -0.5, 0.4]])


def decorrelated(x):
    roots = np.sqrt(np.abs(np.linalg.inv(MIXING)))
    roots[0] = np.cumsum(np.fft.fftfreq(3, 0.7)[::-1])
    return x @ roots + np.percentile(MIXING, [10, 50, 90]) + np.log1p(np.float32(0.3)) * np.median(roots)


def test_known_calls_are_computed_by_numpy():
    x = np.arange(12.0).reshape(2, 2, 3)
    concrete = tf.function(port(decorrelated), autograph=False).get_concrete_function(
        tf.TensorSpec([None, 2, 3], tf.float64)
    )
    kinds = {one.type for one in concrete.graph.get_operations()}
    kinds |= {one.op for part in concrete.graph.as_graph_def().library.function for one in part.node_def}
    assert not kinds & {"MatrixInverse", "Cumsum", "Sqrt", "Log1p", "Sort", "TopKV2"}
    np.testing.assert_allclose(concrete(tf.constant(x)), decorrelated(x), rtol=1e-15)


def test_an_argument_known_only_at_run_time_is_left_to_the_native():
    @tf.function(autograph=False)
    def graph(x):
        return port(lambda x: (np.sqrt(x), np.linalg.inv(x)))(x)

    kinds = {one.type for one in graph.get_concrete_function(tf.TensorSpec([3, 3])).graph.get_operations()}
    assert kinds & {"MatrixInverse", "PartitionedCall"}


def test_directions_of_r_are_refused():
    with pytest.raises(PortRefused, match=r"numpy\.concatenate"):
        port(lambda x: np.r_["0,2", x, x])(np.ones(3))
