"""The recipe that ports a body: the same pixels, from the same source, and every bug it names."""

from __future__ import annotations

import ast
import re
import sys

import numpy as np
import pytest
import tensorflow as tf
from click.testing import CliRunner
from PIL import Image

import pipeport
from pipeport.cli import main
from tests.recipes.recipe_tools import RECIPES, boundaries, collected, photographs, program

before, after = program("port-a-body", "before"), program("port-a-body", "after")
pitfalls = program("port-a-body", "pitfalls")

LEVEL = 1 / 255 / after.STD  # of bytes, behind the normalisation


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    """Return paths of JPEG files, no two alike in size; one is higher than wide."""
    folder = tmp_path_factory.mktemp("files")
    found = []
    for index, image in enumerate(photographs()):
        found.append(str(folder / f"{index}.jpg"))
        rows, columns = slice(None, image.shape[0] - 3 * index), slice(10 * index, None)
        Image.fromarray(image[rows, columns]).save(found[-1], quality=90)
    return found


@pytest.fixture(scope="module")
def old(paths):
    return collected(before.build_dataset(paths))


@pytest.fixture(scope="module")
def ported(paths):
    """Return the dataset of after.py, traced once for all that look at it."""
    return after.build_dataset(paths)


def test_before_and_after_agree(old, ported):
    new = collected(ported)
    assert len(old) == len(new) == len(photographs())
    for expected, got in zip(old, new, strict=True):
        assert got.dtype == expected.dtype == np.float32
        assert got.shape == expected.shape == (224, 224, 3)
        assert (np.abs(got - expected) / LEVEL).max() < 1.01


def test_equal_bits(paths, old):
    with pipeport.config.use_bit_equal(True):
        for expected, got in zip(old, collected(after.build_dataset(paths)), strict=True):
            assert (np.abs(got - expected) / LEVEL).max() < 0.001


def test_photographs_are_told_apart(old):
    """Else an image in the place of another would pass."""
    apart = [(np.abs(a - b) / LEVEL).max() for i, a in enumerate(old) for b in old[:i]]
    assert min(apart) > 50


