"""What a result depends on: sources by hash, packages by version."""

from __future__ import annotations

import hashlib
import importlib.metadata
import inspect
import platform
import sys
from pathlib import Path

import pipeport
from pipeport.verify._pair import Pair

# A change in any of these may change any result.
SHARED = ("contract", "kernels", "seeds", "verify", "_batched.py", "_boundary.py", "config.py")
_DISTRIBUTIONS = {"skimage": "scikit-image", "cv2": "opencv-python-headless", "PIL": "pillow"}


def _files(path: Path) -> list[Path]:
    return sorted(path.rglob("*.py")) if path.is_dir() else [path]


def _source(function: object) -> Path | None:
    try:
        return Path(inspect.getsourcefile(inspect.unwrap(function)) or "")  # type: ignore[arg-type]
    except TypeError:  # builtins have none; their version stands for them
        return None


def fingerprint(pair: Pair, engine: str) -> str:
    """Return the hash of everything a case's result depends on.

    Parameters
    ----------
    pair : Pair
        What is verified.
    engine : str
        How the native is run.

    Returns
    -------
    str
        Sixteen hexadecimal digits.
    """
    root = Path(pipeport.__file__).parent
    files = [file for name in SHARED for file in _files(root / name)]
    for function in (pair.native, pair.reference):
        source = _source(function)
        if source is not None and source.is_file():
            # The neighbours too: a family shares helpers inside its folder.
            files += _files(source.parent) if root in source.parents else [source]
    digest = hashlib.sha256(f"{pair.name}|{engine}|{pair.agreement}".encode())
    for file in sorted(set(files)):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    for name, version in sorted(versions(pair).items()):
        digest.update(f"{name}={version}\n".encode())
    return digest.hexdigest()[:16]


def versions(pair: Pair) -> dict[str, str]:
    """Return the versions of Python and of the packages that take part."""
    found = {"python": platform.python_version()}
    own = pair.reference_name.partition(".")[0]
    for package in ("tensorflow", "numpy", "hypothesis", _DISTRIBUTIONS.get(own, own.replace("_", "-"))):
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            module = sys.modules.get(package)
            if hasattr(module, "__version__"):
                found[package] = str(module.__version__)  # type: ignore[union-attr]
    return found
