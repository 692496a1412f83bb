"""Natives that differ from one that is written out in a few words and in what computes them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from types import FunctionType
from typing import Any, ParamSpec, TypeVar, cast

from pipeport.contract._docstring import rewrapped
from pipeport.contract._replaces import _Promise, contract_of, replaces, variant

P = ParamSpec("P")
R = TypeVar("R")


def told_as(other: Any, name: str, words: Mapping[str, str]) -> str:
    """Return the docstring of a function or class with another name and other words in it.

    Raises KeyError where a word does not occur in it: what takes its place is then of no use.
    """
    changed, found = {other.__name__: name, **words}, set()

    def other_word(match: re.Match[str]) -> str:
        found.add(word := " ".join(match[0].split()))
        return changed[word]

    every = "|".join(_whole(word) for word in sorted(changed, key=len, reverse=True))
    text = re.sub(every, other_word, inspect.getdoc(other) or "")
    for word in changed:
        if word not in found:
            raise KeyError(word)
    return rewrapped(text)


def told_like(other: Any, words: Mapping[str, str]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Give a function the docstring of another one, with its own name and other `words` in it."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        function.__doc__ = told_as(other, function.__name__, words)
        return function

    return decorate


def _whole(words: str) -> str:
    """Return a pattern of whole words, with which a line may end between two of them."""
    return r"(?<!\w)" + r"\s+".join(map(re.escape, words.split())) + r"(?!\w)"


def sibling(
    native: Callable[P, R], name: str, value: Any, words: Mapping[str, str], **promised: Any
) -> Callable[P, R]:
    """Return a native with the function and the contract of another one, which is a `variant`.

    `name`: its own, and that of its reference beside the other's. `value`: its own of the first parameter.
    `words`: those of its docstring, by those of the other. `promised`: what its contract states differently.
    """
    contract, written = contract_of(native), cast("FunctionType", inspect.unwrap(native))
    if contract is None:
        raise TypeError(f"{native!r} has no contract")
    code = written.__code__.replace(co_name=name, co_qualname=name)  # what a traceback says
    function = FunctionType(code, written.__globals__, name, written.__defaults__, written.__closure__)
    function.__kwdefaults__, function.__annotations__ = written.__kwdefaults__, written.__annotations__
    function.__doc__ = told_as(native, name, words)
    promise = {one.name: getattr(contract, one.name) for one in fields(_Promise)}
    promise["reference"] = f"{contract.reference.rpartition('.')[0]}.{name}"
    promise = {**promise, **promised}
    declare = replaces(promise.pop("reference"), **promise)
    return cast("Callable[P, R]", declare(variant(value)(function)))
