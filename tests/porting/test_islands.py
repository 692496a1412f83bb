"""Calls without a native equivalent that stay Python inside a ported function."""

# ruff: noqa: PTH123

from __future__ import annotations

import datetime
import json
import pickle
import reprlib
import time
import types
import warnings
from pathlib import Path

import cv2
import numpy as np
import pytest
import scipy.ndimage as ndi
import tensorflow as tf
from scipy import stats
from skimage import restoration

import pipeport
from pipeport.errors import OutsideDomain, PipeportWarning, PortRefused, WrongType
from pipeport.porting import Islands, Ported, report, sides
from pipeport.seeds import seeded_map

RANDOM = np.random.default_rng(5)
IMAGE = RANDOM.integers(0, 255, (24, 30, 3), dtype=np.uint8)
OTHER = RANDOM.integers(0, 255, (20, 26, 3), dtype=np.uint8)
GENERATOR = np.random.default_rng(0)


def smoothed(image, size=3):
    image = ndi.percentile_filter(image, 50, size=(size, size, 1))
    if image.mean() > 100:
        image = image[::-1]
    return image.astype(np.float32) * 0.5


def with_an_object(image):
    tonemap = cv2.createTonemap(2.0)
    return tonemap.process(image.astype(np.float32))[:, ::-1]


def drawn_on(image):
    image = image.copy()
    cv2.putText(image, "a", (5, 15), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 0, 0))
    return image[:, ::-1]


def several_results(image):
    count, labels, table, _ = cv2.connectedComponentsWithStats((image[..., 0] > 128).astype(np.uint8))
    return labels.astype(np.float32) * count, table[0]


def helper(grey, threshold):
    return {"edges": restoration.denoise_tv_chambolle(grey), "kept": None, "threshold": threshold / 2}


def nested(image):
    found = helper(image[..., 0] * 0.25, image.max())
    return found["edges"] * found["threshold"]


def in_a_loop(image):
    for _ in range(np.random.randint(1, 4)):
        image = ndi.percentile_filter(image, 50, 3)
    return image


def of_python(image):
    return image * float(format(3, "d"))


def ported(function, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PipeportWarning)
        return pipeport.port(function, example=(IMAGE,), islands=True, **options)


def unknown(image):
    return tf.data.Dataset.from_generator(
        lambda: iter([image]), output_signature=tf.TensorSpec([None, None, 3], tf.uint8)
    )


@pytest.mark.parametrize(
    "function", [smoothed, with_an_object, drawn_on, several_results, nested], ids=lambda f: f.__name__
)
def test_the_port_gives_what_the_function_gives(function):
    native = ported(function)
    for image in (IMAGE, OTHER):
        wanted = [np.asarray(one) for one in tf.nest.flatten(function(image))]
        runs = [
            native(tf.constant(image)),
            tf.function(native)(tf.constant(image)),
            next(iter(tf.data.Dataset.from_tensors(image).map(native))),
            next(iter(unknown(image).map(native))),
        ]
        for run in runs:
            for one, other in zip(tf.nest.flatten(run), wanted, strict=True):
                assert one.dtype.as_numpy_dtype == other.dtype
                np.testing.assert_array_equal(one, other)


def test_ranks_are_known_and_the_rest_is_native():
    graph = tf.function(ported(smoothed)).get_concrete_function(tf.TensorSpec([24, 30, 3], tf.uint8))
    assert graph.output_shapes == [None, None, None]
    defined = graph.graph.as_graph_def()
    nodes = [*defined.node, *(node for one in defined.library.function for node in one.node_def)]
    assert sum(node.op == "PyFunc" for node in nodes) == 1


def test_draws_come_from_the_seed():
    native = ported(in_a_loop)
    old, new = sides(native, (1, 2))
    np.testing.assert_array_equal(new(tf.constant(IMAGE)), old(IMAGE))
    images = tf.data.Dataset.from_tensors(IMAGE).repeat(5)
    first, again = (list(images.apply(seeded_map(native, 3)).as_numpy_iterator()) for _ in range(2))
    np.testing.assert_array_equal(first, again)
    assert len({one.tobytes() for one in first}) > 1


