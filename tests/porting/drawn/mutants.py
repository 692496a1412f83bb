"""Rules of the port, each taken back: what the comparison of drawn programs must notice.

`python -m tests.porting.drawn.mutants` draws programs until each mutant is noticed, and says by which.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import importlib
import re
from collections.abc import Callable

import click
import pytest
import tensorflow as tf

from pipeport.arrays import _sharing, _strides
from pipeport.kernels.xla import _order, _shared
from tests.porting.drawn.judge import judge
from tests.porting.drawn.programs import MODES, REFUSED, RIGHT
from tests.porting.drawn.session import drawn

EAGER, FUNCTION, COMPILED, UNKNOWN = "eager", "function", "compiled", "function, unknown sizes"


@dataclasses.dataclass(frozen=True)
class Mutant:
    """A port with one rule less.

    Parameters
    ----------
    places : tuple of str
        Where the function lies that has the rule, in each module that imports it.
    change : callable
        Takes the function and gives one without the rule.
    needs : str
        A regular expression of programs that may show it.
    modes : tuple of str
        Of `MODES`, where it is looked for.
    real : bool
        Whether it is looked for in programs on images of real sizes, not in small ones.
    """

    places: tuple[str, ...]
    change: Callable
    needs: str = ""
    modes: tuple[str, ...] = (EAGER,)
    real: bool = False

    @contextlib.contextmanager
    def applied(self):
        """Put the mutant in the place of the port for the `with` block."""
        with _replaced(dict.fromkeys(self.places, self.change)):
            yield


@contextlib.contextmanager
def _replaced(changes):
    """Replace functions, by the places where they lie, by what is made of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_shared, "_first", {})  # an equal program was lowered without the changes
        for place, change in changes.items():
            module, _, name = place.partition(":")
            *path, last = name.split(".")
            owner = functools.reduce(getattr, path, importlib.import_module(f"pipeport.{module}"))
            real = getattr(owner, last)
            new = property(change(real.fget)) if isinstance(real, property) else change(real)
            patch.setattr(owner, last, new)
        yield


@contextlib.contextmanager
def _watched(names):
    """Collect, in the set that the `with` block gets, the mutants that would have done otherwise."""
    touched, changes = set(), {}

    def watching(place, real):
        others = {name: MUTANTS[name].change(real) for name in names if place in MUTANTS[name].places}

        @functools.wraps(real)
        def function(*args, **kwargs):
            result = real(*args, **kwargs)
            for name, other in others.items():
                # What has no result of its own, or gives a tensor, counts as soon as it is called.
                if not isinstance(result, (bool, str, tuple)) or other(*args, **kwargs) != result:
                    touched.add(name)
            return result

        return function

    for name in names:
        changes |= {place: functools.partial(watching, place) for place in MUTANTS[name].places}
    with _replaced(changes):
        yield touched


def _always(value):
    return lambda real: functools.wraps(real)(lambda *args, **kwargs: value)


def _without(rule):
    rows = _order.rows(one for one in _order.RULES if one is not rule)

    def change(real):
        def must_be_kept(*args):
            if not real(*args):
                return False
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(_order, "_ROWS", rows)
                return real(*args)

        return must_be_kept

    return change


def _first_argument(_real):
    return lambda made, _operands: made


def _a_copy(real):
    def init(track, storage, chain=None):
        if chain is not None:
            storage, chain = _sharing.Storage(chain.read(storage.tensor)), None
        real(track, storage, chain)

    return init


def _other_way(_real):
    def written(step, x, value):
        order = [
            size - 2 for size in step.numpy(_strides.blank(tf.TensorShape(range(2, 2 + x.shape.rank)))).shape
        ]
        return tf.transpose(value, order)

    return written


def _unforgetful(_real):
    def enter(storage, tensor, array=None, values=None):
        part = storage.outer_part()
        if part is not None:
            part.before.setdefault(storage, storage.tensor)
        storage.tensor = tensor
        if array is not None:
            _sharing._hold(array, values)

    return enter


