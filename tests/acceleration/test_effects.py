"""What the source of a function tells of its effects, and of what it reads."""

from __future__ import annotations

import functools
import json
import random
import sys
import time
import types
from xml.etree import ElementTree

import cv2
import h5py
import nibabel
import numpy as np
import pytest
import tensorflow as tf
from scipy import ndimage

from pipeport.acceleration._effects import known

SEEN: list[int] = []
CACHE: dict[str, list[int]] = {"sizes": []}
MEAN = np.array([0.5], np.float32)
STEPS = ((np.fliplr, 0.5), (np.flipud, 0.5))
PRINTING = (np.fliplr, print)
COUNTER = iter(range(10))
COUNTERS = {"first": iter(range(10))}
FILE = sys.stdout
VIDEO = cv2.VideoCapture()
SETTINGS = types.SimpleNamespace(gain=2.0, names=[])
total = 0


class Letters:
    """A set of letters, which may count how often it is asked."""

    def __init__(self, counts):
        self.counts, self.asked = counts, 0

    def encoded(self, k):
        """Change nothing."""
        return np.full(2, k)

    def counted(self, k):
        """Count."""
        self.asked += 1
        return self.encoded(k)

    def __getitem__(self, k):
        return self.encoded(k)


class Kept(Letters):
    """A set that keeps what it was asked for."""

    def __getitem__(self, k):
        self.asked += 1
        return k


SETS = (Letters(1), Letters(2))
KEPT = Kept(1)


class Augment:
    """Scales, and counts if it is asked to."""

    def __init__(self):
        self.gain, self.calls, self.made = 2.0, 0, []

    def scale(self, x):
        """Change nothing."""
        return self.rotate(x * self.gain)

    def rotate(self, x):
        """Have the name of a method that changes a deque."""
        return np.rot90(x)

    def count(self, x):
        """Count on the object."""
        self.calls += 1
        return x

    def keep(self, x):
        """Keep on the object."""
        self.made.append(x.shape)
        return x


def appends(x):
    SEEN.append(1)
    return x


def appends_to_an_alias(x):
    sizes = CACHE["sizes"]
    sizes.append(x.size)
    return x


def writes_to_an_alias(x):
    d = CACHE
    d["n"] = x.size
    return x


def appends_through_get(x):
    CACHE.get("sizes", []).append(1)
    return x


def counts(x):
    global total  # noqa: PLW0603
    total += 1
    return x


def prints(x):
    print(x.shape)
    return x


def waits(x):
    time.sleep(0.1)
    return x


def seeds(x):
    np.random.seed(0)
    return x + np.random.rand()


def saves(x):
    np.save("x.npy", x)
    return x


def opens_to_write(x):
    with open("x.txt", "w") as file:  # noqa: PTH123 - what is tried
        file.write("x")
    return x


def goes_on(x):
    return x + next(COUNTER)


def goes_on_in_a_loop(x):
    for one, _ in zip((1, 2), COUNTER, strict=False):
        x = x + one
    return x


def goes_on_in_a_container(x):
    return x + sum(COUNTERS["first"])


def reads_on(x):
    return x + VIDEO.read()[1]


def counts_in_a_loop(x):
    for number, one in enumerate(SETS):
        x = x + one.counted(number)
    return x


def counts_by_an_index(x):
    return x + KEPT[0]


def writes_an_archive(x):
    with h5py.File("x.h5", "w") as file:
        file["x"] = x
    return x


def writes_json(x):
    json.dump(x.tolist(), FILE)
    return x


def calls_its_argument(f, x):
    return f(x)


def helper(x):
    SEEN.append(2)
    return x


def by_a_helper(x):
    return helper(x)


def as_a_callback(x):
    return np.stack([f(x) for f in (helper, np.flipud)])


def chooses_what_prints(x):
    f = random.choice(PRINTING)
    return f(x)


def fills(x):
    np.copyto(MEAN, x)
    return x


def assigns(x):
    tf.print(x)
    return x


