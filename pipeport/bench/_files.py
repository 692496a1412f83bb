"""Files of the bench: photographs as people have them on disk, written once per process."""

from __future__ import annotations

import atexit
import functools
import io
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.bench import _photographs
from pipeport.bench._case import Case
from pipeport.contract import ArrayFile, EncodedImage

# Images travel as JPEG of this quality, that of most photographs people train on.
JPEG_QUALITY = 95


@functools.cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="pipeport-bench-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def jpeg(image: Any) -> bytes:
    """Return an image as JPEG, colours at full resolution."""
    encoded: bytes = tf.io.encode_jpeg(image, quality=JPEG_QUALITY, chroma_downsampling=False).numpy()
    return encoded


def of_case(spec: EncodedImage | ArrayFile, case: Case) -> list[Any]:
    """Return each element's file: its path, or its bytes as an array.

    JPEG where the spec takes it, else PNG; `.npy` files of the case's dtype.
    """
    if isinstance(spec, ArrayFile):
        images = _photographs.photographs(case.size, case.dtype)
        contents, suffix = [_saved(image) for image in images], ".npy"
    else:
        images = _photographs.photographs(case.size, "uint8")
        as_jpeg = any(name.startswith("jpeg") for name in spec.formats) and spec.typical != "png"
        suffix = ".jpg" if as_jpeg else ".png"
        contents = [jpeg(image) if as_jpeg else tf.io.encode_png(image).numpy() for image in images]
        if spec.form == "bytes":
            return [np.frombuffer(content, np.uint8) for content in contents]
    stem = f"{case.shapes.replace(' ', '-')}-{case.dtype}"
    paths = [_folder() / f"{stem}-{index:02}{suffix}" for index in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    return [str(path) for path in paths]


def _saved(array: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()