def _rows_copied(real):
    return lambda array: (one.copy() if one.ndim else one for one in real(array))


def _aliased(truth):
    return lambda real: (
        lambda view, base, _truth, chain, told: real(view, base, lambda: tf.constant(truth), chain, told)
    )


_SPECIAL = "[\\s\\S]*special=True"
# By row of the table: what programs are written in that it concerns.
_ARITHMETIC = {
    "x - 7.3 + 7.3": r"[-+] [-\w.]+ [-+] [-\w.]+\)",
    "x * 0.3 * 10": r"\* [-\w.]+ \* [-\w.]+\)",
    "np.exp(x) * np.exp(x * 3)": r"\* np.exp",
    "np.sqrt(np.abs(x)) * np.sqrt(np.abs(x))": r"np.square\(np.sqrt|np.sqrt\(.*\) \*\* 2",
    "x * (x > 20) * 2": r"\* \(.* [<>!]" + _SPECIAL,
    "x / 3 / 5": r"/ [-\w.]+ / |/ np.exp",
    "0.3 / np.sqrt(x)": r"/ np.sqrt|/ \(.* / [-\w.]+\)\)",
    "x / 0.3": r"/ [-\w.]+\)",
    "1 / x": r"\(1 / ",
    "(-x) ** -0.5": r"\*\* -?0.5" + _SPECIAL,
    "np.exp(x) ** 0.3": r"np.exp\(.*\) \*\* ",
    "np.sqrt(x * x)": r"np.sqrt\(np.square|np.sqrt\((.*) \* \1\)",
    "np.log(np.exp(x))": r"np.log\(np.exp",
    "~(x < 3)": "~" + _SPECIAL,
    "0 - x.astype(np.uint8)": r"\(0 - ",
    "(x.astype(np.uint8) - 3) ** 2": r"- .*\) (\*\* 2|\* \()",
}
_KEPT = ("kernels.xla._order:must_be_kept", "porting.optimise._emit:must_be_kept")
_UNSURE = tuple(f"arrays.{name}:unsure" for name in ("_ndarray", "_methods", "_shared", "_strides"))
_CHOSEN, _SHAPED = " if ", "reshape|ravel|contiguous"
_ALIAS_IF = ("arrays._aliasing:alias_if",)
MUTANTS = {
    # The order of arithmetic.
    **{
        f"order: {rule.shown}": Mutant(_KEPT, _without(rule), _ARITHMETIC[rule.shown], (FUNCTION, COMPILED))
        for rule in _order.RULES
    },
    # Views.
    "views are copies": Mutant(("arrays._sharing:Track.__init__",), _a_copy),
    "writes stay in the view": Mutant(
        ("arrays._views:Chain.written",), lambda real: lambda chain, root, value: root
    ),
    "what was read is kept": Mutant(("arrays._sharing:Storage.enter",), _unforgetful),
    "transposed the other way": Mutant(
        ("arrays._views:Permuted.written",), _other_way, r"np.(transpose|moveaxis)\("
    ),
    "mirrored views are written as they are": Mutant(
        ("arrays._views:Mirrored.written",), lambda real: lambda step, x, value: value, "np.flip"
    ),
    "other views are not written": Mutant(
        ("arrays._views:Step.written",), lambda real: lambda step, x, value: x, "rot90|split"
    ),
    "rows are copies": Mutant(("arrays._ndarray:ndarray.__iter__",), _rows_copied, "row"),
    "numbers are arrays": Mutant(("arrays._sharing:is_number",), _always(False)),
    "reshape copies": Mutant(("arrays._making:is_view_in",), _always(False), _SHAPED),
    "reshape never copies": Mutant(("arrays._making:is_view_in",), _always(True), _SHAPED),
    "slices have no gaps": Mutant(("arrays._views:At.plain",), _always(True), _SHAPED),
    # The order of memory.
    "operators give the order C": Mutant(
        ("arrays._strides:_ordered",), lambda real: lambda strides, rank: tuple(range(rank)), _SHAPED
    ),
    "functions give the order C": Mutant(_UNSURE, _first_argument, _SHAPED),
    # Bonds.
    "no alias_if": Mutant(_ALIAS_IF, _always(None), _CHOSEN, (FUNCTION,)),
    "alias_if that holds": Mutant(_ALIAS_IF, _aliased(True), _CHOSEN, (FUNCTION,)),
    "alias_if that does not hold": Mutant(_ALIAS_IF, _aliased(False), _CHOSEN, (FUNCTION,)),
    "no may_alias": Mutant(
        ("arrays._aliasing:may_alias",), _always(None), "for |" + _SHAPED, (FUNCTION, UNKNOWN)
    ),
    "reshape aliases nothing": Mutant(_ALIAS_IF, _always(None), _SHAPED, (UNKNOWN,)),
    "reshape of any strides is a view": Mutant(
        ("arrays._making:has_strides",),
        lambda real: lambda *_: tf.constant(True),
        _SHAPED,
        (UNKNOWN,),
    ),
    "loops alias nothing": Mutant(
        ("porting.control._loop:_Near.may_alias",), _always(None), "for ", (FUNCTION,)
    ),
    # Branches and rounds.
    "what a branch wrote stays": Mutant(
        ("arrays._sharing:Part.undo",), _always(None), "    if ", (FUNCTION,)
    ),
    "what a branch wrote is lost": Mutant(
        ("arrays._aliasing:matters",), _always(False), "    if ", (FUNCTION,)
    ),
    # Programs that do not run.
    "reductions are handed over": Mutant(
        ("kernels.xla._single_threaded:_reduced",),
        lambda real: lambda found: found.group(0),
        r"\b(sum|mean|max|min)\([\s\S]*float32",
        (FUNCTION,),
        real=True,
    ),
}


