"""Which tests a run of the whole suite takes.

    python -m tests.selection        # says what changed here, and which pairs that concerns

Three kinds, chosen here and run by conftest.py:

- Fast tests run always: those that tests/slow.txt does not name. `nox -s tests -- --write-slow` writes that
  list from processor time.
- Slow tests of the folders that the change touches, nearest first, until their core-minutes are used; of all
  others the commit chooses one in twenty, of recipes and documents one in eight.
- Cases of pairs (`OF_PAIRS`): those that reach what changed (`pipeport._reach`), nearest first, and one in
  twenty of all others, until their core-minutes are used. Where what draws, judges or runs every pair
  changed, one pair in twelve counts as changed.

The change is what differs from the last commit for which `nox` was green in this checkout, else from HEAD's
parent; PIPEPORT_BASE names another commit. The working tree counts. A run that names files or folders takes
all of them, PIPEPORT_PROVE=all everything, PIPEPORT_PROVE=changed every pair that changed and nothing else,
PIPEPORT_PROVE=2026-11-28 the fast tests and that day's seventh of the slow ones.
"""

from __future__ import annotations

import dataclasses
import hashlib
import io
import os
import re
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import pipeport
from pipeport import catalog
from pipeport._reach import JUDGES, PLUMBING, code_of, distance
from pipeport.contract import Contract
from pipeport.verify._fingerprint import meaning, roots, sources

ROOT = Path(__file__).parents[1]
SLOW = ROOT / "tests/slow.txt"
# The last commit for which `nox` was green in this checkout.
GREEN = "refs/nox/green"
OF_PAIRS = (
    "tests/verify/test_every_pair.py",
    *(f"tests/catalog/test_{name}.py" for name in ("graph", "saved_model", "service", "without_references")),
)
ONE_IN, ONE_PAIR_IN, DAYS = 20, 12, 7
# Recipes, documents and packages go together: a change of one may break another.
DOCUMENTS = (
    "tests/recipes/",
    "tests/guide/",
    "tests/site/",
    "tests/test_readme.py",
    "tests/house/test_wheel.py",
)
ONE_DOCUMENT_IN = 8
# Where the tests of a place are; the longest beginning counts. Elsewhere tests mirror the package.
FOLDERS = {
    "README.md": DOCUMENTS,
    "bench/": ("tests/bench/",),
    "docs/": DOCUMENTS,
    "noxfile.py": ("tests/house/",),
    "pipeport/": ("tests/house/",),
    "pipeport/_batched.py": ("tests/natives/",),
    "pipeport/_boundary.py": ("tests/natives/",),
    "pipeport/_followed.py": ("tests/natives/",),
    "pipeport/_reach/": ("tests/reach/",),
    "pipeport/_tensorflow_private/": (
        "tests/trace/",
        "tests/porting/",
        "tests/inspection/",
        "tests/acceleration/",
    ),
    "pipeport/_text": ("tests/porting/", "tests/scan/"),
    "pipeport/cli/": (*DOCUMENTS, "tests/house/"),
    "pipeport/cli/_bench": (*DOCUMENTS, "tests/bench/"),
    "pipeport/cli/_inspect": (*DOCUMENTS, "tests/inspection/"),
    "pipeport/cli/_port": (*DOCUMENTS, "tests/porting/"),
    "pipeport/cli/_rewrite": (*DOCUMENTS, "tests/rewrite/"),
    "pipeport/cli/_run": (*DOCUMENTS, "tests/acceleration/"),
    "pipeport/cli/_scan": (*DOCUMENTS, "tests/scan/"),
    "pipeport/cli/_trace": (*DOCUMENTS, "tests/trace/"),
    "pipeport/cli/_verify": (*DOCUMENTS, "tests/verify/"),
    "pipeport/contract/": ("tests/meta/", "tests/verify/"),
    "pipeport/kernels/addons/": ("tests/tensorflow_addons/",),
    "pipeport/kernels/decode/": ("tests/cv2/", "tests/PIL/", "tests/natives/"),
    "pipeport/kernels/inputs/": ("tests/natives/", "tests/kernels/"),
    "pipeport/kernels/layout/": ("tests/numpy/", "tests/kernels/"),
    "pipeport/kernels/opencv/": ("tests/cv2/",),
    "pipeport/kernels/pillow/": ("tests/PIL/",),
    "pipeport/kernels/sampling/": ("tests/kernels/", "tests/warps/", "tests/skimage/", "tests/scipy/"),
    "pipeport/kernels/xla/": ("tests/kernels/", "tests/natives/"),
    "pipeport/meanings.py": ("tests/porting/", "tests/scan/"),
    "pipeport/recipes_index.py": DOCUMENTS,
    "pipeport/references/": ("tests/idioms/", "tests/albumentations/"),
    "pipeport/verify/": ("tests/verify/", "tests/meta/"),
    "pyproject.toml": (*DOCUMENTS, "tests/house/"),
    "recipes/": DOCUMENTS,
    "tools/": (*DOCUMENTS, "tests/house/"),
}


