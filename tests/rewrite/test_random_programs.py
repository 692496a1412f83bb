"""Random programs of the catalog's calls, in random forms, give the same after they are rewritten."""

from __future__ import annotations

import os
import re

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from pipeport import meanings
from tests.rewrite.test_programs import compare, loaded, rewritten, seen

pytestmark = [pytest.mark.newest_only, pytest.mark.filterwarnings("ignore:pipeport.numpy_function")]

# Each of an array x and a small number k.
STEPS = (
    "np.fliplr(x)", "np.flipud(x)", "np.rot90(x, {k})", "np.roll(x, {k}, axis=0)", "np.transpose(x)",
    "np.sort(x, axis=0)", "np.clip(x, {k}, 30 + {k})", "np.pad(x, {k})", "np.tile(x, (2, 1))",
    "np.cumsum(x, axis=0)", "np.maximum(x, {k})", "np.repeat(x, 2, axis=1)", "np.where(x > {k}, x, 0)",
    "np.concatenate([x, x])", "np.stack([x, x])[{k} % 2]", "x[::-1]", "x[:, 1:]", "x * 0.{k}",
    "x // (1 + {k})", "x.astype(np.float32)", "x - x.min()", "np.sqrt(x)", "x / (1 + x.max())",
    "np.float32({k}) + x", "x if x.mean() > 9 else x + {k}",
)  # fmt: skip
BODY = "    x = np.asarray(x)\n{lines}    return x"
FORMS = {
    "call": ("def body(x):\n{body}\n", "tf.{wrapper}(body, [x], tf.{dtype})"),
    "keywords": ("def body(x):\n{body}\n", "tf.{wrapper}(inp=(x,), Tout=tf.{dtype}, func=body)"),
    "list": ("def body(x):\n{body}\n", "tf.{wrapper}(body, [x], [tf.{dtype}])"),
    "pair": ("def body(x):\n{body}, x.shape[0]\n", "tuple(tf.{wrapper}(body, [x], (tf.{dtype}, tf.int64)))"),
    "decorator": ("@tf.{wrapper}(Tout=tf.{dtype})\ndef body(x):\n{body}\n", "body(x)"),
    "method": ("class Body:\n    def run(self, x):\n{inner}\n", "tf.{wrapper}(Body().run, [x], tf.{dtype})"),
    "factory": (
        "def make(k):\n    def body(x):\n{inner}\n    return body\n",
        "tf.{wrapper}(make(1), [x], tf.{dtype})",
    ),
    "partial": ("def body(x, k=0):\n{body}\n", "tf.{wrapper}(functools.partial(body, k=1), [x], tf.{dtype})"),
    "default": (
        "def body(x):\n{body}\n\ndef apply(x, function=np.flip):\n"
        "    return tf.{wrapper}(function, [x], tf.{dtype})\n",
        "apply(x, body)",
    ),
    "two callers": (
        "def body(x):\n{body}\n\ndef other(x):\n    return body(x)[::-1]\n\ndef apply(function, x):\n"
        "    return tf.{wrapper}(function, [x], tf.{dtype})\n",
        "(apply(body, x), apply(other, x))",
    ),
    "a name for the inputs": (
        "def body(x):\n{body}\n\ndef apply(x):\n    inputs = [x]\n"
        "    return tf.{wrapper}(body, inputs, tf.{dtype})\n",
        "apply(x)",
    ),
    "chain": (
        "def body(x):\n{body}\n\ndef second(x):\n    return np.asarray(x)[::-1]\n",
        "tf.{wrapper}(second, [tf.{wrapper}(body, [x], tf.{dtype})], tf.{dtype})",
    ),
    "class": (
        "def body(x):\n{body}\n\nclass Loader:\n    def __init__(self, function):\n"
        "        self.function = function\n\n    def __call__(self, x):\n"
        "        return tf.{wrapper}(self.function, [x], tf.{dtype})\n",
        "Loader(body)(x)",
    ),
    "number": ("def body(x, by):\n{body} * by\n", "tf.{wrapper}(body, [x, 2], tf.{dtype})"),
}
PROGRAM = """\
import functools

import numpy as np
import tensorflow as tf

images = np.arange(24, dtype=np.uint8).reshape(2, 4, 3) * 3


{function}

def wrapped(x):
    return {call}


def run():
    return list(tf.data.Dataset.from_tensor_slices(images).map(wrapped))
"""


def test_the_steps_are_of_the_catalog():
    names = {found for step in STEPS for found in re.findall(r"np\.(\w+)\(", step)} - {"float32"}
    assert len(names) > 12
    assert names <= {name.removeprefix("numpy.") for name in meanings.natives_of("numpy")}


@st.composite
def programs(draw):
    steps = draw(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(1, 5)), min_size=1, max_size=4))
    form = draw(st.sampled_from(sorted(FORMS)))
    wrapper = draw(st.sampled_from(["numpy_function", "py_function"]))
    if form == "number":  # beside a tensor TensorFlow itself does not promote
        wrapper = "numpy_function"
    lines = "".join(f"    x = {step.format(k=k)}\n" for step, k in steps)
    body = BODY.format(lines=lines)
    function, call = FORMS[form]
    space = {"np": np}
    number = ", by" if form == "number" else ""
    times = " * by" if number else ""
    exec(f"def plain(x{number}):\n{body}{times}", space)
    image = np.arange(12, dtype=np.uint8).reshape(4, 3) * 3
    dtype = space["plain"](image, *([np.int32(2)] if number else [])).dtype.name
    inner = "\n".join(f"    {line}" for line in body.splitlines())
    about = {"body": body, "inner": inner, "wrapper": wrapper, "dtype": dtype}
    return PROGRAM.format(function=function.format(**about), call=call.format(**about))


@settings(max_examples=int(os.environ.get("PIPEPORT_PROGRAMS", "20")), phases=[Phase.generate])
@given(text=programs())
def test_a_random_program(text, tmp_path_factory):
    folder = tmp_path_factory.mktemp("random")
    old = loaded(folder, text).run()
    path, _, evidence = seen(folder, text)
    file = rewritten(path, path.read_text(), evidence)
    assert file.changes or file.refusals
    assert all(one.code.startswith("PP2") for one in file.refusals), file.refusals
    compare(old, loaded(folder, file.new.decode()).run())
    dropped = rewritten(folder / "a.py", text)
    assert {one.becomes for one in dropped.changes} == {"drop-in"}
    assert not dropped.refusals
    compare(old, loaded(folder, dropped.new.decode()).run())
