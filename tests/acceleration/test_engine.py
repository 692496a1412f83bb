"""What becomes of boundaries in datasets: equal to what they were, native where that is right."""

from __future__ import annotations

import functools
import random
import runpy
import time

import cv2
import numpy as np
import pytest
import skimage.io
import tensorflow as tf
from scipy import ndimage

import pipeport
from pipeport._tensorflow_private import graphs_in
from pipeport.acceleration import _changes, _engine, _measure
from pipeport.acceleration._measure import Rate
from pipeport.acceleration._verdict import choice

IMAGES = np.random.default_rng(0).integers(0, 255, [6, 12, 10, 3]).astype(np.uint8)
TWO = np.float32(2)
calls = []


def turned(image):
    return ndimage.rotate(image, 15.0, reshape=False, order=1)


def scaled(image):
    return image.astype(np.float32) / 255


def smoothed(image):
    return cv2.GaussianBlur(image, (3, 3), 0)


def denoised(image):
    return cv2.fastNlMeansDenoising(image)


def drawn(image):
    return image.astype(np.float32) + np.float32(random.random())


def prints(image):
    print("seen")
    return image


def source():
    return tf.data.Dataset.from_tensor_slices(IMAGES)


def boundary(function, dtype, **options):
    return lambda x: tf.numpy_function(function, [x], dtype, **options)


def values(dataset):
    return [np.asarray(one) for one in dataset.as_numpy_iterator()]