class UnknownRevision(LookupError):
    """PIPEPORT_BASE names no revision of this repository."""


@dataclasses.dataclass(frozen=True)
class Selection:
    """What a run takes.

    Attributes
    ----------
    base, reason : str
        The commit that the sources were compared with, empty where there is none, and how it was chosen.
    commit : str
        That chooses the samples.
    files : tuple of str
        What differs, by its place in the repository.
    pairs : mapping of str to int
        The pairs whose code differs, nearest to the change first, with the references from one to the other.
    shared : tuple of str
        Files that every pair depends on, and that differ.
    prove : str
        'all' for everything, 'changed' for every pair that changed and nothing else, a day for its share.
    """

    base: str
    reason: str
    commit: str
    files: tuple[str, ...] = ()
    pairs: Mapping[str, int] = dataclasses.field(default_factory=dict)
    shared: tuple[str, ...] = ()
    prove: str = ""

    def of_pair(self, pair: str, test: str) -> int | None:
        """Return how far a case of a pair is from the change; None where it is left out."""
        if self.prove == "all":
            return 0
        if pair in self.pairs:
            return self.pairs[pair]
        if self.prove:
            return None
        if self.shared and _drawn(ONE_PAIR_IN, self.commit, pair):
            return max(self.pairs.values(), default=0) + 1
        return max(self.pairs.values(), default=0) + 2 if _drawn(ONE_IN, self.commit, test) else None

    def of_folder(self, file: str) -> int | None:
        """Return how near a file of tests is to the change: 0 where it changed, None for far."""
        if file in self.files:
            return 0
        touched = [one for one in self.files if any(file.startswith(place) for place in places_of(one))]
        if not touched:
            return None
        words = {word for one in touched for word in _public_words(one)}
        text = (ROOT / file).read_text("utf-8") if words else ""
        return 1 if words and re.search(rf"\b({'|'.join(map(re.escape, sorted(words)))})\b", text) else 2

    def in_sample(self, test: str) -> bool:
        """Say whether the commit or the day chooses a slow test of a folder that the change leaves alone."""
        if self.prove:
            return (date.fromisoformat(self.prove).toordinal() + stable_number(test)) % DAYS == 0
        return _drawn(ONE_DOCUMENT_IN if test.startswith(DOCUMENTS) else ONE_IN, self.commit, test)

    def text(self) -> str:
        """Return what changed, and which pairs that concerns."""
        if self.prove == "all":
            return "Everything runs."
        if self.prove not in ("", "changed"):
            return f"Fast tests run, and of the slow ones the seventh of {self.prove}."
        if not self.base:
            return f"Nothing to compare with: {self.reason}. Fast tests and samples run."
        lines = [f"{len(self.files)} files differ from {self.base[:9]} ({self.reason})."]
        if self.pairs:
            names = ", ".join(pair.removeprefix("pipeport.") for pair in list(self.pairs)[:12])
            more = f" and {len(self.pairs) - 12} more" if len(self.pairs) > 12 else ""
            lines.append(f"Pairs that they concern, nearest first: {names}{more}.")
        if self.shared:
            lines.append(f"Every pair depends on {', '.join(self.shared)}: one in {ONE_PAIR_IN} is proved.")
        return "\n".join(lines)


def stable_number(*parts: str) -> int:
    """Return a number that looks drawn, the same for the same words."""
    return int.from_bytes(hashlib.sha256("|".join(parts).encode()).digest()[:8])


def _drawn(one_in: int, *parts: str) -> bool:
    return stable_number(*parts) % one_in == 0


def places_of(file: str) -> tuple[str, ...]:
    """Return where the tests of a file are: beginnings of paths of test files."""
    place = max((one for one in FOLDERS if file.startswith(one)), key=len, default="")
    mirrored = re.match(r"(?:pipeport|tests)/(\w+)/", file)
    if mirrored and place in ("", "pipeport/") and (ROOT / "tests" / mirrored[1]).is_dir():
        return (f"tests/{mirrored[1]}/",)
    return FOLDERS.get(place, ())


