"""The dependencies of a proof: reached code, judging code, versions of packages, the processor.

The code is what a native reaches, function by function (see `pipeport._reach`): a change elsewhere in a
file, better words, and a function that is moved or renamed leave the proof valid. Versions count by minor
release.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.metadata
import importlib.util
import inspect
import platform
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pipeport
from pipeport._reach import JUDGES, PLUMBING, code_of
from pipeport.contract import Contract, SameAugmentation
from pipeport.verify._pair import Pair
from pipeport.verify._report import CaseRecord

ROOT = Path(pipeport.__file__).parent
# What is noted with a proof; of Hypothesis' releases, which only draw, none makes a proof old.
_NOTED = ("tensorflow", "numpy", "hypothesis")
_DRAWS = "hypothesis"
_OWN = f"{ROOT.name}."
_DISTRIBUTIONS = {
    "skimage": "scikit-image",
    "cv2": "opencv-python-headless",
    "PIL": "pillow",
    "tensorflow": "keras",
}
# Instructions that change how compiled code rounds come first; the others are noted.
_FUSED = "fma"
_FEATURES = (_FUSED, "avx2", "avx512f")


@functools.cache
def meaning(file: Path) -> bytes:
    """Return the normalised source, without docstrings, comments and layout."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
    return ast.dump(tree).encode()


@functools.cache
def _judges() -> bytes:
    """Return a hash of the sources that every proof depends on: what draws, runs and judges."""
    digest = hashlib.sha256()
    for file in sources(ROOT, (*JUDGES, *PLUMBING)):
        digest.update(meaning(file))
    return digest.digest()


def sources(root: Path, modules: Iterable[str]) -> list[Path]:
    """Return the source files of some modules and packages below the package's folder.

    `modules`: dotted names below the package; one that is not there has no files.
    """
    places = [root.joinpath(*name.split(".")) for name in modules]
    files = (
        file
        for place in places
        for file in (place.rglob("*.py") if place.is_dir() else [place.with_suffix(".py")])
    )
    return sorted(file for file in files if file.is_file())


def roots(contract: Contract, engine: str) -> tuple[str, ...]:
    """Return the names from which a case of the catalog is followed.

    Returns: dotted names. The native comes first, by its public name, which it keeps when it is moved.
    """
    names = [contract.native]
    if contract.reference.startswith(_OWN):  # of another package its version tells
        names.append(contract.reference)
    if engine == "batched":
        names.append("pipeport._batched.batched")
        batched = getattr(contract.function, "__pipeport_batch_form__", None)
        if batched is not None:
            names.append(_written(batched))
    if isinstance(contract.agreement, SameAugmentation):  # named apart from its module in the contract
        names += filter(None, (contract.agreement.reference_parameters, contract.agreement.discontinuities))
    return tuple(names)


def _written(function: Any) -> str:
    """Return where a function is written: one made inside another is part of that."""
    function = inspect.unwrap(function)  # of an implementation, which may be partial
    function = inspect.unwrap(getattr(function, "func", function))
    return f"{function.__module__}.{function.__qualname__.partition('.')[0]}"


def code(contract: Contract, engine: str) -> str:
    """Return the hash of the code that a case of the catalog depends on.

    `contract`: the pair; neither TensorFlow nor the reference is imported.
    """
    if not contract.function.__module__.startswith(_OWN):  # another package's own pair
        return _of_files(f"{contract.native}|{engine}", contract.function)
    return _hash(f"{engine}|{code_of(*roots(contract, engine))}".encode())


def fingerprint(pair: Pair, engine: str) -> str:
    """Return the hash of the code a case depends on.

    `pair`: what is verified. Of a user's functions, the whole files count.
    """
    if pair.contract is not None:
        return code(pair.contract, engine)
    return _of_files(f"{pair.name}|{engine}|{pair.agreement}", pair.native, pair.reference)


def _of_files(what: str, *functions: object) -> str:
    sources = (_source(function) for function in functions)
    return _hash(what.encode(), *(b"" if file is None else meaning(file) for file in sources))


def _hash(*parts: bytes) -> str:
    return hashlib.sha256(b"|".join([_judges(), *parts])).hexdigest()[:16]


def _source(function: object) -> Path | None:
    try:
        file = Path(inspect.getsourcefile(inspect.unwrap(function)) or "")  # type: ignore[arg-type]
    except TypeError:  # builtins have none; their version stands for them
        return None
    return file if file.is_file() else None


def versions(reference: str) -> dict[str, str]:
    """Return the versions of Python and of the packages that take part, and the processor.

    Returns: by name; 'cpu' holds the architecture and the vector instructions that are there.
    """
    found = {"python": platform.python_version()}
    own = reference.partition(".")[0]
    # Of a reference in this package the code counts: see `roots`.
    others = () if reference.startswith(_OWN) else (_DISTRIBUTIONS.get(own, own.replace("_", "-")),)
    for package in (*_NOTED, *others):
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            module = sys.modules.get(package)
            if hasattr(module, "__version__"):
                found[package] = str(module.__version__)  # type: ignore[union-attr]
    return {**found, "cpu": processor()}


@functools.cache
def processor() -> str:
    """Return the architecture and those of its features that compiled arithmetic depends on."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.machine()
    flags = next((line.split() for line in text.splitlines() if line.startswith("flags")), [])
    return " ".join([platform.machine(), *(name for name in _FEATURES if name in flags)])


def _counted(noted: Mapping[str, str]) -> dict[str, str]:
    """Return the versions that make a proof stale: minor releases, architecture, fused products."""
    found = {
        name: ".".join(text.split(".")[:2]) for name, text in noted.items() if name not in (_DRAWS, "cpu")
    }
    machine, *features = noted.get("cpu", "").split() or [""]
    return {**found, "cpu": f"{machine} with FMA" if _FUSED in features else f"{machine} without FMA"}


def is_current(case: CaseRecord, contract: Contract) -> bool:
    """Say whether a record was made with the code, the versions and the kind of processor that are here.

    `case`: of a pair of the catalog. `contract`: that pair, as it is now. Returns: False where its code or a
    version is not known.
    """
    if case.fingerprint != code(contract, case.engine):
        return False
    return _counted(case.versions or {}) == _counted(versions(contract.reference))


def environment() -> str:
    """Return in which of the environments this runs: 'addons' beside TensorFlow Addons, else 'main'."""
    return "addons" if importlib.util.find_spec("tensorflow_addons") else "main"
