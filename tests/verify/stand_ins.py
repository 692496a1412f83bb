"""Small pairs for tests of the machinery: a reference, natives that agree and natives that do not."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from pipeport.contract import (
    Agreement,
    Array,
    AsReference,
    Boolean,
    Degrees,
    Exact,
    Image,
    Integer,
    Maybe,
    OneOf,
    SameDistribution,
    SeedPair,
    replaces,
)
from pipeport.verify._pair import Pair


def pair(
    reference: Any, native: Any, domain: dict[str, Any], agreement: Agreement | None = None, **more: Any
) -> Pair:
    """Return a pair of two functions of this module."""
    return Pair(
        name=f"{reference.__name__} -> {native.__name__}",
        reference=reference,
        native=native,
        reference_name=f"{reference.__module__}.{reference.__name__}",
        native_name=f"{native.__module__}.{native.__name__}",
        domain=domain,
        agreement=agreement or Exact(),
        **more,
    )


def flip(m: Any) -> Any:
    """Reference: reverse the rows."""
    return np.flip(m, 0)


def flip_native(m: Any) -> Any:
    return tf.reverse(m, [0])


def flip_columns(m: Any) -> Any:
    return tf.reverse(m, [1])


def scale(m: Any, factor: Any = 2.0) -> Any:
    """Reference: multiply; NaN factors are refused."""
    if not np.isfinite(factor):
        raise ValueError("factor: not finite")
    return m * np.asarray(factor, m.dtype)


def scale_native(m: Any, factor: Any = 2.0) -> Any:
    return m * tf.cast(
        tf.convert_to_tensor(factor, tf.float64 if isinstance(factor, float) else None), m.dtype
    )


def same(image: Any) -> Any:
    return tf.identity(image)


def refusing_scale(m: Any, factor: Any = 2.0) -> Any:
    """Refuse what `scale` refuses."""
    if not np.isfinite(factor):
        raise ValueError("factor: not finite")
    return scale_native(m, factor)


@replaces(
    "tests.verify.stand_ins.brighten",
    domain={"image": Image(dtypes=("float32", "float64")), "by": Degrees(-10, 10, tensor=True)},
    agreement=AsReference(),
    proven_against=">=0",
)
def brighten_native(image: Any, by: Any = 1.0) -> Any:
    """Add a number."""
    return image + (tf.cast(by, image.dtype) if tf.is_tensor(by) else tf.constant(by, image.dtype))


def brighten(image: Any, by: Any = 1.0) -> Any:
    """Reference: add a number."""
    return image + np.asarray(by, image.dtype)


def coin(image: Any, p: Any = 0.5) -> Any:
    """Reference of a random pair: reversed or not."""
    return np.flip(image, 0) if np.random.default_rng().random() < p else image


def coin_given(arguments: dict[str, Any], outputs: Any) -> list[Any]:
    """Return the two results there are."""
    image = arguments["image"]
    return [image, np.flip(image, 0)]


def coin_statistic(native: Any) -> float:
    """Return the p-value of 64 fair draws (normal approximation)."""
    image = tf.constant([[0.0], [1.0]])
    flips = sum(float(native(image, seed=(i, 0))[0, 0]) == 1.0 for i in range(64))
    z = (flips - 32) / 4
    return float(np.exp(-z * z / 2))


def coin_native(image: Any, p: Any = 0.5, *, seed: Any) -> Any:
    bit = tf.random.stateless_uniform([], tf.cast(seed, tf.int32), 0, 2, tf.int32)
    return tf.cond(tf.equal(bit, 1), lambda: tf.reverse(image, [0]), lambda: tf.identity(image))


def coin_frozen(image: Any, p: Any = 0.5, *, seed: Any) -> Any:
    return tf.identity(image)


def coin_pair(native: Any) -> Pair:
    """Return the random pair with some native."""
    return pair(
        coin,
        native,
        {"image": Image(dtypes=("float32",), non_finite=False)},
        SameDistribution(
            Exact(), "tests.verify.stand_ins.coin_given", "tests.verify.stand_ins.coin_statistic", 1e-4
        ),
        extra={"seed": SeedPair()},
    )


MATRIX = {"m": Array(ranks=(2,), dtypes=("uint8", "float32"))}
SWITCHES = {
    "m": Array(ranks=(2,)),
    "flag": Boolean(),
    "mode": Maybe(spec=OneOf("a", "b")),
    "k": Integer(0, 3),
}
