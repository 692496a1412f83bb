"""The machine and the software of a run, without names of hosts or users."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

import pipeport
from pipeport import config
from pipeport._lazy import tf

_PACKAGES = (
    "tensorflow",
    "numpy",
    "scikit-image",
    "scipy",
    "opencv-python-headless",
    "opencv-python",
    "keras",
    "tensorflow-addons",
)
_THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "TF_NUM_INTRAOP_THREADS",
    "TF_NUM_INTEROP_THREADS",
    "TF_ENABLE_ONEDNN_OPTS",
    "XLA_FLAGS",
    "TF_XLA_FLAGS",
)
OPENCV_THREADS = 1


def limit_opencv() -> int | None:
    """Set OpenCV to one thread: tf.data already calls it from all cores. None without OpenCV."""
    try:
        import cv2
    except ImportError:
        return None
    cv2.setNumThreads(OPENCV_THREADS)
    return int(cv2.getNumThreads())


def environment() -> dict[str, Any]:
    """Return machine and software, for readers who judge or repeat a run.

    Returns: `machine` (what must be equal for two runs to be compared), `versions`, `threads`, `jit`,
    `commit`, `time`, `load`.
    """
    from pipeport.bench import _photographs

    return {
        "machine": machine(),
        "versions": versions(),
        "threads": threads(),
        "jit": config.jit(),
        "photographs": _photographs.fingerprint(),
        "commit": commit(Path(pipeport.__file__).parent),
        "time": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "load": _load(),
    }


def machine() -> dict[str, Any]:
    """Return the hardware as this process may use it."""
    import psutil

    return {
        "cpu": cpu_model(),
        "architecture": platform.machine(),
        "system": platform.system(),
        "cores": psutil.cpu_count(logical=True),
        "usable_cores": usable_cores(),
        "memory_gib": round(psutil.virtual_memory().total / 2**30, 1),
        "gpus": [device.name for device in tf.config.list_physical_devices("GPU")],
    }


def cpu_model() -> str:
    """Return the name of the processor."""
    listing = Path("/proc/cpuinfo")
    if listing.is_file():
        for line in listing.read_text().splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def usable_cores() -> int:
    """Return the number of cores this process is allowed to run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def threads() -> dict[str, Any]:
    """Return every setting that decides how many threads work; 0 means TensorFlow's choice."""
    set_outside = {name: os.environ[name] for name in _THREAD_VARIABLES if name in os.environ}
    return {
        "tensorflow_inter_op": tf.config.threading.get_inter_op_parallelism_threads(),
        "tensorflow_intra_op": tf.config.threading.get_intra_op_parallelism_threads(),
        "opencv": limit_opencv(),
        "environment": set_outside,
    }


def versions() -> dict[str, str]:
    """Return the versions of what takes part, as installed."""
    found = {"python": platform.python_version(), "pipeport": pipeport.__version__}
    for package in _PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def commit(folder: Path) -> str | None:
    """Return the git commit of a package's folder, with '+' when its tracked files are changed.

    None outside git, and for a package that was installed inside somebody else's repository.
    """
    questions = (
        ("ls-files", "--error-unmatch", "__init__.py"),
        ("rev-parse", "HEAD"),
        ("status", "--porcelain", "-uno", "--", "."),
    )
    try:
        _, head, changes = (_git(folder, *question) for question in questions)
    except (OSError, subprocess.SubprocessError):
        return None
    return head + ("+" if changes else "")


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout.strip()


def _load() -> float | None:
    """Return the load average of the last minute, where the system keeps one."""
    try:
        return round(os.getloadavg()[0], 2)
    except (AttributeError, OSError):
        return None
