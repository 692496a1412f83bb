"""Functions that are read instead of traced: they are what tracing gives, and graphs have them."""

import gc

import numpy as np
import pytest
import tensorflow as tf

from pipeport import config, cv2, numpy, port
from pipeport.kernels import _storing
from pipeport.kernels.xla import _one_call, _stored
from pipeport.PIL import Image

pytestmark = pytest.mark.both


@pytest.mark.parametrize("function", _storing.FUNCTIONS, ids=lambda one: one.name)
def test_a_stored_function_is_what_tracing_gives(function):
    # An import fills the defaults of attributes in, so the file is read anew.
    stored, traced = _stored._definition.__wrapped__(function.name), _storing.traced(function)
    traced.versions.CopyFrom(stored.versions)
    assert stored == traced, "python -m pipeport.kernels._storing writes the files anew"


def test_the_file_holds_the_functions_of_the_list():
    names = {one.name.partition("/")[0] for one in _stored._read().node}
    assert names == {one.name for one in _storing.FUNCTIONS}


def _loaded(path):
    return numpy.load(path, dtype="float32")


@pytest.mark.parametrize("read", [_loaded, cv2.imread], ids=["load", "imread"])
def test_what_checks_something_is_no_call(read):
    # TensorFlow would optimise the function once more for each iterator, with all that it calls.
    graph = tf.function(read).get_concrete_function(tf.TensorSpec([], tf.string)).graph.as_graph_def()
    assert {node.op for node in graph.node} >= {"ReadFile", "If"}
    assert not [node for node in graph.node if "PartitionedCall" in node.op]


def _traced_nodes(run, *specs):
    """Return how many operations TensorFlow traced for a graph, and the names of its stored functions."""
    graph = tf.function(run, autograph=False).get_concrete_function(*specs).graph.as_graph_def()
    stored = {one.signature.name for one in graph.library.function if one.signature.name[:9] == "pipeport_"}
    others = (one.node_def for one in graph.library.function if one.signature.name not in stored)
    return len(graph.node) + sum(map(len, others)), stored


def _functions(*names):
    return {one.signature.name for name in names for one in _stored.definition(name).library.function}


def _thumbnail(path):
    return tf.convert_to_tensor(Image.open(path).convert("RGB").resize((9, 9)))


def test_reading_and_resizing_trace_little(monkeypatch):
    monkeypatch.setattr(config, "opencv", lambda: 5)
    path, reader = tf.TensorSpec([], tf.string), "decode_cv2-decoder-3-uint8-False-1-True-False-filename"
    before = _one_call._traced.cache_info().misses
    nodes, stored = _traced_nodes(lambda one: cv2.resize(cv2.imread(one), (224, 224)), path)
    # 341 before functions were stored.
    assert nodes <= 45
    assert stored == _functions(reader, "cv2_resize_stock-sampler-False")
    nodes, stored = _traced_nodes(lambda one: cv2.resize(cv2.imread(one), (9, 9), interpolation=3), path)
    assert nodes <= 140
    assert stored == _functions(reader, "cv2_resize_grown-taps")
    nodes, stored = _traced_nodes(_thumbnail, path)
    # 450 before.
    assert nodes <= 65
    assert stored == _functions("decode-colour_decoder-fp", "pil_bytes-resampler-3")
    assert _one_call._traced.cache_info().misses == before


def _cast(path):
    return np.load(path).astype(np.float32)


def test_loading_arrays_traces_little():
    path = tf.TensorSpec([], tf.string)
    nodes, stored = _traced_nodes(_loaded, path)
    assert nodes <= 20
    assert stored == _functions("decode_npy-reader-float32-file-10000")
    caster = "decode_npy-caster-float32-file-10000"
    nodes, stored = _traced_nodes(port(_cast), path)
    # 481 before, in 38 functions.
    assert nodes <= 10
    assert sum(len(one.node_def) for one in _stored.definition(caster).library.function) <= 220
    assert stored == _functions(caster)
    assert len(stored) <= 18


def test_xla_compiles_a_graph_with_a_stored_function():
    def thumbnail(pixels):
        return tf.convert_to_tensor(Image.resize(pixels, (3, 2)))

    pixels = np.arange(105, dtype=np.uint8).reshape(5, 7, 3)
    spec = tf.TensorSpec([None, None, 3], tf.uint8)
    compiled = tf.function(thumbnail, autograph=False, jit_compile=True).get_concrete_function(spec)
    assert {node.op for node in compiled.graph.as_graph_def().node if not node.input} <= {
        "Placeholder",
        "Const",
    }
    assert sum(node.op == "Placeholder" for node in compiled.graph.as_graph_def().node) == 1
    np.testing.assert_array_equal(compiled(tf.constant(pixels)), thumbnail(pixels))


def test_other_dtypes_are_traced():
    image, words = tf.constant([[[1, 2]]], tf.uint16), tf.constant([1], tf.int32)
    stored = _stored.definition("decode_exif-uprighter-False")
    assert not _stored.takes(stored, (image, tf.constant("")))
    assert not _stored.takes(stored, (tf.cast(image, tf.uint8), words))
    assert _stored.takes(stored, (tf.cast(image, tf.uint8), tf.constant("")))


def test_a_tensorflow_that_keeps_functions_elsewhere_traces(monkeypatch):
    assert _stored.definition("decode_bmp-decoder") is not None
    monkeypatch.setattr(_stored, "context", lambda: None)
    assert _stored.definition("decode_bmp-decoder") is None


def test_stored_functions_outlive_the_graphs_around_them(tmp_path, monkeypatch):
    monkeypatch.setattr(config, "opencv", lambda: 5)
    path = tmp_path / "image.bmp"
    pixels = np.arange(54, dtype=np.uint8).reshape(3, 6, 3)
    header = b"BM" + np.array([54 + 60, 0, 54, 40, 6, 3, 1 | 24 << 16, 0, 60, 0, 0, 0, 0], "<i4").tobytes()
    rows = np.pad(pixels[::-1].reshape(3, 18), [[0, 0], [0, 2]])
    path.write_bytes(header + rows.tobytes())
    datasets = [tf.data.Dataset.from_tensors(str(path)).map(cv2.imread) for _ in range(2)]
    del datasets[0]
    gc.collect()
    np.testing.assert_array_equal(next(iter(datasets[0])), pixels)
    module = tf.Module()
    module.read = tf.function(cv2.imread, input_signature=[tf.TensorSpec([], tf.string)])
    tf.saved_model.save(module, str(tmp_path / "saved"))
    loaded = tf.saved_model.load(str(tmp_path / "saved"))
    np.testing.assert_array_equal(loaded.read(tf.constant(str(path))), pixels)
