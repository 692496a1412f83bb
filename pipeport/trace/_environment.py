"""The machine and the software of a measurement, without anything that TensorFlow alone does not need."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pipeport
from pipeport._lazy import tf
from pipeport.bench import _environment as _bench


def environment() -> dict[str, Any]:
    """Return machine, versions, threads, commit and time of a figure."""
    return {
        "machine": {
            "cpu": _bench.cpu_model(),
            "usable_cores": _bench.usable_cores(),
            "gpus": [device.name for device in tf.config.list_physical_devices("GPU")],
        },
        "versions": _bench.versions(),
        "threads": {
            "inter_op": tf.config.threading.get_inter_op_parallelism_threads(),
            "intra_op": tf.config.threading.get_intra_op_parallelism_threads(),
        },
        "commit": _bench.commit(Path(pipeport.__file__).parent),
        "time": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
    }
