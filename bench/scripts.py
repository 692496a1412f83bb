"""What `pipeport run` does to whole scripts, start and trials included, and to an element of a native map.

    python bench/scripts.py                      # all, about ten minutes
    python bench/scripts.py keras_fit --rounds 5 # one script of bench/suites/scripts
    python bench/scripts.py element              # a boundary that became native beside its port
    python bench/scripts.py --json FILE          # and keep the figures

Each script runs as `python` runs it, by `pipeport run` that remembers nothing, and by one that remembers what
the first measured, in turn, in fresh processes. A script that ends with an error ends the bench.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from pipeport.bench import _environment
from pipeport.bench._json import write_json

FOLDER = Path(__file__).resolve().parent / "suites" / "scripts"
SCRIPTS = {file.stem: file for file in sorted(FOLDER.glob("*.py"))}
ELEMENT = "element"
RUN = ("-m", "pipeport", "run")
SIDES = {"python": (), "run --fresh": (*RUN, "--fresh"), "run": RUN}


def timed(by: tuple[str, ...], script: Path, cache: str) -> tuple[float, float]:
    """Run a script; return its seconds, and those of the processor in all its processes."""
    told = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "PIPEPORT_QUIET": "1", "PIPEPORT_CACHE": cache}
    used, begun = os.times(), time.perf_counter()
    done = subprocess.run([sys.executable, *by, str(script)], env=told, capture_output=True, check=False)
    seconds, after = time.perf_counter() - begun, os.times()
    if done.returncode:
        raise SystemExit(f"{script.name} {' '.join(by)}: {done.stderr.decode()[-2000:]}")
    processor = after.children_user + after.children_system - used.children_user - used.children_system
    return seconds, processor


def measured(script: Path, rounds: int) -> dict[str, Any]:
    """Run a script on every side in turn."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in SIDES}
    with tempfile.TemporaryDirectory() as cache:
        for number in range(rounds):
            for name, by in SIDES.items():
                found[name].append(timed(by, script, cache))
                print(f"{script.stem}, round {number + 1}, {name}: {found[name][-1][0]:.2f} s", flush=True)
    rows: dict[str, Any] = {}
    for name, times in found.items():
        ratios = [plain / other for (plain, _), (other, _) in zip(found["python"], times, strict=True)]
        rows[name] = {
            "seconds": statistics.median(seconds for seconds, _ in times),
            "processor_s": statistics.median(processor for _, processor in times),
            "faster": statistics.median(ratios),
            "least": min(ratios),
            "most": max(ratios),
        }
    return rows


def element(rounds: int) -> dict[str, Any]:
    """Measure an element of a map whose boundary became native, beside a map of the port itself."""
    import numpy as np
    import tensorflow as tf

    import pipeport
    from pipeport.acceleration._measure import Rate, rates

    def scaled(image: Any) -> Any:
        return image.astype(np.float32) / 255

    image = np.random.default_rng(0).integers(0, 255, [64, 64, 3]).astype(np.uint8)
    dataset = tf.data.Dataset.from_tensors(image).repeat()
    with pipeport.install() as report:
        engine = pipeport.installed().engine  # type: ignore[union-attr]
        engine.little, engine.measure = 0.0, lambda *_: (Rate(1.0, 1.0, 0.0), Rate(0.0, 0.0, 0.0))
        native = dataset.map(lambda one: tf.numpy_function(scaled, [one], tf.float32))
    if not report.native:
        raise SystemExit(f"the boundary stayed: {report.verdicts[0].why}")
    by_hand = dataset.map(pipeport.port(scaled))
    times = [rates(lambda: by_hand, lambda: native) for _ in range(rounds)]
    ratios = [port.element / own.element for port, own in times]
    return {
        "port_us": 1e6 * statistics.median(port.element for port, _ in times),
        "run_us": 1e6 * statistics.median(own.element for _, own in times),
        "faster": statistics.median(ratios),
        "least": min(ratios),
        "most": max(ratios),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    names = (*SCRIPTS, ELEMENT)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(names)}; default: all")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="times that each runs [3]")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args()
    if unknown := sorted(set(given.names) - set(names)):
        parser.error(f"no script {', '.join(unknown)}; there are {', '.join(names)}.")
    if given.rounds < 1:
        parser.error(f"--rounds {given.rounds}: at least 1")
    content: dict[str, Any] = {}
    for name in given.names or names:
        content[name] = element(given.rounds) if name == ELEMENT else measured(SCRIPTS[name], given.rounds)
    for name, rows in content.items():
        for side, row in ({"": rows} if name == ELEMENT else rows).items():
            shown = ", ".join(f"{key} {value:.3g}" for key, value in row.items())
            print(f"{name} {side}: {shown}")
    if given.json:
        write_json({"environment": _environment.environment(), **content}, given.json)


if __name__ == "__main__":
    main()
