"""One run of an original against its port, before first use."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NoReturn, TypeVar

import numpy as np

from pipeport import config, seeds
from pipeport._lazy import tf
from pipeport.contract import Agreement
from pipeport.errors import NotEquivalent, PipeportError, PortRefused, explain
from pipeport.porting._levels import levels_of
from pipeport.porting._replay import copied, sides
from pipeport.porting._values import is_of_images
from pipeport.porting.optimise._costs import told
from pipeport.porting.strings._seen import learning
from pipeport.verify._oracle import compare as judged
from pipeport.verify._outcome import Outcome

# Of the largest value: float32 sums of an image in another order are as far apart.
_RELATIVE = {"float16": 4e-3, "float32": 1e-5, "float64": 1e-9, "complex64": 1e-5, "complex128": 1e-9}


_ARRAYS = (np.ndarray, np.generic, bytes)
_T = TypeVar("_T")
# What draws behind the seed's back gives of the original is a kind of array.
_OF_ONE_KIND: Any = object()
# In words, and whether the sizes of the example are known.
_GRAPHS = {" in a graph with the sizes of the example": True, " in a graph without sizes": False}


def compare(ported: Any, example: Any, agreement: Agreement | None = None) -> PipeportError | None:
    """Run both on an example with the same draws: eagerly, in a graph of its sizes, in one without sizes.

    An example that holds no array but scalars has one graph.

    `ported`: the port. `example`: its arguments; one argument need not stand in a tuple. `agreement`: how
    equal the results must be. Returns: why a graph without sizes refuses the port, where it does. Raises
    NotEquivalent: they differ by more than `differing` allows. Raises PipeportError: the port is refused
    eagerly, or in a graph of the example's sizes. Raises PortRefused: in a graph it ends with an error that
    is not pipeport's.
    """
    args = example if isinstance(example, tuple) else (example,)
    ported.shapes = _ranks(args)
    old, new = sides(ported)

    def eagerly() -> list[Any]:
        return flat(new(*copied(args)))

    def first() -> list[Any]:
        """Return what the port gave when its draws were recorded; asked again, run it again."""
        beside = getattr(old, "beside", [])
        return flat(beside.pop()) if beside else eagerly()

    def traced(sized: bool) -> list[Any]:
        with told() as loops:
            found = flat(in_graph(ported, args, sized=sized))
        if sized:
            ported.loops = loops
        return found

    want = flat(old(*copied(args)))
    if ported.draws_unseeded:
        agreement = _OF_ONE_KIND
    _hold(want, first, eagerly, agreement)
    for where, sized in _GRAPHS.items():
        if not sized and not any(np.ndim(one) for one in tf.nest.flatten(args) if isinstance(one, _ARRAYS)):
            continue  # the same graph
        try:
            _hold(want, functools.partial(traced, sized), eagerly, agreement, where)
        except NotEquivalent:
            raise
        except PipeportError as error:
            if sized:
                raise
            return None if _holds_of_channels(ported, args, want, eagerly, agreement) else error
        except Exception as error:
            _refuse_error(error, where)
    return None


def _holds_of_channels(
    ported: Any, args: tuple[Any, ...], want: list[Any], eagerly: Any, agreement: Agreement | None
) -> bool:
    """Say whether a port that is refused without sizes holds where images have as many channels as these.

    It then takes no others.
    """
    ranks, shapes = ported.shapes, _channels(args)
    if shapes == ranks:
        return False
    ported.shapes = shapes
    where = next(reversed(_GRAPHS))
    try:
        _hold(want, lambda: flat(in_graph(ported, args, sized=False)), eagerly, agreement, where)
    except Exception:  # it is refused for another reason, which is told
        ported.shapes = ranks
        return False
    return True


def with_shapes(ported: Any, args: tuple[Any, ...], use: Callable[[], _T]) -> _T:
    """Return what a port gives that takes as many axes as these arguments have, and channels where it must.

    `use`: uses the port.
    """
    ported.shapes = _ranks(args)
    try:
        return use()
    except PipeportError:
        if (shapes := _channels(args)) == ported.shapes:
            raise
        ported.shapes = shapes
        return use()


def _ranks(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return how many axes arguments have."""
    return tuple([None] * np.ndim(one) if isinstance(one, _ARRAYS) else None for one in args)


