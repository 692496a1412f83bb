"""`kernels.xla` decides which form of a native runs."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from pipeport import config
from pipeport.kernels import xla
from pipeport.skimage.util import img_as_bool

pytestmark = pytest.mark.both


def _chosen(known: bool, policy: str = "auto", gains: bool = True, buckets: bool = True) -> str:
    """Return which form serves a graph that is traced now."""
    forms = {name: (lambda name=name: name) for name in ("program", "otherwise", "in_buckets")}
    found = []

    @tf.function(autograph=False)
    def traced() -> None:
        in_buckets = forms["in_buckets"] if buckets else None
        form = xla.choose(
            known, program=forms["program"], otherwise=forms["otherwise"], in_buckets=in_buckets, gains=gains
        )
        found.append(form())

    with config.use_jit(policy):
        traced.get_concrete_function()
    return found[0]


def test_known_sizes_and_policy_choose_the_form():
    assert _chosen(known=True) == "program"
    assert _chosen(known=False) == "in_buckets"
    assert _chosen(known=False, buckets=False) == "otherwise"
    assert _chosen(known=True, gains=False) == "otherwise"
    assert _chosen(known=True, gains=False, policy="always") == "program"
    assert _chosen(known=True, policy="never") == "otherwise"


def test_eager_calls_compile_nothing():
    assert xla.choose(True, program=list, otherwise=dict, in_buckets=set) is dict


def _kinds(x: Any, **how: Any) -> set[str]:
    """Return what kinds of operation `run` leaves in a graph for an argument like `x`."""
    call = xla.run(lambda: lambda x: x + x, **how)
    graph = tf.function(call, autograph=False).get_concrete_function(x).graph
    return {operation.type for operation in graph.get_operations()}


def test_run_looks_at_the_first_argument_where_nothing_else_is_said():
    known, unknown = tf.TensorSpec([3, 4]), tf.TensorSpec([None, 4])
    assert "AddV2" not in _kinds(known)
    assert "AddV2" in _kinds(unknown)
    assert "AddV2" in _kinds(tf.TensorSpec([0, 4]))  # of nothing, a program would be compiled
    assert "AddV2" in _kinds(known, known=False)
    assert "Mul" in _kinds(unknown, otherwise=lambda x: x * x)
    assert "Sub" in _kinds(unknown, in_buckets=lambda x: x - x)


def _sum_of_two() -> Callable[[Any, Any], Any]:
    return lambda x, y: tf.reduce_sum(x + y, -1)


def _scaled() -> Callable[[Any, Any], Any]:
    return lambda x, factor: x * factor


@pytest.mark.parametrize("shape", [(2, 9, 11, 3), (1, 1, 1, 1), (1, 70, 65, 2), (0, 4, 4, 3)])
def test_programs_of_buckets_give_every_pixel(shape: tuple[int, ...]) -> None:
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    spec = tf.TensorSpec([None, None, None, shape[3]])
    two = tf.function(xla.in_buckets(_sum_of_two, images=2), input_signature=[spec, spec], autograph=False)
    np.testing.assert_array_equal(two(x, 2 * x), (3 * x).sum(-1))
    one = tf.function(xla.in_buckets(_scaled), input_signature=[spec, tf.TensorSpec([])], autograph=False)
    np.testing.assert_array_equal(one(x, 3.0), 3 * x)


@dataclasses.dataclass(frozen=True)
class _Setting:
    value: Any


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (np.float16(0.5), np.float32(0.5)),
        (1, True),
        (0.0, -0.0),
        (np.float32(0.0), np.float32(-0.0)),
        ((3, (0.0, 1)), (3, (-0.0, 1))),
        (_Setting(2), _Setting(2.0)),
    ],
)
def test_equal_numbers_of_two_kinds_make_two_programs(first, second):
    """`img_as_bool` of float32 got the program of float16, whose half is another half."""
    assert first == second
    assert xla.compiled(_adding, first) is not xla.compiled(_adding, second)
    assert xla.compiled(_adding, first) is xla.compiled(_adding, first)


def _adding(*_: Any) -> Callable[[Any], Any]:
    return lambda x: x + x


def test_programs_of_many_dtypes_do_not_meet():
    image = np.linspace(-0.75, 0.5, 6).reshape(3, 2)
    for dtype in ("float16", "float32", "float64"):
        found = tf.function(img_as_bool, autograph=False)(image.astype(dtype))
        np.testing.assert_array_equal(found, image > 0.5)
