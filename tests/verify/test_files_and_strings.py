"""Strings and files as inputs of a user's own functions."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import find
from hypothesis import strategies as st
from PIL import Image

from pipeport.cli import main
from pipeport.contract import Exact, Within, WithinLevels
from pipeport.errors import NotEquivalent, OutsideDomain
from pipeport.porting import _example, port
from pipeport.verify import _files
from pipeport.verify._mini_language import parse
from pipeport.verify._strategies import Scene, strategy

MODULE = """
import cv2
import numpy as np
from scipy.io import wavfile

LABELS = {"cat": 0, "dog": 1}


def photograph(path, label):
    image = cv2.imread(path.decode(), cv2.IMREAD_COLOR)[:16, :16]
    return image[..., ::-1] / 255, LABELS[label.decode()]


def sound(path):
    rate, samples = wavfile.read(path.decode())
    return samples[:8000].astype(np.float32) / 32768


def table(path):
    return np.loadtxt(path.decode(), delimiter=",", ndmin=2)


def array(path):
    return np.load(path.decode()).astype(np.float32) * 2


def words(path):
    with open(path.decode()) as file:
        return len(file.readlines())


def of_tensors(x, name):
    return x.numpy() / 255, name.numpy().decode().upper()


def wrong(path):
    return np.load(path.decode()).mean() if b"a" in path else np.float32(0)
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    (tmp_path / "reading_bodies.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.syspath_prepend(str(tmp_path))

    def invoke(name, inputs, *options):
        given = ("verify", f"reading_bodies:{name}", "--port", "--input", inputs, "--examples", "4", *options)
        return CliRunner().invoke(main, given)

    return invoke


@pytest.mark.parametrize(
    ("name", "inputs", "options"),
    [
        ("photograph", "path: jpeg[64:520,64:520,3]; label: str{'cat', 'dog'}", ()),
        ("sound", "path: wav[8000:16000]", ()),
        ("table", "path: text float32[R,C=2..4] in [-5,5]", ()),
        ("array", "path: npy uint8[H,W,3]", ()),
        ("words", "path: text", ()),
        ("of_tensors", "x: uint8[3]; name: str", ("--wrapper", "py_function")),
    ],
)
def test_a_port_is_verified_on_strings_and_files(run, name, inputs, options):
    found = run(name, inputs, *options)
    assert found.exit_code == 0, found.output
    assert "3 cases: 3 passed" in found.output


def test_a_wrapper_is_of_a_port():
    found = CliRunner().invoke(main, ("verify", "numpy.rot90", "--wrapper", "py_function"))
    assert found.exit_code == 2
    assert "--wrapper: add --port" in found.output


def drawn(text):
    (spec,) = parse(text).values()
    return find(st.none().flatmap(lambda _: strategy(spec, Scene())), lambda _: True)


def test_files_hold_what_was_asked_for():
    with Image.open(drawn("path: jpeg[64:520,70,3]").decode()) as image:
        assert (image.format, image.mode, image.width) == ("JPEG", "RGB", 70)
        assert 64 <= image.height <= 520
    with Image.open(drawn("path: png[5,7]").decode()) as image:
        assert image.mode == "L"
    assert np.load(drawn("path: npy float32[2,3] in [0,1]").decode()).dtype == np.float32
    assert drawn("name: str{'a', 'b'}") in (b"a", b"b")
    assert isinstance(drawn("name: str"), bytes)


def test_a_counterexample_writes_its_file():
    path = drawn("path: npy float32[2,3] in [0,1]")
    name, content = _files.content_of(path)
    assert _files.written(name, content).encode() == path
    assert _files.content_of(b"another") is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("path: jpeg[8,8,4]", "jpeg has 3 channels, or none"),
        ("path: jpeg[8]", "jpeg has 2 or 3 axes"),
        ("path: png[8,8,C]", "png has 3 or 4 channels"),
        ("path: wav[0]", "wav has no size of 0"),
        ("path: npy", "expected the dtype of the numbers"),
        ("path: text float32[2,2,2]", "text holds arrays of one or two"),
        ("x: uint8[9:3]", "the range 9:3 is empty"),
        ("x: uint8[9000,9000]", "elements are too many to draw"),
        ("x: str{1}", "the choices of str are quoted texts"),
    ],
)
def test_mistakes(text, problem):
    with pytest.raises(OutsideDomain, match=problem):
        parse(text)


def test_long_sizes_are_taken():
    assert drawn("x: int16[16000]").shape == (16000,)


def test_an_example_takes_an_agreement(monkeypatch):
    image = np.arange(100, dtype=np.uint8).reshape(10, 10)
    monkeypatch.setattr(_example, "sides", lambda _: (lambda x: x, lambda x: np.maximum(x, 1)))
    port(np.copy, example=image)
    port(np.copy, example=image, agreement=WithinLevels(1, 0.01))
    with pytest.raises(NotEquivalent, match="example: "):
        port(np.copy, example=image, agreement=Exact())
    with pytest.raises(OutsideDomain, match="agreement: got Exact without an example"):
        port(np.copy, agreement=Exact())
    monkeypatch.setattr(_example, "sides", lambda _: (lambda x: x / 1, lambda x: x + 0.5))
    monkeypatch.setattr(_example, "in_graph", lambda _, args, sized: args[0] + 0.25 * sized)
    port(np.copy, example=image, agreement=Within(0.5, "test"))


def thresholded_after_resizing(image):
    import cv2

    small = cv2.resize(image, (37, 29))
    return (small > 127).astype(np.uint8) * np.uint8(255)


def test_equal_bits_are_named_where_they_are_the_cause():
    image = np.random.default_rng(5).integers(0, 256, (256, 256, 3), np.uint8)
    with pytest.raises(NotEquivalent, match=r"set_bit_equal\(True\)` the results agree"):
        port(thresholded_after_resizing, example=image)
