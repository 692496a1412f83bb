"""Whether another process can run a dataset, as tf.data service and SavedModels need it: one tries."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from pipeport.inspection._report import Report, Service

_LIMIT_S = 120.0
_RUN = "pipeport.inspection._other_process"


def explain(graph: Any, report: Report) -> Service:
    """Let another process take the first element of a dataset, and say what is to blame if it cannot.

    Parameters
    ----------
    graph : GraphDef
        Of the dataset.
    report : Report
        With stages and boundaries.

    Returns
    -------
    Service
        What it said.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "graph.pb")
        file.write_bytes(graph.SerializeToString())
        said = _answer(file)
    names = {one.number: one.name for one in report.stages}
    blame = [
        f"stage {one.stage}, {names[one.stage]}: {one.wrapper} calls {one.function or one.token}"
        for one in report.boundaries
        if one.stage in names
    ]
    return Service(possible=not said, blame=blame if said else [], said=said)


def _answer(file: Path) -> str:
    """Return what the other process raised; empty where it took an element."""
    environment = {"TF_CPP_MIN_LOG_LEVEL": "3"} | os.environ
    command = [sys.executable, "-m", _RUN, str(file)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=_LIMIT_S, env=environment
        )
    except subprocess.TimeoutExpired:
        return f"no element within {_LIMIT_S:g} s"
    lines = done.stdout.strip().splitlines()
    if done.returncode or not lines:
        return f"the process ended with exit code {done.returncode}"
    return str(json.loads(lines[-1])["error"])
