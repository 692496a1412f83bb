"""Seeds one after the other, for objects that draw: `numpy.random.Generator`, `random.Random`."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport._tensorflow_private import is_branch, is_loop
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.seeds._ambient import _current_graph, look_up
from pipeport.seeds._derive import POSITION, child, fold_in

_HALF = 63


class Stream:
    """The draws of one object: by position in the object, or those of the ambient seed.

    `seed`: tf.Tensor or numpy.ndarray, shape (2,), int64, or None; from `seed_of`; None draws from the
    ambient seed.
    """

    def __init__(self, seed: Any = None) -> None:
        self._seed = seed
        self._graph = _current_graph()
        self._taken = 0

    def next(self) -> Any:
        """Return the seed of the next draw.

        Returns: shape (2,), int64; of an object with a seed of its own the same for every element, as in the
        original; of one that was made outside the function being traced, where the original goes on from
        element to element, it depends on the ambient seed too.
        """
        if self._seed is None:
            return look_up()
        if not self._is_of_here():
            return tf.bitwise.bitwise_xor(look_up(), tf.convert_to_tensor(self._seed, tf.int64))
        self._taken += 1
        return child(self._seed, self._taken - 1, POSITION)

    def _is_of_here(self) -> bool:
        """Whether the object was made in the graph that is traced, or in one around its branch."""
        graph = _current_graph()
        while graph is not None and graph is not self._graph:
            if is_loop(graph) and self._graph is not None:
                given = "a draw inside a graph loop, which would be the same in every round"
                advice = "Draw an array of all rounds before the loop, and take its elements in the loop."
                raise UnsupportedArgument(explain("seed", given, "draws outside of loops", advice))
            if not is_branch(graph):
                return False
            graph = graph.outer_graph
        return graph is self._graph


def seed_of(seed: Any, parameter: str = "seed", most: int | None = None) -> Any:
    """Return the seed of a generator as a pair.

    `seed`: not negative; scalar integer tensors too. Returns: numpy.ndarray or tf.Tensor, shape (2,), int64.
    """
    allowed = "whole numbers from 0" + ("" if most is None else f" to {most}")
    several = isinstance(seed, (list, tuple)) or (isinstance(seed, np.ndarray) and seed.ndim > 0)
    entries = list(seed) if several else [seed]
    parts: list[Any] = []
    for one in entries:
        parts += _parts(one, parameter, allowed, most)
    if not parts:
        raise OutsideDomain(explain(parameter, "an empty sequence", allowed, "Give one number."))
    first = [*parts, 0][:2]
    pair: Any = tf.stack([tf.cast(one, tf.int64) for one in first]) if any(map(tf.is_tensor, first)) else (
        np.array(first, np.int64))  # fmt: skip
    for part in parts[2:]:
        pair = fold_in(pair, part)
    return pair


def _parts(one: Any, parameter: str, allowed: str, most: int | None) -> list[Any]:
    """Return a number in parts of 63 bits."""
    one = tf.convert_to_tensor(one) if tf.is_tensor(one) else one  # of arrays of ours
    if tf.is_tensor(one) and tf.get_static_value(one) is None:
        if one.shape.rank != 0:
            advice = "Give one number, or several in a list."
            raise UnsupportedArgument(explain(parameter, f"a tensor of shape {one.shape}", allowed, advice))
        if not one.dtype.is_integer:
            raise WrongType(explain(parameter, f"dtype {one.dtype.name}", allowed, "Cast it with tf.cast."))
        wide = tf.cast(one, tf.int64)
        inside = (wide >= 0) if most is None else (wide >= 0) & (wide <= most)
        message = explain(parameter, "another number at run time", allowed, "Take it modulo 2**32.")
        with tf.control_dependencies([tf.debugging.Assert(inside, [message, wide])]):
            return [tf.identity(wide)]
    known = tf.get_static_value(one) if tf.is_tensor(one) else one
    if isinstance(known, np.ndarray) and known.ndim == 0:
        known = known[()]
    if not isinstance(known, (int, np.integer)):
        raise WrongType(explain(parameter, repr(one), allowed, "Round it, and cast it with int."))
    number = int(known)
    if number < 0 or (most is not None and number > most):
        raise OutsideDomain(explain(parameter, number, allowed, "Take it modulo 2**32."))
    count = max(1, -(-number.bit_length() // _HALF))
    return [number >> (_HALF * at) & (2**_HALF - 1) for at in range(count)]