def test_tensorflow_s_own_memory_is_not_written_to():
    def function(image):
        cv2.drawMarker(image, (9, 9), (1, 2, 3))
        return image

    given = tf.constant(IMAGE)
    found = tf.function(ported(function))(given)
    np.testing.assert_array_equal(given, IMAGE)
    np.testing.assert_array_equal(found, function(IMAGE.copy()))


def filtered_twice(image):
    image = ndi.percentile_filter(image, 50, size=(3, 3, 1))
    tonemap = cv2.createTonemap(2.0)
    return tonemap.process(image.astype(np.float32))


def test_one_warning_names_all_islands_with_their_lines():
    with pytest.warns(PipeportWarning) as caught:
        pipeport.port(filtered_twice, example=IMAGE, islands=True)
    (warning,) = [one for one in caught if one.category is PipeportWarning]
    message = str(warning.message)
    assert "(scipy.ndimage.percentile_filter)" in message
    assert "tonemap.process(" in message
    assert "createTonemap" not in message  # Python makes the object, while tracing
    assert message.count("test_islands.py, line ") == 2
    assert warning.filename == __file__


def test_the_report_and_the_refusal_say_that_they_exist():
    rows = report(smoothed, Islands(True))
    assert [row.name.rpartition(".")[2] for row in rows if row.kind == "island"] == ["percentile_filter"]
    assert not any(row.refused for row in rows)
    with pytest.raises(PortRefused, match="With islands=True and an example="):
        pipeport.port(smoothed)


class TestResultsThatTheUserStates:
    def test_they_serve_calls_that_no_example_reaches(self):
        name = "scipy.ndimage.percentile_filter"
        native = pipeport.port(smoothed, islands={name: tf.TensorSpec([None, None, 3], tf.uint8)})
        found = next(iter(tf.data.Dataset.from_tensors(IMAGE).map(native)))
        np.testing.assert_array_equal(found, smoothed(IMAGE))

    def test_without_them_the_call_is_named(self):
        native = Ported(smoothed, Islands(True))
        with pytest.raises(PortRefused, match=r"percentile_filter in .*no example has .*islands=\{'scipy"):
            tf.function(native)(tf.constant(IMAGE))

    def test_other_results_than_stated_are_an_error(self):
        name = "scipy.ndimage.percentile_filter"
        native = pipeport.port(smoothed, islands={name: tf.TensorSpec([None, None, 3], tf.float32)})
        with pytest.raises(tf.errors.OpError, match="uint8 of rank 3; allowed: float32 of rank 3"):
            tf.function(native)(tf.constant(IMAGE))

    @pytest.mark.parametrize("spec", [tf.uint8, tf.TensorSpec(None, tf.uint8), "uint8", ()])
    def test_they_are_specifications_of_a_known_rank(self, spec):
        with pytest.raises(WrongType, match="islands: got"):
            pipeport.port(smoothed, islands={"scipy.ndimage.percentile_filter": spec})


def equalised(image):
    grey = cv2.equalizeHist(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY))
    return np.percentile(grey[::-1], 50) + grey


def shifted(image):
    return image + np.random.uniform(0, 1)


class TestCallsWithANativeThatAreNamed:
    @pytest.mark.parametrize("name", ["cv2.equalizeHist", "numpy.percentile"])
    def test_they_stay_python_and_the_rest_is_native(self, name):
        with pytest.warns(PipeportWarning, match=rf"\({name}\)"):
            native = pipeport.port(equalised, example=(IMAGE,), islands={name: True})
        assert [row.name for row in native.report() if row.kind == "island"] == [name]
        for image in (IMAGE, OTHER):
            found = next(iter(unknown(image).map(native)))
            np.testing.assert_array_equal(found, equalised(image))
        graph = tf.function(native).get_concrete_function(tf.TensorSpec(IMAGE.shape, tf.uint8)).graph
        assert sum(node.op == "PyFunc" for node in graph.as_graph_def().node) == 1

    def test_with_a_result_that_is_stated(self):
        stated = {"cv2.equalizeHist": tf.TensorSpec([None, None], tf.uint8)}
        found = next(iter(unknown(IMAGE).map(pipeport.port(equalised, islands=stated))))
        np.testing.assert_array_equal(found, equalised(IMAGE))

    def test_draws_do_not(self):
        with pytest.raises(PortRefused, match=r"numpy\.random\.uniform: It draws .* Leave it out"):
            pipeport.port(shifted, example=(IMAGE,), islands={"numpy.random.uniform": True})

    @pytest.mark.parametrize(
        ("name", "advice"),
        [
            ("numpy.cumsum", "lists its calls"),
            ("cv2.equaliseHist", r"Write cv2\.equalizeHist"),
            ("np.percentile", r"Write numpy\.percentile"),
        ],
    )
    @pytest.mark.filterwarnings("ignore::pipeport.errors.PipeportWarning")
    def test_names_that_are_not_called_are_refused(self, name, advice):
        with pytest.raises(OutsideDomain, match=rf"{name}', which is not called.*{advice}"):
            pipeport.port(equalised, example=(IMAGE,), islands={name: True, "cv2.equalizeHist": True})

    def test_what_the_example_shows_needs_one(self):
        with pytest.raises(OutsideDomain, match="without an example"):
            pipeport.port(equalised, islands={"cv2.equalizeHist": True})


