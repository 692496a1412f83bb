"""Files for references and natives: written once per process, named by their contents."""

from __future__ import annotations

import atexit
import functools
import hashlib
import io
import shutil
import tempfile
import wave
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pipeport.errors import OutsideDomain, explain
from pipeport.verify._require import require

Array = np.ndarray[Any, Any]

# format: (Pillow's name, mode, options)
_FORMATS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "png": ("PNG", "RGB", {}),
    "png16": ("PNG", "I;16", {}),
    "png-grey": ("PNG", "L", {}),
    "png-alpha": ("PNG", "RGBA", {}),
    "png-palette": ("PNG", "P", {}),
    "jpeg": ("JPEG", "RGB", {"quality": 90, "subsampling": 0}),
    "jpeg-grey": ("JPEG", "L", {"quality": 90}),
    "jpeg-exif": ("JPEG", "RGB", {"quality": 90, "subsampling": 0}),
    "jpeg-progressive": ("JPEG", "RGB", {"quality": 85, "progressive": True}),
    "jpeg-420": ("JPEG", "RGB", {"quality": 75, "subsampling": 2}),
    "bmp": ("BMP", "RGB", {}),
    "gif": ("GIF", "P", {}),
}
FORMATS = (*_FORMATS, "broken", "missing")
_CHANNELS = {"RGB": 3, "RGBA": 4}
_ORIENTATION = 274


@dataclass(frozen=True)
class Described:
    """The description of a file, for writing another of its kind."""

    format: str
    size: tuple[int, ...] = ()
    detail: Any = 0


_described: dict[str, Described] = {}


@functools.cache
def folder() -> Path:
    """Return this process's folder for such files; it goes when the process does."""
    path = Path(tempfile.mkdtemp(prefix="pipeport-verify-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


def file_of(content: bytes, suffix: str) -> str:
    """Return the path of a file with this content, written if it is not there yet."""
    path = folder() / f"{hashlib.sha256(content).hexdigest()[:20]}{suffix}"
    if not path.exists():
        path.write_bytes(content)
    return str(path)


def describe(path: str, what: Described) -> str:
    """Record the contents of a file, and return its path."""
    _described[path] = what
    return path


def described(path: str) -> Described | None:
    """Return the contents of a file written here; None for any other."""
    return _described.get(path)


def pixels(seed: int, size: tuple[int, int], channels: int, levels: int = 256) -> Array:
    """Return an image of soft noise over a ramp, as photographs are; seed 0 is the ramp alone."""
    height, width = size
    rows, columns, planes = np.mgrid[:height, :width, :channels]
    ramp = (rows * 23 + columns * 11 + planes * 60) % 256 * (levels // 256)
    if seed:
        noise = np.random.default_rng(seed).integers(0, levels, ramp.shape)
        ramp = (ramp + noise) // 2 if seed % 2 else noise
    return np.asarray(ramp).astype(np.uint16 if levels > 256 else np.uint8)


def encoded(what: Described, seed: int) -> bytes:
    """Return the bytes of an image file.

    `what`: a format of `EncodedImage`, (height, width), and what the format needs besides: the EXIF
    orientation, or for 'broken' which defect.
    """
    if what.format == "broken":
        return _broken(what, seed)
    if what.format not in _FORMATS:
        raise OutsideDomain(explain("formats", repr(what.format), ", ".join(FORMATS), "Choose from these."))
    image_module = require("PIL.Image")
    name, mode, options = _FORMATS[what.format]
    height, width = what.size
    if mode == "I;16":
        image = image_module.fromarray(pixels(seed, (height, width), 1, 65536)[..., 0])
    elif mode == "P":
        image = image_module.fromarray(pixels(seed, (height, width), 3)).quantize(16)
    else:
        data = pixels(seed, (height, width), _CHANNELS.get(mode, 1))
        image = image_module.fromarray(data if data.shape[2] > 1 else data[..., 0])
    if what.format == "jpeg-exif":
        exif = image.getexif()
        exif[_ORIENTATION] = what.detail
        options = {**options, "exif": exif}
    stream = io.BytesIO()
    image.save(stream, format=name, **options)
    return stream.getvalue()


BREAKAGES = ("noise", "empty", "header", "half")


def _broken(what: Described, seed: int) -> bytes:
    if what.detail == "empty":
        return b""
    if what.detail == "noise":
        return np.random.default_rng(seed).integers(0, 256, 64, np.uint8).tobytes()
    whole = encoded(Described("png" if seed % 2 else "jpeg", what.size), seed)
    return whole[:12] if what.detail == "header" else whole[: len(whole) // 2]


def suffix_of(format_name: str) -> str:
    """Return the usual ending of a format's file names."""
    return "." + {"jpeg": "jpg", "broken": "png", "missing": "png"}.get(
        kind := format_name.split("-")[0].replace("png16", "png"), kind
    )


def array_bytes(array: Array) -> bytes:
    """Return the content of an `.npy` file."""
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=False)
    return stream.getvalue()


RATE = 16000


def _image_bytes(name: str, array: Array) -> bytes:
    image = require("PIL.Image").fromarray(array)
    stream = io.BytesIO()
    image.save(stream, format=name, **({"quality": 90} if name == "JPEG" else {}))
    return stream.getvalue()


def _sound_bytes(samples: Array) -> bytes:
    stream = io.BytesIO()
    with wave.open(stream, "wb") as sound:
        sound.setnchannels(1 if samples.ndim == 1 else samples.shape[1])
        sound.setsampwidth(2)
        sound.setframerate(RATE)
        sound.writeframes(samples.astype("<i2").tobytes())
    return stream.getvalue()


def _text_bytes(content: Any) -> bytes:
    if isinstance(content, str):
        return content.encode()
    stream = io.StringIO()
    np.savetxt(stream, content, delimiter=",", fmt="%d" if content.dtype.kind in "biu" else "%.9g")
    return stream.getvalue().encode()


IMAGES = ("jpeg", "png", "bmp")
# What a user's input may be the path of: how it is written, and the usual ending.
WRITERS: dict[str, tuple[Callable[[Any], bytes], str]] = {
    "jpeg": (functools.partial(_image_bytes, "JPEG"), ".jpg"),
    "png": (functools.partial(_image_bytes, "PNG"), ".png"),
    "bmp": (functools.partial(_image_bytes, "BMP"), ".bmp"),
    "wav": (_sound_bytes, ".wav"),
    "npy": (array_bytes, ".npy"),
    "text": (_text_bytes, ".txt"),
}
_written: dict[str, tuple[str, Any]] = {}


def written(format_name: str, content: Any) -> str:
    """Write a file of a user's input, and return its path.

    `content`: the array in it, or the text.
    """
    write, suffix = WRITERS[format_name]
    path = file_of(write(content), suffix)
    _written[path] = (format_name, content)
    return path


def content_of(path: bytes) -> tuple[str, Any] | None:
    """Return format and content of a file that `written` wrote; None of any other."""
    return _written.get(path.decode(errors="replace"))
