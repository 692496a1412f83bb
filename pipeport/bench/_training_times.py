"""The times of one training."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Training:
    """What one process took.

    `first_batch_s`: from its start to the first batch. `epochs_s`: to the end of each epoch, from that of the
    one before, of the first from the start of the process. `steady`: elements per second of the last epoch
    behind its first batch; None where nothing is behind. `processor_s`: of all its threads and children.
    `peak_bytes`: resident memory of the whole process; None where the system does not tell. `boundaries`:
    through `pipeport run` what became of them, in words.
    """

    first_batch_s: float
    epochs_s: list[float]
    processor_s: float
    steady: float | None = None
    peak_bytes: int | None = None
    boundaries: str = ""