def test_islands_need_an_example():
    with pytest.raises(OutsideDomain, match="islands: got True without an example"):
        pipeport.port(smoothed, islands=True)


def of_the_clock(image):
    return image * time.time()


def of_a_hidden_state(image):
    return image + stats.norm.rvs(size=3)


def of_a_generator(image):
    return image + stats.norm.rvs(size=3, random_state=GENERATOR)


def of_a_missing_draw(image):
    return image + np.random.weibull(2.0, 3)


def of_an_object(image):
    return cv2.UMat(image).get()


def of_today(image):
    return image * datetime.datetime.now(datetime.UTC).day


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (of_the_clock, "does not give the same result for the same arguments"),
        (of_a_hidden_state, "draws from NumPy's or Python's state"),
        (of_a_generator, "takes a random generator"),
        (of_a_missing_draw, r"numpy\.random\.weibull"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_calls_that_depend_on_more_than_their_arguments_are_refused(function, why):
    with pytest.raises(PortRefused, match=why):
        ported(function)


@pytest.mark.parametrize("function", [of_an_object, of_today])
def test_an_object_stays_in_the_island_of_its_statement(function):
    native = ported(function)
    for run in runs_of(native, IMAGE):
        np.testing.assert_array_equal(run, function(IMAGE))


def by_kind(image, name):
    text = name.decode()
    kind = reprlib.repr(text)
    return image, kind + reprlib.repr(Path(text)) + reprlib.repr(text.split("/")) + reprlib.repr(name)


def test_strings_reach_islands_as_python_has_them_and_come_back():
    name = "some/folder/päth.png".encode()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PipeportWarning)
        native = pipeport.port(by_kind, example=(IMAGE, name), islands=True)
    wanted = by_kind(IMAGE, name)[1].encode()
    assert b"PosixPath(" in wanted
    runs = [
        native(tf.constant(IMAGE), tf.constant(name)),
        tf.function(native)(tf.constant(IMAGE), tf.constant(name)),
        next(iter(tf.data.Dataset.from_tensors((IMAGE, name)).map(native))),
    ]
    assert [run[1].numpy() for run in runs] == [wanted] * 3


def test_an_example_compares_strings():
    def labelled(name):
        return name.decode().upper()

    assert pipeport.port(labelled, example=b"a")(tf.constant(b"a")).numpy() == b"A"


def port_of_islands(function, *example, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PipeportWarning)
        return pipeport.port(function, example=example, islands=True, **options)


def runs_of(native, *given):
    """Return what a port gives eagerly, in a graph and in a map."""
    tensors = [tf.constant(one) for one in given]
    mapped = tf.data.Dataset.from_tensors(tuple(tensors)).map(native)
    return [native(*tensors), tf.function(native)(*tensors), next(iter(mapped))]


def foreign(function):
    """Return a function as one of a library: a call of it is an island."""
    code = function.__code__.replace(co_filename="<frozen library>")
    return types.FunctionType(code, function.__globals__, function.__name__)


@foreign
def kinds(*values):
    return ", ".join(f"{type(value).__name__} {getattr(value, 'shape', '')}" for value in values)


@foreign
def size_of_file(path):
    return float(Path(path.numpy().decode()).stat().st_size)


