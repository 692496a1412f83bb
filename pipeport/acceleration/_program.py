"""The native form of a boundary as one program, and what it does where it would refuse an element."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport._tensorflow_private import graphs_in
from pipeport.acceleration._graphs import imported, leading_to
from pipeport.acceleration._switch import Switch
from pipeport.meanings import names
from pipeport.porting import Ported
from pipeport.seeds._ambient import in_dataset

# What an element's draws begin with, below which whole numbers of 32 bits are drawn.
_LARGEST = 2**31 - 1
# Operations that end an element where an argument is none that they take.
_FAILING = names(
    "ConcatV2 DecodeBmp DecodeImage DecodeJpeg DecodePng DecodeRaw EnsureShape GatherNd GatherV2 "
    "Pack ReadFile Reshape Slice SplitV StringSplitV2 StringToNumber Substr"
)


class Unserved(Exception):
    """A port that cannot take the place of its boundary, and why."""


@dataclass(frozen=True)
class Program:
    """A traced port.

    `run`: takes a seed and the inputs, gives the results, flat. `serves`: takes the same, says whether it
    serves this element; None where it serves all.
    """

    run: Any
    serves: Any
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
        if self.serves is None and switch is None:
            return list(self.run(seed, *inputs))
        served = self._served(switch, seed, inputs)
        return list(tf.cond(served, lambda: list(self.run(seed, *inputs)), lambda: list(python())))

    def _served(self, switch: Switch | None, seed: Any, inputs: list[Any]) -> Any:
        if self.serves is None or switch is None:
            return self.serves(seed, *inputs) if switch is None else switch.read()
        return tf.cond(switch.read(), lambda: self.serves(seed, *inputs), lambda: tf.constant(False))


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
    graph = run.graph
    if any(one.type == "Assert" for other in graphs_in(graph)[1:] for one in other.get_operations()):
        raise Unserved("a refusal may come inside of a branch or loop, at an element that was not tried")
    return Program(run, _serves(run), draws=bool(graph.inputs[0].consumers()))


def _serves(run: Any) -> Any:
    """Return what says for an element whether every assertion of a program holds; None if there is none.

    Conditions whose operations may themselves fail are asked for where the others hold.
    """
    conditions = [one.inputs[0] for one in run.graph.get_operations() if one.type == "Assert"]
    if not conditions:
        return None
    later = [one for one in conditions if _may_fail(one)]
    first = [one for one in conditions if not _may_fail(one)]

    def body(*inputs: Any) -> Any:
        holds = tf.constant(True)
        if first:
            holds = _imported(run, first, inputs)
        if not later:
            return holds
        return tf.cond(holds, lambda: _imported(run, later, inputs), lambda: tf.constant(False))

    signature = [tf.TensorSpec(one.shape, one.dtype) for one in _arguments(run)]
    return tf.function(body, autograph=False).get_concrete_function(*signature)


def _arguments(run: Any) -> list[Any]:
    captured = len(run.captured_inputs)
    inputs: list[Any] = run.graph.inputs
    return inputs[: len(inputs) - captured]


def _may_fail(condition: Any) -> bool:
    return any(one.type in _FAILING for one in leading_to([condition], control=False).values())


def _imported(run: Any, conditions: list[Any], inputs: tuple[Any, ...]) -> Any:
    """Compute conditions of a program, and whether all hold."""
    found = imported(run.graph, conditions, [*inputs, *run.captured_inputs], control=False)
    return tf.reduce_all(tf.stack([tf.reduce_all(one) for one in found]))