def same(make, **tolerance):
    """Compare a dataset that is made here with one that TensorFlow's own functions make."""
    found = values(make())
    pipeport.uninstall()
    want = values(make())
    assert len(found) == len(want)
    for one, other in zip(found, want, strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        np.testing.assert_allclose(one.astype(float), other.astype(float), **tolerance or {"rtol": 1e-5})


def reasons(found):
    return [one.reason for one in found.report.verdicts]


def test_a_pipeline_becomes_native(acceleration):
    found = acceleration()

    def make():
        ds = source().shuffle(100, seed=1).map(boundary(turned, tf.uint8), num_parallel_calls=2)
        ds = ds.cache().map(boundary(scaled, tf.float32)).batch(4).prefetch(1)
        return ds.map(boundary(scaled, tf.float32))

    dataset = make()
    assert reasons(found) == ["", "", ""]
    assert all(one.agreed == 3 for one in found.report.verdicts[:2])
    operations = [
        one.type for stage in (dataset, dataset._input_dataset) for function in stage._functions()
        for one in function.function.graph.get_operations()
    ]  # fmt: skip
    assert not {"PyFunc", "EagerPyFunc"} & set(operations)
    same(make)


def test_unknown_sizes_take_the_way_back(acceleration):
    """Padding by reflection refuses an image that is too small; Python serves it."""

    def padded(image):
        return np.pad(image, ((4, 4), (4, 4), (0, 0)), mode="reflect")

    def make():
        ds = tf.data.Dataset.range(6)
        ds = ds.map(lambda i: tf.zeros([tf.where(i < 3, 9, 3), 9, 3]) + tf.cast(i, tf.float32))
        return ds.map(boundary(padded, tf.float32))

    found = acceleration()
    same(make)
    assert reasons(found) == [""]


def wider(image, mode="reflect"):
    return np.pad(image, ((4, 4), (4, 4), (0, 0)), mode=mode)


def in_a_branch(image):
    return wider(image) if image[0, 0, 0] % 2 > 0 else image + 1


def in_a_branch_of_a_branch(image):
    if image[0, 0, 0] > 1:
        if image[0, 0, 0] % 2 > 0:
            image = wider(image)
        image = image * 2
    return image


def behind_a_branch(image):
    if image[0, 0, 0] % 2 > 0:
        image = wider(image)
    return wider(image[:6])


def in_a_loop(image):
    for _ in range(int(image[0, 0, 0]) % 2):
        image = wider(image)
    return image


@pytest.mark.parametrize("function", [in_a_branch, in_a_branch_of_a_branch, behind_a_branch, in_a_loop])
def test_a_refusal_inside_of_a_branch_or_loop_takes_the_way_back(function, acceleration):
    def make():
        ds = tf.data.Dataset.range(8)
        ds = ds.map(lambda i: tf.zeros([tf.where(i < 4, 9, 3), 9, 3]) + tf.cast(i, tf.float32))
        return ds.map(boundary(function, tf.float32))

    found = acceleration(islands=False)
    same(make)
    assert reasons(found) == [""], found.report.verdicts[0].why


def test_what_is_asked_before_an_element_is_computed_once(acceleration, tmp_path):
    """That a file holds an array is asserted behind its reading."""
    paths = [str(tmp_path / f"{number}.npy") for number in range(6)]
    for number, path in enumerate(paths):
        np.save(path, np.full((number, 2), number, np.float32 if number < 4 else np.int64))

    def loaded(path):
        return np.load(path.decode()).astype(np.float32) + 1

    def make():
        return tf.data.Dataset.from_tensor_slices(paths).map(boundary(loaded, tf.float32))

    found = acceleration()
    (function,) = make()._functions()
    graphs = graphs_in(function.function.graph)
    assert sum(one.type == "ReadFile" for graph in graphs for one in graph.get_operations()) == 1
    same(make)
    assert reasons(found) == [""]


def test_an_error_of_the_function_is_the_functions(acceleration):
    def checked(x):
        if x[0] > 3:
            raise ValueError("too large")
        return x + 1

    def make():
        return tf.data.Dataset.from_tensor_slices(np.arange(6.0)[:, None]).map(boundary(checked, tf.float64))

    found = acceleration()
    elements = iter(make())
    assert [float(next(elements)[0]) for _ in range(4)] == [1, 2, 3, 4]
    with pytest.raises(tf.errors.InvalidArgumentError, match="too large"):
        next(elements)
    del elements
    assert reasons(found) == [""]
    assert len(values(make().ignore_errors())) == 4


STAYS = {
    "effect": (prints, tf.uint8),
    "refused": (lambda x: denoised(x) + 0, tf.uint8),
}


@pytest.mark.parametrize(("reason", "function", "dtype"), [(key, *value) for key, value in STAYS.items()])
def test_what_stays_python(acceleration, reason, function, dtype):
    found = acceleration(islands=False)
    make = lambda: source().map(boundary(function, dtype))  # noqa: E731
    same(make)
    assert reasons(found) == [reason]
    assert found.report.verdicts[0].advice


def test_a_body_with_effects_is_never_run_by_a_trial(acceleration, capfd):
    acceleration()
    assert len(values(source().map(boundary(prints, tf.uint8)).take(2))) == 2
    assert capfd.readouterr().out.count("seen") == 2


def test_what_a_map_function_does_is_done_once(acceleration):
    acceleration()
    seen = []

    def step(x):
        seen.append(x)
        return tf.numpy_function(scaled, [x], tf.float32)

    source().map(step)
    assert len(seen) == 1


def test_a_function_of_a_map_function_has_its_own_name(acceleration):
    def step(image):
        def inner(one):
            return cv2.fastNlMeansDenoising(one)

        return tf.numpy_function(inner, [image], tf.uint8)

    found = acceleration(islands=False)
    source().map(step)
    assert f"{__name__}.step.<locals>.inner cannot be ported" in found.report.verdicts[0].why


def test_a_tf_function_is_mapped(acceleration):
    """Its graph is inside of the dataset's; it is traced once for both passes."""
    bound = np.float32(0.5)

    class Loader:
        @tf.function
        def step(self, image, label):
            image = tf.where(self.shift > 0, tf.image.flip_left_right(image), image)
            return tf.numpy_function(scaled, [image], tf.float32) * bound + self.shift, label + 1

    loader = Loader()
    loader.shift = tf.constant(0.25)

    def make():
        ds = tf.data.Dataset.zip((source(), tf.data.Dataset.range(6)))
        ds = ds.map(functools.partial(loader.step)).concatenate(ds.map(loader.step))
        return ds.map(lambda image, label: image + tf.cast(label, tf.float32))

    found = acceleration()
    same(make)
    assert reasons(found)[0] == ""


def test_a_tf_function_within_a_map(acceleration):
    """It is tried on what the map gives it: the subtrahend may come first."""

    @tf.function
    def step(one, other):
        return tf.numpy_function(np.subtract, [one, other], tf.int64)

    found = acceleration()
    same(lambda: tf.data.Dataset.range(3).map(lambda k: step(k * 2, k)))
    assert reasons(found) == [""]
    zipped = tf.data.Dataset.zip((tf.data.Dataset.range(3), tf.data.Dataset.range(3, 6)))
    found = acceleration()
    assert values(zipped.map(lambda one, other: step(other=one, one=other))) == [3, 3, 3]
    # A concrete function that was traced before holds what it holds.
    assert set(reasons(found)) <= {""}


@pytest.mark.parametrize("retraces", [False, True])
def test_the_rotation_of_volumes_in_a_function_of_its_own(acceleration, retraces):
    """As the example of Keras has it: the boundary is in a tf.function, which the map function calls."""
    added = tf.constant(0.5)

    @tf.function(reduce_retracing=retraces)
    def rotate(volume, factor=TWO):
        def of_scipy(volume):
            volume = ndimage.rotate(volume, 10, reshape=False, order=1)
            volume[volume < 0] = 0
            return volume

        return tf.numpy_function(of_scipy, [volume * factor + added], tf.float32)

    def make():
        def prepare(volume, label):
            volume = rotate(tf.cast(volume, tf.float32) / 255)
            return tf.expand_dims(tf.ensure_shape(volume, IMAGES.shape[1:]), 3) + tf.cast(label, tf.float32)

        return tf.data.Dataset.from_tensor_slices((IMAGES, np.arange(6))).map(prepare).batch(2)

    found = acceleration()
    same(make, rtol=1e-4, atol=1e-5)
    assert reasons(found) == [""]
    assert found.report.verdicts[0].agreed == 3


def test_functions_in_functions(acceleration):
    @tf.function
    def inner(x, *, by):
        return tf.numpy_function(lambda x, by: (x * by).astype(np.float32), [x, by], tf.float32)

    @tf.function
    def outer(x, by):
        return inner(x + 1, by=by * 2) + inner(x, by=by)

    class Layer(tf.Module):
        def __init__(self):
            super().__init__()
            self.by = tf.Variable(3.0)

        @tf.function
        def __call__(self, x):
            by = self.by * 1
            return tf.numpy_function(lambda x, by: x * by, [outer(x, by), by], tf.float32)

    layer = Layer()

    def make():
        return source().map(lambda image: layer(tf.cast(image, tf.float32)))

    found = acceleration()
    same(make)
    assert set(reasons(found)) == {""}


def test_branches_loops_and_structures_in_a_function_of_the_map(acceleration):
    @tf.function
    def branched(x):
        return tf.cond(
            tf.reduce_sum(x) > 0, lambda: tf.numpy_function(np.negative, [x], tf.float32), lambda: x
        )

    @tf.function
    def structured(given):
        return tf.numpy_function(np.subtract, [given["b"][0], given["a"]], tf.float32) + given["b"][1]

    found = acceleration()
    same(lambda: source().map(lambda x: branched(tf.cast(x, tf.float32))))
    assert reasons(found) == ["inside"]
    found = acceleration()

    def make():
        def step(image):
            x = tf.cast(image, tf.float32)
            return structured({"b": (x * 2, 1.0), "a": x})

        return source().map(step)

    same(make)
    assert reasons(found) == [""]


def test_a_function_whose_natives_make_the_map_raise_is_traced_anew(acceleration):
    @tf.function
    def step(x):
        return tf.numpy_function(scaled, [x], tf.float32)

    def wrong_shape(x):
        y = step(x)
        y.set_shape([12, 10, 4])
        return tf.reduce_sum(y)

    found = acceleration()
    same(lambda: source().map(wrong_shape))
    assert reasons(found) == ["failed"]
    np.testing.assert_allclose(step(IMAGES[0]), scaled(IMAGES[0]))


def test_what_a_boundary_in_a_function_of_the_map_is_given_is_not_changed(acceleration, capfd):
    """What has effects in front of it, in either function, is not run for a trial."""

    @tf.function
    def step(x):
        x = tf.numpy_function(prints, [x], tf.uint8)
        return tf.numpy_function(scaled, [x], tf.float32)

    found = acceleration()
    source().map(step)
    source().map(lambda x: tf.numpy_function(scaled, [step(x)], tf.float32))
    assert set(reasons(found)) <= {"effect", "unread"}
    assert "seen" not in capfd.readouterr().out


def test_a_generator_that_only_reads_is_read(acceleration, tmp_path):
    """Its own generator of random numbers has the state that it had."""
    file = tmp_path / "rows.txt"
    file.write_text("1\n2\n3\n4\n")

    def make():
        rng = np.random.default_rng(3)

        def rows(gain):
            with open(file) as lines:  # noqa: PTH123 - as people write it
                for line in lines:
                    yield np.float32(line) * gain + np.float32(rng.random())

        spec = tf.TensorSpec([], tf.float32)
        return tf.data.Dataset.from_generator(rows, output_signature=spec, args=(2.0,)).map(
            boundary(halved, tf.float32)
        )

    found = acceleration()
    same(make)
    assert reasons(found) == [""]


def halved(x):
    return x / np.float32(2)


def test_a_generator_that_goes_on_is_not_read(acceleration):
    rows = iter(np.arange(8, dtype=np.float32))
    found = acceleration()
    spec = tf.TensorSpec([], tf.float32)
    ds = tf.data.Dataset.from_generator(lambda: rows, output_signature=spec)
    np.testing.assert_array_equal(values(ds.map(boundary(halved, tf.float32))), np.arange(8) / 2)
    assert reasons(found) == ["unread"]
    assert "`rows`, an iterator from outside" in found.report.verdicts[0].why


def test_a_large_array_from_outside_beside_an_element_that_may_be_refused(acceleration, monkeypatch):
    """It is captured by the graph that is tried."""
    # All loaded sources of the user could change it: other tests' do as they like.
    sources = _changes._sources
    here = lambda: {name: one for name, one in sources().items() if name == __name__}  # noqa: E731
    monkeypatch.setattr(_changes, "_sources", here)
    pictures_of_noise = np.random.default_rng(1).integers(0, 255, [400, 60, 60]).astype(np.uint8)

    def element(k):
        image = pictures_of_noise[k]
        return np.pad(image[: k + 2], ((3, 3), (0, 0)), mode="reflect").sum()

    found = acceleration()
    same(lambda: tf.data.Dataset.range(6).map(boundary(element, tf.uint64)))
    assert reasons(found) == [""]


def test_an_island_inside(acceleration):
    found = acceleration()
    same(lambda: source().map(boundary(lambda x: denoised(smoothed(x)) + 0, tf.uint8)), atol=0)
    assert reasons(found) == [""]
    assert found.report.verdicts[0].islands == 1


def of_a_collection(path):
    images = skimage.io.ImageCollection(path.decode())
    image = images[0]
    return image.astype(np.float32) / 255


def a_collection(path):
    return skimage.io.ImageCollection(path.decode())[0]


@pytest.mark.filterwarnings("ignore:The plugin infrastructure:FutureWarning")
def test_an_island_of_statements(acceleration, tmp_path):
    files = [str(tmp_path / f"{number}.png") for number in range(4)]
    for file, image in zip(files, IMAGES, strict=False):
        skimage.io.imsave(file, image, check_contrast=False)
    found = acceleration()
    same(lambda: tf.data.Dataset.from_tensor_slices(files).map(boundary(of_a_collection, tf.float32)))
    (verdict,) = found.report.verdicts
    assert (verdict.reason, verdict.islands, verdict.stated) == ("", 1, None)


@pytest.mark.filterwarnings("ignore:The plugin infrastructure:FutureWarning")
def test_what_would_be_an_island_as_a_whole_stays(acceleration, tmp_path):
    file = str(tmp_path / "0.png")
    skimage.io.imsave(file, IMAGES[0], check_contrast=False)
    found = acceleration()
    same(lambda: tf.data.Dataset.from_tensors(file).map(boundary(a_collection, tf.uint8)))
    assert reasons(found) == ["refused"]
    assert "skimage.io.ImageCollection" in found.report.verdicts[0].why


@pytest.mark.parametrize("others", [(12, 10), (12, 10, 1), (2, 12, 10, 3)], ids=str)
def test_elements_of_other_axes_or_channels_than_those_that_were_tried(others, acceleration):
    """Of a picture that TensorFlow decodes nobody knows the axes beforehand."""

    def smaller(image):
        return cv2.resize(image, (6, 5)).sum() if image.ndim == 3 else image.sum()

    arrays = [*IMAGES[:3], np.full(others, 7, np.uint8), IMAGES[3]]
    texts = [tf.io.serialize_tensor(one).numpy() for one in arrays]

    def make():
        ds = tf.data.Dataset.from_tensor_slices(texts).map(lambda text: tf.io.parse_tensor(text, tf.uint8))
        return ds.map(boundary(smaller, tf.uint64))

    found = acceleration()
    same(make)
    assert reasons(found) == [""]


def test_draws_differ_from_element_to_element_and_between_boundaries(acceleration):
    found = acceleration()
    tf.random.set_seed(1)
    state = random.getstate()
    ds = tf.data.Dataset.from_tensors(np.zeros([2], np.float32)).repeat(5)
    ds = ds.map(
        lambda x: (tf.numpy_function(drawn, [x], tf.float32), tf.numpy_function(drawn, [x], tf.float32))
    )
    rows = np.array([(one[0], two[0]) for one, two in ds.as_numpy_iterator()])
    assert reasons(found)[0] == ""
    assert len(set(rows.ravel())) == rows.size
    assert ((rows >= 0) & (rows < 1)).all()
    assert random.getstate() == state


def test_exact_leaves_draws_and_rounding(acceleration):
    found = acceleration(exact=True)
    ds = source().map(lambda x: tf.cast(x, tf.float32))
    for function, dtype in ((drawn, tf.float32), (turned, tf.float32), (lambda x: np.flip(x, 0), tf.float32)):
        ds.map(boundary(function, dtype))
    assert reasons(found) == ["exact", "exact", ""]


def test_slower_stays(acceleration):
    found = acceleration(faster=False)
    same(lambda: source().map(boundary(turned, tf.uint8)))
    assert reasons(found) == ["slower"]
    assert found.report.verdicts[0].agreed == 0  # not compared


def test_little_is_not_tried(acceleration):
    found = acceleration(little=0.5)
    source().map(boundary(scaled, tf.float32))
    assert reasons(found) == ["little"]
    assert found.report.verdicts[0].python is None


def test_equality_alone_decides_where_native_is_preferred(acceleration):
    found = acceleration(faster=False, little=0.5, prefer_native=True)
    source().map(boundary(scaled, tf.float32))
    assert reasons(found) == [""]


def test_calls_with_a_native_stay_python_where_they_are_named(acceleration):
    found = acceleration(keep=("np.fliplr",))
    same(lambda: source().map(boundary(lambda x: np.flipud(np.fliplr(x)), tf.uint8)))
    assert reasons(found) == [""], found.report.verdicts[0].why
    assert found.report.verdicts[0].islands == 1


def test_the_limit(acceleration):
    found = acceleration(limit=0)
    source().map(boundary(scaled, tf.float32))
    assert reasons(found) == ["limit"]


def test_the_limit_holds_while_a_port_is_traced(acceleration):
    found = acceleration(limit=1e-3)
    same(lambda: source().map(boundary(turned, tf.uint8)))
    assert reasons(found) == ["limit"]
    assert "takes long to trace" in found.report.verdicts[0].why


def test_only_and_skip(acceleration):
    found = acceleration(only=("test_engine.py", "scaled"), skip=("turned",))
    source().map(boundary(turned, tf.uint8)).map(boundary(scaled, tf.float32))
    assert reasons(found) == ["left out", ""]


def test_the_same_function_twice_draws_twice(acceleration):
    acceleration()
    tf.random.set_seed(1)
    ds = tf.data.Dataset.from_tensors(np.zeros([1], np.float32)).map(boundary(drawn, tf.float32))
    one, two = (float(values(source_)[0][0]) for source_ in (ds, ds.map(boundary(drawn, tf.float32))))
    assert two != pytest.approx(2 * one)


def test_equal_functions_of_two_files_are_two(acceleration, tmp_path):
    found = acceleration(faster=False)
    for name in ("one", "two"):
        text = "import numpy as np\ndef scaled(x):\n    return x.astype(np.float32) * np.float32(3)\n"
        (tmp_path / f"{name}.py").write_text(text)
        space = runpy.run_path(str(tmp_path / f"{name}.py"))
        source().map(boundary(space["scaled"], tf.float32))
    places = [one.place for one in found.report.verdicts]
    assert places == [f"{tmp_path / name}.py:2" for name in ("one", "two")]


def wrapped(function, gain):
    @functools.wraps(function)
    def inner(x):
        return function(x) * np.float32(gain)

    return inner


def test_wrappers_of_one_function_are_two(acceleration):
    acceleration()
    found = [values(source().map(boundary(wrapped(scaled, gain), tf.float32)))[0] for gain in (2, 4)]
    np.testing.assert_allclose(2 * found[0], found[1])


def test_a_wrapper_with_effects_in_front_is_not_run(acceleration, capfd):
    @functools.wraps(turned)
    def shown(x):
        print("seen")
        return turned(x)

    found = acceleration()
    source().map(boundary(shown, tf.uint8)).map(boundary(scaled, tf.float32))
    assert reasons(found) == ["effect", "unread"]
    assert "seen" not in capfd.readouterr().out


def test_known_arguments_belong_to_the_decision(acceleration):
    acceleration()
    found = []
    for gain in (2, 3):
        ds = tf.data.Dataset.range(1, 2).map(
            lambda i, g=gain: tf.numpy_function(np.multiply, [i, g], tf.int64)
        )
        found.append(int(values(ds)[0]))
    assert found == [2, 3]
    assert reasons(pipeport.installed()) == ["", ""]


def test_what_is_changed_behind_all_names_turns_a_boundary_back(acceleration, monkeypatch):
    sources = _changes._sources  # other tests change any name
    monkeypatch.setattr(_changes, "_sources", lambda: {__name__: sources()[__name__]})
    gains_of_this_test = {"gain": 2.0}

    def settings():
        return gains_of_this_test

    def gained(x):
        return x * np.float32(gains_of_this_test["gain"])

    found = acceleration()
    ds = tf.data.Dataset.from_tensors(np.ones([2], np.float32)).map(boundary(gained, tf.float32))
    assert reasons(found) == [""]
    assert values(ds)[0][0] == 2.0
    by_another_name = settings()
    by_another_name["gain"] = 3.0
    assert values(ds)[0][0] == 3.0
    assert reasons(found) == ["changes"]
    assert "gains_of_this_test" in found.report.verdicts[0].why


def test_nothing_is_decided_after_it_was_taken_out(acceleration):
    found = acceleration()
    wrap = tf.numpy_function
    pipeport.uninstall()
    source().map(lambda x: wrap(scaled, [x], tf.float32))
    assert found.report.verdicts == ()


def test_a_dataset_made_anew_takes_the_decision(acceleration):
    found = acceleration()

    def make():
        return source().map(lambda x: tf.numpy_function(scaled, [x], tf.float32))

    for _ in range(4):
        dataset = make()
    assert [one.uses for one in found.report.verdicts] == [4]
    assert len(values(dataset)) == 6


def test_sources_that_are_consumed_by_reading_are_not_read(acceleration):
    found = acceleration()
    read = []

    def rows():
        for one in IMAGES:
            read.append(1)
            yield one

    ds = tf.data.Dataset.from_generator(rows, output_signature=tf.TensorSpec([12, 10, 3], tf.uint8))
    ds = ds.map(boundary(scaled, tf.float32))
    assert reasons(found) == ["unread"]
    assert read == []
    assert len(values(ds)) == 6


def test_a_boundary_with_effects_in_front_is_not_run(acceleration, capfd):
    found = acceleration()
    source().map(boundary(prints, tf.uint8)).map(boundary(scaled, tf.float32))
    assert reasons(found) == ["effect", "unread"]
    assert "seen" not in capfd.readouterr().out


def test_a_generator_of_tensorflow_in_front_is_not_run(acceleration):
    found = acceleration()
    generator = tf.random.Generator.from_seed(1)
    before = generator.state.numpy()
    source().map(lambda x: tf.cast(x, tf.float32) + generator.uniform([])).map(boundary(scaled, tf.float32))
    assert reasons(found) == ["unread"]
    np.testing.assert_array_equal(generator.state.numpy(), before)


def test_a_cache_in_a_file_is_not_touched(acceleration, tmp_path):
    found = acceleration()
    ds = source().map(boundary(scaled, tf.float32)).cache(str(tmp_path / "kept"))
    ds = ds.map(boundary(scaled, tf.float32))
    assert reasons(found) == ["", ""]
    assert list(tmp_path.iterdir()) == []
    assert len(values(ds)) == 6


def test_branches_of_the_map_stay(acceleration):
    found = acceleration()

    def step(x):
        return tf.cond(
            tf.reduce_sum(tf.cast(x, tf.int32)) > 0, lambda: boundary(scaled, tf.float32)(x),
            lambda: tf.zeros_like(x, tf.float32),
        )  # fmt: skip

    same(lambda: source().map(step))
    assert reasons(found) == ["inside"]


def test_outside_of_a_dataset(acceleration):
    found = acceleration()
    result = tf.function(boundary(scaled, tf.float32))(IMAGES[0])
    np.testing.assert_allclose(result, IMAGES[0] / np.float32(255))
    assert reasons(found) == ["outside"]
    tf.numpy_function(scaled, [IMAGES[0]], tf.float32)  # eagerly: nothing is tried, nothing is said
    assert len(found.report.verdicts) == 1


def test_a_wrong_set_shape_behind_a_boundary(acceleration):
    """TensorFlow believes it where no shape is known; else the map function raises, and is traced again."""
    found = acceleration()

    def step(x):
        y = tf.numpy_function(scaled, [x], tf.float32)
        y.set_shape([12, 10, 4])
        return tf.reduce_sum(y)

    same(lambda: source().map(step))
    assert reasons(found) == ["failed"]


def test_an_error_of_the_map_function_is_its_own(acceleration):
    acceleration()

    def step(x):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        source().map(step)


def test_a_port_that_is_wrong_stays(acceleration, monkeypatch):
    found = acceleration()
    engine = pipeport.acceleration._engine
    make = engine.port
    wrong = lambda function, **told: make(lambda x: scaled(x) + np.float32(0.01), **told)  # noqa: E731
    wrong_sides = engine.difference

    def compared(ported, *rest, **named):
        ported.original = scaled
        ported.body = scaled
        return wrong_sides(ported, *rest, **named)

    monkeypatch.setattr(engine, "port", wrong)
    monkeypatch.setattr(engine, "difference", compared)
    source().map(boundary(scaled, tf.float32))
    assert reasons(found) == ["differs"]


def test_whatever_fails_the_boundary_is_what_it_was(acceleration, monkeypatch):
    found = acceleration()
    monkeypatch.setattr(found.engine, "_recorded", lambda *_: 1 / 0)
    same(lambda: source().map(boundary(scaled, tf.float32)))
    assert reasons(found) == ["failed"]
    assert "ZeroDivisionError" in found.report.verdicts[0].why


def test_many_results_and_known_arguments(acceleration):
    def split(x, factor, name):
        return x * np.uint8(2), np.float32(factor), name

    def make():
        return source().map(
            lambda x: tf.numpy_function(split, [x, 0.5, "a"], [tf.uint8, tf.float32, tf.string])
        )

    found = acceleration()
    rows = list(make())
    assert reasons(found) == [""]
    assert [type(one) for one in rows] == [tuple] * 6
    assert rows[0][1].numpy() == 0.5
    assert rows[0][2].numpy() == b"a"
    np.testing.assert_array_equal(rows[1][0], IMAGES[1] * np.uint8(2))


def test_py_function_and_py_func(acceleration):
    def doubled(x):
        return x * 2

    found = acceleration()
    same(lambda: source().map(lambda x: tf.py_function(doubled, [x], tf.uint8)), atol=0)
    assert reasons(found) == [""]
    found = acceleration()
    same(lambda: source().map(lambda x: tf.compat.v1.py_func(doubled, [x], [tf.uint8], False)[0]), atol=0)
    assert reasons(found) == [""]


def test_the_form_of_a_decorator(acceleration):
    found = acceleration()

    @tf.numpy_function(Tout=tf.float32)
    def half(x):
        return x.astype(np.float32) / 2

    ds = source().map(half)
    assert reasons(found) == [""]
    np.testing.assert_array_equal(next(iter(ds)), IMAGES[0].astype(np.float32) / 2)


def test_strings(acceleration):
    def label(path):
        return int(path.decode().split("_")[1].split(".")[0])

    found = acceleration()
    names = ["a_1.png", "b_22.png", "c_3.png", "d_404.png"]
    same(lambda: tf.data.Dataset.from_tensor_slices(names).map(boundary(label, tf.int64)), atol=0)
    assert reasons(found) == [""]


def test_two_ways_are_measured_in_turn():
    order = []

    def slow(x):
        order.append("slow")
        time.sleep(0.02)
        return x

    def fast(x):
        order.append("fast")
        return x

    base = tf.data.Dataset.range(1).repeat()
    one, other = _measure.rates(
        lambda: base.map(lambda i: tf.numpy_function(slow, [i], tf.int64)),
        lambda: base.map(lambda i: tf.numpy_function(fast, [i], tf.int64)),
    )
    assert one.element > 0.02 > other.element > 0
    assert min(one.start, other.start, other.processor) > 0
    turns = [name for place, name in enumerate(order) if place == 0 or order[place - 1] != name]
    assert turns == ["slow", "fast", "slow", "fast"]


def test_what_is_clearly_slower_is_measured_once_and_not_compared(acceleration, monkeypatch):
    def never(*_, **__):
        raise AssertionError("compared")

    monkeypatch.setattr(_engine, "difference", never)
    found = acceleration(faster=False)
    source().map(boundary(scaled, tf.float32))
    assert reasons(found) == ["slower"]
    spans = iter([Rate(1, 1, 0), Rate(1, 2, 0)])
    monkeypatch.setattr(_measure, "_span", lambda _dataset: next(spans))
    assert _measure.rates(lambda: None, lambda: None) == (Rate(1, 1, 0), Rate(1, 2, 0))


RATES = {
    "gains": (Rate(2e-3, 2e-3, 0.1), Rate(1e-3, 1e-3, 0.1), 1000, ""),
    "slower": (Rate(1e-3, 1e-3, 0.1), Rate(2e-3, 1e-3, 0.1), 1000, "slower"),
    "more processor time": (Rate(2e-3, 1e-3, 0.1), Rate(1e-3, 2e-3, 0.1), 1000, "slower"),
    "short epoch": (Rate(2e-3, 2e-3, 0.1), Rate(1e-3, 1e-3, 0.5), 300, "start"),
    "long epoch": (Rate(2e-3, 2e-3, 0.1), Rate(1e-3, 1e-3, 0.5), 500, ""),
    "unknown epoch": (Rate(2e-3, 2e-3, 0.1), Rate(1e-3, 1e-3, 0.5), None, "start"),
    "unknown epoch that pays": (Rate(9e-3, 9e-3, 0.1), Rate(1e-3, 1e-3, 0.5), None, ""),
}


@pytest.mark.parametrize(("python", "native", "elements", "reason"), RATES.values(), ids=RATES)
def test_the_choice(python, native, elements, reason):
    assert choice(python, native, elements)[0] == reason


def test_what_the_functions_of_a_dataset_cost_is_counted_together(acceleration):
    """Each alone is not worth a trial; with those in front the third is. Three epochs are expected."""
    found = acceleration(little=7.5)
    found.engine._seconds = lambda boundary, rows: 1 / 6
    first = source().map(boundary(turned, tf.uint8)).cache().map(boundary(scaled, tf.float32))
    assert reasons(found) == ["little", "little"]
    first.map(boundary(lambda x: x + 1, tf.float32))
    assert reasons(found) == ["little", "little", ""]
    # In another dataset the first two are alone again, as they were.
    source().map(boundary(turned, tf.uint8))
    assert reasons(found) == ["little", "little", ""]
    # Behind two others scaled is tried again.
    shifted = source().map(boundary(turned, tf.uint8)).map(boundary(lambda x: x // 2, tf.uint8))
    shifted.map(boundary(scaled, tf.float32))
    assert reasons(found)[3:] == ["little", ""]


def test_epochs_of_an_earlier_run_are_expected(acceleration, tmp_path, monkeypatch):
    """Six elements of a sixth of a second: a run of three epochs is not worth a trial, one of five is."""
    monkeypatch.setenv("PIPEPORT_CACHE", str(tmp_path))

    def run(epochs, function=scaled):
        found = acceleration(little=4.5)
        found.engine._seconds = lambda boundary, rows: 1 / 6
        found.engine.measure = lambda *_: (Rate(1 / 6, 1 / 6, 0.1), Rate(1e-3, 1e-3, 0.1))
        dataset = source().map(boundary(function, tf.float32)).batch(2)
        for _ in range(epochs):
            values(dataset)
        pipeport.uninstall()
        return reasons(found)

    assert run(5) == ["little"]
    assert run(1) == [""]
    # What was measured does not take its place: the third run knows both.
    assert run(1) == [""]
    assert run(1, lambda x: (x - 1).astype(np.float32)) == ["little"]
    assert run(1, lambda x: (x - 1).astype(np.float32)) == ["little"]


def test_epochs_of_this_process_count_where_a_dataset_is_made_anew(acceleration):
    found = acceleration(little=4.5)
    found.engine._seconds = lambda boundary, rows: 1 / 6
    for _ in range(6):
        values(source().map(boundary(scaled, tf.float32)))
    # The fifth is begun before it is known.
    assert reasons(found) == ["little", ""]
    assert [one.begun for one in found.report.verdicts] == [5, 0]


def test_ten_thousand_elements_are_expected_of_an_unknown_number(acceleration):
    unknown = source().filter(lambda x: True)
    for little, reason in ((1e4 / 6 + 1, "little"), (1e4 / 6 - 1, "")):
        found = acceleration(little=little)
        found.engine._seconds = lambda boundary, rows: 1 / 6
        unknown.map(boundary(scaled, tf.float32))
        assert reasons(found) == [reason]
        pipeport.uninstall()


def test_a_graph_that_grows_too_large(acceleration, monkeypatch):
    monkeypatch.setattr(_engine, "_LARGEST", 3)
    found = acceleration(islands=False)
    source().map(boundary(lambda x: scaled(turned(turned(x))), tf.float32))
    assert reasons(found) == ["refused"]
    assert "a graph of" in found.report.verdicts[0].why


def test_an_engine_that_fails_leaves_the_call_as_it_is(acceleration, monkeypatch):
    found = acceleration()
    monkeypatch.setattr(_engine, "dotted", lambda function: 1 / 0)
    same(lambda: source().map(boundary(np.flipud, tf.uint8)))
    assert reasons(found) == []
