"""Functions of `re` on strings known only at run time: of patterns that RE2 understands alike."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable
from typing import Any, ClassVar, NoReturn

from pipeport._lazy import tf
from pipeport.errors import PortRefused, explain
from pipeport.porting._protocol import python_type
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
_ALIKE = "that TensorFlow's regular expressions understand alike"


def _class(letter: str) -> str:
    return class_of(_CLASSES[letter]) + ("_" if letter == "w" else "")


def _escaped(letter: str, *, inside: bool) -> str | None:
    """Return what RE2 has for a backslash and a letter; None where RE2 means something else by it."""
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
    opened: list[int] = []
    inside, before = "", ""
    tokens = _TOKEN.findall(pattern)
    for place, token in enumerate(tokens):
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
            # Rounds in which nothing is matched end otherwise.
            idle = before == ")" and token[0] != "?" and re.fullmatch(inside, "")
            found = None if large or idle or _QUANTIFIER.match(before) else token
        elif token in ("(", "(?:"):
            opened.append(place)
        elif token == ")":
            inside = "".join(tokens[opened.pop() + 1 : place])
        if found is None:
            return None
        made.append(found)
        before = token
    return "".join(made)


def _refuse(name: str, pattern: Any, allowed: str) -> NoReturn:
    advice = (
        "Write it with letters, classes, groups and quantifiers alone, or take the text apart by `split`."
    )
    raise PortRefused(explain(name, repr(pattern), f"a pattern {allowed}", advice))


def _plain(pattern: Any, flags: Any) -> str:
    """Return the text of a pattern without flags; an empty one of others."""
    if is_text(pattern) or (isinstance(pattern, re.Pattern) and flags):  # a place, of a method
        return ""
    found = re.compile(pattern, flags)
    return found.pattern if isinstance(found.pattern, str) and found.flags == re.UNICODE else ""


def _pattern(name: str, pattern: Any, flags: Any) -> str:
    text = _plain(pattern, flags)
    found = in_re2(text)
    if found is None or re.match(text, ""):
        _refuse(name, pattern, f"{_ALIKE}, and that matches no empty text")
    return found


def _text(name: str, string: Any) -> Text:
    if isinstance(string, Text) and string.kind is STR:
        return string
    given = f"a {python_type(string).__name__}"
    raise PortRefused(explain(name, given, "one str", "Decode it: `b.decode()`."))


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
    parted = tf.strings.regex_replace(_without_zeros("re.split", text), found, "\0")
    return Words(tf.strings.split(parted, "\0"), STR)


def findall(pattern: Any, string: Any, flags: Any = 0) -> Any:
    """Do what `re.findall` does."""
    if not is_text(string) and not is_text(pattern):
        return re.findall(pattern, string, flags=flags)
    found, text = _pattern("re.findall", pattern, flags), _text("re.findall", string)
    groups = re.compile(pattern).groups
    if groups > 1:
        _refuse("re.findall", pattern, "with one group at most")
    parted = tf.strings.regex_replace(_without_zeros("re.findall", text), found, f"\0\\{groups}\0")
    return Words(tf.strings.split(parted, "\0")[1::2], STR)


def _without_zeros(name: str, text: Text) -> Any:
    """Return a string, in which a zero byte may mark places."""
    message = explain(name, "a string with a zero byte", "other strings", "Take it out before.")
    holds = tf.logical_not(tf.strings.regex_full_match(text.tensor, r"\C*\x00\C*"))
    return checked(holds, text.tensor, message)


class Match(tuple[Any, ...]):
    """What a pattern found: all of it, its groups, and what stands before it.

    `pattern`: the pattern, compiled.
    """

    pattern: ClassVar[re.Pattern[str]]

    def __getitem__(self, key: Any) -> Any:
        return tuple.__getitem__(self, self.pattern.groupindex.get(key, key))

    def group(self, *keys: Any) -> Any:
        """Do what the method of Python's does."""
        found = tuple(self[key] for key in keys or (0,))
        return found if len(found) > 1 else found[0]

    def groups(self) -> tuple[Any, ...]:
        """Do what the method of Python's does."""
        return tuple(self)[1:-1]

    def groupdict(self) -> dict[str, Any]:
        """Do what the method of Python's does."""
        return {name: self[name] for name in self.pattern.groupindex}

    def start(self) -> Any:
        """Do what the method of Python's does, of all of it."""
        return self[-1].length()

    def end(self) -> Any:
        """Do what the method of Python's does, of all of it."""
        return self[-1].length() + self[0].length()

    def span(self) -> tuple[Any, Any]:
        """Do what the method of Python's does, of all of it."""
        return self.start(), self.end()


