"""A case: one pair at one point of the axes the bench knows."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

DTYPES = ("bool", "uint8", "uint16", "int32", "float16", "float32", "float64")
SCOPES = ("op", "pipeline")
CORES = ("all", "one")
DEVICES = ("cpu", "gpu", "all")

Size = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class Case:
    """One point: everything that distinguishes two measurements of one machine.

    Attributes
    ----------
    pair : str
        The native's dotted name.
    variant : str
        Name of the variant of the call (see `variants_of`); empty for the plain call.
    dtype : str
        Dtype of the elements.
    size : (int, int) or None
        Height and width, static; None stands for images of many sizes, unknown while tracing.
    scope : {'op', 'pipeline'}
        Elements in memory, or JPEG files on disk that are read and decoded on the way.
    batched : bool
        Whether the op comes after `batch` and takes the whole batch.
    cores : {'all', 'one'}
        Parallelism chosen by tf.data, or one parallel call, one thread, one core.
    device : {'cpu', 'gpu', 'all'}
        'gpu' measures the native on a GPU too, beside reference and native on the CPU;
        'all' keeps stock op and peers besides.
    """

    pair: str
    dtype: str
    size: Size | None = (256, 256)
    variant: str = ""
    scope: str = "op"
    batched: bool = False
    cores: str = "all"
    device: str = "cpu"

    @property
    def shapes(self) -> str:
        """Return the size as people write it."""
        return "unknown sizes" if self.size is None else f"{self.size[0]}x{self.size[1]}"

    @property
    def conditions(self) -> str:
        """Return everything but the pair, shortest first; defaults are left unsaid."""
        parts = [self.variant or self.dtype, self.shapes]
        if self.variant and self.dtype not in self.variant:
            parts.insert(0, self.dtype)
        if self.scope != "op":
            parts.append("from JPEG files")
        if self.batched:
            parts.append("batched")
        if self.cores == "one":
            parts.append("one core")
        if self.device != "cpu":
            parts.append("CPU and GPU")
        return ", ".join(parts)

    @property
    def pipeline(self) -> tuple[Any, ...]:
        """Return what the pipeline around the op depends on: cases alike in it share a roofline."""
        return self.dtype, self.size, self.scope, self.batched, self.cores

    @property
    def has_others(self) -> bool:
        """Return whether stock op and peers are measured as well.

        Not from JPEG files, where the question is what the whole pipeline gains, and not with
        `device='gpu'`.
        """
        return self.scope == "op" and self.device != "gpu"

    @property
    def short_name(self) -> str:
        """Return the pair's name without the leading `pipeport`."""
        return self.pair.removeprefix("pipeport.")

    def as_dict(self) -> dict[str, Any]:
        """Return the case as JSON holds it."""
        return asdict(self) | {"size": None if self.size is None else list(self.size)}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Case:
        """Read what `as_dict` wrote."""
        return cls(**(data | {"size": None if data["size"] is None else tuple(data["size"])}))
