"""Statements and helpers that stay Python together, around what no tensor holds."""

# ruff: noqa: PTH123

from __future__ import annotations

import json
import pickle
import random
import time
import warnings
from xml.etree import ElementTree as ET

import albumentations as A
import h5py
import numpy as np
import pytest
import scipy.ndimage as ndi
import tensorflow as tf
from scipy.interpolate import CubicSpline

import pipeport
from pipeport import seeds
from pipeport.errors import OutsideDomain, PipeportError, PipeportWarning, PortRefused
from pipeport.seeds import seeded_map


def ported(function, *example, islands=True, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PipeportWarning)
        return pipeport.port(function, example=example, islands=islands, **options)


def mapped(native, *elements):
    """Return what a port gives in a map, of elements whose sizes are not known."""
    arrays = [np.asarray(one) for one in elements[0]]
    specs = tuple(tf.TensorSpec([None] * one.ndim, tf.as_dtype(one.dtype)) for one in arrays)
    data = tf.data.Dataset.from_generator(lambda: iter(elements), output_signature=specs)
    return [tf.nest.map_structure(np.asarray, one) for one in data.map(native)]


def islands_of(native):
    return [(row.line, row.text) for row in native.report() if row.kind == "island"]


def boundaries(native, *specs):
    """Return how many calls of Python a graph holds."""
    graph = tf.function(native, autograph=False).get_concrete_function(*specs).graph.as_graph_def()
    nodes = [*graph.node, *(node for one in graph.library.function for node in one.node_def)]
    return sum("PyFunc" in node.op for node in nodes)


@pytest.fixture
def archives(tmp_path):
    paths = []
    for number in range(2):
        paths.append(str(tmp_path / f"{number}.h5").encode())
        with h5py.File(paths[-1].decode(), "w") as file:
            file["x"] = np.arange(6 + number, dtype=np.float32) / 4
            file["name"] = f"n{number}"
    return paths


def of_an_archive(path):
    scale = len(path.decode()) * 0.5
    with h5py.File(path.decode(), "r") as file:
        x = file["x"][:]
        count = file["x"].shape[0]
    return x * scale + count


def of_an_open_archive(path):
    file = h5py.File(path.decode(), "r")
    row = file["x"]
    x = row[:]
    file.close()
    return np.sqrt(x)


def returning_within(path):
    if len(path.decode()) < 2:
        return np.zeros(2, np.float32)
    with h5py.File(path.decode(), "r") as file:
        if "x" in file:
            return file["x"][:]
        return np.zeros(3, np.float32)


def opened(path):
    return h5py.File(path, "r")


def of_a_helper_that_opens(path):
    file = opened(path.decode())
    x = file["x"][1:]
    return x[::-1] * 2


def under_a_condition(path):
    if len(path) > 3:
        file = h5py.File(path.decode(), "r")
        x = file["x"][:]
    else:
        x = np.zeros(4, np.float32)
    return x + 1


def in_a_closure(path):
    def part(name):
        with h5py.File(path.decode(), "r") as file:
            return file[name][:]

    return part("x")[::-1] / 2


def filling_a_dictionary(path):
    parts, names = {}, []
    with h5py.File(path.decode(), "r") as file:
        for name in ("x", "x"):
            parts[name] = file[name][:]
            names.append(name)
    return parts["x"] * len(names)


def leaving_a_loop(path):
    file = h5py.File(path.decode(), "r")
    for name in ("name", "x"):
        found = file[name][()]
        if name == "x":
            break
    return found * 2


def closing_at_last(path):
    file = None
    try:
        file = h5py.File(path.decode(), "r")
        return file["x"][:] + 1
    finally:
        if file is not None:
            file.close()


def writing_into(path):
    x = np.ones(9, np.float32)
    part = x[2:]
    with h5py.File(path.decode(), "r") as file:
        x[:4] = file["x"][:4]
    return part.sum() + x


