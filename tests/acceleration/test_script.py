"""A script in a process of its own, with `pipeport run` and without: the same, but for time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap

import pytest

from tests.acceleration.scripts import SCRIPTS

# Everything is tried, and every native form is found faster.
TRIED = """
import json, runpy, sys
sys.argv = sys.argv[1:]
sys.path[0] = ""
import pipeport
from pipeport.acceleration._measure import Rate
found = pipeport.install()
# The engine loads with TensorFlow's first boundary, so it is set up when that is.
make = type(found).engine.func
def engine(own):
    made = make(own)
    made.little, made.measure = 0, lambda python, native: (Rate(2, 2, 0), Rate(1, 1, 0))
    return made
type(found).engine.func = engine
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    print("REASONS", json.dumps([one.reason for one in found.report.verdicts]), file=sys.stderr)
"""
HEAD = """
import os
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow as tf
IMAGES = np.random.default_rng(0).integers(0, 255, [64, 16, 16, 3]).astype(np.uint8)
def scaled(x):
    return x.astype(np.float32) / 255
def turned(x):
    return np.rot90(x) * 2
"""
# The trials are made, and every boundary is found slower.
NULL = """
import runpy, sys
sys.argv = sys.argv[1:]
import pipeport
from pipeport.acceleration._measure import Rate
found = pipeport.install(islands=False)
found.engine.little = 0
found.engine.measure = lambda python, native: (Rate(1, 1, 0), Rate(2, 2, 0))
runpy.run_path(sys.argv[0], run_name="__main__")
print([one.reason for one in found.report.verdicts], file=sys.stderr)
"""


@pytest.fixture
def script(tmp_path):
    """Write a script, and run it: as it is, through `pipeport run`, or with every boundary slower."""

    def run(source, *arguments, by=(), stdin=None, target=("script.py",), **environment):
        (tmp_path / "script.py").write_text(textwrap.dedent(source))
        command = [sys.executable, *by, *target, *arguments]
        # No caches or modules beside the script but its own.
        told = {**os.environ, "PIPEPORT_QUIET": "1", "PYTHONDONTWRITEBYTECODE": "1", **environment}
        return subprocess.run(
            command,
            cwd=tmp_path,
            env=told,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    run.folder = tmp_path
    return run


RUN = ("-m", "pipeport", "run")

TRAINING = (
    HEAD
    + """
import random
random.seed(3); np.random.seed(4); tf.keras.utils.set_random_seed(5)
def noisy(x):
    return x + np.float32(random.random()) + np.float32(np.random.rand())
def denoised(x):
    print("seen", x.shape)
    return x