@functools.cache
def _match_of(pattern: str) -> type[Match]:
    """Return the class of what a pattern finds."""
    return type("Match", (Match,), {"pattern": re.compile(pattern)})


def matched(name: str, pattern: Any, string: Any, flags: Any) -> tuple[Any, Match]:
    """Return whether a pattern matches, and what it finds then.

    `name`: of the function, 're.match', 're.search' or 're.fullmatch'. The others are its arguments.
    """
    plain, text = _plain(pattern, flags), _text(name, string)
    begins, inner, ends = _anchored(plain)
    found = in_re2(re.sub(r"\(\?P<\w+>", "(", inner))
    if found is None or not plain:
        _refuse(name, pattern, _ALIKE)
    made = _match_of(plain)
    if made.pattern.groups > _GROUPS - 2 or _is_loose(inner):
        _refuse(name, pattern, f"whose groups are {_GROUPS - 2} at most, and take part in each match")
    before = "(?s:.*?)" if name == "re.search" and not begins else ""
    behind = r"\z" if name == "re.fullmatch" else r"\n?\z" if ends else r"\C*\z"
    whole = rf"\A({before})({found}){behind}"
    parts = [
        text.new(tf.strings.regex_replace(text.tensor, whole, rf"\{number}", replace_global=False))
        for number in (*range(2, made.pattern.groups + 3), 1)
    ]
    return tf.strings.regex_full_match(text.tensor, whole), made(parts)


def _anchored(pattern: str) -> tuple[bool, str, bool]:
    """Return whether a pattern begins with `^`, what stands between, and whether it ends with `$`."""
    tokens = _TOKEN.findall(pattern)
    begins, ends = tokens[:1] == ["^"], tokens[-1:] == ["$"]
    depths = itertools.accumulate((one in ("(", "(?:")) - (one == ")") for one in tokens)
    if ("|", 0) in zip(tokens, depths, strict=True):  # an anchor is that of one alternative
        return False, pattern, False
    return begins, "".join(tokens[begins : len(tokens) - ends]), ends


def _is_loose(pattern: str) -> bool:
    """Say whether a group may take no part in a match: among alternatives, or with none among its counts."""
    levels = [[False, False, False]]  # of what is open: whether it is a group, holds one, and alternatives
    tokens = [*_TOKEN.findall(pattern), ")"]
    for token, behind in itertools.pairwise([*tokens, ""]):
        if token in ("(", "(?:"):
            levels.append([token == "(", False, False])
        elif token == "|":
            levels[-1][2] = True
        elif token == ")":
            group, holds, alternatives = levels.pop()
            if (holds and alternatives) or ((group or holds) and re.match(r"[?*]|\{0", behind)):
                return True
            if levels:
                levels[-1][1] |= group or holds
    return False


def method_of(function: Any, functions: dict[Any, Callable[..., Any]]) -> Callable[..., Any] | None:
    """Return what serves a method of a compiled pattern; None of anything else.

    `functions`: what serves those of `re`.
    """
    owner = getattr(function, "__self__", None)
    if not isinstance(owner, re.Pattern):
        return None
    served = functions.get(getattr(re, function.__name__, None))
    return None if served is None else functools.partial(served, owner)


FUNCTIONS: dict[Any, Callable[..., Any]] = {re.sub: sub, re.split: split, re.findall: findall}
