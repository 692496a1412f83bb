"""Bodies of users, unmodified: what `pipeport.port` makes of them equals what they do themselves."""

from __future__ import annotations

import re

import numpy as np
import pytest
import tensorflow as tf
from bodies import PORTED, REFUSED, TOPICS, refused

from pipeport import seeds
from pipeport.errors import PipeportError
from pipeport.porting import port
from pipeport.porting._tape import recorded
from tests.porting import replay
from tests.porting.modes import chosen

RUN, ELEMENTS = 20, 3
OWN = seeds.fold_in(np.array([RUN, 0], np.int64), 0)  # as seeded_map derives them


def copied(value):
    """A body may write to its argument."""
    if isinstance(value, tuple):
        return tuple(copied(one) for one in value)
    if isinstance(value, dict):
        return {name: copied(one) for name, one in value.items()}
    return value.copy() if isinstance(value, np.ndarray) else value


def spec_of(value, known, *, sized):
    if isinstance(value, dict):
        return {name: spec_of(one, known, sized=sized) for name, one in value.items()}
    if isinstance(value, bytes):
        return tf.TensorSpec([], tf.string)
    value = np.asarray(value)
    shape = [size if sized or axis in known else None for axis, size in enumerate(value.shape)]
    return tf.TensorSpec(shape, value.dtype)


def specs_of(body, arguments, *, sized=False):
    known = (*body.known, *[()] * (len(arguments) - len(body.known)))
    return tuple(spec_of(one, axes, sized=sized) for one, axes in zip(arguments, known, strict=True))


def flat(result):
    if isinstance(result, dict):
        return [result[name] for name in result]
    return list(result) if isinstance(result, tuple) else [result]


def check(body, found, right, *, where):
    """Compare structure, dtypes, shapes and values."""
    if isinstance(right, dict):
        assert isinstance(found, dict), where
        assert set(found) == set(right), where
        found = {name: found[name] for name in right}
    assert len(flat(found)) == len(flat(right)), where
    for ours, theirs in zip(flat(found), flat(right), strict=True):
        theirs = theirs.encode() if isinstance(theirs, str) else theirs
        theirs = np.asarray(theirs, object if isinstance(theirs, bytes) else None)
        ours = np.asarray(ours, object if theirs.dtype == object else None)
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape), where
        if theirs.dtype.kind == "f":
            most = np.abs(theirs).max(initial=0)
            np.testing.assert_allclose(
                ours, theirs, rtol=body.relative, atol=body.relative * most, err_msg=where
            )
        elif theirs.dtype.kind in "iu":
            assert np.abs(ours.astype(int) - theirs.astype(int)).max(initial=0) <= body.levels, where
        else:
            np.testing.assert_array_equal(ours, theirs, err_msg=where)


def check_same(body, found, right, *, where):
    """Compare two runs of the native."""
    tf.nest.assert_same_structure(found, right)
    check(body, found, tf.nest.map_structure(lambda one: one.numpy(), right), where=where)


def check_static(body, structure, right):
    """Compare what is known of the results while tracing."""
    rows = flat(structure)
    assert [one.dtype for one in rows] == [tf.as_dtype(np.asarray(one).dtype) for one in flat(right)]
    for one, theirs in zip(rows, flat(right), strict=True):
        assert one.shape.rank is not None
        assert one.shape.is_compatible_with(np.shape(theirs))
    if body.static is not None:
        assert [tuple(one.shape.as_list()) for one in rows] == list(body.static)