@foreign
def scaled_mean(image):
    return tf.reduce_mean(tf.cast(image, tf.float32)) * 2


@foreign
def length_of_rest(file):
    return len(file.read())


@foreign
def first_name(names):
    return names[0]


class TestInAPyFunction:
    """Islands of a function that was wrapped in a `tf.py_function`: they take and give tensors."""

    @pytest.mark.parametrize("make", [str.encode, lambda path: np.bytes_(path.encode()), tf.constant])
    def test_a_path_is_a_tensor(self, tmp_path, make):
        def body(path):
            return size_of_file(path) * 2

        path = tmp_path / "file"
        path.write_bytes(b"abc")
        native = port_of_islands(body, make(str(path)), wrapper="py_function")
        assert [float(one) for one in runs_of(native, str(path))] == [6.0] * 3
        assert float(native(str(path).encode())) == 6

    def test_what_numpy_gives_is_no_tensor(self):
        def body(names, name, image):
            return kinds(names, name, image, image / 2), kinds(name.numpy(), image.numpy())

        given = np.array([[b"a", b"b"]]), b"e", IMAGE
        native = port_of_islands(body, *given, wrapper="py_function")
        for run in runs_of(native, *given):
            assert [one.numpy().decode() for one in run] == [
                "EagerTensor (1, 2), EagerTensor (), EagerTensor (24, 30, 3), EagerTensor (24, 30, 3)",
                "bytes , ndarray (24, 30, 3)",
            ]

    def test_results_that_are_tensors_promote_as_tensors(self):
        def body(image, names):
            return scaled_mean(image) / 3, first_name(names)

        given = IMAGE, np.array([b"a", b"b"])
        native = port_of_islands(body, *given, wrapper="py_function")
        for scaled, name in runs_of(native, *given):
            assert scaled.dtype == tf.float32
            np.testing.assert_allclose(scaled, IMAGE.mean() * 2 / 3, 1e-5)
            assert name.numpy() == b"a"

    def test_in_a_numpy_function_none_is_a_tensor(self):
        def body(table, name, image):
            return kinds(table, name, image)

        given = np.array([[b"a", b"b"]]), b"e", IMAGE
        native = port_of_islands(body, *given)
        for run in runs_of(native, *given):
            assert run.numpy() == b"ndarray (1, 2), bytes , ndarray (24, 30, 3)"
        native = port_of_islands(kinds, np.array([b"a"]))
        assert [run.numpy() for run in runs_of(native, np.array([b"a"]))] == [b"ndarray (1,)"] * 3


