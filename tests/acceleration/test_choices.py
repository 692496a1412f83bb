"""Choices of earlier processes: they save measuring, and never the comparison."""

from __future__ import annotations

import functools
import json
import os

import cv2
import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport.acceleration import _changes
from pipeport.acceleration._choices import Choice, Choices, key_of, user_folder
from pipeport.acceleration._measure import Rate

IMAGES = np.random.default_rng(0).integers(0, 255, [4, 6, 5, 3]).astype(np.uint8)
TABLE = np.arange(256).astype(np.uint8)[::-1].copy()


def look_up(table):
    def looked_up(image):
        return table[image]

    return looked_up


looked_up = look_up(TABLE)


def scaled(image, by=2.0):
    return image.astype(np.float32) * np.float32(by)


def denoised(image):
    return cv2.fastNlMeansDenoising(image) + 0


@pytest.fixture(autouse=True)
def sources(monkeypatch):
    """Look for changes in this module alone: those of other tests change many names."""
    find = _changes._sources
    monkeypatch.setattr(_changes, "_sources", lambda: {__name__: find()[__name__]})


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.setenv("PIPEPORT_CACHE", str(tmp_path))
    return tmp_path / "run"


@pytest.fixture
def ran(acceleration):
    """Map a function, as a process of its own would; return its verdict and how often it was measured."""

    def run(function, dtype, *, images=IMAGES, faster=True, **settings):
        found = acceleration(faster=faster, **settings)
        measured = []
        rates = found.engine.measure
        found.engine.measure = lambda *sides: measured.append(1) or rates(*sides)
        dataset = tf.data.Dataset.from_tensor_slices(images)
        dataset = dataset.map(lambda x: tf.numpy_function(function, [x], dtype))
        values = [np.asarray(one) for one in dataset.as_numpy_iterator()]
        want = [function(one) for one in images]
        pipeport.uninstall()
        for one, other in zip(values, want, strict=True):
            np.testing.assert_array_equal(one, other)
        return found.report.verdicts[0], len(measured)

    return run


def test_a_second_run_measures_nothing_and_compares(folder, ran):
    first, once = ran(looked_up, tf.uint8)
    second, never = ran(looked_up, tf.uint8)
    assert (first.why, once, first.remembered) == ("", 1, False)
    assert (second.is_native, never, second.remembered) == (True, 0, True)
    assert second.agreed == 3
    assert second.native == first.native
    assert len(list(folder.glob("*.json"))) == 1


def test_what_was_slower_is_not_tried_again(folder, ran):
    assert ran(looked_up, tf.uint8, faster=False)[0].reason == "slower"
    verdict, never = ran(looked_up, tf.uint8)
    assert (verdict.reason, never, verdict.agreed) == ("slower", 0, 0)
    verdict, once = ran(looked_up, tf.uint8, fresh=True)
    assert (verdict.is_native, once) == (True, 1)
    verdict, never = ran(looked_up, tf.uint8)
    assert (verdict.is_native, never) == (True, 0)
    assert len(list(folder.glob("*.json"))) == 1


def test_a_refusal_is_remembered_until_the_settings_change(folder, ran):
    first, _ = ran(denoised, tf.uint8, islands=False)
    second, _ = ran(denoised, tf.uint8, islands=False)
    assert (first.reason, first.remembered) == ("refused", False), first.why
    assert (second.reason, second.detail, second.remembered) == ("refused", first.detail, True)
    assert ran(denoised, tf.uint8)[0].remembered is False


@pytest.mark.parametrize(
    "other",
    [
        (lambda x: scaled(x) + 1, tf.float32, {}),
        (functools.partial(scaled, by=3.0), tf.float32, {}),
        (functools.partial(scaled), tf.float32, {"images": IMAGES[:, :4]}),
        (functools.partial(scaled), tf.float32, {"islands": False}),
    ],
    ids=["body", "bound argument", "sizes", "islands"],
)
def test_another_boundary_is_measured(folder, ran, other):
    function, dtype, more = other
    assert ran(functools.partial(scaled), tf.float32)[1] == 1
    assert ran(function, dtype, **more)[1] == 1


def test_the_order_of_a_dictionary_decides_nothing():
    assert key_of([{"a": 1, "b": [2, {"c": 3, "d": 4}]}]) == key_of([{"b": [2, {"d": 4, "c": 3}], "a": 1}])
    assert key_of([{"a": 1, "b": 2}]) != key_of([{"a": 2, "b": 1}])


def test_another_value_from_outside_is_measured(folder, ran):
    assert ran(looked_up, tf.uint8)[1] == 1
    assert ran(look_up(TABLE // 2), tf.uint8)[1] == 1
    assert ran(look_up(TABLE.copy()), tf.uint8)[1] == 0


@pytest.mark.parametrize("text", ["", "[]", '{"refusal": ""}', '{"refusal": "", "python": 3, "native": 4}'])
def test_a_broken_file_is_none(folder, ran, text):
    ran(looked_up, tf.uint8)
    [file] = folder.glob("*.json")
    file.write_text(text)
    assert ran(looked_up, tf.uint8)[1] == 1
    assert json.loads(file.read_text())["python"]["element"] > 0


def test_a_folder_that_cannot_be_written(monkeypatch, tmp_path, ran):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PIPEPORT_CACHE", str(tmp_path / "file"))
    assert ran(looked_up, tf.uint8)[0].is_native


def test_where_choices_are_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("PIPEPORT_CACHE", "")
    assert user_folder() is None
    monkeypatch.delenv("PIPEPORT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert user_folder() == tmp_path / "pipeport" / "run"


def test_the_oldest_go(monkeypatch, tmp_path):
    monkeypatch.setattr("pipeport.acceleration._choices._MOST", 2)
    choices = Choices(tmp_path, fresh=False)
    for number, key in enumerate("abc"):
        choices.keep(key, Choice(python=Rate(number, 0, 0), native=Rate(0, 0, 0)))
        if (tmp_path / f"{key}.json").exists():
            os.utime(tmp_path / f"{key}.json", (number, number))
    assert [key for key in "abc" if choices.find(key)] == ["b", "c"]


class Held:
    def __init__(self, value):
        self.value = value


class Slotted:
    __slots__ = ("value",)


def cyclic():
    found = Held(1)
    found.value = [found, found]
    return found


def test_keys():
    same = [
        (1, 1), ([1, "a"], [1, "a"]), ({"a": np.arange(3)}, {"a": np.arange(3)}),
        (Held((1, None)), Held((1, None))), ({2, 1}, {1, 2}),
        (np.random.default_rng(0), np.random.default_rng(1)), (np.add, np.add),
    ]  # fmt: skip
    for one, other in same:
        assert key_of([one]) == key_of([other]) is not None
    apart = [(1, 1.0), (1, True), ([1], (1,)), (np.arange(3), np.arange(3.0)), (Held(1), Held(2))]
    for one, other in apart:
        assert key_of([one]) != key_of([other])
    assert [key_of([one]) for one in (Slotted(), cyclic(), object())] == [None] * 3