@pytest.mark.parametrize("name", PORTED)
def test_a_body_equals_its_original(name, monkeypatch):
    """Eagerly, in a graph without sizes and in one with them: one of a function, one of a map, by lot."""
    body = PORTED[name]
    ported = body.ported()
    runs, tapes = [], set()
    for arguments in body.inputs:
        for _ in range(ELEMENTS):
            number = len(runs)
            with recorded() as tape, seeds.ambient(seeds.fold_in(OWN, number)):
                found = ported(*copied(arguments))
            with replay.patched(monkeypatch, body.function, tape):
                right = body.function(*copied(arguments))
            check(body, found, right, where=f"eager, {number}")
            runs.append((number, arguments, found))
            tapes.add(repr(tape))
            if not tape:
                break
    if any(np.asarray(value).dtype.kind == "f" for _, value in tape):
        assert len(tapes) >= ELEMENTS, "elements share draws"
    each = len(runs) // len(body.inputs)
    if body.sized:
        for first in range(0, len(runs), each):
            structure = in_a_function(body, ported, runs[first : first + each], sized=True)
            check_static(body, structure, runs[first][2])
        in_a_dataset(body, ported, runs[:each], sized=True)
        return
    for without, with_sizes in chosen([(in_a_function, in_a_dataset), (in_a_dataset, in_a_function)]):
        structure = without(body, ported, runs, sized=False)
        for _, _, found in runs[::each]:
            check_static(body, structure, found)
        with_sizes(body, ported, runs[:each], sized=True)


def in_a_function(body, ported, runs, *, sized):
    """Run the body as a function of a seed, traced once; return what is known of its results."""

    @tf.function(
        input_signature=[tf.TensorSpec([2], tf.int64), *specs_of(body, runs[0][1], sized=sized)],
        autograph=False,
    )
    def graph(seed, *arguments):
        with seeds.ambient(seed):
            return ported(*arguments)

    for number, arguments, right in runs:
        check_same(body, graph(seeds.fold_in(OWN, number), *arguments), right, where=f"graph, {number}")
    return graph.get_concrete_function().structured_outputs


def in_a_dataset(body, ported, runs, *, sized):
    """Run the body once for each element; return what is known of the results."""
    data = tf.data.Dataset.from_generator(
        lambda: (copied(arguments) for _, arguments, _ in runs),
        output_signature=specs_of(body, runs[0][1], sized=sized),
    )
    data = data.apply(seeds.seeded_map(ported, RUN, epoch=0, num_parallel_calls=4 if sized else 1))
    found = list(data)
    assert len(found) == len(runs)
    for one, (number, _, right) in zip(found, runs, strict=True):
        check_same(body, one, right, where=f"dataset, {number}")
    return data.element_spec


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_native_form_is_refused_with_the_reason(name):
    body = REFUSED[name]
    if body.when == "port":
        with pytest.raises(PipeportError, match=body.refused) as caught:
            port(body.function)
        assert re.search(r"refused\.py, line \d+", str(caught.value))
        return
    ported = port(body.function)

    def step(seed, *arguments):
        with seeds.ambient(seed):
            return ported(*arguments)

    traced = tf.function(
        step, input_signature=[tf.TensorSpec([2], tf.int64), *specs_of(body, body.inputs[0])]
    )
    with pytest.raises(PipeportError, match=body.refused) as caught:
        traced.get_concrete_function()
    told = "\n".join([str(caught.value), *getattr(caught.value, "__notes__", [])])
    assert re.search(r"refused\.py\"?, line \d+", told)


def test_another_draw_is_noticed(monkeypatch):
    body = PORTED["contrast_by_mean"]
    ported = port(body.function)
    arguments = body.inputs[1]
    with recorded() as tape, seeds.ambient((1, 2)):
        found = ported(*copied(arguments))
    ((name, value),) = tape
    with replay.patched(monkeypatch, body.function, [(name, value + 0.1)]):
        right = body.function(*copied(arguments))
    with pytest.raises(AssertionError):
        check(body, found, right, where="another draw")
    with (
        pytest.raises(AssertionError, match="draws less"),
        replay.patched(monkeypatch, body.function, [*tape, *tape]),
    ):
        body.function(*copied(arguments))
    with (
        pytest.raises(AssertionError, match="draws more"),
        replay.patched(monkeypatch, body.function, []),
    ):
        body.function(*copied(arguments))


def test_each_has_a_name_of_its_own():
    assert len(PORTED) == sum(len(topic.BODIES) for topic in TOPICS) >= 270
    assert len(REFUSED) == len(refused.BODIES) >= 12