class TestOpenFiles:
    """Islands are handed a file of Python's, opened as the function opened it."""

    @staticmethod
    def check(function, path, **options):
        native = port_of_islands(function, str(path).encode(), **options)
        for run in runs_of(native, str(path)):
            np.testing.assert_array_equal(run, function(str(path).encode()))
        return native

    def test_pickles(self, tmp_path):
        def body(path):
            with open(path.decode(), "rb") as file:
                loaded = pickle.load(file)
            return loaded["x"] * 2

        for number in range(2):
            (tmp_path / f"{number}").write_bytes(pickle.dumps({"x": np.full(3 + number, number)}))
        native = self.check(body, tmp_path / "0")
        files = tf.data.Dataset.from_tensor_slices([str(tmp_path / f"{number}") for number in range(2)])
        assert [one.numpy().tolist() for one in files.map(native)] == [[0, 0, 0], [2, 2, 2, 2]]

    def test_text(self, tmp_path):
        def body(path):
            file = open(path.decode(), encoding="latin1")  # noqa: SIM115
            found = json.load(file)
            file.close()
            return np.array(found["x"]) + len(found["name"])

        path = tmp_path / "file.json"
        path.write_text(json.dumps({"x": [1.5, 2], "name": "\xe4"}, ensure_ascii=False), encoding="latin1")
        self.check(body, path)

    def test_of_a_path(self, tmp_path):
        def body(path):
            with Path(path.decode()).open() as file:
                return np.array(json.load(file)) * 2

        path = tmp_path / "file.json"
        path.write_text("[1, 2]")
        self.check(body, path)

    def test_arrays_need_no_island(self, tmp_path):
        def body(path):
            with open(path.decode(), "rb") as file:
                return np.load(file, allow_pickle=True) * 2

        path = tmp_path / "file.npy"
        np.save(path, np.arange(4.0))
        with warnings.catch_warnings():
            warnings.simplefilter("error", PipeportWarning)
            native = pipeport.port(body, example=str(path).encode(), islands=True)
        for run in runs_of(native, str(path)):
            np.testing.assert_array_equal(run, np.arange(4.0) * 2)

    def test_files_are_closed(self, tmp_path, recwarn):
        path = tmp_path / "file.json"
        path.write_text("[1]")

        def body(path):
            with open(path.decode()) as file:
                return np.array(json.load(file))

        port_of_islands(body, str(path).encode())
        assert not [one for one in recwarn if one.category is ResourceWarning]

    @pytest.mark.parametrize(
        "read",
        [
            lambda file: pickle.load(file) + pickle.load(file),
            lambda file: len(file.read()) + length_of_rest(file),
            lambda file: length_of_rest(file) + len(file.read()),
            lambda file: len(file.read(0)) + length_of_rest(file),
            lambda file: length_of_rest(file) + np.fromfile(file, np.uint8).size,
        ],
    )
    def test_what_depends_on_an_earlier_read_is_one_island(self, tmp_path, read):
        def body(path):
            with open(path.decode(), "rb") as file:
                return read(file)

        path = tmp_path / "file"
        path.write_bytes(pickle.dumps(1) + pickle.dumps(2))
        native = self.check(body, path)
        assert sum(row.kind == "island" for row in native.report()) == 1

    def test_a_file_may_be_read_again_from_its_beginning(self, tmp_path):
        def body(path):
            with open(path.decode(), "rb") as file:
                first = np.frombuffer(file.read(2), np.uint8)
                file.seek(0)
                size = length_of_rest(file)
                file.seek(0)
                return int(first[1]) + size + len(file.read())

        path = tmp_path / "file"
        path.write_bytes(b"\1\2\3")
        native = port_of_islands(body, str(path).encode())
        assert tf.function(native)(tf.constant(str(path))).numpy() == 8

    def test_a_file_that_was_opened_before_is_refused(self, tmp_path):
        path = tmp_path / "file"
        path.write_bytes(b"abc")
        with path.open("rb") as file, pytest.raises(PortRefused, match="takes an open file"):
            port_of_islands(lambda x: x + length_of_rest(file), 1.0)

    def test_a_file_that_is_opened_outside_of_a_drawn_loop_is_refused(self, tmp_path):
        def body(path, rounds):
            total = 0
            with open(path.decode(), "rb") as file:
                for _ in range(rounds):
                    total += pickle.load(file)
            return total

        path = tmp_path / "file"
        path.write_bytes(pickle.dumps(1) + pickle.dumps(2))
        with pytest.raises(PortRefused, match="was opened outside of a run-time condition or loop"):
            port_of_islands(body, str(path).encode(), np.array(1))


def with_a_frozen_object(image):
    return stats.norm(loc=image.shape[0]).pdf(image[..., 0])


def with_an_object_a_round(image):
    rows = []
    for order in (0, 1, 2):
        rows.append(np.polynomial.Polynomial([order, 1.0]).integ()(image[..., 0] / 255.0))
    return np.stack(rows)


@pytest.mark.parametrize("function", [with_a_frozen_object, with_an_object_a_round])
def test_an_object_is_made_anew_of_other_arguments(function):
    native = ported(function)
    for image in (IMAGE, OTHER):
        np.testing.assert_allclose(native(tf.constant(image)), function(image), 1e-12, 1e-300)
        np.testing.assert_allclose(tf.function(native)(tf.constant(image)), function(image), 1e-12, 1e-300)


def test_an_object_made_of_a_string_of_the_graph_stays_in_its_statement(tmp_path):
    for number, name in enumerate("ab"):
        np.savez(tmp_path / name, x=np.full(3, number))

    def read(path):
        return np.lib.npyio.NpzFile(path.decode())["x"]

    names = [str(tmp_path / f"{name}.npz") for name in "ab"]

    native = port_of_islands(read, names[0].encode())
    found = list(tf.data.Dataset.from_tensor_slices(names).map(native).as_numpy_iterator())
    np.testing.assert_array_equal(found, [[0, 0, 0], [1, 1, 1]])