def notices(name, program, mode):
    """Say whether the comparison notices a mutant where it has nothing to say of the port itself."""
    with MUTANTS[name].applied():
        failed = judge(program, (mode,)).failed
    return failed and judge(program, (mode,)).kind in (RIGHT, REFUSED)


def hunt(count, number, names=(), tell=click.echo):
    """Draw programs until each mutant is noticed.

    Parameters
    ----------
    count : int
        How many programs at most.
    number : int
        Their seed.
    names : iterable of str
        Of `MUTANTS`; all if none is named.
    tell : callable
        Is given a text for each mutant that is noticed.

    Returns
    -------
    list of str
        Mutants that no program notices.
    """
    tf.get_logger().setLevel("ERROR")  # of functions that are traced anew for each program
    left = list(names or MUTANTS)
    for place, program in enumerate(drawn(count, number)):
        large = any(len(one.shape) > 1 and one.shape[0] >= 64 for one in program.arguments.values())
        for mode in MODES:
            if mode == COMPILED and not program.compiles:
                continue
            open_ = [
                name
                for name in left
                if mode in MUTANTS[name].modes
                and MUTANTS[name].real == large
                and re.search(MUTANTS[name].needs, program.as_code())
            ]
            if not open_:
                continue
            with _watched(open_) as touched:
                judge(program, (mode,))
            for name in sorted(touched, key=list(MUTANTS).index):
                if notices(name, program, mode):
                    left.remove(name)
                    tell(f"-- {name}: program {place}, {mode}\n{program.as_code()}")
    return left


@click.command()
@click.option("--programs", "count", type=int, default=500, show_default=True, help="How many at most.")
@click.option("--seed", "number", type=int, default=0, help="Another one gives other programs.")
@click.option("--mutant", "names", multiple=True, help="Which; all if none is named.")
def main(count, number, names):
    """Draw programs until each mutant is noticed, and print these."""
    if left := hunt(count, number, names):
        raise click.ClickException(f"Noticed by none of {count} programs: {', '.join(left)}.")


if __name__ == "__main__":
    main()
