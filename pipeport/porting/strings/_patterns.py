"""`re.sub` and `re.split` of strings known only at run time: of patterns that RE2 understands alike."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.errors import PortRefused, explain
from pipeport.porting._values import is_text
from pipeport.porting.strings._text import STR, Text, Words, checked, class_of

# A class, an escape, a group that is not captured, a quantifier, or one character.
_TOKEN = re.compile(r"\[\^?\]?(?:\\.|[^\]\\\[])*\]|\\.|\(\?:|(?:[*+?]|\{\d+(?:,\d*)?\})\??|.", re.DOTALL)
_QUANTIFIER = re.compile(r"[*+?{]")
# Python's classes, of Unicode.
_CLASSES = {"d": "isdecimal", "w": "isalnum", "s": "isspace"}
# Groups that one figure names.
_GROUPS = 9
# Repetitions that RE2 counts.
_MOST = 1000
_PLAIN_ESCAPES = frozenset("nrtfv")


def _class(letter: str) -> str:
    return class_of(_CLASSES[letter]) + ("_" if letter == "w" else "")


def _escaped(letter: str, *, inside: bool) -> str | None:
    """Return what RE2 has for a backslash and a letter; None where it has not the same."""
    if letter in _CLASSES:
        return _class(letter) if inside else f"[{_class(letter)}]"
    if letter.lower() in _CLASSES and not inside:
        return f"[^{_class(letter.lower())}]"
    if letter in _PLAIN_ESCAPES:
        return f"\\{letter}"
    return None if letter.isalnum() else rf"\x{{{ord(letter):x}}}"


def in_re2(pattern: str) -> str | None:
    """Return a pattern of Python's as RE2 has it; None where it is not sure to find the same."""
    made: list[str] = []
    before = ""
    for token in _TOKEN.findall(pattern):
        found: str | None = token
        if token.startswith("[") and len(token) > 1:
            parts = re.findall(r"\\.|.", token[1:-1], re.DOTALL)
            each = [_escaped(one[1], inside=True) if one.startswith("\\") else one for one in parts]
            found = None if None in each or "&&" in token or "--" in token else f"[{''.join(map(str, each))}]"
        elif token.startswith("\\"):
            found = _escaped(token[1], inside=False)
        elif token in ("^", "$", "[", "{") or (token == "?" and before == "("):
            found = None
        elif _QUANTIFIER.match(token):
            large = any(int(one) > _MOST for one in re.findall(r"\d+", token))
            found = None if large or _QUANTIFIER.match(before) else token
        if found is None:
            return None
        made.append(found)
        before = token
    return "".join(made)


def _pattern(name: str, pattern: Any, flags: Any) -> str:
    text, options = pattern, flags
    if isinstance(pattern, re.Pattern):
        text, options = pattern.pattern, pattern.flags & ~re.UNICODE
    found = in_re2(text) if isinstance(text, str) and not options else None
    if found is None or re.match(text, ""):
        advice = (
            "Write it with letters, classes, groups and quantifiers alone, or take the text apart by `split`."
        )
        allowed = (
            "a pattern that TensorFlow's regular expressions understand alike, and that matches no empty text"
        )
        raise PortRefused(explain(name, repr(pattern), allowed, advice))
    return found


def _text(name: str, string: Any) -> Text:
    if isinstance(string, Text) and string.kind is STR:
        return string
    raise PortRefused(explain(name, f"a {type(string).__name__}", "one string", "Decode it: `b.decode()`."))


def sub(pattern: Any, repl: Any, string: Any, count: Any = 0, flags: Any = 0) -> Any:
    """Do what `re.sub` does."""
    if not is_text(string) and not is_text(repl) and not is_text(pattern):
        return re.sub(pattern, repl, string, count=count, flags=flags)
    found, text = _pattern("re.sub", pattern, flags), _text("re.sub", string)
    groups = re.compile(pattern).groups
    named = rf"[1-{groups}](?!\d)" if 0 < groups <= _GROUPS else "(?!)"
    if not isinstance(repl, str) or re.search(rf"\\(?!{named})", repl):
        advice = r"Write the replacement as it is, or with groups as \1."
        raise PortRefused(explain("re.sub", f"the replacement {repl!r}", "a constant string", advice))
    if count not in (0, 1):
        raise PortRefused(explain("re.sub", f"count={count!r}", "0 or 1", "Replace all, or the first."))
    return text.new(tf.strings.regex_replace(text.tensor, found, repl, replace_global=not count))


def split(pattern: Any, string: Any, maxsplit: Any = 0, flags: Any = 0) -> Any:
    """Do what `re.split` does."""
    if not is_text(string) and not is_text(pattern):
        return re.split(pattern, string, maxsplit=maxsplit, flags=flags)
    found, text = _pattern("re.split", pattern, flags), _text("re.split", string)
    if maxsplit or re.compile(pattern).groups:
        advice = "Leave the groups and `maxsplit` out: `(?:...)` groups without catching."
        raise PortRefused(explain("re.split", f"{pattern!r}, maxsplit={maxsplit!r}", "all parts", advice))
    message = explain("re.split", "a string with a zero byte", "other strings", "Take it out before.")
    holds = tf.logical_not(tf.strings.regex_full_match(text.tensor, r"\C*\x00\C*"))
    parted = tf.strings.regex_replace(checked(holds, text.tensor, message), found, "\0")
    return Words(tf.strings.split(parted, "\0"), STR)


def method_of(function: Any) -> Callable[..., Any] | None:
    """Return what serves a method of a compiled pattern; None of anything else."""
    owner = getattr(function, "__self__", None)
    if not isinstance(owner, re.Pattern):
        return None
    served = {one.__name__: one for one in FUNCTIONS.values()}.get(function.__name__)
    return None if served is None else functools.partial(served, owner)


FUNCTIONS: dict[Any, Callable[..., Any]] = {re.sub: sub, re.split: split}