def growing_what_is_there(path):
    x = np.float32(1)
    file = h5py.File(path.decode(), "r")
    x += file["x"][2]
    x *= 2
    return np.full(3, x)


def read(path, *, key="x"):
    with h5py.File(path, "r") as file:
        return file[key][:]


def of_a_helper_that_reads(path):
    return np.clip(read(path.decode(), key="x"), 0, 1)


ARCHIVES = {
    of_an_archive: "with h5py.File",
    of_an_open_archive: "file = h5py.File",
    returning_within: "with h5py.File",
    of_a_helper_that_opens: "file = opened(",
    under_a_condition: "file = h5py.File",
    in_a_closure: "def part(name)",
    filling_a_dictionary: "parts, names = ",
    leaving_a_loop: "file = h5py.File",
    closing_at_last: "try:",
    writing_into: "with h5py.File",
    growing_what_is_there: "file = h5py.File",
    of_a_helper_that_reads: "read(",
}


@pytest.mark.parametrize("function", ARCHIVES, ids=lambda one: one.__name__)
def test_an_open_archive_stays_in_its_statements(function, archives):
    native = ported(function, archives[0])
    for path, found in zip(archives, mapped(native, *[(one,) for one in archives]), strict=True):
        wanted = function(path)
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)
    assert boundaries(native, tf.TensorSpec([], tf.string)) == 1
    ((line, text),) = islands_of(native)
    assert line > function.__code__.co_firstlineno
    assert ARCHIVES[function] in text


def test_the_report_and_the_warning_name_the_first_and_the_last_line(archives):
    first = of_an_archive.__code__.co_firstlineno + 2
    lines = f"lines {first} to {first + 2}"
    with pytest.warns(PipeportWarning, match=f"test_regions.py, {lines}: with h5py.File"):
        native = pipeport.port(of_an_archive, example=(archives[0],), islands=True)
    assert islands_of(native) == [(first, f"{lines}: with h5py.File(path.decode(), 'r') as file:")]
    start = read.__code__.co_firstlineno
    told = rf"read\(.*test_regions.read, lines {start} to {start + 2}: h5py.File"
    with pytest.warns(PipeportWarning, match=told):
        pipeport.port(of_a_helper_that_reads, example=(archives[0],), islands=True)


def boxes_of(path):
    with open(path.decode()) as file:
        shapes = json.load(file)["shapes"]
    corners = []
    for one in shapes:
        if one["label"] == "hidden":
            continue
        corners.append(one["corners"])
    boxes = np.array(corners, np.float32)
    return boxes / boxes.max()


def centres_of(path):
    root = ET.parse(path.decode()).getroot()
    points = np.array([[float(one.get("x")), float(one.get("y"))] for one in root.iter("point")])
    return points.mean(axis=0), len(points)


class TestLists:
    """How many elements a list of a file has differs: what makes an array of it belongs to the island."""

    def test_of_json(self, tmp_path):
        for number in range(2):
            rows = [{"label": "seen", "corners": [one, 2, 3, 4]} for one in range(2 + 3 * number)]
            rows.append({"label": "hidden", "corners": [9, 9, 9, 9]})
            (tmp_path / f"{number}").write_text(json.dumps({"shapes": rows}))
        paths = [str(tmp_path / f"{number}").encode() for number in range(2)]
        native = ported(boxes_of, paths[0])
        for path, found in zip(paths, mapped(native, *[(one,) for one in paths]), strict=True):
            np.testing.assert_array_equal(found, boxes_of(path))

    def test_of_a_tree(self, tmp_path):
        for number in range(2):
            points = "".join(f"<point x='{one}' y='{one / 2}'/>" for one in range(3 + number))
            (tmp_path / f"{number}").write_text(f"<all>{points}</all>")
        paths = [str(tmp_path / f"{number}").encode() for number in range(2)]
        native = ported(centres_of, paths[0])
        for path, (centre, count) in zip(paths, mapped(native, *[(one,) for one in paths]), strict=True):
            wanted = centres_of(path)
            np.testing.assert_array_equal(centre, wanted[0])
            assert count == wanted[1]


