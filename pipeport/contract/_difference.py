"""Differences: declared departures from the reference, each with a witness that shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Arguments = Mapping[str, Any]


@dataclass(frozen=True)
class Difference:
    """One departure from the reference.

    Attributes
    ----------
    summary : str
        One sentence for the docstring and the catalog.
    witness : callable
        Gives keyword arguments on which native and reference do differ; a test fails
        when they no longer do.
    applies : callable
        Whether arguments fall under this difference; verify leaves those out.
    where : str
        The releases in which it is seen, as a requirement with the module's name ("cv2>=5");
        empty for all.
    only : mapping of str to (str or tuple)
        What must be so for it to be seen, for tools that read calls without running them: by parameter
        the kinds of its dtype, as NumPy's letters ("f"), or the values it must have one of.
    """

    summary: str
    witness: Callable[[], dict[str, Any]]
    applies: Callable[[Arguments], bool]
    where: str = ""
    only: Mapping[str, str | tuple[Any, ...]] = field(default_factory=dict)


def always(arguments: Arguments) -> bool:  # noqa: ARG001 - one of several that do
    """Say that an engine is not served, whatever the arguments: no example need be looked for."""
    return True


@dataclass(frozen=True)
class CannotServe:
    """An engine a native cannot run in, with the reason, and the arguments it holds for.

    Attributes
    ----------
    engine : str
        Which.
    reason : str
        Why, for the docstring and the catalog.
    witness : callable
        Gives keyword arguments that are refused.
    when : callable
        Whether it holds for arguments; for all when left out.
    by_values : bool
        Whether the reason is that sizes of results follow from the values of data: a graph does
        not know them while it is traced.
    inexact : bool
        Whether the engine gives an answer, and one that is further off than was agreed.
    """

    engine: str
    reason: str
    witness: Callable[[], dict[str, Any]]
    when: Callable[[Arguments], bool] = always
    by_values: bool = False
    inexact: bool = False


@dataclass(frozen=True)
class Stock:
    """The nearest `tf.image` or Keras op.

    Attributes
    ----------
    name : str
        Its public name.
    differs : str
        How its answer differs; empty when it does not.
    body : str
        Dotted path of a function with the native's parameters that calls it.
    """

    name: str
    differs: str
    body: str


@dataclass(frozen=True)
class Peer:
    """Another library's way to the same end, wrapped in `numpy_function` by the bench."""

    name: str
    differs: str
    body: str
    dtypes: tuple[str, ...] = ("uint8", "float32")
