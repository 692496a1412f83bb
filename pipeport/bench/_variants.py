"""Variants: common calls of a pair besides the plain one, as data.

A pair needs no entry here: without one, its plain call is measured in every dtype.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

Function = Callable[..., Any]


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One way of calling a pair.

    `native`: keyword arguments of the native, besides the case's own. `around_reference`: takes the
    reference, returns what people write around it for this purpose. `dtypes`: the input dtypes the variant is
    for; None for all. `compared`: whether stock op and peers answer the same question here, dtype included.
    `shape`: elements are volumes, or grey photographs, of this shape instead of photographs of the case's
    size. `masks`: elements are zeros and ones, by brightness, as people ask where something is.
    `batch`: elements per batch, where 32 of them would take a minute; None for 32.
    """

    name: str = ""
    native: Mapping[str, Any] = field(default_factory=dict)
    reference: Mapping[str, Any] = field(default_factory=dict)
    around_reference: Callable[[Function], Function] = lambda reference: reference
    dtypes: tuple[str, ...] | None = None
    compared: bool = True
    shape: tuple[int, ...] | None = None
    masks: bool = False
    batch: int | None = None

    def serves(self, dtype: str) -> bool:
        """Return whether the variant is for inputs of that dtype."""
        return self.dtypes is None or dtype in self.dtypes


def _rounded_to_uint8(reference: Function) -> Function:
    def rounded(*args: Any, **kwargs: Any) -> Any:
        return np.rint(reference(*args, **kwargs)).astype(np.uint8)

    return rounded


PLAIN = Variant()
# Distances and components of photographs, whose pixels are hardly ever zero, say nothing.
MASK = Variant(name="mask 256x256", shape=(256, 256), masks=True)

VARIANTS: Mapping[str, tuple[Variant, ...]] = MappingProxyType(
    {
        "pipeport.skimage.transform.rotate": (
            Variant(
                name="uint8 kept uint8",
                native={"preserve_range": True, "dtype": "uint8"},
                reference={"preserve_range": True},
                around_reference=_rounded_to_uint8,
                dtypes=("uint8",),
            ),
            # The plain call turns uint8 into float64 in [0, 1]; no peer does that.
            Variant(name="uint8 to float64", dtypes=("uint8",), compared=False),
            Variant(dtypes=("bool", "uint16", "int32", "float16", "float32", "float64")),
        ),
        # Half of the rotations people wrap are of volumes, at the default order.
        "pipeport.scipy.ndimage.rotate": (
            PLAIN,
            Variant(name="volume 128x128x64", dtypes=("float32",), shape=(128, 128, 64), batch=2),
        ),
        # Pillow has colours of bytes alone.
        "pipeport.PIL.Image.fromarray": (Variant(dtypes=("uint8",)),),
        "pipeport.scipy.ndimage.binary_dilation": (MASK,),
        "pipeport.scipy.ndimage.binary_erosion": (MASK,),
        "pipeport.scipy.ndimage.distance_transform_edt": (MASK,),
        "pipeport.scipy.ndimage.label": (MASK,),
        # Of two photographs the product has four thousand million elements.
        "pipeport.numpy.kron": (Variant(name="plane 16x16", shape=(16, 16)),),
        "pipeport.numpy.broadcast_to": (Variant(name="plane 32x48", shape=(32, 48)),),
        # Photographs have no alpha.
        "pipeport.skimage.color.rgba2rgb": (Variant(name="alpha 256x256x4", shape=(256, 256, 4)),),
    }
)


def variants_of(native: str, dtype: str) -> tuple[Variant, ...]:
    """Return the variants of a native for inputs of that dtype; the plain call if none is listed."""
    return tuple(v for v in VARIANTS.get(native, (PLAIN,)) if v.serves(dtype))


def variant_of(native: str, name: str) -> Variant:
    """Return the variant of that name."""
    return next(v for v in VARIANTS.get(native, (PLAIN,)) if v.name == name)
