"""Another revision of this package, in a folder of its own, measured by the bench of this one."""

from __future__ import annotations

import io
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from pipeport.errors import OutsideDomain, PipeportError, explain

PACKAGE = Path(__file__).parents[1]
# What measures, and what that needs and no native reaches: the same on both sides.
_MEASURING = ("bench", "_figures.py", "_shipped.py", "recipes_index.py")
# Beside the package, what programs of suites are made of.
_SHARED = ("recipes", "bench")
_OPTION = "--against"


@dataclass(frozen=True, kw_only=True)
class Revision:
    """A revision that is ready to be imported.

    `name`: as it was given, for instance 'main' or 'HEAD~3'.
    """

    name: str
    commit: str
    folder: Path

    @property
    def label(self) -> str:
        """Return the name with the short commit, which may be the name itself."""
        short = self.commit[:9]
        return short if self.commit.startswith(self.name) else f"{self.name} ({short})"


@contextmanager
def checked_out(name: str, package: Path = PACKAGE) -> Iterator[Revision]:
    """Lay another revision of a package into a folder of its own.

    Its `bench` is that of `package`: one program measures both.

    `name`: whatever git takes for a commit. Yields: it lives inside the `with` block.
    """
    inside = _place_in_checkout(package)
    root = Path(_git(package, "rev-parse", "--show-toplevel"))
    try:
        commit = _git(root, "rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}")
    except subprocess.CalledProcessError:
        advice = "`git log --oneline` lists commits; a shallow clone lacks the older ones."
        raise OutsideDomain(explain(_OPTION, repr(name), "a commit, branch or tag", advice)) from None
    with TemporaryDirectory(prefix="pipeport-against-") as temporary:
        folder = Path(temporary)
        try:
            _unpack(root, commit, inside, folder / package.name)
        except subprocess.CalledProcessError:
            given, allowed = f"{name!r}, which has no {inside}", "a revision of this package"
            raise OutsideDomain(explain(_OPTION, given, allowed, "Name a later one.")) from None
        for measuring in _MEASURING:
            _replace(folder / package.name / measuring, package / measuring)
        for shared in _SHARED:
            if (package.parent / shared).is_dir():
                (folder / shared).symlink_to(package.parent / shared, target_is_directory=True)
        yield Revision(name=name, commit=commit, folder=folder)


def _place_in_checkout(package: Path) -> str:
    """Return where the package lies in its repository, without a slash at the end."""
    try:
        _git(package, "ls-files", "--error-unmatch", "__init__.py")
        return _git(package, "rev-parse", "--show-prefix").rstrip("/")
    except FileNotFoundError:
        problem, advice = "no git on this machine", "Install git."
    except subprocess.CalledProcessError:
        problem, advice = (
            f"{package}, which is not a checkout",
            "Run it from a clone: `pip install -e .` there.",
        )
    raise PipeportError(explain(_OPTION, problem, "pipeport in a git checkout", advice))


def _unpack(root: Path, commit: str, inside: str, to: Path) -> None:
    """Write the files of one folder of a commit into another folder."""
    command = ["git", "-C", str(root), "archive", f"{commit}:{inside}"]
    archive = subprocess.run(command, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(to, filter="data")


def _replace(old: Path, new: Path) -> None:
    """Put a file or a folder in the place of another one."""
    if new.is_dir():
        shutil.rmtree(old, ignore_errors=True)
        shutil.copytree(new, old, ignore=shutil.ignore_patterns("__pycache__"))
    elif new.is_file():
        shutil.copyfile(new, old)


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