def handled(x):
    try:
        return np.linalg.cholesky(x).sum()
    except np.linalg.LinAlgError:
        return 0.0


def with_a_handler(x):
    return x * handled(x)


# fmt: off
def counted_in_a_line(x):
    found = {}
    for v in x.tolist(): found[v] = found.get(v, 0) + 1  # noqa: E701
    return np.array([found.get(1, 0), found.get(3, 0)])
# fmt: on


def counted(x):
    found = {}
    for v in x.tolist():
        found[v] = found.get(v, 0) + 1
    return np.array([found.get(1, 0), found.get(3, 0)])


@pytest.mark.parametrize("function", [counted_in_a_line, counted])
def test_a_dictionary_that_grows_in_a_loop(function):
    native = ported(function, np.array([1, 3, 1]))
    for x in (np.array([1, 3, 1]), np.array([3, 3])):
        np.testing.assert_array_equal(mapped(native, (x,))[0], function(x))


def test_a_helper_that_handles_errors_stays_python():
    native = ported(with_a_handler, np.eye(3))
    with pytest.raises(PortRefused, match="try"):
        pipeport.port(with_a_handler)
    for x in (np.eye(3) * 4, -np.eye(2)):
        np.testing.assert_array_equal(mapped(native, (x,))[0], with_a_handler(x))


def shifted_and_read(path):
    offset = random.random()
    return read(path.decode()) + np.float32(offset)


def drawing_helper(path):
    return read(path) + np.float32(random.random())


def with_a_drawing_helper(path):
    return drawing_helper(path.decode()) * 2


@pytest.mark.parametrize("function", [shifted_and_read, with_a_drawing_helper])
def test_draws_beside_an_island_come_from_the_seed(function, archives):
    native = ported(function, archives[0])
    data = tf.data.Dataset.from_tensors(archives[0]).repeat(4)
    first, again = (list(data.apply(seeded_map(native, 3)).as_numpy_iterator()) for _ in range(2))
    np.testing.assert_array_equal(first, again)
    assert len({one.tobytes() for one in first}) == 4


class Held:
    def __init__(self, path):
        self.file = h5py.File(path, "r")

    def row(self, number):
        file = self.file
        return file["x"][number : number + 2] * 2


def test_an_archive_that_is_open_before(archives):
    held = Held(archives[0].decode())
    native = ported(held.row, np.int64(1))
    for number in (0, 3):
        np.testing.assert_array_equal(mapped(native, (np.int64(number),))[0], held.row(number))
    held.file.close()


class Maps:
    def __init__(self, path):
        self.first, self.second = (np.load(f"{path}/{name}.npy", mmap_mode="r") for name in "ab")

    def window(self, place, second):
        rows = self.second if second else self.first
        return rows[place : place + 2] + 1


def test_one_of_two_memory_maps_is_not_read_as_a_whole(tmp_path):
    for name in "ab":
        np.save(tmp_path / name, np.random.default_rng(ord(name)).random((9, 2)))
    maps = Maps(tmp_path)
    specs = tf.TensorSpec([], tf.int64), tf.TensorSpec([], tf.bool)
    with pytest.raises(PortRefused, match=r"numpy\.memmap"):
        tf.function(pipeport.port(maps.window), autograph=False).get_concrete_function(*specs)
    native = ported(maps.window, np.int64(1), np.bool_(True))
    (_, text), *others = islands_of(native)
    assert not others
    assert "rows = " in text
    for place, second in ((0, True), (5, False)):
        (found,) = mapped(native, (np.int64(place), np.bool_(second)))
        np.testing.assert_array_equal(found, maps.window(place, second))


def in_rounds(path, rounds):
    total = np.zeros(3, np.float32)
    for number in range(rounds):
        with h5py.File(path.decode(), "r") as file:
            part = file["x"][number : number + 3]
        total = total + part
    return total