ds = tf.data.Dataset.from_tensor_slices(IMAGES).shuffle(64)
ds = ds.map(lambda x: tf.numpy_function(scaled, [x], tf.float32))
ds = ds.map(lambda x: tf.numpy_function(noisy, [x], tf.float32))
ds = ds.map(lambda x: tf.image.random_flip_left_right(tf.ensure_shape(x, [16, 16, 3])))
ds = ds.map(lambda x: tf.numpy_function(denoised, [x], tf.float32))
ds = ds.map(lambda x: (tf.ensure_shape(x, [16, 16, 3]), tf.reduce_mean(x))).batch(16)
model = tf.keras.Sequential([tf.keras.layers.Conv2D(2, 3), tf.keras.layers.Flatten(),
                             tf.keras.layers.Dropout(0.5), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(ds, epochs=2, verbose=0)
print([float(np.sum(one, dtype=np.float64)) for one in model.get_weights()])
print(random.random(), np.random.rand(), float(tf.random.uniform([])))
"""
)


def test_with_every_boundary_left_in_python_nothing_differs(script):
    """The null test: trials draw from no state, and run nothing twice."""
    plain = script(TRAINING)
    assert plain.returncode == 0, plain.stderr
    (script.folder / "null.py").write_text(NULL)
    tried = script(TRAINING, by=("null.py",))
    assert tried.returncode == 0, tried.stderr
    assert tried.stdout == plain.stdout
    assert "['slower', 'slower', 'effect']" in tried.stderr


@pytest.mark.parametrize("one", SCRIPTS, ids=lambda one: one.name)
def test_a_script_as_people_write_them(script, one):
    plain = script(one.source)
    (script.folder / "seen.txt").unlink(missing_ok=True)
    (script.folder / "tried.py").write_text(TRIED)
    ran = script(one.source, by=("tried.py",))
    assert (ran.returncode, ran.stdout) == (plain.returncode, plain.stdout), ran.stderr
    assert "Traceback" not in plain.stderr
    reasons = next(line for line in ran.stderr.splitlines() if line.startswith("REASONS"))
    assert json.loads(reasons.removeprefix("REASONS")) == list(one.reasons), ran.stderr


def test_a_script_gives_the_same_with_natives_in_it(script):
    source = (
        HEAD
        + """
import sys
ds = tf.data.Dataset.from_tensor_slices(IMAGES).map(lambda x: tf.numpy_function(scaled, [x], tf.float32))
ds = ds.map(lambda x: tf.numpy_function(turned, [x], tf.float32))
print(float(sum(float(tf.reduce_sum(one)) for one in ds)))
print(sys.argv, __name__, __file__, sys.path[0], sys.modules["__main__"].scaled is scaled)
"""
    )
    plain = script(source, "--epochs", "3")
    ran = script(source, "--epochs", "3", by=(*RUN, "--prefer-native", "--report", "out.json"))
    assert (ran.returncode, ran.stdout) == (0, plain.stdout), ran.stderr
    report = json.loads((script.folder / "out.json").read_text())
    assert [one["native"] for one in report["boundaries"]] == [True, True]
    assert report["settings"]["prefer_native"] is True
    assert report["versions"]["tensorflow"] != "none"


ENDS = {
    "code": "import sys\nsys.exit(3)\n",
    "text": "import sys\nsys.exit('no data')\n",
    "error": "def f():\n    raise KeyError('mine')\n\nf()\n",
    "chained": "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    raise ValueError('x') from error\n",
    "syntax": "def f(:\n",
    "nothing": "x = 1\n",
}


@pytest.mark.parametrize("source", ENDS.values(), ids=ENDS)
def test_a_script_ends_as_it_does(script, source):
    plain, ran = script(source), script(source, by=RUN)
    assert (ran.returncode, ran.stdout) == (plain.returncode, plain.stdout)
    # Python 3.11 and later underline the same parts of a line.
    assert ran.stderr.replace(f"{script.folder}/", "") == plain.stderr.replace(f"{script.folder}/", "")


def test_a_module_and_standard_input(script):
    source = "import sys\nprint(__name__, sys.argv[1:], __package__)\n"
    plain = script(source, "a", "-b", target=("-m", "script"))
    ran = script(source, "a", "-b", by=RUN, target=("-m", "script"))
    assert (ran.returncode, ran.stdout) == (0, plain.stdout), ran.stderr
    plain = script("", "a", target=("-",), stdin=source)
    ran = script("", "a", by=RUN, target=("-",), stdin=source)
    assert (ran.returncode, ran.stdout) == (0, plain.stdout), ran.stderr


def test_tensorflow_starts_when_the_script_starts_it(script, monkeypatch):
    source = """
    import os, sys
    assert "tensorflow" not in sys.modules
    assert "TF_CPP_MIN_LOG_LEVEL" not in os.environ
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow as tf
    tf.config.threading.set_intra_op_parallelism_threads(1)
    assert tf.config.threading.get_intra_op_parallelism_threads() == 1
    tf.compat.v1.disable_eager_execution()
    x = tf.compat.v1.data.Dataset.range(3).map(lambda i: tf.numpy_function(lambda v: v + 1, [i], tf.int64))
    with tf.compat.v1.Session() as session:
        print(session.run(tf.compat.v1.data.make_one_shot_iterator(x).get_next()))
    print(tf.numpy_function.__module__)
    """
    monkeypatch.delenv("TF_CPP_MIN_LOG_LEVEL", raising=False)
    plain, ran = script(source), script(source, by=RUN)
    assert plain.returncode == 0, plain.stderr
    assert (ran.returncode, ran.stdout) == (0, plain.stdout), ran.stderr


def test_strict_and_the_report_at_the_end(script):
    source = (
        HEAD
        + """
def prints(x):
    print("seen")
    return x
ds = tf.data.Dataset.from_tensor_slices(IMAGES[:2]).map(lambda x: tf.numpy_function(prints, [x], tf.uint8))
print(len(list(ds)))
"""
    )
    ran = script(source, by=(*RUN, "--strict"), PIPEPORT_QUIET="0")
    assert ran.returncode == 1
    assert ran.stdout == "seen\nseen\n2\n"
    lines = ran.stderr.splitlines()
    assert lines[0].startswith("pipeport: ")
    table = lines[lines.index("pipeport: 0 of 1 boundaries native.") :]
    assert any("script.py:" in one and "prints" in one for one in table)
    assert max(map(len, table)) <= 80


CHILDREN = """
import multiprocessing, os, subprocess, sys
if __name__ == "__main__":
    subprocess.run([sys.executable, "-c", "print('child')"])
    subprocess.run(["true"])
    child = os.fork()
    if not child:
        sys.exit(0)
    os.waitpid(child, 0)
    process = multiprocessing.get_context("spawn").Process(target=print, args=("spawned",))
    process.start()
    process.join()
    print(process.exitcode)
"""


def test_processes_that_a_script_starts_are_named(script):
    plain = script(CHILDREN)
    ran = script(CHILDREN, by=(*RUN, "--report", "out.json"), PIPEPORT_QUIET="0")
    assert (ran.returncode, ran.stdout) == (0, plain.stdout), ran.stderr
    children = json.loads((script.folder / "out.json").read_text())["children"]
    assert children == ["python -c print('child')", "a fork", "multiprocessing"]
    assert ran.stderr.count("no boundary was traced") == 1
    assert "python -c print('child'); a fork; multiprocessing." in " ".join(ran.stderr.split())


def test_codes_are_explained(script):
    ran = script("", by=(*RUN, "--explain", "PP207"), target=())
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("### PP207: it may change more than its result")
    ran = script("", by=(*RUN, "--explain", "PP999"), target=())
    assert ran.returncode == 2
    assert "PP217" in ran.stderr


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("missing.py",), "no such file"),
        (("--report", "nowhere/out.json", "script.py"), "folder that exists"),
    ],
)
def test_mistakes(script, options, told):
    ran = script("print(1)", by=RUN, target=options)
    assert ran.returncode == 2
    assert told in ran.stderr
