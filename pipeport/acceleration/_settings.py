"""What decides, and how long it may take."""

from __future__ import annotations

from dataclasses import dataclass

from pipeport import catalog
from pipeport.errors import OutsideDomain, WrongType, explain


@dataclass(frozen=True)
class Settings:
    """How boundaries are tried.

    Attributes
    ----------
    exact : bool
        Whether results must be equal to the bit, and bodies that draw stay Python.
    prefer_native : bool
        Whether equality alone decides, and not time.
    islands : bool
        Whether calls without a native may stay Python inside of a body that is native otherwise.
    keep : tuple of str
        Calls that stay Python inside of such a body although they have a native: 'numpy.cumsum'.
    fresh : bool
        Whether choices of earlier processes are left aside.
    least : float
        Seconds of processor time that the functions of a dataset take in a run, from which on they are tried.
    limit : float
        Seconds that all trials together may take.
    only, skip : tuple of str
        Places that are tried, or not: 'train.py', 'train.py:12', or the name of a function.

    Raises
    ------
    NotPorted
        A name to keep is that of no native.
    OutsideDomain
        `least` or `limit` is negative; calls are kept without islands, or where results must be exact.
    WrongType
        A switch is not a bool, or a place or a name is not text.
    """

    exact: bool = False
    prefer_native: bool = False
    islands: bool = True
    keep: tuple[str, ...] = ()
    fresh: bool = False
    least: float = 20.0
    limit: float = 30.0
    only: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("exact", "prefer_native", "islands", "fresh"):
            value = getattr(self, name)
            if not isinstance(value, bool):
                raise WrongType(explain(name, repr(value), "True or False", "Leave it out for the default."))
        for name, example in (("only", "train.py:12"), ("skip", "train.py:12"), ("keep", "numpy.cumsum")):
            value = getattr(self, name)
            if isinstance(value, str) or not all(isinstance(one, str) for one in value):
                advice = f"Write ({example!r},), for example."
                raise WrongType(explain(name, repr(value), "a tuple of texts", advice))
        for one in self.keep:
            catalog.find(one)
        if self.keep and (self.exact or not self.islands):
            given = f"{', '.join(self.keep)} {'with `exact`' if self.exact else 'without islands'}"
            advice = "Leave out one of them."
            raise OutsideDomain(explain("keep", given, "names where there are islands", advice))
        seconds = {
            "least": "Say what the functions of a dataset must take in a run.",
            "limit": "Say how many seconds all trials may take together.",
        }
        for name, advice in seconds.items():
            value = getattr(self, name)
            if not value >= 0:
                raise OutsideDomain(explain(name, repr(value), "a number of seconds, from 0", advice))

    def chooses(self, place: str, name: str) -> bool:
        """Say whether a place is among those to be tried."""

        def fits(given: str) -> bool:
            file = place.rpartition(":")[0]
            return given == name or any(one == given or one.endswith(f"/{given}") for one in (place, file))

        return (not self.only or any(map(fits, self.only))) and not any(map(fits, self.skip))
