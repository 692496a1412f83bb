"""Programs: several ways to build one dataset, named in a suite and measured against each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeport.bench._case import Case

KINDS = ("reference", "native", "stock", "peer")
BEFORE, AFTER = "before", "after"
# Sides of a training that are its script before the migration: by `pipeport run` that remembers nothing, and
# by one that remembers what the first has measured.
RUN, RUN_AGAIN = "run", "run again"


@dataclass(frozen=True, kw_only=True)
class ProgramSide:
    """One way to build the dataset.

    `kind`: {'reference', 'native', 'stock', 'peer'}. `factory`: WHERE:FUNCTION; the function takes the
    program's inputs and returns a `tf.data.Dataset`; of a training, a script beside the suite. `arguments`:
    keyword arguments of the function, besides the inputs. `differs`: how its answer differs from the
    reference's; with it, values are not compared.
    """

    name: str
    kind: str
    factory: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    differs: str = ""


@dataclass(frozen=True, kw_only=True)
class Program:
    """One program of a suite.

    `suite`: the suite's file; files of functions are looked up beside it. `sides`: one reference, one native
    or several, any number of stock pipelines and peers. `inputs`: WHERE:FUNCTION; called once, what it
    returns is given to every side: a tuple as its positional arguments, anything else as the only one. Empty
    for sides that need nothing. `about`: what the elements are, in words. `elements`: elements of one epoch,
    given to `inputs`; an endless dataset ends there when memory is measured. `batch`: elements in a batch
    that the bench makes around every side. `batched`: whether the datasets give batches themselves.
    `difference`: largest absolute difference of answers that is allowed. `random`: whether answers are drawn:
    only their structure, dtypes and shapes are compared. `needs`: packages without which the program is left
    out. `training`: whether the sides are scripts, which get the folder of their inputs and are measured
    whole, each in a process of its own.
    """

    name: str
    suite: Path
    sides: tuple[ProgramSide, ...]
    inputs: str = ""
    about: str = ""
    elements: int | None = None
    batch: int = 32
    batched: bool = False
    difference: float = 0.0
    random: bool = False
    needs: tuple[str, ...] = ()
    training: bool = False

    @property
    def functions(self) -> tuple[str, ...]:
        """Return every function the program names, each once; scripts are none."""
        named = [self.inputs, *(side.factory for side in self.sides if not self.training)]
        return tuple(dict.fromkeys(name for name in named if name))

    def cases(self) -> list[Case]:
        """Return one case per native side, each measured beside the reference."""
        return [Case(program=self.name, variant=variant, about=self.about) for variant in self._natives()]

    def sides_of(self, case: Case) -> list[ProgramSide]:
        """Return the sides of a case: reference, its native, stock pipelines and peers."""
        reference = [side for side in self.sides if side.kind == "reference"]
        others = [side for side in self.sides if side.kind in ("stock", "peer")]
        return [*reference, self._natives()[case.variant], *others]

    def _natives(self) -> dict[str, ProgramSide]:
        """Return the native sides by variant; a single one, and that of the key `after`, needs no name."""
        natives = [side for side in self.sides if side.kind == "native"]
        plain = len(natives) == 1
        return {"" if plain or side.name == AFTER else side.name: side for side in natives}
