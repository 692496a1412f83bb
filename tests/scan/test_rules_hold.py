"""What the rules say is so: the program before shows the bug when it runs, the one after does not."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport.scan import RULES

PIXELS = np.arange(8 * 8 * 3, dtype=np.uint8).reshape(8, 8, 3)


@pytest.fixture
def program(request, tmp_path, monkeypatch):
    """A function that runs the program before, 0, or after, 1, and returns its names."""
    monkeypatch.chdir(tmp_path)
    rule = RULES[request.node.name[5:10].upper()]

    def run(number):
        text = (rule.before, rule.after)[number]
        file = tmp_path / f"program{number}.py"  # AutoGraph reads the source
        file.write_text(text)
        names = {"__name__": f"program{number}"}
        exec(compile(text, str(file), "exec"), names)
        return names

    return run


@pytest.fixture
def programs(program):
    """The names of the programs before and after."""
    return [program(0), program(1)]


def through(function, *values, epochs=1):
    """Return what a dataset gives that maps a function: in eager mode there are no bytes, and no views."""
    dataset = tf.data.Dataset.from_tensors(tuple(map(tf.constant, values))).map(function)
    return [one for _ in range(epochs) for one in dataset.as_numpy_iterator()]


def test_pp101(programs):
    before, after = (one["dataset"].element_spec.shape for one in programs)
    assert before.rank is None
    assert after.as_list() == [8, 8, 3]


def test_pp102(programs):
    """Whether threads change places cannot be forced; that the draws after repeat can be shown."""
    runs = [list(programs[1]["dataset"].take(1).as_numpy_iterator()) for _ in range(2)]
    np.testing.assert_array_equal(*runs)
    assert programs[0]["dataset"].element_spec.shape == programs[1]["dataset"].element_spec.shape


def test_pp103(programs):
    before, after = (one["load"](tf.constant(PIXELS)) for one in programs)
    np.testing.assert_array_equal(before, after)


def test_pp106(programs):
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"double, but expects float"):
        through(programs[0]["load"], PIXELS)
    [image] = through(programs[1]["load"], PIXELS)
    assert image.dtype == np.float32


def test_pp107(programs):
    before, after = (list(one["dataset"].as_numpy_iterator()) for one in programs)
    assert before == list(range(100))
    assert before != after


def test_pp108(programs):
    """Four equal images: before, all are turned alike, in each of three epochs."""
    images = tf.data.Dataset.from_tensors(tf.constant(PIXELS)).repeat(20)
    kinds = [
        len({one.tobytes() for one in images.map(each["turn"]).as_numpy_iterator()}) for each in programs
    ]
    assert kinds[0] == 1
    assert kinds[1] > 1


def test_pp109(programs):
    image = np.zeros((8, 8, 3), np.float32)
    first, second = through(programs[0]["augment"], image, epochs=2)
    np.testing.assert_array_equal(first, second)
    first, second = (through(programs[1]["augment"], at, image)[0] for at in range(2))
    assert np.any(first != second)


def test_pp110(programs):
    """The tensor that the dataset holds has changed after it was mapped."""
    for one, changed in zip(programs, (True, False), strict=True):
        dataset = tf.data.Dataset.from_tensors(tf.ones((8, 8, 3), tf.uint8)).cache()
        list(dataset)  # fills the cache
        list(dataset.map(one["augment"]))
        [image] = dataset.as_numpy_iterator()
        assert bool(np.any(image == 0)) == changed


def test_pp111(programs):
    image = tf.constant(PIXELS[None])
    before = [np.array_equal(*programs[0]["augment"](image, image)) for _ in range(40)]
    assert not all(before)
    assert all(np.array_equal(*programs[1]["augment"](image, image, (1, at))) for at in range(10))


def test_pp113(programs):
    with pytest.raises(tf.errors.OpError, match="no attribute 'numpy'"):
        through(programs[0]["load"], PIXELS)
    np.testing.assert_array_equal(through(programs[1]["load"], PIXELS)[0], PIXELS[::-1])


@pytest.fixture
def opencv():
    return pytest.importorskip("cv2")


def test_pp104(opencv, programs):
    image = np.zeros((4, 4, 3), np.uint8)
    image[..., 0] = 255  # blue
    opencv.imwrite("blue.png", image)
    before, after = (int(one["grey"]("blue.png")[0, 0]) for one in programs)
    assert (before, after) == (76, 29), "blue weighs 0.114, red 0.299"


def test_pp105(opencv, programs):
    mask = np.zeros((8, 8), np.uint8)
    mask[2:6, 2:6] = 3
    before, after = (set(np.unique(one["prepare"](PIXELS, mask)[1])) for one in programs)
    assert after == {0, 3}
    assert before > after


def test_pp112(opencv, programs):
    opencv.imwrite("a.png", PIXELS)
    with pytest.raises(tf.errors.OpError, match="bytes-like object"):
        through(programs[0]["load"], "a.jpg")
    np.testing.assert_array_equal(through(programs[1]["load"], "a.jpg")[0], PIXELS)


@pytest.mark.filterwarnings("ignore:scipy.misc is deprecated:DeprecationWarning")
def test_pp114(opencv, program):
    with pytest.raises(ImportError, match=r"scipy\.misc"):
        program(0)
    [image] = through(program(1)["small"], PIXELS)
    np.testing.assert_array_equal(image, opencv.resize(PIXELS, (4, 4)))


def test_every_rule_is_held_to_its_word():
    names = {name[5:10].upper() for name in globals() if name.startswith("test_pp")}
    assert names == {code for code, rule in RULES.items() if rule.bug}