def on_a_namespace(x):
    SETTINGS.gain = 3.0
    return x


EFFECTS = (
    appends, appends_to_an_alias, writes_to_an_alias, appends_through_get, counts, prints, waits, seeds,
    saves, opens_to_write, goes_on, goes_on_in_a_loop, goes_on_in_a_container, reads_on, counts_in_a_loop,
    counts_by_an_index, writes_an_archive, writes_json, calls_its_argument, by_a_helper, as_a_callback,
    chooses_what_prints, fills, assigns, on_a_namespace, Augment().count, Augment().keep, print,
)  # fmt: skip


@pytest.mark.parametrize("function", EFFECTS, ids=lambda one: one.__qualname__)
def test_an_effect_is_found(function):
    assert known(function).effect


def plain(x):
    rows = []
    rows.append(x.mean())
    counts = {}
    counts["n"] = len(rows)
    x = x.copy()
    x[0] = counts["n"]
    rows.sort()
    return ndimage.rotate(x, 3.0) + np.array(rows)


def of_its_argument(x):
    x[..., 0] = 0
    part = x[0]
    part += 1
    return x


def reading(x):
    with open("x.txt") as file:  # noqa: PTH123 - what is tried
        return x + len(file.read())


def of_functions(x):
    for step, p in STEPS:
        if random.random() < p:
            x = step(x)
    return x


def of_its_own(x):
    def inner(y):
        return y + 1

    double = lambda y: y * 2  # noqa: E731
    return double(inner(x))


def of_a_volume(path):
    volume = nibabel.load(path.decode())
    return volume.get_fdata() * np.prod(volume.header.get_zooms())


def of_objects_in_a_container(x):
    for (number, one), other in zip(enumerate(SETS), SETS, strict=True):
        x = x + one.encoded(number) + other[number]
    return x


def of_an_archive(path):
    with h5py.File(path.decode(), "r") as file:
        return file["x"][:]


def of_a_video(path):
    video = cv2.VideoCapture(path.decode())
    _, frame = video.read()
    video.release()
    return frame


def of_json(path):
    with open(path.decode()) as file:  # noqa: PTH123 - what is tried
        return np.array(json.load(file)["box"])


def of_a_tree(path):
    root = ElementTree.parse(path.decode()).getroot()
    return np.array([float(one.findtext("x")) for one in root.findall("box")])


def lines(path):
    with open(path) as file:  # noqa: PTH123 - what is tried
        for line in file:
            yield json.loads(line)


def without_a_native(x):
    return cv2.fastNlMeansDenoising(x)


PURE = (
    cv2.resize,
    functools.partial(np.flip, axis=0),
    plain,
    of_its_argument,
    reading,
    of_functions,
    of_its_own,
    of_a_volume,
    of_objects_in_a_container,
    of_an_archive,
    of_a_video,
    of_json,
    of_a_tree,
    lines,
    lambda: iter(lines("x.jsonl")),
    without_a_native,
    Augment().scale,
)


@pytest.mark.parametrize("function", PURE, ids=lambda one: getattr(one, "__qualname__", "partial"))
def test_a_function_without_effects(function):
    assert known(function).effect == ""


def test_what_is_read():
    def names(function):
        return {(one.kind, one.name) for one in known(function).reads}

    gain = 3

    def closing(x):
        return x * gain - MEAN + len(CACHE["sizes"]) + SETTINGS.gain

    assert names(closing) == {
        ("closure", "gain"), ("global", "MEAN"), ("global", "CACHE"), ("global", "SETTINGS"),
        ("attribute", "gain"),
    }  # fmt: skip
    assert names(Augment().scale) == {("attribute", "gain")}
    assert names(plain) == set()


def test_what_is_read_of_functions_in_containers():
    step = Augment()
    steps = [step.scale]

    def chain(x):
        for one in steps:
            x = one(x)
        return x

    assert ("attribute", "gain") in {(one.kind, one.name) for one in known(chain).reads}