def test_an_island_in_a_loop_of_the_graph(archives):
    native = ported(in_rounds, archives[0], np.int64(2))
    for rounds in (0, 1, 3):
        (found,) = mapped(native, (archives[1], np.int64(rounds)))
        np.testing.assert_array_equal(found, in_rounds(archives[1], rounds))


def drawing_within(path):
    with h5py.File(path.decode(), "r") as file:
        return file["x"][:] + random.random()


def test_the_refusal_says_why_the_statements_are_no_island(archives):
    with pytest.raises(PortRefused, match=r"h5py\.File in .*which a graph cannot hold") as caught:
        ported(drawing_within, archives[0])
    first = drawing_within.__code__.co_firstlineno + 1
    told = "".join(caught.value.__notes__)
    assert f"An island of lines {first} to {first + 1} is refused, too" in told
    assert "draws from NumPy's or Python's state" in told


def all_of_it(path):
    """Return the first numbers."""
    file = h5py.File(path.decode(), "r")
    return file["x"][:2]


def test_the_warning_says_that_nothing_is_native(archives):
    with pytest.warns(PipeportWarning, match=r"\(h5py\.File; that is all of the function\)"):
        pipeport.port(all_of_it, example=(archives[0],), islands=True)


def other_each_time(path):
    with h5py.File(path.decode(), "r") as file:
        return file["x"][:] + np.float32(time.time() % 1)


def test_what_gives_two_results_is_refused_as_what_it_was_at_first(archives):
    with pytest.raises(PortRefused, match=r"h5py\.File in .*which a graph cannot hold") as caught:
        ported(other_each_time, archives[0])
    assert "does not give the same result" in "".join(caught.value.__notes__)


def words_in_a_line(paths):
    found = []
    for path in paths:
        found.append(np.load(path.decode()))
    line = np.zeros((max(one.shape[0] for one in found), sum(one.shape[1] for one in found)))
    x = 0
    for one in found:
        line[: one.shape[0], x : x + one.shape[1]] = one
        x += one.shape[1]
    return line


def test_what_only_a_running_graph_refuses_is_all_of_the_function(tmp_path):
    paths = [str(tmp_path / f"{number}.npy").encode() for number in range(3)]
    for number, path in enumerate(paths):
        np.save(path.decode(), np.random.default_rng(number).random((3 + number, 7 - number)))
    with pytest.raises(PortRefused, match="arrays of several sizes in such a list"):
        pipeport.port(words_in_a_line, example=(np.array(paths),))
    native = ported(words_in_a_line, np.array(paths))
    (found,) = tf.data.Dataset.from_tensors(paths[1:]).map(native)
    np.testing.assert_array_equal(found, words_in_a_line(np.array(paths[1:])))


def seen_once(x):
    return x * time.time()


def test_where_nothing_helps_the_first_refusal_is_told():
    with pytest.raises(PortRefused, match=r"time\.time in .*does not give the same result"):
        ported(seen_once, np.zeros(2))


class Counts:
    """Counts what it sees."""

    def __init__(self):
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        return x * 2

    def measured(self, x):
        return self._kept(x) + x.sum()

    def _kept(self, x):
        self.last = x.mean()
        return x * self.last

    def checked(self, x):
        time.sleep(0 * x.size)
        return x * 2


def seeds_itself(x):
    np.random.seed(3)
    return x + np.random.normal(size=x.shape)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (Counts(), "state kept on an object"),
        (Counts().measured, "state kept on an object"),
        (Counts().checked, "gives nothing, and changes none of its arguments"),
        (seeds_itself, r"numpy\.random\.seed"),
    ],
    ids=["object", "helper", "gives nothing", "seed"],
)
def test_what_only_changes_something_else_is_no_island(function, words):
    with pytest.raises(PortRefused, match=words) as caught:
        ported(function, np.arange(6.0))
    told = "\n".join([str(caught.value), *getattr(caught.value, "__notes__", [])])
    assert "fault" not in told


