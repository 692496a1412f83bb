"""Elements taken in the order of Fortran: values and views as NumPy gives them."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport.porting import port
from tests.porting.drawn.judge import judge
from tests.porting.drawn.programs import REFUSED, RIGHT, Argument, body_of


def reshaped(x):
    return (
        np.reshape(x, (-1, 2), order="F"), x.reshape(2, 6, order="F"), x.reshape((4, -1), order="F") + 1,
        np.reshape(x, (3, 4), "F"), x.T.reshape(-1, order="F"), np.reshape(x, shape=(6, 2), order="F")
    )  # fmt: skip


def along_one_axis(x):
    return x.ravel(order="F"), x.flatten("F"), np.ravel(x, "F"), x[:, ::2].ravel("F"), x.T.flatten(order="F")


def written_to(x):
    turned = x.T
    same = turned.reshape(-1, order="F")  # lies so in memory: a view
    same[3] = 50
    copied = x.ravel("F")
    copied[0] = 70
    flat = turned.flatten("F")
    flat[1] = 90
    rows = x.reshape(6, 2, order="F")
    rows[0, 0] = 30
    return x, same, copied, flat, rows


def cast(x):
    return np.asarray(x.T, dtype=np.float64), np.array(x.T, np.int32)


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
@pytest.mark.parametrize("function", [reshaped, along_one_axis, written_to, cast])
def test_in_the_order_of_fortran(function, dtype):
    if function is reshaped and np.__version__ < "2.1":
        pytest.skip("NumPy calls the shape by another name")
    x = np.arange(12).reshape(3, 4).astype(dtype)
    right = function(x.copy())
    ported = port(function)
    data = tf.data.Dataset.from_tensors(x)
    unknown = data.padded_batch(1, [None, None]).unbatch()
    for found in [ported(x.copy()), next(iter(data.map(ported))), next(iter(unknown.map(ported)))]:
        for ours, theirs in zip(found, right, strict=True):
            np.testing.assert_array_equal(ours, theirs, strict=True)


# NumPy's `ravel` copies what is not contiguous, where `reshape(-1)` may give a view of even distances.
@pytest.mark.parametrize("mode", ["eager", "function", "function, unknown sizes"])
def test_ravel_is_a_view_of_contiguous_elements_alone(mode):
    lines = []
    for at, text in enumerate(("x", "x[1:]", "np.flip(x, 0)", "x[..., 0]", "x[:, :1]", "x.T")):
        lines += [f"a{at} = {text}.ravel()", f"a{at}[1:] += {at + 1}"]
        lines += [f"b{at} = np.ravel({text})", f"b{at}[:1] -= {at + 1}"]
    names = [f"{letter}{at}" for at in range(6) for letter in "ab"]
    body = body_of(*lines, f"return x, {', '.join(names)}", x=Argument("int32", (4, 3, 2)))
    assert judge(body, (mode,)).kind == RIGHT
    backwards = body_of("a = x[::-1].ravel()", "a[1:] = 7", "return x, a", x=Argument("uint8", (6,)))
    assert judge(backwards, (mode,)).kind == RIGHT


ORDERS = {
    "a view or the array": "a = x.T if k > 1 else x",
    "reversed or not": "a = x[::-1] if k > 1 else x",
    "of two views": "a = x[:, ::2] if k > 1 else x[:, :2]",
    "a loop": "a = x\n    for i in range(k):\n        a = a.T",
    "a loop over a view": "a = x.T\n    for i in range(k):\n        a = a + 1",
}


@pytest.mark.parametrize("kind", ORDERS)
@pytest.mark.parametrize("elements", ["np.ascontiguousarray(a)", "a.ravel()", "a.reshape(-1)"])
def test_elements_of_an_order_that_the_graph_decides_on(kind, elements):
    arguments = {"x": Argument("float64", (4, 4)), "k": Argument("int64", (), (1, 2))}
    modes = ("eager", "function", "function, unknown sizes")
    read = body_of(ORDERS[kind], f"b = {elements}", "return a, b", **arguments)
    assert judge(read, modes).kind == RIGHT
    written = body_of(ORDERS[kind], f"b = {elements}", "a *= 3", "return a, b", **arguments)
    assert judge(written, ("eager",)).kind == RIGHT
    assert judge(written, modes[1:]).kind in (RIGHT, REFUSED)
