"""The targets of one element while transforms are applied to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pipeport._lazy import tf
from pipeport.albumentations._branches import one_of
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs.arrays import as_tensor

KINDS = ("image", "mask", "masks", "bboxes", "keypoints")
STACKS = ("images", "volume", "volumes", "mask3d", "masks3d")
ROWS = {"bboxes": 4, "keypoints": 5}  # with the columns transforms work on


class Rows(NamedTuple):
    """Boxes or points while transforms are applied to them.

    `values`: shape (N, 4) or (N, 5). `keep`: shape (N,), bool. `source`: shape (N,), int32; of which row that
    was given each is, or is a copy.
    """

    values: Any
    keep: Any
    source: Any

    @staticmethod
    def given(values: Any, keep: Any = None) -> Rows:
        """Return rows as they are given."""
        count = tf.shape(values)[0]
        return Rows(values, tf.ones([count], tf.bool) if keep is None else keep, tf.range(count))


@dataclass(frozen=True)
class State:
    """Targets by name.

    `values`: tensors; boxes and points are `Rows`. `kinds`: name to one of `KINDS`. `behind`: what the
    outermost composition does to a state behind every transform. `params`: of boxes and points in a
    composition, which leaves out of its results what is no longer kept. `unfiltered`: whether boxes are as
    they were given, so that their values are those of float32.
    """

    values: Mapping[str, Any]
    kinds: Mapping[str, str]
    behind: Callable[[State], State] | None = None
    params: Mapping[str, Any] | None = None
    unfiltered: bool = False

    @property
    def image(self) -> Any:
        """The image whose height and width count."""
        return self.values["image"]

    def replaced(self, values: Mapping[str, Any]) -> State:
        """Return the state with other values of some names."""
        return replace(self, values={**self.values, **values})

    def where(self, applied: Any, change: Callable[[State], State]) -> State:
        """Return the changed state where `applied` holds, else this one."""
        return self.switched(tf.cast(applied, tf.int32), [lambda state: state, change])

    def switched(self, index: Any, changes: Sequence[Callable[[State], State]]) -> State:
        """Return the state after one of several changes, which give the same dtypes."""
        seen: list[Any] = []

        def branch(change: Callable[[State], State]) -> Callable[[], Any]:
            def run() -> Any:
                values = tf.nest.map_structure(tf.identity, dict(change(self).values))
                seen.append([part.dtype for part in tf.nest.flatten(values)])
                if seen[0] != seen[-1]:
                    given = "parts that give images of unlike dtypes"
                    advice = "Put Normalize or ToFloat behind the choice, with p=1."
                    raise UnsupportedArgument(explain("transforms", given, "parts that give one", advice))
                return values

            return run

        return self.replaced(one_of(index, [branch(change) for change in changes]))


def kind_of(name: str, additional: Mapping[str, str]) -> str | None:
    """Return what a name is treated as, None for what is handed through; stacks are refused."""
    kind = additional.get(name, name)
    if kind in STACKS:
        advice = "Map over the frames, or rotate volumes with pipeport.idioms.rotate_volume."
        raise UnsupportedArgument(explain(name, f"a target of kind {kind}", ", ".join(KINDS), advice))
    return kind if kind in KINDS else None


def needs_image(names: Iterable[str]) -> None:
    """Refuse data without an image."""
    if "image" not in names:
        advice = "Every target takes its size from it: transform(image=image, ...)."
        raise OutsideDomain(explain("image", "none", "an image", advice))


def plane(name: str, value: Any) -> Any:
    """Return an image or a mask as a tensor."""
    return _of_rank(as_tensor(value, name), name, (2, 3), "(H, W) or (H, W, C)")


def planes(name: str, value: Any) -> Any:
    """Return masks: a list of tensors, or one with a leading axis."""
    if isinstance(value, (list, tuple)):
        return [plane(f"{name}[{index}]", part) for index, part in enumerate(value)]
    return _of_rank(as_tensor(value, name), name, (3, 4), "(N, H, W) or (N, H, W, C), or a list")


def rows(name: str, value: Any, least: int) -> Any:
    """Return boxes or points as a tensor (N, least or more); an empty list has no rows."""
    tensor = as_tensor(value, name)
    if tensor.shape.rank == 1 and tensor.shape[0] == 0:
        return tf.zeros([0, least], tf.float32)
    shapes = f"(N, {least}), or more columns"
    tensor = _of_rank(tensor, name, (2,), shapes)
    if tensor.shape[1] is None:
        given = "an unknown number of columns"
        raise UnsupportedArgument(explain(name, given, shapes, "Use tf.ensure_shape."))
    if tensor.shape[1] < least:
        raise OutsideDomain(explain(name, f"shape {tensor.shape}", shapes, "See the format's columns."))
    return tensor


def rows_dtype(tensor: Any) -> Any:
    """Return the dtype in which boxes and points come back: their own if it is floating, else float32."""
    return tensor.dtype if tensor.dtype.is_floating else tf.float32


def _of_rank(tensor: Any, name: str, ranks: tuple[int, ...], shapes: str) -> Any:
    if tensor.shape.rank is None:
        raise UnsupportedArgument(explain(name, "an unknown rank", shapes, "Use tf.ensure_shape."))
    if tensor.shape.rank not in ranks:
        advice = "Add or drop an axis; batches are mapped one by one."
        raise OutsideDomain(explain(name, f"shape {tensor.shape}", shapes, advice))
    return tensor


def as_worked_on(name: str, kind: str, value: Any) -> Any:
    """Return a target in the form transforms work on."""
    if kind == "masks":
        return planes(name, value)
    if kind not in ROWS:
        return plane(name, value)
    given = rows(name, value, ROWS[kind])
    return Rows.given(tf.cast(given[:, : ROWS[kind]], rows_dtype(given)))


def as_given(name: str, kind: str, value: Rows, given: Any, copies: bool) -> Any:
    """Return boxes or points with the further columns they were given with.

    None of them is dropped but copies, where there are `copies`.
    """
    more = rows(name, given, ROWS[kind])[:, ROWS[kind] :]
    if copies and more.shape[1]:
        more = tf.gather(more, value.source)
    whole = tf.concat([value.values, tf.cast(more, value.values.dtype)], 1) if more.shape[1] else value.values
    return tf.boolean_mask(whole, value.keep) if copies else whole