def _channels(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return how many axes arguments have, and how many channels the images among them."""
    return tuple(
        [*axes[:-1], np.shape(one)[-1]] if isinstance(one, np.ndarray) and is_of_images(one.shape) else axes
        for one, axes in zip(args, _ranks(args), strict=True)
    )


def learn(ported: Any, args: tuple[Any, ...]) -> None:
    """Run a port once, so that it knows what the values show, without comparing it with its original.

    `ported`: the port. `args`: its arguments. Raises PipeportError: it is refused, or ends with an error.
    """
    with tf.init_scope(), seeds.ambient((0, 0)), learning():
        try:
            ported(*copied(args))
        except PipeportError:
            raise
        except Exception as error:
            _refuse_error(error, " eagerly")


def estimate(ported: Any, args: tuple[Any, ...]) -> None:
    """Let a port know what loops of its graph cost, by a graph of the sizes of some arguments.

    `ported`: the port. `args`: its arguments.
    """
    with told() as loops:
        in_graph(ported, args, sized=True)
    ported.loops = loops


def in_graph(ported: Any, args: tuple[Any, ...], *, sized: bool, seed: Any = (0, 0)) -> Any:
    """Trace a port on arguments, and run that.

    `ported`: the port. `args`: the arguments: arrays, NumPy's numbers and bytes become tensors, all else is
    known while tracing. `sized`: whether their sizes are. `seed`: array_like of int, shape (2,); of the
    draws. Returns: the results.
    """
    leaves = tf.nest.flatten(copied(args))
    places = [place for place, one in enumerate(leaves) if isinstance(one, _ARRAYS)]
    tensors = [tf.convert_to_tensor(leaves[place]) for place in places]

    def step(seed: Any, *given: Any) -> Any:
        inside = dict(enumerate(leaves)) | dict(zip(places, given, strict=True))
        with seeds.ambient(seed):
            return ported(*tf.nest.pack_sequence_as(args, [inside[place] for place in range(len(leaves))]))

    shapes = [one.shape if sized else [None] * one.shape.rank for one in tensors]
    specs = [tf.TensorSpec(shape, one.dtype) for shape, one in zip(shapes, tensors, strict=True)]
    signature = [tf.TensorSpec([2], tf.int64), *specs]
    graph = tf.function(step, input_signature=signature, autograph=False).get_concrete_function()
    return graph(tf.constant(seed, tf.int64), *tensors)


@dataclass(frozen=True)
class Difference:
    """How results differ by more than is allowed.

    Attributes
    ----------
    text : str
        In words.
    want, got : numpy.ndarray or None
        Of the first result that differs.
    """

    text: str
    want: Any = None
    got: Any = None


def differing(
    want: list[Any], got: list[Any], run: Callable[[], list[Any]], agreement: Agreement | None = None
) -> Difference | None:
    """Return how the results of a port differ from those of its original.

    `want`, `got`: results of both, flat, from `flat`. `run`: runs the port eagerly, for what follows grey
    levels of interpolated bytes. `agreement`: how equal they must be; see `compare`. Returns: None where they
    agree.
    """
    if len(want) != len(got):
        return Difference(f"{len(got)} results for {len(want)}")
    levels: list[Any] | None = None
    for position, (one, other) in enumerate(zip(want, got, strict=True)):
        if agreement is _OF_ONE_KIND:
            found = _difference(np.empty([0] * one.ndim, one.dtype), np.empty([0] * other.ndim, other.dtype))
        else:
            found = _difference(one, other) if agreement is None else _judged(one, other, agreement)
        if found and agreement is None and (one.shape, one.dtype) == (other.shape, other.dtype):
            levels = levels_of(run) or [] if levels is None else levels
            found = _difference(one, other, levels[position]) if levels else found
        if found:
            return Difference(found if len(want) == 1 else f"result {position}: {found}", one, other)
    return None


def _hold(
    want: list[Any],
    run: Callable[[], list[Any]],
    eagerly: Callable[[], list[Any]],
    agreement: Agreement | None,
    where: str = "",
) -> None:
    """Run a port, and raise where its results differ."""
    found = differing(want, run(), eagerly, agreement)
    if not found:
        return
    equal = False
    if not config.bit_equal():
        with config.use_bit_equal(True):
            equal = not differing(want, run(), eagerly, agreement)
    _refuse(replace(found, text=f"{found.text}{where}"), equal_bits=equal)


def _refuse_error(error: Exception, where: str) -> NoReturn:
    """Refuse a port that fails where its original does not."""
    told = str(error).strip().partition("\n")[0]
    advice = "This is a fault of pipeport's: leave the function in its wrapper."
    if "TensorListStack" in str(error) and "Incompatible shapes" in str(error):
        advice = "A list of a length known only at run time holds arrays of one size: pad them, or leave it."
        told = "arrays of several sizes in such a list"
    refused = PortRefused(
        explain("example", f"{type(error).__name__}{where}: {told}", "the results of the original", advice)
    )
    for note in getattr(error, "__notes__", ()):
        refused.add_note(note)
    refused.places = list(getattr(error, "places", ()))
    raise refused from error


def flat(value: Any) -> list[Any]:
    """Return the leaves of a result, each as an array of one kind."""
    return [_of_one_kind(one) for one in tf.nest.flatten(value)]


def _judged(want: Any, got: Any, agreement: Agreement) -> str:
    """Return in words how a result differs by more than an agreement allows."""
    try:
        judged(Outcome((want,), "output"), Outcome((got,), "output"), agreement, called=("original", "port"))
    except NotEquivalent as error:
        return str(error)
    return ""


def _of_one_kind(value: Any) -> np.ndarray[Any, Any]:
    """Return a result as an array; strings as objects of bytes, as TensorFlow has them."""
    array = np.asarray(value.numpy() if tf.is_tensor(value) else value)
    if array.dtype.kind == "U":
        array = np.char.encode(array, "utf-8")
    return array.astype(object) if array.dtype.kind == "S" else array


def _difference(want: np.ndarray[Any, Any], got: np.ndarray[Any, Any], level: Any = 0.0) -> str:
    """Return in words how a result differs by more than is allowed, beside a level of interpolated bytes."""
    if want.dtype != got.dtype:
        return f"dtype {got.dtype} for {want.dtype}"
    if want.shape != got.shape:
        return f"shape {got.shape} for {want.shape}"
    if not want.size or want.dtype.kind not in "biufc":
        return "" if np.array_equal(want, got) else "other values"
    apart = _differences(want, got)
    largest = np.max(np.abs(want).astype(np.float64), where=np.isfinite(want), initial=1.0)
    rounding = _RELATIVE.get(want.dtype.name, 0.0) * largest
    allowed = 1.0 if want.dtype == np.uint8 else rounding
    worst, share = float(np.max(apart)), float(np.mean(apart > 0))
    if np.all((apart <= allowed) | (apart <= level + rounding)):
        return ""
    return f"values up to {worst:.3g} apart, on {100 * share:.2g} % of them; {allowed:.3g} allowed"


def _differences(want: np.ndarray[Any, Any], got: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return absolute differences; NaN agrees with NaN."""
    wide = np.complex128 if want.dtype.kind == "c" else np.float64
    apart = np.abs(want.astype(wide) - got.astype(wide))
    return np.where((want == got) | ((want != want) & (got != got)), 0, apart)


def _passing(want: np.ndarray[Any, Any], got: np.ndarray[Any, Any]) -> tuple[str, str]:
    """Return the agreement that a result meets, for the command line and as Python; empty if none."""
    alike = want.dtype == got.dtype and want.shape == got.shape
    if not (alike and want.size and want.dtype.kind in "iufc"):
        return "", ""
    apart = _differences(want, got)
    if not np.isfinite(apart).all():
        return "", ""
    worst = float(apart.max())
    if want.dtype.kind in "iu":
        share = np.ceil(1000 * float(np.mean(apart > 0))) / 1000
        return f"levels:{worst:.0f}@{share:g}", f"WithinLevels({worst:.0f}, {share:g})"
    bound = f"{1.01 * worst:.3g}"  # not rounded down
    return f"within:{bound}", f"Within({bound}, 'why')"


def _refuse(found: Difference, *, equal_bits: bool) -> None:
    advice = "`pipeport verify module:function --port` finds the smallest example."
    if equal_bits:
        advice = (
            "Natives that interpolate bytes may be a grey level off, which is much made of here: with "
            "`pipeport.config.set_bit_equal(True)` the results agree."
        )
    elif found.want is not None and (passing := _passing(found.want, found.got))[0]:
        advice += (
            " Where a threshold, a rounding or an argmax makes much of an allowed difference, "
            f"`--agreement {passing[0]}` passes, as does `port(..., agreement={passing[1]})`."
        )
    raise NotEquivalent(explain("example", found.text, "the results of the original", advice))
