"""Specs of files: encoded images and `.npy` files."""

from __future__ import annotations

from dataclasses import dataclass

from pipeport.contract._domain import ALL_DTYPES, Spec


@dataclass(frozen=True, kw_only=True)
class EncodedImage(Spec):
    """An encoded image: the path of a file that verify writes, or its bytes.

    Attributes
    ----------
    formats : tuple of str
        'png', 'png16', 'png-grey', 'png-alpha', 'png-palette', 'jpeg', 'jpeg-grey', 'jpeg-exif',
        'jpeg-progressive', 'jpeg-420', 'bmp', 'gif', 'broken', 'missing' (a path without a file).
    form : {'path', 'bytes'}
        What is drawn: a `str` path, or a one-axis uint8 array of the file's bytes.
    """

    formats: tuple[str, ...] = ("png", "jpeg")
    form: str = "path"
    tensor: bool = True


@dataclass(frozen=True, kw_only=True)
class ArrayFile(Spec):
    """The path of an `.npy` file that verify writes: dtype, byte order, memory order, rank drawn."""

    dtypes: tuple[str, ...] = ALL_DTYPES
    ranks: tuple[int, ...] = (0, 1, 2, 3)
    sides: tuple[int, int] = (0, 5)
    tensor: bool = True
