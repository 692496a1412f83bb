"""What a refusal says: the user's line, in two lines, before anything runs where that can be known."""

from __future__ import annotations

import importlib
import os
import random
import re
import sys
import traceback
from pathlib import Path

import cv2
import numpy as np
import pytest
import scipy.fft
import scipy.ndimage
import scipy.signal
import skimage.filters
import skimage.morphology
import tensorflow as tf
from PIL import Image

import pipeport
from pipeport import meanings
from pipeport._nearest import NEAREST
from pipeport.errors import PortRefused
from pipeport.porting import port
from tests.porting.modes import every_size, refused_in_graphs

PACKAGE = str(Path(pipeport.__file__).parent)
FOREIGN = {
    "gridarray/__init__.py": """
from gridarray.core.api import open_grid, Grid

def mean_of(values):
    import os
    return sum(values) / os.cpu_count()
""",
    "gridarray/core/__init__.py": "",
    "gridarray/core/api.py": """
import os

def open_grid(path):
    try:
        global opened
        opened = os.stat(path)
    except OSError:
        class Missing: pass
        yield Missing
    return Grid(path)

class Grid:
    def __init__(self, values):
        self.values = values
    def __call__(self, x):
        with open("log", "a") as file:
            file.write(str(x))
        return x
    def part(self, start):
        try:
            return self.values[start]
        except IndexError:
            return None
""",
    "gridarray-1.0.dist-info/RECORD": "gridarray/__init__.py,,\ngridarray/core/api.py,,\n",
}
OWN = """
import gridarray

GRID = gridarray.Grid([1, 2, 3])


def opens(path):
    grid = gridarray.open_grid(path)
    return grid.part(0)


def calls_an_object(x):
    return GRID(x) + 1


def of_a_method(x):
    return GRID.part(2) * x


def helper(x):
    return gridarray.mean_of(x)


def through_a_helper(x):
    return helper(x) + 1
"""


@pytest.fixture(params=["site-packages", "vendored"])
def bodies(request, tmp_path, monkeypatch):
    """A module of the user's, and a package that was installed: also by `pip install --target`."""
    folder = tmp_path / request.param
    for name, text in FOREIGN.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (tmp_path / "bodies_of_refusals.py").write_text(OWN)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("bodies_of_refusals")
    for name in [one for one in sys.modules if one.partition(".")[0] in ("gridarray", "bodies_of_refusals")]:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("name", "line", "called"),
    [
        ("opens", 8, "gridarray.open_grid"),
        ("calls_an_object", 13, "an object of gridarray.core.api.Grid"),
        ("of_a_method", 17, "gridarray.Grid.part"),
        ("through_a_helper", 21, "gridarray.mean_of"),
    ],
)
def test_a_foreign_package_is_refused_at_the_users_line(bodies, name, line, called):
    with pytest.raises(PortRefused) as caught:
        port(getattr(bodies, name))
    said = str(caught.value).splitlines()
    assert len(said) == 4  # whose, where, what, and that islands would keep it
    assert re.search(rf"bodies_of_refusals\.py, line {line}: ", said[1])
    assert said[2].strip().startswith(f"{called}: It has no native equivalent.")


def test_a_foreign_function_as_the_body_is_refused_by_its_name(bodies):
    for body, called in [
        (bodies.gridarray.mean_of, "gridarray.mean_of"),
        (bodies.GRID, "an object of gridarray"),
    ]:
        with pytest.raises(PortRefused) as caught:
            port(body)
        assert str(caught.value).splitlines()[0].startswith(called)
        assert "api.py" not in str(caught.value)


def imports_inside(x):
    import cv2 as library
    from scipy.signal import convolve2d

    return convolve2d(library.flip(x, 1), x)


def other_colours(x):
    return cv2.cvtColor(x, cv2.COLOR_BGR2LUV)


def other_norm(x):
    return cv2.normalize(x, None, norm_type=cv2.NORM_HAMMING)


def of_objects(x):
    return np.array([x, x[:1]], dtype=object)


def casts_to_objects(x):
    return x.astype(object)


def takes_the_next(x):
    return next(iter(x))


def lists_a_folder(path):
    return len(os.listdir(path))  # noqa: PTH208 - as people write it


BEFOREHAND = [
    (
        imports_inside,
        "scipy.signal.convolve2d: It has no native equivalent. Write `scipy.signal.fftconvolve`",
    ),
    (other_colours, f"cv2.cvtColor: code: got {cv2.COLOR_BGR2LUV}; allowed: BGR, RGB"),
    (other_norm, f"cv2.normalize: norm_type: got {cv2.NORM_HAMMING}; allowed: "),
    (of_objects, "an array of Python's objects: Keep the list, `[x, x[:1]]`, or"),
    (casts_to_objects, "an array of Python's objects: Keep a list"),
    (takes_the_next, "iter: Write a `for` loop."),
    (lists_a_folder, "os.listdir: It would run once, while tracing"),
]


