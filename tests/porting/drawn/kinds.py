"""Kinds of programs that ports get wrong. Whoever mends one takes it out of here, and it is drawn."""

from __future__ import annotations

from tests.porting.drawn.programs import Argument, Program

_BYTES = Argument("uint8", (16, 16))


def _witness(*lines, **arguments):
    source = "\n    ".join([f"def body({', '.join(arguments)}):", *lines]) + "\n"
    return Program(source, arguments)


# By name the shortest program of each, which must fail.
KINDS = {
    # Uniform draws between bounds that are not one apart, in what the user compiles.
    "uniform draws": _witness(
        "a = [np.random.uniform(-20, 20) for _ in range(8)]", "return x, np.array(a)", x=_BYTES
    ),
}
