"""Programs are compiled while a map is traced, once, and nothing else happens to them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import pytest
import tensorflow as tf

from pipeport.kernels.xla import _precompile, _single_threaded

pytestmark = [
    pytest.mark.both,
    pytest.mark.skipif(
        not tf.version.VERSION.startswith(_single_threaded._RELEASES),
        reason="nothing is lowered here",
    ),
]

# Prints how many programs with a square root XLA has compiled: before the map runs, and after. Ends at once
# after programs were traced that never run.
OF_OTHERS = """
import pathlib, sys
import tensorflow as tf
from pipeport.kernels.xla import _precompile
from tests.kernels.test_single_threaded import image, in_a_graph, stretched
from pipeport.kernels.xla._single_threaded import single_threaded
def compiled():
    texts = [path.read_text() for path in pathlib.Path(sys.argv[1]).glob("*cpu_after_optimizations.txt")]
    return sum("sqrt" in text for text in texts)
program = single_threaded(stretched)
mapped = tf.data.Dataset.from_tensors(image()).map(lambda x: (program(x), program(x[:64])))
_precompile.wait()
print(compiled())
list(mapped)
list(mapped)
tf.function(program, autograph=False)(image())
print(compiled())
for size in range(40, 60):
    in_a_graph(stretched, image()[:size])
print("end")
"""


def in_a_process(code, *arguments, **environment):
    known = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment}
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, env=known, capture_output=True, text=True, check=True, timeout=120)
    return done.stdout.split()


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What a process of its own printed, which ended well."""
    folder = tmp_path_factory.mktemp("dumped")
    return in_a_process(OF_OTHERS, folder, XLA_FLAGS=f"--xla_dump_to={folder} --xla_dump_hlo_as_text")


def test_a_map_finds_its_programs_compiled(printed):
    assert printed[:2] == ["2", "2"]


def test_a_process_ends_with_programs_yet_to_compile(printed):
    assert printed[2:] == ["end"]


def test_threads_that_trace_at_once_wait_for_each_other(monkeypatch):
    ran, wrong, start = [], [], threading.Thread.start

    def start_late(thread):
        time.sleep(0.02 if thread.name == "pipeport-compile" else 0)
        start(thread)

    monkeypatch.setattr(threading, "excepthook", lambda args: wrong.append(args.exc_value))
    monkeypatch.setattr(threading.Thread, "start", start_late)
    monkeypatch.setattr(_precompile, "_run", lambda definition, rows: ran.append(definition))
    tracing = [threading.Thread(target=_precompile.precompile, args=(number, [])) for number in range(6)]
    for one in tracing:
        one.start()
    for one in tracing:
        one.join()
    _precompile.wait()
    assert wrong == []
    assert sorted(ran) == list(range(6))


def traced(body, monkeypatch):
    """What is compiled ahead while a program is traced."""
    begun = []
    monkeypatch.setattr(_single_threaded, "precompile", lambda definition, inputs: begun.append(inputs))
    x = tf.TensorSpec([6, 5], "float32")
    tf.function(_single_threaded.single_threaded(body), autograph=False).get_concrete_function(x)
    return begun


def test_a_program_with_a_loop_is_not_tried(monkeypatch):
    # Of zeros it would never end.
    def doubled(x):
        return tf.while_loop(lambda y: tf.reduce_sum(y) < 10.0, lambda y: (y * 2.0,), (x,))[0]

    assert traced(doubled, monkeypatch) == []
    assert len(traced(lambda x: x * 2.0, monkeypatch)) == 1


def test_nothing_is_compiled_for_a_graph_of_sessions(monkeypatch):
    monkeypatch.setattr(_precompile, "_run", lambda *_arguments: pytest.fail("it ran"))
    before = _precompile._last
    with tf.Graph().as_default():
        _precompile.precompile(tf.compat.v1.GraphDef(), [])
    assert _precompile._last is before


def test_what_goes_wrong_is_said_where_the_program_runs(monkeypatch):
    def fail(*_arguments):
        raise ValueError("no such operation")

    monkeypatch.setattr(_precompile, "_run", fail)
    _precompile.precompile(tf.compat.v1.GraphDef(), [])
    _precompile.wait()
    assert not _precompile._last.is_alive()