@pytest.mark.parametrize(("body", "words"), BEFOREHAND, ids=lambda v: getattr(v, "__name__", ""))
def test_what_the_source_tells_is_said_beforehand(body, words):
    with pytest.raises(PortRefused) as caught:
        port(body)
    assert words in str(caught.value)


def same_colours(x):
    return cv2.cvtColor(x, cv2.COLOR_BGR2RGB)


def loads(path):
    return np.load(path) * 2


def loads_and_casts(path):
    return np.load(path).astype(np.float32), np.array(np.load(path), dtype=np.uint8)


def test_what_is_served_is_not_refused_beforehand():
    assert not port(same_colours).report()[0].advice
    assert "In a graph the dtype must be known" in port(loads).report()[0].advice
    assert not any(row.advice for row in port(loads_and_casts).report())


def deep(x):
    return shallow(x)


def shallow(x):
    if x.mean() > 0:
        x = x[..., np.newaxis]
    return x


def adds_shapes(x):
    return x + np.zeros([5])


@pytest.mark.parametrize("body", [deep, adds_shapes])
@pytest.mark.parametrize("mapped", [False, True])
def test_an_error_while_tracing_shows_the_users_frames(body, mapped):
    def run():
        if mapped:
            return tf.data.Dataset.from_tensors(np.ones([3], np.float32)).map(port(body))
        return tf.function(port(body)).get_concrete_function(tf.TensorSpec([3], tf.float32))

    with pytest.raises(Exception) as caught:  # noqa: PT011 - of any class
        run()
    notes = "\n".join(caught.value.__notes__)
    assert f'{__file__}", line ' in notes
    files = [one.filename for one in traceback.extract_tb(caught.value.__traceback__)]
    ours = [one for one in files if one.startswith(PACKAGE) and not one.endswith("_port.py")]
    assert not ours
    assert not any(one.startswith("<pipeport") for one in files)


def draws_from_a_range(x):
    import random

    return random.sample(range(x[0]), 2)


def searches(x):
    return [one.start() for one in re.finditer("a", str(x[0]))]


def indexes_by_a_list(x):
    return np.zeros(5)[list(range(int(x[0])))]


def permutes_a_range(x):
    return np.cumsum(range(x[0]))


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            draws_from_a_range,
            r"a range of a length known only at run time, for random\.sample.*np\.random\.choice",
        ),
        (
            permutes_a_range,
            r"a range of a length known only at run time, for pipeport\.numpy\.cumsum.*np\.arange\(n\)",
        ),
    ],
)
def test_no_names_of_ours(body, words):
    graph = tf.function(pipeport.port(body))
    with pytest.raises(PortRefused, match=words) as caught:
        graph.get_concrete_function(tf.TensorSpec([3], tf.int64))
    assert "Symbolic" not in str(caught.value)


# Functions beside what is said to be written instead, of the libraries themselves.
X = np.random.default_rng(0).uniform(0, 1, (9, 11))
B = np.random.default_rng(1).integers(0, 256, (6, 5), np.uint8)
EQUAL = {
    "cv2.magnitude": (lambda: cv2.magnitude(X, X * X), lambda: np.hypot(X, X * X)),
    "cv2.countNonZero": (lambda: cv2.countNonZero(B), lambda: np.count_nonzero(B)),
    "cv2.hconcat": (lambda: cv2.hconcat([X, X]), lambda: np.hstack([X, X])),
    "cv2.max": (lambda: cv2.max(B, B[::-1]), lambda: np.maximum(B, B[::-1])),
    "cv2.mean": (lambda: cv2.mean(B)[0], lambda: np.mean(B, axis=(0, 1))),
    "cv2.norm": (lambda: cv2.norm(X), lambda: np.linalg.norm(X)),
    "cv2.repeat": (lambda: cv2.repeat(B, 2, 3), lambda: np.tile(B, (2, 3))),
    "cv2.sepFilter2D": (
        lambda: cv2.sepFilter2D(X, -1, np.arange(3.0), np.arange(5.0)),
        lambda: cv2.filter2D(X, -1, np.outer(np.arange(5.0), np.arange(3.0))),
    ),
    "numpy.linalg.lstsq": (
        lambda: np.linalg.lstsq(X.T, X.sum(0), rcond=None)[0],
        lambda: np.linalg.pinv(X.T) @ X.sum(0),
    ),
    "scipy.ndimage.grey_closing": (
        lambda: scipy.ndimage.grey_closing(X, 3),
        lambda: scipy.ndimage.grey_erosion(scipy.ndimage.grey_dilation(X, 3), 3),
    ),
    "scipy.signal.convolve2d": (
        lambda: scipy.signal.convolve2d(X, X[:3, :3], "same"),
        lambda: scipy.signal.fftconvolve(X, X[:3, :3], "same"),
    ),
    "skimage.filters.median": (
        lambda: skimage.filters.median(B, np.ones((3, 3))),
        lambda: scipy.ndimage.median_filter(B, footprint=np.ones((3, 3)), mode="nearest"),
    ),
    "skimage.morphology.binary_erosion": (
        lambda: skimage.morphology.binary_erosion(B > 60),
        lambda: scipy.ndimage.binary_erosion(B > 60, border_value=1),
    ),
    "skimage.morphology.dilation": (
        lambda: skimage.morphology.dilation(B, np.ones((3, 3))),
        lambda: scipy.ndimage.grey_dilation(B, footprint=np.ones((3, 3))),
    ),
}


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("name", EQUAL)
def test_the_nearest_gives_the_same_values(name):
    assert name in NEAREST
    one, other = (side() for side in EQUAL[name])
    np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", NEAREST)
