"""Kinds of programs that ports get wrong. Whoever fixes one takes it out of here, and it is drawn."""

from __future__ import annotations

from tests.porting.drawn.programs import Argument, body_of

_BYTES = Argument("uint8", (16, 16))

# By name the shortest program of each, which must fail.
KINDS = {
    # Uniform draws between bounds that are not one apart, in what the user compiles.
    "uniform draws": body_of(
        "a = [np.random.uniform(-20, 20) for _ in range(8)]", "return x, np.array(a)", x=_BYTES
    ),
}
