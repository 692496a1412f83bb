"""Which cases a run of the tests proves: what changed since a base, and a sample of the rest.

    python -m tests.selection        # lists what a run would prove here

A case is a pair and an engine, or a pair and a check of `CHECKS`. It changed if what its native reaches
(`pipeport._reach`) differs from the base: the newest first-parent ancestor of HEAD that is at least a day
older, or the revision in PIPEPORT_BASE. The working tree counts. Of the changed pairs the 60 nearest to the
change are proved; `nox -s changed` (PIPEPORT_PROVE=changed) proves all of them. Of all other cases the
commit chooses one in twenty. Where what draws, judges or runs every pair changed, it chooses a quarter of
the pairs, and the mutants run. PIPEPORT_PROVE=all proves everything. Nothing is stored.
"""

from __future__ import annotations

import functools
import hashlib
import io
import os
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pipeport
from pipeport import catalog
from pipeport._reach import JUDGES, PLUMBING, code_of, distance
from pipeport.contract import ENGINES, Contract
from pipeport.verify._fingerprint import meaning, roots, sources

ROOT = Path(__file__).parents[1]
# What is tested besides the engines; the last is what one environment does for the pairs of the other.
SAMPLE = "few examples"
CHECKS = ("graph tests", "SavedModel", "service", "without references", SAMPLE)
DAY = 24 * 60 * 60
MOST = 60
ONE_IN = 20
QUARTER = 4


class UnknownRevision(LookupError):
    """PIPEPORT_BASE names no revision of this repository."""


@dataclass(frozen=True)
class Base:
    """What the sources are compared with.

    Attributes
    ----------
    revision : str
        A commit; empty where there is none to compare with.
    reason : str
        How it was chosen, or why there is none.
    """

    revision: str
    reason: str


