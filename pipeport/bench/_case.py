"""A case: one pair at one point of the axes the bench knows, or one program of a suite."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
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
        The native's dotted name; empty for a program.
    program : str
        Name of the program in its suite; empty for a pair. Beside it, only `variant` and `about` are used.
    variant : str
        Name of the variant of the call (see `variants_of`), or of a program's native side; empty for
        the plain one.
    about : str
        What a program's elements are, in words; two cases that differ in it alone are the same.
    dtype : str
        Dtype of the images; empty for a program, and for a pair that takes no image.
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

    pair: str = ""
    program: str = ""
    dtype: str = ""
    size: Size | None = (256, 256)
    variant: str = ""
    about: str = field(default="", compare=False)
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
        """Return everything but the pair or program, shortest first; defaults are left unsaid."""
        if self.program:
            return ", ".join(part for part in (self.about, self.variant) if part) or "program"
        parts = [self.variant or self.dtype, self.shapes] if self.dtype else [self.variant or "no image"]
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
        """Return the key of the pipeline around the op; cases with one key share a roofline."""
        return self.dtype or self.pair, self.size, self.scope, self.batched, self.cores

    @property
    def has_others(self) -> bool:
        """Return whether stock op and peers are measured as well.

        Not from JPEG files, where the question is what the whole pipeline gains, and not with
        `device='gpu'`.
        """
        return self.scope == "op" and self.device != "gpu"

    @property
    def short_name(self) -> str:
        """Return the pair's name without the leading `pipeport`, or the program's name."""
        return self.program or self.pair.removeprefix("pipeport.")

    def as_dict(self) -> dict[str, Any]:
        """Return the case as JSON holds it: of a program its name, variant and words alone."""
        if self.program:
            return {"program": self.program, "variant": self.variant, "about": self.about}
        size = None if self.size is None else list(self.size)
        values = asdict(self) | {"size": size}
        return {name: value for name, value in values.items() if name not in ("program", "about")}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Case:
        """Read what `as_dict` wrote."""
        size = data.get("size", cls.size)
        return cls(**(data | {"size": None if size is None else tuple(size)}))
