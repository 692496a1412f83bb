"""Where a random native finds its seed: the argument, else the ambient seed, else an error."""

from __future__ import annotations

import contextlib
import contextvars
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from pipeport._lazy import tf
from pipeport._tensorflow_private import is_branch, is_loop
from pipeport.errors import UnsupportedArgument, explain
from pipeport.seeds._derive import COUNTED, POSITION, as_seed, child
from pipeport.seeds._key_counter import graph_of, named

_BOTH_WAYS = "`seed=` with two integers per element, or a call inside `with pipeport.seeds.ambient(seed):`"


@dataclass
class _State:
    """The ambient seed, the graph it belongs to, how many draws were taken from it, and under which keys."""

    seed: Any
    graph: Any
    taken: int = 0
    keys: tuple[Any, ...] = ()
    entered: dict[str, int] = field(default_factory=dict)
    mapped: bool = False

    def draw(self, position: int) -> Any:
        """Return the seed of a draw, by its position among those under the same keys."""
        seed, names = self.seed, []
        for key in self.keys:
            if isinstance(key, str):
                names.append(key)
            else:
                seed, names = _numbered(seed, names, key), []
        if not names:
            return child(seed, position, POSITION)
        return _named(seed, [*names, str(position)])


def _named(seed: Any, names: list[str]) -> Any:
    """Return the seed under some names.

    128 bits of a digest are enough to keep two names apart, and one operation: deriving by a draw takes
    eight, which a body with a few scalar draws feels.
    """
    if not names:
        return seed
    return named(seed, hashlib.sha256("/".join(names).encode()).digest()[:16])


def _numbered(seed: Any, names: list[str], key: Any) -> Any:
    """Return the seed of a number under some names: that of this graph or of one around it."""
    made = [] if graph_of(seed) is None else seed.__dict__.setdefault("pipeport_numbered", [])
    around = set(_graphs_around())
    for known, number, found in made:
        same = number is key if tf.is_tensor(key) else not tf.is_tensor(number) and number == key
        if same and known == names and found.graph in around:
            return found
    found = child(_named(seed, names), key, COUNTED)
    made.append((names, key, found))
    return found


def _graphs_around() -> Iterator[Any]:
    """Give the graph that is being traced, and those around it."""
    graph = _current_graph()
    while graph is not None:
        yield graph
        graph = getattr(graph, "outer_graph", None)


_state: contextvars.ContextVar[_State | None] = contextvars.ContextVar("pipeport_seed", default=None)


def _current_graph() -> Any:
    return None if tf.executing_eagerly() else tf.compat.v1.get_default_graph()


@contextlib.contextmanager
def ambient(seed: Any) -> Iterator[None]:
    """Give random natives called inside the `with` block their seed.

    Each call takes the next sub-seed by position, so that the draws of one transform do not
    depend on those of another.

    Parameters
    ----------
    seed : array_like of int, shape (2,)
        Inside a traced function a tensor that differs per element, for instance
        ``tf.stack([epoch, index])``.

    Yields
    ------
    None
        Nothing; an outer ambient seed returns afterwards.

    Raises
    ------
    OutsideDomain
        `seed` has another shape.
    WrongType
        `seed` is not of an integer dtype.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import seeds
    >>> from pipeport.idioms import random_flip_pair
    >>> with seeds.ambient((1, 2)):
    ...     image, label = random_flip_pair(tf.zeros([4, 4, 3]), tf.zeros([4, 4]))
    """
    token = _state.set(_State(as_seed(seed), _current_graph()))
    try:
        yield
    finally:
        _state.reset(token)


@contextlib.contextmanager
def keyed(key: Any) -> Iterator[None]:
    """Keep the draws of the `with` block apart from all others.

    A draw depends on the seed, on the keys around it and on its position among the draws under the innermost
    key. So a draw that one run takes and another leaves out, behind a condition, moves no draw under
    another key. Without an ambient seed nothing happens.

    Parameters
    ----------
    key : str, int or scalar integer tensor
        A name, for instance of a place in the source; entered again under the same keys it is another. Or
        the number of a round of a loop.

    Yields
    ------
    None
        Nothing; the keys outside hold again afterwards.

    Examples
    --------
    >>> from pipeport import seeds
    >>> with seeds.ambient((1, 2)), seeds.keyed("noise"):
    ...     strength = seeds.uniform(seeds.look_up())
    """
    state = _state.get()
    if state is None:
        yield
        return
    if isinstance(key, str):
        before = state.entered.get(key, 0)
        state.entered[key] = before + 1
        key = f"{key}#{before}" if before else key
    token = _state.set(_State(state.seed, state.graph, keys=(*state.keys, key), mapped=state.mapped))
    try:
        yield
    finally:
        _state.reset(token)