def test_the_nearest_exists_and_is_served(name):
    named = re.findall(r"`((?:numpy|scipy|skimage|cv2|PIL|tf)\.[\w.]+)", NEAREST[name])
    kinds = [meanings.meaning(re.sub(r"^tf\.", "tensorflow.", one)).kind for one in named]
    assert set(kinds) <= {meanings.NATIVE, meanings.DRAW, meanings.TENSORFLOW}, dict(
        zip(named, kinds, strict=True)
    )
    for one in named:
        assert not one.startswith("tf.") or callable(eval(one, {"tf": tf})), one


def test_a_list_of_unknown_length_is_an_index():
    graph = tf.function(port(indexes_by_a_list))
    assert graph(tf.constant([3])).numpy().tolist() == [0, 0, 0]


def test_what_reads_text_is_told_the_way():
    with pytest.raises(PortRefused, match=r"re\.finditer.*Write `re\.findall`"):
        tf.function(port(searches)).get_concrete_function(tf.TensorSpec([3], tf.int64))


def thumbnail(x):
    image = Image.fromarray(x)
    image.thumbnail((2, 2))
    return np.asarray(image)


def drawn_triangle(x):
    return x + np.random.default_rng(3).triangular(0.0, 1.0, 2.0)


def flat_elements(x):
    return x.flat[2]


def other_view(x):
    return x.view(np.int8)


def thumbnail_of_a_file(path):
    with Image.open(path.decode()) as image:
        small = image.convert("L")
    small.thumbnail((2, 2))
    return np.asarray(small)


def unseeded(x):
    rng = np.random.default_rng()
    return x + rng.multivariate_normal([0.0], [[1.0]])


def of_a_state(x):
    return x + np.random.RandomState(3).wald(1.0, 2.0)


def of_the_standard_library(x):
    rng = random.Random(3)
    return x + rng.vonmisesvariate(0.0, 1.0)


def of_several(x):
    rng = np.random.default_rng(3)
    if x.size > 3:
        rng = random.Random(3)
    x = x.copy()
    return x + rng.gauss(0.0, 1.0)


def with_what_there_is(x):
    image = Image.fromarray(x)
    return np.asarray(image.transpose(0) if hasattr(image, "transpose_all") else image.transpose(1))


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (thumbnail, "Image: got `thumbnail`; allowed: .*resize"),
        (thumbnail_of_a_file, "Image: got `thumbnail`; allowed: .*resize"),
        (drawn_triangle, "Generator: got `triangular`; allowed: .*uniform"),
        (unseeded, "Generator: got `multivariate_normal`; allowed: .*uniform"),
        (of_a_state, "RandomState: got `wald`; allowed: .*randint"),
        (of_the_standard_library, "Random: got `vonmisesvariate`; allowed: .*gauss"),
    ],
)
def test_attributes_that_are_not_there_are_said_beforehand(body, words):
    with pytest.raises(PortRefused, match=words) as caught:
        port(body)
    first = body.__code__.co_firstlineno
    lines = [int(one) for one in re.findall(r"test_refusals\.py, line (\d+): ", str(caught.value))]
    assert len(lines) == 1
    assert first < lines[0] <= first + 5


def test_attributes_that_are_not_there():
    spec = tf.TensorSpec([3, 4], tf.uint8)
    refused_in_graphs(flat_elements, "does not mirror numpy.ndarray.flat", spec)
    refused_in_graphs(other_view, "does not mirror numpy.ndarray.view", spec)
    port(of_several)
    every_size(with_what_there_is, np.arange(12, dtype=np.uint8).reshape(3, 4))
