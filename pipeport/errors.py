"""Every error and warning pipeport raises on purpose."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import NoReturn, Self


class PipeportError(Exception):
    """Base class of pipeport's own errors.

    Attributes
    ----------
    called : str
        What was called in a ported function, where that is known.
    places : sequence of (str, int)
        The lines of the user's files in which it came about there, outermost first, as far as they are known.
    """

    called = ""
    places: Sequence[tuple[str, int]] = ()
    # AutoGraph replaces exceptions of classes it does not know; those with this attribute pass.
    ag_pass_through = True

    @property
    def parameter(self) -> str:
        """Say what the message is about.

        Returns
        -------
        str
            The first parameter; empty where it is about none.
        """
        return getattr(self.args[0], "parameter", "") if self.args else ""


class UnsupportedArgument(PipeportError, ValueError):
    """A parameter has a value this native does not serve."""


class OutsideDomain(PipeportError, ValueError):
    """An input lies outside the inputs for which equivalence is vouched."""


class BadAxis(PipeportError, ValueError, IndexError):
    """An axis the array does not have; caught wherever NumPy's own AxisError is."""


class BadIndex(PipeportError, IndexError):
    """An index beyond the end of an axis."""


class WrongType(PipeportError, TypeError):
    """A parameter has a type the reference refuses as well."""


class NotPorted(PipeportError, LookupError):
    """No pair of that name is in the catalog."""


class RewriteRefused(PipeportError):
    """The codemod declines to change code, and says why."""


class PortRefused(PipeportError):
    """A function cannot be ported, and why: file, line and the nearest way of each reason."""


class AttributeRefused(PortRefused, AttributeError):
    """An array, image or generator lacks an attribute of its reference's; `hasattr` says so too."""


class NotEquivalent(PipeportError, AssertionError):
    """Two functions that should agree do not; the message holds a counterexample."""


class PipeportWarning(UserWarning):
    """Code that works but gains nothing, for instance a native inside a Python boundary."""


class Explanation(str):
    """A message that knows what it is about.

    Attributes
    ----------
    parameter : str
        The name of the first parameter.
    """

    parameter: str

    def __new__(cls, text: str, parameter: str = "") -> Self:  # noqa: D102
        made = super().__new__(cls, text)
        made.parameter = parameter
        return made


def explain(parameter: str, given: object, allowed: str, advice: str) -> Explanation:
    """Build a message of the four parts every error of pipeport has.

    Parameters
    ----------
    parameter : str
        Name of the parameter; of several with commas between.
    given : object
        What was given, as text.
    allowed : str
        What is allowed.
    advice : str
        What to do next: one sentence.

    Returns
    -------
    Explanation
        The message.
    """
    first = parameter.partition(",")[0].partition("[")[0]
    return Explanation(f"{parameter}: got {given}; allowed: {allowed}. {advice}", first)


def line_of(error: BaseException) -> str:
    """Return what an error says in a line.

    Parameters
    ----------
    error : BaseException
        Any error; one of a traced function holds the lines of the function first.

    Returns
    -------
    str
        Its first line, and what a colon at its end announces; at most 300 letters.
    """
    text = str(error).strip()
    if text.startswith(("in user code:", "Graph execution error:")):
        text = text.split("\n\n")[-1]
    lines = [line.strip() for line in text.splitlines() if line.strip()] or [""]
    return textwrap.shorten(" ".join(lines[: 3 if lines[0].endswith(":") else 1]), 300, placeholder=" ...")


def refuse_attribute(owner: object, name: str, advice: str) -> NoReturn:
    """Refuse an attribute that an object does not have.

    Parameters
    ----------
    owner : object
        The object, of a class named as its reference.
    name : str
        Of the attribute.
    advice : str
        What to do next: one sentence.

    Raises
    ------
    AttributeRefused
        Of a public name.
    AttributeError
        Of any other: Python itself asks for these.
    """
    kind = type(owner).__name__
    if name.startswith("_"):
        raise AttributeError(f"{kind!r} object has no attribute {name!r}")
    known = ", ".join(one for one in dir(type(owner)) if not one.startswith("_"))
    raise AttributeRefused(explain(kind, f"`{name}`", known, advice))
