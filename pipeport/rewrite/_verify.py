"""Changes are compared with the original before they are written, in a child process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import astuple
from typing import Any

from pipeport.errors import RewriteRefused, explain
from pipeport.rewrite._records import Change


def differences(
    changes: Sequence[Change], inputs: Sequence[str], *, dataset: str = "", examples: int = 20
) -> dict[tuple[str, int, int | None], str]:
    """Run the functions of some changes and what they become on the same drawn inputs.

    Parameters
    ----------
    changes : sequence of Change
        What is compared; their modules are imported in a child process.
    inputs : sequence of str
        What the parameters are, in the language of `pipeport verify --input`.
    dataset : str, optional
        'module:function' that makes a dataset: its graph says what is handed to each function.
    examples : int, default 20
        For each change and engine.

    Returns
    -------
    dict of (str, int, int or None) to str
        By path, line and cell, why a change cannot be vouched for; the others agree.

    Raises
    ------
    RewriteRefused
        The child process ended without an answer.
    """
    if not changes:
        return {}
    question = {
        "changes": [_plain(one) for one in changes],
        "inputs": list(inputs),
        "dataset": dataset,
        "examples": examples,
    }
    command = [sys.executable, "-m", "pipeport.rewrite._child"]
    done = subprocess.run(
        command, input=json.dumps(question), capture_output=True, text=True, env={**os.environ}, check=False
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["no word"]
        given = f"a child process that ended with {last[0]}"
        advice = "Correct the reported error, or check each function with `pipeport verify --port`."
        raise RewriteRefused(explain("--verify", given, "modules that can be imported", advice))
    told: list[str] = json.loads(done.stdout.splitlines()[-1])
    return {
        (one.path, one.line, one.cell): reason for one, reason in zip(changes, told, strict=True) if reason
    }


def _plain(one: Change) -> dict[str, Any]:
    return {
        "function": one.function,
        "becomes": one.becomes,
        "native": one.native,
        "wrapper": one.option,
        "body": one.body,
        "importable": one.importable,
        "decorated": one.decorated,
        "doubts": one.doubts,
        "example": [astuple(array) for array in one.example],
    }
