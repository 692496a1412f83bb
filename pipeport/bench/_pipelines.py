"""The tf.data pipelines that are measured: all sides of a case get the same one around their body."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.bench import _files, _photographs
from pipeport.bench._arguments import Arguments
from pipeport.bench._case import Case
from pipeport.bench._variants import variant_of

BATCH = 32

Map = Callable[[dict[str, Any]], Any]


class Source:
    """The elements of a case, endless, before the measured op.

    `case`: says where elements come from. `folder`: where the JPEG files of scope `pipeline` are written.
    """

    def __init__(self, case: Case, arguments: Arguments, folder: Path | None = None) -> None:
        self.case = case
        self._columns = {**arguments.arrays, **arguments.per_element_values, **arguments.ours}
        self._ragged = arguments.ragged
        self._image = next(iter(self._columns))
        self._paths = self._write_files(folder) if case.scope == "pipeline" and folder else None

    @functools.cached_property
    def _one_epoch(self) -> Any:
        if self._paths is not None:
            return tf.data.Dataset.from_tensor_slices(self._columns | {self._image: self._paths})
        if self.case.size is not None and not self._ragged:
            # TensorFlow takes seconds to convert a list of images, and no time for one array of them.
            columns = {name: _stacked(values) for name, values in self._columns.items()}
            return tf.data.Dataset.from_tensor_slices(columns)
        # One buffer per image, unknown sizes, no copy: a ragged tensor would copy each element.
        count = len(self._columns[self._image])
        single = [
            tf.data.Dataset.from_tensors({name: values[i] for name, values in self._columns.items()})
            for i in range(count)
        ]
        return _concatenated(single)

    def elements(self) -> Any:
        """Return the endless dataset of elements, each a dict of tensors."""
        dataset = self._one_epoch.repeat()
        if self._paths is None:
            return dataset
        return dataset.map(self._decode, num_parallel_calls=parallel_calls(self.case))

    def _write_files(self, folder: Path) -> list[str]:
        paths = []
        for i, image in enumerate(_photographs.photographs(self.case.size, "uint8")):
            path = folder / f"{i:02}.jpg"
            path.write_bytes(_files.jpeg(image))
            paths.append(str(path))
        return paths

    def _decode(self, element: dict[str, Any]) -> dict[str, Any]:
        encoded = tf.io.read_file(element[self._image])
        image = tf.io.decode_jpeg(encoded, channels=3, dct_method="INTEGER_ACCURATE")
        if self.case.size is not None:
            image.set_shape([*self.case.size, 3])
        if self.case.dtype != "uint8":
            image = tf.image.convert_image_dtype(image, self.case.dtype)
        return {**element, self._image: image}


def _stacked(values: Any) -> Any:
    return np.stack(values) if isinstance(values[0], (np.ndarray, np.generic)) else values


def _concatenated(datasets: list[Any]) -> Any:
    """Concatenate as a balanced tree: a chain would pass each element through every link."""
    while len(datasets) > 1:
        pairs = zip(datasets[::2], datasets[1::2], strict=False)
        odd = datasets[-1:] if len(datasets) % 2 else []
        datasets = [left.concatenate(right) for left, right in pairs] + odd
    return datasets[0]


def parallel_calls(case: Case) -> int:
    """Return `num_parallel_calls` for a case."""
    return 1 if case.cores == "one" else int(tf.data.AUTOTUNE)


def pipeline(source: Source, op: Map, *, op_takes_batch: bool | None = None, padded: bool = False) -> Any:
    """Return the dataset of one side: elements, op, batches of 32 (of volumes fewer), prefetch.

    `op`: takes a dict of tensors; the side's body. `op_takes_batch`: whether `op` comes after the batching;
    the case says so when omitted. `padded`: whether results differ in size: they are then padded, as those of
    images of unknown sizes are. Returns: endless. Images of unknown sizes leave the op unequal and are padded
    to the largest of their batch, on every side alike.
    """
    case = source.case
    after = case.batched if op_takes_batch is None else op_takes_batch
    dataset = source.elements()
    if after:
        dataset = _batches(dataset, case).map(op, num_parallel_calls=parallel_calls(case))
    else:
        dataset = _batches(mapped(dataset, op, case), case, padded=padded)
    return with_threads(dataset.prefetch(tf.data.AUTOTUNE), case)


def first_elements(source: Source, op: Map) -> Any:
    """Return the dataset without batches, for the latency of the first element."""
    return with_threads(mapped(source.elements(), op, source.case), source.case)


def mapped(dataset: Any, op: Map, case: Case) -> Any:
    """Return the dataset of what an op gives for each element."""
    return dataset.map(op, num_parallel_calls=parallel_calls(case))


def differ_in_size(source: Source, op: Map) -> bool:
    """Return whether a size of the op's results is unknown: they can only be padded to a batch."""
    found = tf.nest.flatten(mapped(source.elements(), op, source.case).element_spec)
    return not all(spec.shape.is_fully_defined() for spec in found)


def _batches(dataset: Any, case: Case, *, padded: bool = False) -> Any:
    size = variant_of(case.pair, case.variant).batch or BATCH
    if case.size is None or padded:
        return dataset.padded_batch(size, drop_remainder=True)
    return dataset.batch(size, drop_remainder=True)


def with_threads(dataset: Any, case: Case) -> Any:
    """Limit a dataset to one private thread where the case asks for one core."""
    if case.cores == "all":
        return dataset
    options = tf.data.Options()
    options.threading.private_threadpool_size = 1
    options.threading.max_intra_op_parallelism = 1
    return dataset.with_options(options)


@contextmanager
def source_of(case: Case, arguments: Arguments) -> Iterator[Source]:
    """Give the source of a case; its files, if any, live inside the `with` block."""
    if case.scope == "op":
        yield Source(case, arguments)
        return
    with TemporaryDirectory(prefix="pipeport-bench-") as folder:
        yield Source(case, arguments, Path(folder))
