"""What a proof depends on: the code that is reached, the versions of packages, the processor.

The code is what a native reaches, function by function (see `pipeport._reach`): a change elsewhere in a
file, better words, and a function that is moved or renamed leave the proof valid. What draws and judges is
no part of it: that has a number, `PROTOCOL`, since a new kind of parameter or agreement says nothing about
the pairs that have none of it. Versions count by minor release.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.metadata
import inspect
import platform
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pipeport
from pipeport._reach import code_of
from pipeport.contract import Contract
from pipeport.verify._pair import Pair
from pipeport.verify._report import CaseRecord

ROOT = Path(pipeport.__file__).parent
# Raised by whoever draws or judges what was there before in another way. tests/equivalence/protocol.json
# holds what it stood for, so that no change of these folders passes without the question.
PROTOCOL = 2
VERIFIERS = ("contract", "verify")
# What is noted with a proof; of Hypothesis' releases, which only draw, none makes a proof old.
_NOTED = ("tensorflow", "numpy", "hypothesis")
_DRAWS = "hypothesis"
_DISTRIBUTIONS = {"skimage": "scikit-image", "cv2": "opencv-python-headless", "PIL": "pillow"}
# Instructions that change how compiled code rounds come first; the others are noted.
_FUSED = "fma"
_FEATURES = (_FUSED, "avx2", "avx512f")


@functools.cache
def meaning(file: Path) -> bytes:
    """Return what a source does, whatever its docstrings, comments and layout."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
    return ast.dump(tree).encode()


def protocol() -> dict[str, int | str]:
    """Return the number of what draws and judges, and a hash of its sources."""
    digest = hashlib.sha256()
    for file in sorted(file for name in VERIFIERS for file in (ROOT / name).rglob("*.py")):
        digest.update(meaning(file))
    return {"protocol": PROTOCOL, "sources": digest.hexdigest()[:16]}


def _roots(contract: Contract, engine: str) -> Iterator[str]:
    """Yield the names a case of the catalog starts from."""
    yield _written(contract.function)
    if engine == "batched":
        yield "pipeport._batched.batched"
        batched = getattr(contract.function, "__pipeport_batch_form__", None)
        if batched is not None:
            yield _written(batched)
    if contract.targets:  # the reference is driven by what the native drew
        yield "pipeport.references.augmentation"


def _written(function: Any) -> str:
    """Return where a function is written: one made inside another is part of that."""
    function = inspect.unwrap(getattr(function, "func", function))
    return f"{function.__module__}.{function.__qualname__.partition('.')[0]}"


def code(contract: Contract, engine: str) -> str:
    """Return the hash of the code that a case of the catalog depends on.

    Parameters
    ----------
    contract : Contract
        The pair; neither TensorFlow nor the reference is imported.
    engine : str
        How the native is run.

    Returns
    -------
    str
        Sixteen hexadecimal digits.
    """
    if not contract.function.__module__.startswith(f"{ROOT.name}."):  # another package's own pair
        return _of_files(f"{contract.native}|{engine}", contract.function)
    reached = code_of(*_roots(contract, engine))
    return hashlib.sha256(f"{PROTOCOL}|{engine}|{reached}".encode()).hexdigest()[:16]


def fingerprint(pair: Pair, engine: str) -> str:
    """Return the hash of the code a case depends on.

    Parameters
    ----------
    pair : Pair
        What is verified. Of a user's functions, the whole files count.
    engine : str
        How the native is run.

    Returns
    -------
    str
        Sixteen hexadecimal digits.
    """
    if pair.contract is not None:
        return code(pair.contract, engine)
    return _of_files(f"{pair.name}|{engine}|{pair.agreement}", pair.native, pair.reference)


def _of_files(what: str, *functions: object) -> str:
    digest = hashlib.sha256(f"{PROTOCOL}|{what}".encode())
    for function in functions:
        file = _source(function)
        digest.update(meaning(file) if file is not None else b"")
    return digest.hexdigest()[:16]


def _source(function: object) -> Path | None:
    try:
        file = Path(inspect.getsourcefile(inspect.unwrap(function)) or "")  # type: ignore[arg-type]
    except TypeError:  # builtins have none; their version stands for them
        return None
    return file if file.is_file() else None


def versions(reference: str) -> dict[str, str]:
    """Return the versions of Python and of the packages that take part, and the processor.

    Parameters
    ----------
    reference : str
        Dotted name of the reference.

    Returns
    -------
    dict
        By name; 'cpu' holds the architecture and the vector instructions that are there.
    """
    found = {"python": platform.python_version()}
    own = reference.partition(".")[0]
    for package in (*_NOTED, _DISTRIBUTIONS.get(own, own.replace("_", "-"))):
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
    """Return what makes a proof old: minor releases, the architecture, and whether products are fused."""
    found = {
        name: ".".join(text.split(".")[:2]) for name, text in noted.items() if name not in (_DRAWS, "cpu")
    }
    machine, *features = noted.get("cpu", "").split() or [""]
    return {**found, "cpu": f"{machine} with FMA" if _FUSED in features else f"{machine} without FMA"}


def why_stale(case: CaseRecord, contract: Contract) -> str:
    """Return why a record says nothing about what is here now; empty if it does.

    Parameters
    ----------
    case : CaseRecord
        Of a pair of the catalog.
    contract : Contract
        That pair, as it is now.

    Returns
    -------
    str
        'code', or what was noted then and is here now: 'numpy 2.4, now 2.5'.
    """
    if case.fingerprint != code(contract, case.engine):
        return "code"
    then, now = _counted(case.versions or {}), _counted(versions(contract.reference))
    parts = [
        f"{name} {then.get(name, 'absent')}, now {now.get(name, 'absent')}"
        for name in sorted({*then, *now})
        if then.get(name) != now.get(name)
    ]
    return "; ".join(parts)
