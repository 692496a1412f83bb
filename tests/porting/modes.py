"""One body in every mode against its original: eagerly, in graphs, compiled, in a map."""

from __future__ import annotations

import os

import numpy as np
import pytest
import tensorflow as tf

from pipeport import seeds
from pipeport.errors import PipeportError
from pipeport.porting import port
from pipeport.porting._tape import recorded
from tests.porting import replay
from tests.selection import stable_number


def copied(arguments):
    return [one.copy() if isinstance(one, np.ndarray) else one for one in arguments]


def agrees(found, right, *, where, relative=0.0):
    found, right = tf.nest.flatten(found), tf.nest.flatten(right)
    for ours, theirs in zip(found, right, strict=True):
        ours, theirs = np.asarray(ours), np.asarray(theirs)
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape), where
        if ours.dtype.kind == "f" and relative:
            np.testing.assert_allclose(ours, theirs, relative, err_msg=where)
        else:
            np.testing.assert_array_equal(ours, theirs, err_msg=where)


def step_of(ported, specs, *, compiled=False):
    """A body as a function of a seed and its arguments, traced once."""

    def step(seed, *arguments):
        with seeds.ambient(seed):
            return ported(*arguments)

    signature = [tf.TensorSpec([2], tf.int64), *specs]
    return tf.function(step, input_signature=signature, autograph=False, jit_compile=compiled)


def every_size(body, *arguments, relative=0.0):
    """Compare a body with its original eagerly, and in graphs with and without sizes; return its port."""
    ported = port(body)
    given = [one if isinstance(one, bytes) else np.asarray(one) for one in arguments]
    specs = [tf.TensorSpec(np.shape(one), tf.convert_to_tensor(one).dtype) for one in given]
    unsized = [tf.TensorSpec([None] * len(one.shape), one.dtype) for one in specs]
    right = body(*copied(arguments))
    right = tf.nest.map_structure(lambda one: one.encode() if isinstance(one, str) else one, right)

    def plain(found):
        return tf.nest.map_structure(lambda one: one.numpy() if tf.is_tensor(one) else one, found)

    agrees(plain(ported(*copied(arguments))), right, where="eager", relative=relative)
    for where, signature in {"sizes": specs, "no sizes": unsized}.items():
        graph = tf.function(ported, input_signature=signature, autograph=False)
        agrees(plain(graph(*given)), right, where=where, relative=relative)
    return ported


def refused_in_graphs(body, match, *specs):
    """See that a body is refused in graphs with and without sizes, at its own line."""
    for signature in (specs, [tf.TensorSpec([None] * len(one.shape), one.dtype) for one in specs]):
        with pytest.raises(PipeportError, match=match) as caught:
            tf.function(port(body), autograph=False).get_concrete_function(*signature)
        assert f'File "{body.__code__.co_filename}", line' in "".join(caught.value.__notes__)


def chosen(modes):
    """Return all modes where everything runs, else the one that the running test's name draws."""
    if os.environ.get("PIPEPORT_PROVE") == "all":
        return modes
    return [modes[stable_number(os.environ["PYTEST_CURRENT_TEST"]) % len(modes)]]


def every_mode(monkeypatch, body, *arguments, draws=4, compiled=True, relative=0.0):
    """Run a body on equal draws eagerly, in a graph without sizes and in one mode more; return the graphs.

    Each result is compared with that of the original.
    """
    ported = port(body)
    specs = [tf.TensorSpec(np.shape(one), np.asarray(one).dtype) for one in arguments]
    unsized = [tf.TensorSpec([None] * min(len(one.shape), 2) + one.shape[2:], one.dtype) for one in specs]
    others = chosen(["sizes", "map", *(["compiled"] if compiled else [])])
    graphs = {"no sizes": step_of(ported, unsized)}
    for one in {"sizes", "compiled"}.intersection(others):
        graphs[one] = step_of(ported, specs, compiled=one == "compiled")
    own = seeds.fold_in(np.array([3, 0], np.int64), 0)  # as seeded_map derives them
    found = []
    for number in range(draws):
        seed = seeds.fold_in(own, number)
        with recorded() as tape, seeds.ambient(seed):
            found.append(ported(*copied(arguments)))
        with replay.patched(monkeypatch, body, tape):
            agrees(found[-1], body(*copied(arguments)), where=f"eager, {number}", relative=relative)
        for mode, graph in graphs.items():
            agrees(graph(seed, *arguments), found[-1], where=f"{mode}, {number}", relative=relative)
    if "map" not in others:
        return graphs
    data = tf.data.Dataset.from_generator(
        lambda: (tuple(copied(arguments)) for _ in range(draws)), output_signature=tuple(unsized)
    )
    for number, one in enumerate(data.apply(seeds.seeded_map(ported, 3, epoch=0))):
        agrees(one, found[number], where=f"map, {number}", relative=relative)
    return graphs
