"""Slices of windows: NumPy's values, from no more windows than they hold."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf
from numpy.lib.stride_tricks import sliding_window_view

from pipeport import port
from pipeport.errors import PipeportError

pytestmark = pytest.mark.both

SIGNAL = np.arange(3000, dtype=np.float32)
IMAGE = np.arange(40 * 50 * 3, dtype=np.int32).reshape(40, 50, 3)


def hops(x):
    return sliding_window_view(x, 400)[::160]


def hops_of_hops(x):
    return sliding_window_view(x, 400)[::80][::2]


def frames_last(x):
    return np.moveaxis(sliding_window_view(x, 400, axis=0), -1, 0)[..., ::160]


def turned(x):
    return sliding_window_view(x, 400).T[:, ::160][:50]


def patches(x):
    return sliding_window_view(x, (16, 8), axis=(0, 1))[::8, ::4]


def patches_of_channels(x):
    return sliding_window_view(x, (16, 8, 3))[::8, ::4, 0]


def along_rows(x):
    return sliding_window_view(x, 8, 1)[:, ::4].swapaxes(0, 1)


def by_name(x):
    return sliding_window_view(x, axis=-2, window_shape=8)[::2, ::4]


def begins_later(x):
    return sliding_window_view(x, 400)[100::160]


def ends_sooner(x):
    return sliding_window_view(x, 400)[:1000:160]


def backwards(x):
    return sliding_window_view(x, 400)[::-160]


def one(x):
    return sliding_window_view(x, 400)[7]


def newer_axis(x):
    return sliding_window_view(x, 400)[None, ::160]


def in_the_window(x):
    return sliding_window_view(x, 400)[::160, ::2]


def axes_in_other_order(x):
    return sliding_window_view(x, (8, 16), axis=(1, 0))[::8, ::4]


def after_a_write(x):
    y = x.copy()
    windows = sliding_window_view(y, 400)
    y[5] = -1
    found = windows[::160]
    y[170] = -2
    return found


def a_single_one(x):
    return sliding_window_view(x[:400], 400)[::160], sliding_window_view(x, 1)[::2999]


def one_column(x):
    return sliding_window_view(x, (40, 50), axis=(0, 1))[::2, ::3], sliding_window_view(x, (1, 50, 3))[::40]


def drawn(x):
    k = int(x[7]) % 3
    windows = sliding_window_view(x, 400)
    return windows[k], windows[k:, ::2], windows[:: k + 1], windows[..., k]


FEW = [hops, hops_of_hops, frames_last, patches, along_rows, by_name, after_a_write]
ALL = [*FEW, turned, patches_of_channels, begins_later, ends_sooner, backwards, one, newer_axis]
ALL += [in_the_window, axes_in_other_order, a_single_one, one_column, drawn]


def given(body):
    images = (patches, patches_of_channels, along_rows, by_name, axes_in_other_order, one_column)
    return IMAGE if body in images else SIGNAL


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("body", ALL)
def test_values_are_those_of_numpy(body, known):
    x = given(body)
    shape = x.shape if known else [None] * x.ndim
    found = tf.function(port(body), input_signature=[tf.TensorSpec(shape, x.dtype)])
    for run in (found, port(body)):
        for one, other in zip(tf.nest.flatten(run(x)), tf.nest.flatten(body(x)), strict=True):
            np.testing.assert_array_equal(one, other, strict=True)
    for shape, one in zip(
        tf.nest.flatten(found.get_concrete_function().output_shapes), tf.nest.flatten(body(x)), strict=True
    ):
        assert shape.rank == one.ndim
        assert shape.is_compatible_with(one.shape)


@pytest.mark.parametrize("body", FEW)
def test_no_other_windows_are_made(body):
    x = given(body)
    traced = tf.function(port(body)).get_concrete_function(tf.TensorSpec(x.shape, x.dtype))
    made = [one.shape.num_elements() for node in traced.graph.get_operations() for one in node.outputs]
    assert max(made) <= max(body(x).size, x.size)


def test_windows_are_read_only():
    def written(x):
        windows = sliding_window_view(x, 4)
        windows[0] = 1
        return windows

    with pytest.raises(ValueError, match="read-only"):
        written(SIGNAL)
    with pytest.raises(PipeportError, match="read-only"):
        port(written)(SIGNAL)
