"""Open files, with a position."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Self

from pipeport._lazy import tf
from pipeport.errors import PortRefused, UnsupportedArgument, explain
from pipeport.porting._values import weak
from pipeport.porting.strings._seen import path_of
from pipeport.porting.strings._text import BYTES, STR, Text, Words, checked, number_of


class File:
    """An open file: its content, which is read where it is needed, and the part behind the position.

    `file`: its path, which the graph may know alone. `mode`: as `open` takes it. `encoding`: of text.
    """

    def __init__(self, file: Any, mode: str = "rb", encoding: Any = None) -> None:
        self._file, self._mode, self._encoding = file, mode, encoding
        self._kind = BYTES if mode == "rb" else STR
        self._behind: Callable[[], Text] = self._content
        self._graph = tf.compat.v1.get_default_graph()
        self._was_read = self._was_read_within = False
        self._user = ""
        self._held: tuple[Any, Text] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *told: object) -> None:
        return None

    def __iter__(self) -> Iterator[Any]:
        return iter(self.lines())

    @property
    def path(self) -> Any:
        """Return its path as a tensor."""
        return path_of(self._file)

    def close(self) -> None:
        """Do nothing: Python's file is closed wherever it was opened."""

    def opener(self) -> Callable[[bytes], IO[Any]]:
        """Return what opens the file as Python does, given its path."""
        mode, encoding = self._mode, self._encoding
        return lambda path: Path(os.fsdecode(path)).open(mode, encoding=encoding)

    def use(self, where: str) -> None:
        """Note a call of Python's that reads it from its beginning."""
        if self._user or self._was_read:
            _refuse_call(where, f"{self._user or 'read'} has read from")
        if tf.compat.v1.get_default_graph() is not self._graph:
            _refuse_call(where, "was opened outside of a run-time condition or loop")
        self._user = where

    def _content(self) -> Text:
        """Return all of it, read once in a graph and those within."""
        if self._held is None or not any(graph is self._held[0] for graph in _graphs()):
            content = Text(tf.io.read_file(self.path), BYTES)
            if self._kind is STR:
                content = content.decode(self._encoding or "utf-8")
                content = content.new(tf.strings.regex_replace(content.tensor, r"\r\n?", "\n"))
            self._held = tf.compat.v1.get_default_graph(), content
        return self._held[1]

    def rest(self) -> Text:
        """Return what is behind the position, which stays where it is."""
        if self._user:
            _refuse_call("read", f"{self._user} has read from")
        graphs = list(_graphs())
        behind_condition = self._was_read_within and graphs[0] is self._graph
        if behind_condition or not any(graph is self._graph for graph in graphs):
            _refuse("a file after it was read under a condition")
        return self._behind()

    def move(self, behind: Callable[[], Text]) -> None:
        """Move the position.

        `behind`: gives what is behind it, where it is read again.
        """
        self._refuse_loops()
        self._behind, self._graph = behind, tf.compat.v1.get_default_graph()
        self._was_read = True

    def _refuse_loops(self) -> None:
        """Refuse to move in a loop of the graph within that of the position."""
        for graph in _graphs():
            if graph is self._graph:
                break
            if type(graph).__name__.startswith("While"):
                _refuse("a file that was opened before a loop of the graph")

    def bytes(self, called: str) -> Text:
        """Return `rest` of a file of bytes."""
        if self._kind is STR:
            raise PortRefused(explain(called, "a file of text", "a file of bytes", 'Open it with mode "rb".'))
        return self.rest()

    def read(self, size: Any = -1) -> Text:
        """Return as many characters or bytes, all by default."""
        rest, count = self.rest(), number_of(size)
        if count is None or (isinstance(count, int) and count < 0):
            if tf.compat.v1.get_default_graph() is self._graph:
                self.move(lambda: rest.new(tf.constant(b"")))
            else:  # each branch of a condition may read it whole
                self._refuse_loops()
                self._was_read = self._was_read_within = True
            return rest
        if not isinstance(count, int):
            message = explain("size", "a number below 0", "0 or more", "Leave it out.")
            count = weak(checked(count >= 0, count, message))
        part: Text = rest[:count]
        self.move(lambda: rest[count:])
        return part

    def readline(self) -> Any:
        """Return the next line, with its end."""
        line, end, behind = self.rest().partition(self._end())
        self.move(lambda: behind)
        return line + end

    def readlines(self) -> Words:
        """Return the lines, with their ends."""
        parts = self.read().split(self._end()).tensor
        ended = tf.strings.join([parts[:-1], tf.fill([tf.size(parts) - 1], "\n")])
        rest = tf.boolean_mask(parts[-1:], tf.not_equal(parts[-1:], ""))
        return Words(tf.concat([ended, rest], 0), self._kind)

    def lines(self) -> Words:
        """Return the lines as an iteration takes them; where it stops, no one knows."""
        found = self.readlines()
        self._user = "an iteration over its lines"
        return found

    def _end(self) -> Any:
        return "\n" if self._kind is STR else b"\n"

    def tell(self) -> Any:
        """Return the position, in bytes."""
        return weak(tf.cast(self._place(), tf.int64))

    def _place(self) -> Any:
        if self._kind is not BYTES:
            advice = 'Open it with mode "rb".'
            raise UnsupportedArgument(explain("tell", "a file of text", "files of bytes", advice))
        return tf.strings.length(self._content().tensor) - tf.strings.length(self.rest().tensor)

    def seek(self, offset: Any, whence: Any = 0) -> Any:
        """Move the position: from the begin, from itself or from the end."""
        offset, whence = number_of(offset), number_of(whence)
        if isinstance(offset, int) and (offset, whence) == (0, 0):
            self.move(self._content)
            self._was_read, self._was_read_within, self._user = False, False, ""
            return 0
        if whence not in (0, 1, 2):
            raise UnsupportedArgument(explain("whence", repr(whence), "0, 1, 2", "Name one of them."))
        place, content = self._place(), self._content()  # text is refused
        place = (0, place, tf.strings.length(content.tensor))[whence] + offset
        message = explain("seek", "a position before the file", "0 or more", "Check the file.")
        place = checked(tf.convert_to_tensor(place) >= 0, tf.convert_to_tensor(place), message)
        self.move(lambda: content[weak(place) :])
        return self.tell()


def _graphs() -> Iterator[Any]:
    """Yield the graph that is built, and those around it."""
    graph: Any = tf.compat.v1.get_default_graph()
    while graph is not None:
        yield graph
        graph = getattr(graph, "outer_graph", None)


def _refuse_call(what: str, why: str) -> None:
    advice = "Open it again where it is read, or read all of it in one call."
    raise PortRefused(explain("file", f"{what}, of a file that {why}", "one call for each file", advice))


def _refuse(given: str) -> None:
    advice = "Read all parts before the condition or the loop, or open the file inside."
    raise PortRefused(explain("file", given, "files read where they were opened", advice))
