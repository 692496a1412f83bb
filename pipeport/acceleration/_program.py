"""The native form of a boundary as one program, and what it does where it would refuse an element."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.acceleration._attempt import Unserved, attempt_of, zeros_like
from pipeport.acceleration._switch import Switch
from pipeport.porting import Ported
from pipeport.seeds._ambient import in_dataset

# What an element's draws begin with, below which whole numbers of 32 bits are drawn.
_LARGEST = 2**31 - 1


@dataclass(frozen=True)
class Program:
    """A traced port.

    `run`: takes a seed and the inputs, gives the results, flat. `attempt`: takes the same, gives whether it
    serves this element before the results; None where it serves all.
    """

    run: Any
    attempt: Any
    draws: bool

    def results(
        self, inputs: list[Any], number: int, python: Callable[[], list[Any]], switch: Switch | None = None
    ) -> list[Any]:
        """Return the results for one element in the graph at hand.

        `number`: of the boundary: what is drawn differs between two. `python`: adds the boundary itself, for
        elements that this does not serve. Returns: of the boundary's dtypes.
        """
        seed = tf.constant([0, 0], tf.int64)
        if self.draws:
            drawn = tf.random.uniform([2], -_LARGEST, _LARGEST, tf.int32)
            seed = seeds.fold_in(tf.cast(drawn, tf.int64), number)
        if self.attempt is None:
            found = functools.partial(self.run, seed, *inputs)
            return list(found() if switch is None else tf.cond(switch.read(), found, python))
        served, *results = self._attempted(switch, seed, inputs)
        return list(tf.cond(served, lambda: results, python))

    def _attempted(self, switch: Switch | None, seed: Any, inputs: list[Any]) -> list[Any]:
        def attempt() -> list[Any]:
            return list(self.attempt(seed, *inputs))

        def left() -> list[Any]:
            return [tf.constant(False), *map(zeros_like, self.run.outputs)]

        return attempt() if switch is None else list(tf.cond(switch.read(), attempt, left))


def traced(ported: Ported, specs: list[Any], dtypes: list[Any]) -> Program:
    """Trace a port for the inputs of its boundary."""

    def body(seed: Any, *inputs: Any) -> list[Any]:
        with seeds.ambient(seed), in_dataset():
            results = [tf.convert_to_tensor(one) for one in tf.nest.flatten(ported(*inputs))]
        found = [one.dtype for one in results]
        if found != dtypes:
            given = ", ".join(one.name for one in found) or "nothing"
            raise Unserved(f"gives {given} where Tout says {', '.join(one.name for one in dtypes)}")
        return results

    program = tf.function(body, autograph=False)
    run = program.get_concrete_function(tf.TensorSpec([2], tf.int64), *specs)
    return Program(run, attempt_of(run), draws=bool(run.graph.inputs[0].consumers()))
