"""Members of a zip archive, by name: the directory at its end is searched in the graph.

TensorFlow inflates streams with a head and an end, which the members of archives have not. The directory
states the checksum and the size of a member, and these are the end that gzip gives its streams: with a
constant head before and the two behind, a member is such a stream, and its checksum is checked.
"""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.errors import explain
from pipeport.kernels.decode._formats import refuse_unless

_END = b"PK\x05\x06"
_END_SIZE, _ENTRY_SIZE, _LOCAL_SIZE = 22, 46, 30
_GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
_STORED, _DEFLATED = 0, 8


def member(data: Any, names: Any, parameter: str) -> Any:
    """Return the content of a member of a zip archive.

    `data`: shape (), string. `names`: shape (N,), string; names that the member may have; the first member
    with one of them is taken. `parameter`: name of the parameter, for messages. Returns: shape (), string.
    """
    directory = _directory(data, parameter)
    size = tf.strings.length(directory)

    def step(place: Any, _: Any) -> tuple[Any, Any]:
        name, rest, note = tf.unstack(_numbers(directory, place + 28, 3, tf.uint16))
        found = tf.reduce_any(tf.equal(tf.strings.substr(directory, place + _ENTRY_SIZE, name), names))
        return tf.where(found, place, place + _ENTRY_SIZE + name + rest + note), found

    place, found = tf.while_loop(
        lambda place, found: ~found & (place < size), step, (tf.constant(0), tf.constant(False))
    )
    message = explain(parameter, "an archive without such a member", "names of members", "Check the name.")
    with tf.control_dependencies(refuse_unless(found, message)):
        entry = tf.strings.substr(directory, place, _ENTRY_SIZE)
    return _content(data, entry, parameter)


def _numbers(data: Any, start: Any, count: int, dtype: Any) -> Any:
    """Return numbers of a file as int32, (count,)."""
    raw = tf.io.decode_raw(tf.strings.substr(data, start, count * dtype.size), dtype)
    return tf.ensure_shape(tf.cast(raw, tf.int32), [count])


def _directory(data: Any, parameter: str) -> Any:
    """Return the directory of an archive: an entry of 46 bytes, a name and more for each member."""
    # As long as an end whatever comes: a shorter file is filled up, and refused for what it then says.
    end = tf.strings.substr(tf.strings.join([b"\0" * _END_SIZE, data]), -_END_SIZE, _END_SIZE)
    size, start = tf.unstack(_numbers(end, 12, 2, tf.int32))
    room = tf.strings.length(data) - _END_SIZE
    whole = tf.equal(tf.strings.substr(end, 0, 4), _END) & (start >= 0) & (size >= 0) & (start <= room - size)
    given = "no zip archive, or one that is cut short, has a comment or more than 2 GB"
    message = explain(parameter, given, "an archive as `numpy.savez` writes it", "Write it again.")
    with tf.control_dependencies(refuse_unless(whole, message)):
        return tf.strings.substr(data, start, size)


def _content(data: Any, entry: Any, parameter: str) -> Any:
    flags, method = tf.unstack(_numbers(entry, 8, 2, tf.uint16))
    size, start = _numbers(entry, 20, 1, tf.int32)[0], _numbers(entry, 42, 1, tf.int32)[0]
    known = tf.equal(method, _STORED) | tf.equal(method, _DEFLATED)
    plain = tf.equal(tf.bitwise.bitwise_and(flags, 1), 0)
    room = tf.strings.length(data) - _LOCAL_SIZE
    whole = (size >= 0) & (start >= 0) & (start <= room - size)
    given = "a member that is encrypted, cut short or compressed in another way"
    message = explain(parameter, given, "members as `numpy.savez` writes them", "Write the archive again.")
    with tf.control_dependencies(refuse_unless(known & plain & whole, message)):
        name, rest = tf.unstack(_numbers(data, start + 26, 2, tf.uint16))
        raw = tf.strings.substr(data, start + _LOCAL_SIZE + name + rest, size)

    def inflated() -> Any:
        end = [tf.strings.substr(entry, 16, 4), tf.strings.substr(entry, 24, 4)]
        return tf.io.decode_compressed(tf.strings.join([_GZIP_HEAD, raw, *end]), "GZIP")

    return tf.cond(tf.equal(method, _DEFLATED), inflated, lambda: raw)
