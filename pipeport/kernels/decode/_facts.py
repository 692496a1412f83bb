"""Read file headers in plain Python, for contracts.

No native reads a file this way; it is verify that asks a contract about the files it drew.
"""

from __future__ import annotations

import hashlib
import struct
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Facts:
    """Facts about a file.

    `format`: {'jpeg', 'png', 'bmp', 'other', 'missing'}; the format by its first bytes. `channels`: channels
    as stored; the palette of a PNG counts as three, with transparent entries as four. `whole`: whether the
    file has its end. `palette`: whether pixels are entries of a palette.
    """

    format: str
    channels: int = 0
    bits: int = 8
    whole: bool = True
    palette: bool = False


def facts_of(source: Any) -> Facts:
    """Return the facts of a path, or of a file's bytes (`bytes` or an array of them)."""
    if isinstance(source, (str, Path)):
        if not Path(source).is_file():
            return Facts("missing")
        return _facts(Path(source).read_bytes())
    return _facts(bytes(source))


def _facts(data: bytes) -> Facts:
    if data.startswith(b"\xff\xd8\xff"):
        return Facts("jpeg", _jpeg_channels(data), whole=data.rstrip(b"\0").endswith(b"\xff\xd9"))
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        if len(data) < 33:
            return Facts("png", whole=False)
        bits, colour = data[24], data[25]
        transparent = b"tRNS" in data[33 : data.find(b"IDAT")]
        channels = {0: 1, 2: 3, 3: 4 if transparent else 3, 4: 2, 6: 4}.get(colour, 0)
        return Facts("png", channels, bits, whole=b"IEND" in data[-12:], palette=colour == 3)
    if data.startswith(b"BM"):
        return Facts("bmp", 3)
    return Facts("other")


def _jpeg_channels(data: bytes) -> int:
    position = 2
    while position + 10 <= len(data):
        marker = data[position + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return data[position + 9]
        position += 2 + int.from_bytes(data[position + 2 : position + 4], "big")
    return 0


def png_bytes(height: int, width: int, bits: int = 8) -> bytes:
    """Return a small grey PNG, black at the left: what a witness of a difference needs."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    row = b"\0" + bytes(min(255, 7 * i) for i in range(width * bits // 8))
    header = struct.pack(">IIBBBBB", width, height, bits, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(row * height)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, content) for kind, content in chunks)


def ppm_bytes() -> bytes:
    """Return one grey pixel in a format that references read and natives refuse."""
    return b"P6 1 1 255\n\x10\x10\x10"


def witness_file(content: bytes, suffix: str) -> str:
    """Return the path of a file with this content among the temporary files; written once."""
    path = Path(tempfile.gettempdir()) / f"pipeport-{hashlib.sha256(content).hexdigest()[:16]}{suffix}"
    if not path.exists():
        path.write_bytes(content)
    return str(path)


MISSING = str(Path(tempfile.gettempdir()) / "pipeport-there-is-no-such-file.png")