def _git(repository: Path, *arguments: str) -> str:
    command = ["git", "-C", str(repository), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def base_of(repository: Path = ROOT, named: str | None = None) -> Base:
    """Return what a repository's sources are compared with.

    Parameters
    ----------
    repository : Path
        The checkout.
    named : str or None
        A revision to take instead.

    Returns
    -------
    Base
        Without a revision outside git, in a shallow clone, and where no commit is a day older than HEAD.

    Raises
    ------
    UnknownRevision
        There is no revision of that name.
    """
    if named:
        revision = _git(repository, "rev-parse", "--verify", "--quiet", f"{named}^{{commit}}")
        if not revision:
            raise UnknownRevision(f"PIPEPORT_BASE: got {named!r}; allowed: a revision of this repository.")
        return Base(revision, f"PIPEPORT_BASE={named}")
    if _git(repository, "rev-parse", "--show-toplevel") != str(repository.resolve()):
        return Base("", "this is no git checkout")
    if _git(repository, "rev-parse", "--is-shallow-repository") == "true":
        return Base("", "this is a shallow clone")
    history = [
        line.split() for line in _git(repository, "log", "--first-parent", "--format=%H %ct").splitlines()
    ]
    latest = int(history[0][1]) - DAY if history else 0
    found = next((commit for commit, date in history if int(date) <= latest), "")
    return Base(found, "a day before HEAD" if found else "no commit is a day older than HEAD")


@contextmanager
def sources_at(repository: Path, revision: str) -> Iterator[Path]:
    """Give the folder of the package as it was at a revision, for as long as the block runs."""
    command = ["git", "-C", str(repository), "archive", revision, "pipeport"]
    archive = subprocess.run(command, capture_output=True, check=True).stdout
    with tempfile.TemporaryDirectory(prefix="pipeport-base-") as folder:
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(folder, filter="data")
        yield Path(folder) / "pipeport"


def stable_number(*parts: str) -> int:
    """Return a number that looks drawn, the same for the same words."""
    return int.from_bytes(hashlib.sha256("|".join(parts).encode()).digest()[:8])


@dataclass(frozen=True)
class Selection:
    """What a run proves.

    Attributes
    ----------
    base : Base
        What the sources were compared with.
    commit : str
        That chooses the sample.
    changed : mapping of str to frozenset of str
        By pair, nearest to the change first, the engines whose code differs.
    most : int or None
        How many changed pairs are proved; None for all.
    shared : tuple of str
        Files that every pair depends on, and that differ.
    everything, sample : bool
        Whether all cases are proved, and whether any are that did not change.
    """

    base: Base
    commit: str
    changed: Mapping[str, frozenset[str]] = field(default_factory=dict)
    most: int | None = MOST
    shared: tuple[str, ...] = ()
    everything: bool = False
    sample: bool = True

    @property
    def proved(self) -> list[str]:
        """Changed pairs that are proved."""
        return list(self.changed)[: self.most]

    @property
    def left(self) -> list[str]:
        """Changed pairs that are not."""
        return list(self.changed)[len(self.proved) :]

    def needs(self, pair: str, engine: str) -> bool:
        """Say whether a case is proved: an engine, or one of `CHECKS`."""
        if self.everything:
            return True
        known = engine if engine in ENGINES else "eager"
        if pair in self._proved and known in self.changed[pair]:
            return True
        if not self.sample:
            return False
        if self.shared and stable_number(self.commit, pair) % QUARTER == 0:
            return True
        return stable_number(self.commit, pair, engine) % ONE_IN == 0

    @functools.cached_property
    def _proved(self) -> frozenset[str]:
        return frozenset(self.proved)

    def needs_mutant(self, name: str) -> bool:
        """Say whether a mutant is tried: all are where what judges them changed."""
        judged = tuple(f"{one.replace('.', '/')}" for one in JUDGES)
        if self.everything or any(file.startswith(judged) for file in self.shared):
            return True
        return self.sample and stable_number(self.commit, name) % ONE_IN == 0

    def text(self) -> str:
        """Return what is proved, and what changed and is not."""
        if self.everything:
            return "Proved: all pairs."
        if not self.base.revision:
            return f"Proved: a sample, one case in {ONE_IN} ({self.base.reason})."
        since = f"since {self.base.revision[:9]} ({self.base.reason})"
        lines = [f"Proved: {len(self.proved)} of {len(self.changed)} pairs that changed {since}"]
        lines[0] += f", and one in {ONE_IN} of all other cases." if self.sample else "."
        if self.proved:
            lines.append(f"Changed, nearest first: {_names(self.proved)}.")
        if self.left:
            lines.append(f"Changed and not proved: {_names(self.left)}. To prove them: nox -s changed")
        if self.shared:
            lines.append(f"Every pair depends on {', '.join(self.shared)}: a quarter of the pairs is proved.")
        return "\n".join(lines)


def _names(pairs: Iterable[str]) -> str:
    return ", ".join(pair.removeprefix("pipeport.") for pair in pairs)


def select(
    repository: Path = ROOT,
    *,
    named: str | None = None,
    prove: str = "",
    contracts: Mapping[str, Contract] | None = None,
) -> Selection:
    """Return what a run proves.

    Parameters
    ----------
    repository : Path
        The checkout, whose working tree is tested.
    named : str or None
        The revision to compare with.
    prove : {'', 'changed', 'all'}
        Whether all changed pairs are proved and nothing else, or everything.
    contracts : mapping of str to Contract, optional
        The pairs, by their public names; the catalog's if not given.

    Returns
    -------
    Selection
        The changed pairs and the sample.
    """
    contracts = catalog.pairs() if contracts is None else contracts
    base = base_of(repository, named)
    commit = _git(repository, "rev-parse", "HEAD") or pipeport.__version__
    if prove == "all" or not base.revision:
        return Selection(base, commit, everything=prove == "all")
    with sources_at(repository, base.revision) as there:
        here = repository / "pipeport"
        if _texts(here) == _texts(there):
            return Selection(base, commit, sample=prove != "changed")
        found = [(name, _changed(contract, here, there)) for name, contract in contracts.items()]
        changed = {name: engines for name, engines in found if engines}
        steps = {name: _steps(contracts[name], here, there) for name in changed}
        order = sorted(changed, key=lambda name: (steps[name], stable_number(commit, name)))
        return Selection(
            base,
            commit,
            changed={name: changed[name] for name in order},
            most=None if prove == "changed" else MOST,
            shared=tuple(_shared(here, there)),
            sample=prove != "changed",
        )


def _texts(root: Path) -> dict[str, str]:
    return {file.relative_to(root).as_posix(): file.read_text("utf-8") for file in root.rglob("*.py")}


def _changed(contract: Contract, here: Path, there: Path) -> frozenset[str]:
    """Return the engines in which a pair's code differs: all traced and eager calls share theirs."""
    alone = _differs(roots(contract, "eager"), here, there)
    batched = alone or _differs(roots(contract, "batched"), here, there)
    return frozenset(engine for engine in ENGINES if (batched if engine == "batched" else alone))


def _differs(names: tuple[str, ...], here: Path, there: Path) -> bool:
    return _code(names, here) != _code(names, there)


def _code(names: tuple[str, ...], root: Path) -> str:
    try:
        return code_of(*names, root=root)
    except LookupError:
        return ""


def _steps(contract: Contract, here: Path, there: Path) -> int:
    return distance(*roots(contract, "batched"), root=here, base=there)


def _shared(here: Path, there: Path) -> Iterator[str]:
    """Yield the files that every pair depends on and that differ, by their place below the package."""
    ours, theirs = (
        {f.relative_to(root).as_posix(): meaning(f) for f in _common(root)} for root in (here, there)
    )
    yield from (place for place in sorted({*ours, *theirs}) if ours.get(place) != theirs.get(place))


def _common(root: Path) -> list[Path]:
    return sources(root, (*JUDGES, *PLUMBING))


@functools.cache
def selection() -> Selection:
    """Return what this run proves, by the settings in the environment."""
    return select(named=os.environ.get("PIPEPORT_BASE"), prove=os.environ.get("PIPEPORT_PROVE", ""))


if __name__ == "__main__":
    chosen = selection()
    print(chosen.text())
    cases = [
        f"{name} {case}"
        for name in catalog.pairs()
        for case in (*ENGINES, *CHECKS)
        if chosen.needs(name, case)
    ]
    print(f"{len(cases)} of {len(catalog.pairs()) * len((*ENGINES, *CHECKS))} cases:", *cases, sep="\n  ")
