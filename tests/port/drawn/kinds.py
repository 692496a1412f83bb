"""Kinds of programs that ports get wrong. Whoever mends one takes it out of here, and it is drawn."""

from __future__ import annotations

from tests.port.drawn.programs import Argument, Program

_BYTES = Argument("uint8", (16, 16))


def _witness(*lines, **arguments):
    source = "\n    ".join([f"def body({', '.join(arguments)}):", *lines]) + "\n"
    return Program(source, arguments)


# By name the shortest program of each, which must fail.
KINDS = {
    # Float arithmetic on the result of float arithmetic, and quotients by constants; integers that are
    # subtracted and then multiplied.
    "order": _witness("return np.floor(x * 0.3 * 10)", x=_BYTES),
    # Arguments that hold NaN and infinities.
    "NaN": _witness("return np.where(x <= 2, x, 0)", x=Argument("float32", (5, 4, 3), special=True)),
    # Uniform draws between bounds that are not one apart, in what the user compiles.
    "uniform draws": _witness(
        "a = [np.random.uniform(-20, 20) for _ in range(8)]", "return x, np.array(a)", x=_BYTES
    ),
    # Writes to memory that another name sees, or that only an expression names.
    "views": _witness("x = np.array(x)", "y = x[1:3]", "y[:] = 0", "return x", x=_BYTES),
}