def of_objects(x):
    return np.array([x, x[:2]], dtype=object)


def test_a_result_that_no_tensor_holds_is_refused():
    with pytest.raises(PortRefused, match="an array of Python's objects"):
        ported(of_objects, np.arange(6.0))


def with_an_object_of_its_own(path):
    """The object is made among the statements: nobody else sees its attribute."""
    tree = ET.parse(path.decode())
    tree.scale = 2.0
    return np.array([float(one.text) for one in tree.getroot()]) * tree.scale


def test_an_object_that_the_statements_make_may_be_changed(tmp_path):
    file = tmp_path / "x.xml"
    file.write_text("<a><b>1</b><b>2.5</b></a>")
    native = ported(with_an_object_of_its_own, str(file).encode())
    np.testing.assert_array_equal(native(tf.constant(str(file))), [2, 5])


def test_a_port_with_such_islands_is_pickled(archives):
    native = ported(of_a_helper_that_reads, archives[0])
    again = pickle.loads(pickle.dumps(native))
    (found,) = mapped(again, (archives[1],))
    np.testing.assert_array_equal(found, of_a_helper_that_reads(archives[1]))
    again = pickle.loads(pickle.dumps(ported(of_an_archive, archives[0])))
    assert islands_of(again) == islands_of(ported(of_an_archive, archives[0]))
    np.testing.assert_array_equal(mapped(again, (archives[1],))[0], of_an_archive(archives[1]))


def test_a_helper_whose_results_are_stated_needs_no_example(archives):
    stated = {f"{__name__}.read": tf.TensorSpec([None], tf.float32)}
    native = pipeport.port(of_a_helper_that_reads, islands=stated)
    (found,) = mapped(native, (archives[1],))
    assert boundaries(native, tf.TensorSpec([], tf.string)) == 1
    np.testing.assert_array_equal(found, of_a_helper_that_reads(archives[1]))


class TestUnseeded:
    """A pipeline of albumentations that holds a transform without a native."""

    IMAGE = np.random.default_rng(0).integers(0, 255, (40, 50, 3), dtype=np.uint8)
    PIPE = A.Compose([A.HorizontalFlip(p=0.5), A.RandomRain(p=1.0)])

    @staticmethod
    def made_inside(image):
        pipeline = A.Compose([A.RandomFog(p=1.0), A.RandomGamma(p=0.5)])
        return pipeline(image=image)["image"].astype(np.float32) / 255

    @classmethod
    def made_outside(cls, image):
        found = cls.PIPE(image=image)
        return found["image"][::-1] / 2

    @pytest.mark.parametrize("name", ["made_inside", "made_outside"])
    def test_it_is_one_island(self, name):
        function = getattr(self, name)
        with pytest.raises(PortRefused, match="islands='unseeded'"):
            ported(function, self.IMAGE)
        with pytest.warns(PipeportWarning, match="The draws of .* are Python's: no seed reaches them"):
            native = pipeport.port(function, example=(self.IMAGE,), islands="unseeded")
        data = tf.data.Dataset.from_tensors(self.IMAGE).repeat(3).apply(seeded_map(native, 3))
        found = list(data.as_numpy_iterator())
        assert {one.shape for one in found} == {self.IMAGE.shape}
        assert len({one.tobytes() for one in found}) == 3
        assert boundaries(native, tf.TensorSpec([None, None, 3], tf.uint8)) == 1

    def test_what_a_native_does_not_serve_is_such_an_island(self):
        pipeline = A.Compose([A.Blur(blur_limit=3, p=1.0)])

        def body(image):
            return pipeline(image=image / 255.0)["image"] * 2

        with pytest.raises(PipeportError, match="float64"):
            ported(body, self.IMAGE)
        native = ported(body, self.IMAGE, islands="unseeded")
        (found,) = mapped(native, (self.IMAGE,))
        assert (found.dtype, found.shape) == (np.float64, self.IMAGE.shape)

    def test_it_needs_an_example_and_its_name(self):
        with pytest.raises(OutsideDomain, match="islands: got 'unseeded' without an example"):
            pipeport.port(self.made_inside, islands="unseeded")
        with pytest.raises(OutsideDomain, match="got 'seeded'; allowed: True, False, 'unseeded'"):
            pipeport.port(self.made_inside, islands="seeded")

    def test_other_draws_stay_refused(self):
        def body(x):
            return x + np.random.weibull(2.0, 3)

        with pytest.raises(PortRefused, match="weibull"):
            ported(body, np.zeros(3), islands="unseeded")