def functions(recipe: str, file: str) -> dict[str, str]:
    """Return the functions of a program by name, as text without comments and layout."""
    tree = ast.parse((RECIPES / recipe / file).read_text())
    return {node.name: ast.dump(node) for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_the_body_is_the_same():
    """What the README says: only the map changes."""
    old, new = (functions("port-a-body", file) for file in ("before.py", "after.py"))
    assert [name for name in old if old[name] != new.get(name)] == ["tf_load", "build_dataset"]
    assert set(new) < set(old)


def test_boundaries(paths, ported):
    assert boundaries(ported) == set()
    assert boundaries(before.build_dataset(paths)) == {"PyFunc"}


def test_static_shapes(paths, ported):
    assert ported.element_spec.shape == (224, 224, 3)
    assert before.build_dataset(paths).element_spec.shape.rank is None


def test_example(paths, monkeypatch):
    """`port(load, example=path)` compares, and finds what differs."""
    from pipeport.errors import NotEquivalent
    from pipeport.porting import _example

    with pipeport.config.use_bit_equal(True):
        assert pipeport.port(before.load, example=paths[0].encode()).original is before.load
        monkeypatch.setattr(_example, "sides", lambda _: (before.load, lambda path: before.load(path) + 1))
        with pytest.raises(NotEquivalent, match="values up to 1"):
            pipeport.port(before.load, example=paths[0].encode())


@pytest.fixture
def command(monkeypatch):
    """Run a command in the recipe's folder."""
    monkeypatch.chdir(RECIPES / "port-a-body")
    sys.modules.pop("before", None)
    yield lambda *words: CliRunner().invoke(main, words, env={"COLUMNS": "100"})
    sys.modules.pop("before", None)


def test_what_becomes_of_each_call(command):
    done = command("port", "before:load")
    assert done.exit_code == 0, done.output
    for becomes in ("native pipeport.cv2.imread", "own function before.letterbox", "built-in round"):
        assert becomes in done.output


@pytest.mark.parametrize(
    ("bit_equal", "engines", "found"),
    [(True, "eager,graph", "2 cases: 2 passed"), (False, "eager", "output differs by 0.017")],
)
def test_the_command_under_proof(command, bit_equal, engines, found):
    """It agrees with equal bits; without, it finds the grey level that the README speaks of."""
    text = (RECIPES / "port-a-body" / "README.md").read_text()
    words = re.search(r'pipeport (verify before:prepare --port) --input "(.+)"', text)
    with pipeport.config.use_bit_equal(bit_equal):
        few = ("--examples", "2", "--engine", engines)
        done = command(*words[1].split(), "--input", words[2], *few)
    assert done.exit_code == int(not bit_equal), done.output
    assert found in done.output


def test_missing_file():
    missing = tf.data.Dataset.from_tensors("missing.jpg").map(pipeport.port(before.load))
    with pytest.raises(tf.errors.NotFoundError, match=r"missing\.jpg"):
        collected(missing)


def test_try_and_except():
    told, kept = pitfalls.try_and_except()
    assert re.search(r"pitfalls\.py, line \d+: try:\n +`try`: What fails in a graph cannot be caught", told)
    assert kept == 1


def test_state_on_self():
    told, numbers = pitfalls.state_on_self()
    assert "state kept on an object (`self.seen`)" in told
    assert numbers == [1, 2, 3]


def test_list_grown_in_a_drawn_loop():
    assert pitfalls.list_grown_in_a_drawn_loop() == [[(0, 6), (4, 6)]] * 2


def test_list_grown_in_a_known_number_of_rounds():
    """What the README says of `append` where nothing depends on values."""

    def rows(image):
        found = []
        for row in range(2):
            found.append(image[row])
        return np.stack(found)

    stacked = pitfalls.images(7).map(pipeport.port(rows))
    assert stacked.element_spec.shape == (2, 6)
    assert np.all(next(iter(stacked)) == 7)


def test_branches_of_two_dtypes():
    told, dtype = pitfalls.branches_of_two_dtypes()
    assert "`image` of dtype float64 or uint8 in two branches" in told
    assert dtype == tf.float32


def test_python_numbers_joined():
    original, ported, written = pitfalls.python_numbers_joined()
    assert original == [("uint8", 144.0), ("float64", 25.0)]
    assert ported == written == [("float64", 400.0), ("float64", 25.0)]


def test_python_numbers_apart_eagerly():
    """Called eagerly, the port does as Python does."""

    def gained(image):
        gain = 2 if image.mean() > 100 else 0.5
        return image * gain

    eager = [pipeport.port(gained)(np.full(3, value, np.uint8)) for value in (200, 50)]
    assert [one.dtype for one in eager] == [tf.uint8, tf.float64]
    assert [float(one[0]) for one in eager] == [144, 25]


def test_view_written_to():
    assert pitfalls.view_written_to().tolist() == [0, 0, 7, 7]


def test_the_array_of_the_caller_stays():
    def first_cleared(image):
        image[0] = 0
        return image

    given = np.ones(3)
    assert pipeport.port(first_cleared)(given).numpy().tolist() == [0, 1, 1]
    assert given.tolist() == [1, 1, 1]


def test_call_without_a_native():
    told, spec = pitfalls.call_without_a_native()
    assert "cv2.fastNlMeansDenoising: It has no native equivalent" in told
    assert spec == tf.TensorSpec([4, 6], tf.float32)  # as TensorFlow divides bytes


def test_errors_of_the_body():
    wrapped, raised, asserted = pitfalls.errors_of_the_body()
    assert wrapped[0] == raised[0] == asserted[0] == "InvalidArgumentError"
    assert "Traceback" in wrapped[1]
    assert re.search(r"pitfalls\.py, line \d+: ValueError:.*a black image", raised[1])
    assert re.search(r"pitfalls\.py, line \d+: assertion failed: a black image", asserted[1])


def test_prints_past_python(capfd):
    assert pitfalls.prints_past_python() == [3, 0]
    printed = capfd.readouterr()
    assert printed.out.splitlines() == ["largest: 1", "largest: 2", "largest: 3"]


def test_wrapper_left_around():
    (message,) = pitfalls.wrapper_left_around()
    assert "pipeport.cv2.flip runs inside a Python boundary" in message
    assert "without numpy_function" in message