def _public_words(file: str) -> Iterator[str]:
    """Yield the public names that a file of the package binds, and its own."""
    if not (file.startswith("pipeport/") and file.endswith(".py") and (ROOT / file).is_file()):
        return
    yield Path(file).stem
    yield from re.findall(
        r"^(?:def |class )?([a-zA-Z]\w+)(?: = |\(|:)", (ROOT / file).read_text("utf-8"), re.M
    )


def _git(repository: Path, *arguments: str) -> str:
    command = ["git", "-C", str(repository), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _commit(repository: Path, name: str) -> str:
    return _git(repository, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")


def base_of(repository: Path = ROOT, named: str | None = None) -> tuple[str, str]:
    """Return the commit that a repository's sources are compared with, or '', and how it was chosen.

    Raises
    ------
    UnknownRevision
        There is no revision of the given name.
    """
    if named:
        if not (found := _commit(repository, named)):
            raise UnknownRevision(f"PIPEPORT_BASE: got {named!r}; allowed: a revision of this repository.")
        return found, f"PIPEPORT_BASE={named}"
    if _git(repository, "rev-parse", "--show-toplevel") != str(repository.resolve()):
        return "", "this is not a git checkout"
    if found := _commit(repository, GREEN):
        return found, "the last for which nox was green here"
    if found := _commit(repository, "HEAD^"):
        return found, "HEAD's parent"
    return "", "HEAD has no parent here"


@contextmanager
def sources_at(repository: Path, revision: str) -> Iterator[Path]:
    """Give the folder of the package as it was at a revision, for as long as the block runs."""
    command = ["git", "-C", str(repository), "archive", revision, "pipeport"]
    archive = subprocess.run(command, capture_output=True, check=True).stdout
    with tempfile.TemporaryDirectory(prefix="pipeport-base-") as folder:
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(folder, filter="data")
        yield Path(folder) / "pipeport"


def select(
    repository: Path = ROOT,
    *,
    named: str | None = None,
    prove: str = "",
    contracts: Mapping[str, Contract] | None = None,
) -> Selection:
    """Return what a run takes of a checkout.

    Parameters
    ----------
    repository : Path
        The checkout, whose working tree is tested.
    named : str or None
        The revision to compare with.
    prove : str
        See `Selection`.
    contracts : mapping of str to Contract, optional
        The pairs, by their public names; the catalog's if not given.
    """
    base, reason = base_of(repository, named)
    commit = _git(repository, "rev-parse", "HEAD") or pipeport.__version__
    if prove not in ("", "changed") or not base:
        return Selection(base, reason, commit, prove=prove)
    tracked = _git(repository, "diff", "--name-only", base)
    new = _git(repository, "ls-files", "--others", "--exclude-standard")
    files = tuple(sorted({*tracked.splitlines(), *new.splitlines()}))
    chosen = Selection(base, reason, commit, files, prove=prove)
    if not any(one.startswith("pipeport/") and one.endswith(".py") for one in files):
        return chosen
    with sources_at(repository, base) as there:
        here = repository / "pipeport"
        contracts = catalog.pairs() if contracts is None else contracts
        steps = {name: _steps(roots(one, "batched"), here, there) for name, one in contracts.items()}
        found = {name: number for name, number in steps.items() if number is not None}
        order = sorted(found, key=lambda name: (found[name], stable_number(commit, name)))
        shared = tuple(_shared(here, there))
        return dataclasses.replace(chosen, pairs={name: found[name] for name in order}, shared=shared)


def _steps(names: tuple[str, ...], here: Path, there: Path) -> int | None:
    """Return how many references lead from a pair to the nearest code that differs; None where none does."""
    try:
        if code_of(*names, root=here) == code_of(*names, root=there):
            return None
    except LookupError:  # the base lacks it
        return 0
    return distance(*names, root=here, base=there)


def _shared(here: Path, there: Path) -> Iterator[str]:
    """Yield the files that every pair depends on and that differ, by their place below the package."""
    ours, theirs = (
        {file.relative_to(root).as_posix(): meaning(file) for file in sources(root, (*JUDGES, *PLUMBING))}
        for root in (here, there)
    )
    yield from (place for place in sorted({*ours, *theirs}) if ours.get(place) != theirs.get(place))


def of_environment() -> Selection:
    """Return what a run takes, by the settings in the environment."""
    return select(named=os.environ.get("PIPEPORT_BASE"), prove=os.environ.get("PIPEPORT_PROVE", ""))


if __name__ == "__main__":
    chosen = of_environment()
    print(chosen.text(), *chosen.files, sep="\n  ")
    print(f"{len(chosen.pairs)} pairs, by their distance:", *chosen.pairs.items(), sep="\n  ")