def blurred(image):
    return ndi.percentile_filter(image, 50, 3)


def twice(image):
    first = blurred(image)
    return first, blurred(first[::2])


def test_single_calls_stay_single():
    image = np.random.default_rng(1).integers(0, 255, (9, 8), dtype=np.uint8)
    native = ported(twice, image)
    assert [text for _, text in islands_of(native)] == ["ndi.percentile_filter(image, 50, 3)"]
    for found, wanted in zip(mapped(native, (image,))[0], twice(image), strict=True):
        np.testing.assert_array_equal(found, wanted)


def resampled(x):
    spline = CubicSpline(np.arange(len(x)), x * 2)
    return spline(np.linspace(0, len(x) - 1, 20)) + 1


def shifted(x):
    return resampled(x + random.random())


def one_of_shuffled(x):
    rows = [x, x * 2, x[::-1]]
    random.shuffle(rows)
    return rows[0]


def seeded(native, x):
    with seeds.ambient((1, 2)):
        return native(x)


class TestWithoutSizes:
    """A graph of unknown sizes has islands where that of the example has none."""

    LINES = tuple(np.arange(n, dtype=np.float64) ** 2 for n in (5, 9))

    def test_what_needs_sizes_is_an_island_of_those_graphs_alone(self):
        native = ported(resampled, self.LINES[0])
        assert native.needs_sizes is not None
        assert boundaries(native, tf.TensorSpec([5], tf.float64)) == 0
        assert boundaries(native, tf.TensorSpec([None], tf.float64)) == 1

    def test_other_sizes_than_the_example_has(self):
        for native in (made := ported(resampled, self.LINES[0]), pickle.loads(pickle.dumps(made))):
            for x, found in zip(self.LINES, mapped(native, *[(x,) for x in self.LINES]), strict=True):
                np.testing.assert_array_equal(found, resampled(x))

    def test_draws_are_those_of_the_graph_that_knows_sizes(self):
        native = ported(shifted, self.LINES[0])
        known = tf.data.Dataset.from_tensors(self.LINES[0]).repeat(3)
        unknown = tf.data.Dataset.from_generator(
            lambda: iter(known), output_signature=tf.TensorSpec([None], tf.float64)
        )
        one, other = (
            list(data.apply(seeded_map(native, 3)).as_numpy_iterator()) for data in (known, unknown)
        )
        np.testing.assert_allclose(one, other, rtol=1e-12)
        assert len({found.tobytes() for found in one}) == 3

    def test_warning_and_report_tell_them(self):
        line = resampled.__code__.co_firstlineno + 1
        told = f"lines {line} to {line + 1}: spline = .*, in graphs without sizes"
        with pytest.warns(PipeportWarning, match=told):
            native = pipeport.port(resampled, example=(self.LINES[0],), islands=True)
        (row,) = [row for row in native.report() if row.kind == "needs static sizes"]
        assert f"A graph without sizes has these islands:\n  {__file__}, lines {line}" in row.advice

    def test_what_no_island_serves_is_refused_as_before(self):
        x = np.ones((3, 2))
        native, without = ported(one_of_shuffled, x), ported(one_of_shuffled, x, islands=False)
        assert native.unsized is None
        for one in (native, without):
            with pytest.raises(PipeportError) as caught:
                mapped(lambda x, one=one: seeded(one, x), (x,))
            assert str(caught.value) == str(native.needs_sizes) == str(without.needs_sizes)
