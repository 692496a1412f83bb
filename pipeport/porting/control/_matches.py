"""`re.match`, `re.search` and `re.fullmatch` of strings known only at run time: None, or what was found."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.arrays import _lines
from pipeport.errors import explain
from pipeport.porting._values import is_text, weak
from pipeport.porting.control._choice import Arrays, key_of_dtype
from pipeport.porting.strings import _patterns

_NONE = key_of_dtype(None, weak=False)


def _matching(python: Callable[..., Any]) -> Callable[..., Any]:
    name = f"re.{python.__name__}"

    def function(pattern: Any, string: Any, flags: Any = 0) -> Any:
        if not is_text(string) and not is_text(pattern):
            return python(pattern, string, flags=flags)
        holds, found = _patterns.matched(name, pattern, string, flags)
        key = key_of_dtype(f"match of {found.pattern.pattern}", weak=False)
        told = explain("result", "what a pattern found", "strings and numbers", "Return its `group()`.")
        index = weak(tf.where(holds, tf.constant(key, tf.int64), _NONE))
        return Arrays(index, {_NONE: None, key: found}, told, f"It was found in {_lines.here()}")

    return function


FUNCTIONS = _patterns.FUNCTIONS | {one: _matching(one) for one in (re.match, re.search, re.fullmatch)}