@contextlib.contextmanager
def in_dataset() -> Iterator[None]:
    """Note that the graph of the ambient seed is run by tf.data.

    Yields: nothing; what was before holds again afterwards.
    """
    state = _state.get()
    token = _state.set(None if state is None else replace(state, mapped=True))
    try:
        yield
    finally:
        _state.reset(token)


def runs_as_it_is() -> bool:
    """Say whether the graph that is traced is run by tf.data, so that nothing compiles or vectorises it."""
    state = _state.get()
    return state is not None and state.mapped and _current_graph() is state.graph


@contextlib.contextmanager
def in_part() -> Iterator[None]:
    """Let the ambient seed serve a part of a graph that is traced apart: a branch, or the body of a loop.

    A body of a loop must draw under a key that differs per round, see `keyed`.

    Yields: nothing; what was before holds again afterwards.
    """
    state = _state.get()
    if state is None:
        yield
        return
    graph = _current_graph()
    around = graph, getattr(graph, "outer_graph", None)
    mapped = state.mapped and any(one is state.graph for one in around)
    token = _state.set(replace(state, graph=graph, mapped=mapped))
    try:
        yield
    finally:
        _state.reset(token)


def taker_back() -> Callable[[], None]:
    """Return what gives the ambient seed the draws back that are taken from now on, to be taken again."""
    state = _state.get()
    if state is None:
        return lambda: None
    taken, entered = state.taken, dict(state.entered)

    def take_back() -> None:
        state.taken = taken
        state.entered.clear()
        state.entered.update(entered)

    return take_back


def keys_of_here() -> Callable[[], contextlib.AbstractContextManager[None]]:
    """Return what lets the keys that hold here hold in a `with` block elsewhere."""
    made = _state.get()

    @contextlib.contextmanager
    def here() -> Iterator[None]:
        now = _state.get()
        found = None if made is None or now is None else replace(made, graph=now.graph, mapped=now.mapped)
        token = _state.set(found)
        try:
            yield
        finally:
            _state.reset(token)

    return here


def look_up(seed: Any = None, *, batch: bool = False) -> Any:
    """Return the seed for one random operation.

    Parameters
    ----------
    seed : array_like of int, shape (2,), or None
        The explicit seed; None takes the next sub-seed of the ambient one.
    batch : bool
        Whether an explicit seed of shape (B, 2) is allowed too.

    Returns
    -------
    tf.Tensor, shape (2,) or (B, 2), int64
        Never a constant of ours.

    Raises
    ------
    UnsupportedArgument
        There is neither, or the ambient seed was set outside the loop or function that is
        being traced, where one draw would be repeated silently.
    OutsideDomain
        `seed` has another shape.
    WrongType
        `seed` is not of an integer dtype.

    Examples
    --------
    >>> from pipeport import seeds
    >>> seeds.look_up((1, 2)).numpy().tolist()
    [1, 2]
    """
    if seed is not None:
        return as_seed(seed, batch=batch)
    state = _state.get()
    if state is None:
        advice = "In a dataset: ds.apply(pipeport.seeds.seeded_map(function, 42)) gives each element its own."
        raise UnsupportedArgument(explain("seed", "none, and no ambient seed", _BOTH_WAYS, advice))
    _refuse_frozen(state)
    position = state.taken
    state.taken += 1
    return state.draw(position)


def _refuse_frozen(state: _State) -> None:
    graph = _current_graph()
    while graph is not None and graph is not state.graph:
        if is_loop(graph):
            advice = (
                "Before the loop take `seed = seeds.look_up()`, and in it pass "
                "`seed=seeds.fold_in(seed, i)` with the loop's counter."
            )
            given = "the ambient seed inside a graph loop, which would repeat one draw in every round"
            raise UnsupportedArgument(explain("seed", given, "a seed per round", advice))
        if not is_branch(graph):
            advice = (
                "Set it inside the traced function, or hand the function a seed as an argument "
                "and pass it on as `seed=`."
            )
            given = "an ambient seed from outside the function being traced, which would freeze it"
            raise UnsupportedArgument(explain("seed", given, _BOTH_WAYS, advice))
        graph = graph.outer_graph
    if graph is None and state.graph is not None:
        advice = "Leave the `with` block where its graph ends."
        given = "an ambient seed of another graph"
        raise UnsupportedArgument(explain("seed", given, _BOTH_WAYS, advice))
