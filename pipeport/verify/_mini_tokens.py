"""The mini-language's text as tokens, and complaints that point at the place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from pipeport.errors import OutsideDomain

_TOKEN = re.compile(
    r"\s*(?:(?P<dots>\.\.\.)|(?P<to>\.\.)"
    r"|(?P<number>[-+]?(?:\d+\.(?!\.)\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?)"
    r"|(?P<name>[-+]?[^\W\d]\w*)|(?P<text>'[^'\n]*'|\"[^\"\n]*\")|(?P<mark>[\[\](){},;:|=]))"
)


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    start: int


class Tokens:
    """A text as tokens, taken one by one; every complaint points at the place."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tokens: list[Token] = []
        self.at = 0
        self._scan()

    def _scan(self) -> None:
        place = 0
        end = len(self.source.rstrip())
        while place < end:
            found = _TOKEN.match(self.source, place)
            if found is None:
                start = end - len(self.source[place:end].lstrip())
                raise self.complaint(f"unexpected {self.source[start]!r}", start)
            kind = str(found.lastgroup)
            self.tokens.append(Token(kind, found[kind], found.start(kind)))
            place = found.end()
        self.tokens.append(Token("end", "the end", end))

    def complain(self, problem: str, place: int | None = None, advice: str = "") -> NoReturn:
        """Raise with the source and a caret under the place."""
        raise self.complaint(problem, place, advice)

    def complaint(self, problem: str, place: int | None = None, advice: str = "") -> OutsideDomain:
        place = self.here.start if place is None else place
        start = self.source.rfind("\n", 0, place) + 1
        stop = self.source.find("\n", place)
        line = self.source[start : len(self.source) if stop < 0 else stop]
        caret = " " * (place - start) + "^"
        hint = advice or "See `pipeport verify --help` for the language."
        return OutsideDomain(f"input: {problem}\n  {line}\n  {caret}\n{hint}")

    @property
    def here(self) -> Token:
        return self.tokens[self.at]

    def take(self, text: str | None = None, kind: str | None = None, what: str = "") -> Token:
        token = self.here
        if (text is not None and token.text != text) or (kind is not None and token.kind != kind):
            self.complain(f"expected {what or repr(text)}, found {shown(token)}")
        self.at += 1
        return token

    def accept(self, text: str) -> bool:
        if self.here.text == text and self.here.kind in ("mark", "name", "dots"):
            self.at += 1
            return True
        return False


def shown(token: Token) -> str:
    return token.text if token.kind == "end" else repr(token.text)
