"""The photographs: shipped, fitted, converted, the same every time."""

from __future__ import annotations

import socket

import numpy as np
import pytest

from pipeport.bench import _photographs

pytestmark = pytest.mark.newest_only


def test_all_of_them_are_there_without_a_network(monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("the bench opened a connection")

    monkeypatch.setattr(socket, "socket", refuse)
    _photographs.originals.cache_clear()
    found = _photographs.originals()
    assert set(found) == set(_photographs.FILES)
    assert all(image.dtype == np.uint8 and image.shape[2] == 3 for image in found.values())


@pytest.mark.parametrize("size", [(32, 32), (240, 320), (512, 512), (7, 90)])
def test_fitted_to_the_size(size):
    images = _photographs.photographs(size, "uint8")
    assert len(images) == _photographs.COUNT
    assert {image.shape for image in images} == {(*size, 3)}
    # Photographs, not constants.
    assert min(image.std() for image in images) > 10


def test_a_centre_crop_keeps_pixels():
    astronaut = _photographs.originals()["astronaut.png"]
    assert np.array_equal(_photographs.photographs((512, 512), "uint8")[0], astronaut)


def test_unknown_sizes_vary_and_are_the_same_every_time():
    images = _photographs.photographs(None, "uint8")
    heights, widths = ({image.shape[axis] for image in images} for axis in (0, 1))
    assert min(len(heights), len(widths)) > 10
    assert min(heights | widths) >= 180
    assert images[0].shape == (256, 256, 3)
    _photographs._in_uint8.cache_clear()
    assert all(map(np.array_equal, images, _photographs.photographs(None, "uint8")))


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [
        ("uint8", [0, 51, 255]),
        ("int32", [0, 51, 255]),
        ("uint16", [0, 13107, 65535]),
        ("bool", [False, False, True]),
        ("float32", np.float32([0, 0.2, 1])),
        ("float16", np.float16([0, 0.2, 1])),
        ("float64", [0, 0.2, 1]),
    ],
)
def test_conversion(dtype, expected):
    converted = _photographs.convert(np.array([0, 51, 255], np.uint8), dtype)
    assert converted.dtype == dtype
    assert np.array_equal(converted, expected)
