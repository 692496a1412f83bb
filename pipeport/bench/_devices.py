"""The native on a GPU: fed by a pipeline, and the parts of that time told apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.bench._arguments import Arguments
from pipeport.bench._pipelines import Source, pipeline
from pipeport.bench._streams import DatasetStream, Side
from pipeport.errors import UnsupportedArgument, explain

FED = "native on GPU, fed by the pipeline (transfers included)"
COMPUTE = "native on GPU, compute alone"
TRANSFER = "to the GPU and back, transfers alone"

Call = Callable[..., Any]


def first_gpu() -> str | None:
    """Return the name of the first visible GPU, or None."""
    found = tf.config.list_logical_devices("GPU")
    return str(found[0].name) if found else None


def require_gpu(given: str) -> None:
    """Refuse to measure on a GPU where there is none, before anything is measured.

    `given`: the device that was asked for.
    """
    if given == "cpu" or first_gpu() is not None:
        return
    cpus = len(tf.config.list_logical_devices("CPU"))
    advice = "Use a machine whose GPU TensorFlow sees, or leave --device out."
    here = f"cpu here: TensorFlow sees {cpus} CPU and no GPU"
    raise UnsupportedArgument(explain("--device", repr(given), here, advice))


def sides(source: Source, call: Call, arguments: Arguments, device: str | None) -> list[Side]:
    """Return the GPU sides of a case.

    `source`: the elements; the pipeline batches them on the CPU. `call`: the native in its batched form, a
    function of the elements' values. `device`: where to compute; None gives no sides. Returns: fed by the
    pipeline (host to device, compute, device to host); compute on a batch that stays on the device; the two
    transfers without compute.
    """
    if device is None:
        return []
    names = (*arguments.shared, *arguments.ours)
    compute = tf.function(lambda batch: call(**batch))
    host = pipeline(source, lambda batch: {name: batch[name] for name in names}, op_takes_batch=True)

    def compiled(batch: Any) -> Any:
        with tf.device(device):
            return compute(batch)

    return [
        Side(name=FED, kind="gpu", open=lambda: _Fed(host, lambda b: compiled(_to(device, b)))),
        Side(name=COMPUTE, kind="gpu", open=lambda: _Resident(_to(device, next(iter(host))), compiled)),
        Side(name=TRANSFER, kind="gpu", open=lambda: _There(next(iter(host)), device)),
    ]


def _to(device: str, batch: Any) -> Any:
    with tf.device(device):
        return tf.nest.map_structure(tf.identity, batch)


def _fetch(batch: Any) -> int:
    """Copy to the host, which waits for the device; return the number of elements."""
    fetched = [output.numpy() for output in tf.nest.flatten(batch)]
    return int(fetched[0].shape[0])


class _Fed(DatasetStream):
    """Host batches, computed on the device, results fetched."""

    def __init__(self, dataset: Any, compute: Call) -> None:
        super().__init__(dataset)
        self._compute = compute

    def pull(self) -> int:
        return _fetch(self._compute(next(self._iterator)))


class _Resident:
    """One batch that stays on the device, computed again and again."""

    def __init__(self, batch: Any, compute: Call) -> None:
        self._batch, self._compute = batch, compute

    def pull(self) -> int:
        output = self._compute(self._batch)
        tf.test.experimental.sync_devices()
        return int(tf.nest.flatten(output)[0].shape[0])

    def close(self) -> None:
        del self._batch


class _There:
    """One batch, copied to the device and back."""

    def __init__(self, batch: Any, device: str) -> None:
        self._batch, self._device = batch, device

    def pull(self) -> int:
        return _fetch(_to(self._device, self._batch))

    def close(self) -> None:
        del self._batch
