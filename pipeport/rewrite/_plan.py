"""What becomes of one boundary: a form to write in its place, or the reason why it stays."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pipeport import meanings
from pipeport.contract import Spec
from pipeport.rewrite._differences import Doubt, silent
from pipeport.rewrite._inputs import Filled, filled
from pipeport.rewrite._results import MANY, UNKNOWN, Declared, declared, returns_a_list
from pipeport.scan._bugs import Examined
from pipeport.scan._findings import Finding
from pipeport.scan._module import Module
from pipeport.scan._resolve import Location, Resolver
from pipeport.scan._rules import CLEAR, ISLANDS
from pipeport.scan._verdict import only_tensorflow

TENSORFLOW = ("tensorflow", "tensorflow.compat.v2", "tensorflow.compat.v1")
PORT, NATIVE, UNWRAP, IMPORT = "port", "native", "unwrap", "import"
# Where a session runs a graph, nothing of ours was ever run.
SESSIONS = re.compile(r"\b(?:disable_eager_execution|disable_v2_behavior|Session\(|placeholder\()")
# What TensorFlow does the same in a graph as eagerly; what it draws by itself, a scan has told.
_SAME_IN_GRAPHS = re.compile(
    r"tensorflow\.(?:compat\.v2\.)?(?:(?:math|image|io|strings|linalg|signal|nn|audio|bitwise|dtypes|errors|shape)\.)?\w+"
)
_NOT_IN_GRAPHS = frozenset(
    f"tensorflow.{name}"
    for name in ("executing_eagerly", "py_function", "numpy_function", "py_func", "Variable", "function",
                 "init_scope", "GradientTape")
)  # fmt: skip
# The recipe that is nearest to a verdict.
_RECIPES = {"PP002": "port-a-body", "PP003": "port-a-body"}


@dataclass(frozen=True)
class Options:
    """What a run is asked for.

    Attributes
    ----------
    unsafe : bool
        Whether what draws, what may differ as declared, and islands are rewritten too.
    verified : bool
        Whether `differences` is asked next, which knows the dtypes of inputs: it decides the change.
    inputs : mapping of str to Spec
        What parameters are, by their names.
    refused : mapping of (str, int, int or None) to str
        What stays in any case, by path, line and cell, and why.
    """

    unsafe: bool = False
    verified: bool = False
    inputs: Mapping[str, Spec] = field(default_factory=dict)
    refused: Mapping[tuple[str, int, int | None], str] = field(default_factory=dict)


@dataclass(frozen=True)
class Form:
    """What to write instead of a boundary.

    Attributes
    ----------
    kind : str
        'port', 'native' (a function of a library becomes the mirror's) or 'unwrap' (it is called as it is).
    native : str
        Dotted name of the native.
    wrapper : str
        What `port` is told; empty for its default.
    declared : Declared
        What `Tout` says.
    cast : bool
        Whether `Tout` casts.
    draws : bool
        Whether the map around needs a seed.
    doubts : tuple of (str, str, str)
        What `--verify` has to exclude: a parameter, the kinds of dtypes that it must not have, and the
        difference that it has then.
    example : tuple of Filled
        What islands are found with; empty where there are none.
    """

    kind: str
    native: str
    wrapper: str
    declared: Declared
    cast: bool
    draws: bool
    doubts: tuple[tuple[str, str, str], ...] = ()
    example: tuple[Filled, ...] = ()

    def options(self, numpy: str) -> dict[str, str]:
        """Return what `port` is told by name, and the text of it."""
        wrapper = {"wrapper": f'"{self.wrapper}"'} if self.wrapper else {}
        if not self.example:
            return wrapper
        arrays = [one.text(numpy) for one in self.example]
        return {"islands": "True", "example": f"({', '.join(arrays)},)", **wrapper}


class Stays(Exception):
    """A boundary stays as it is, and why."""

    def __init__(self, reason: str, recipe: str = "") -> None:
        super().__init__(f"{reason} Nearest: pipeport recipe {recipe}." if recipe else reason)


def form_of(one: Examined, finding: Finding, options: Options) -> Form:
    """Say what a boundary becomes.

    Parameters
    ----------
    one : Examined
        The boundary.
    finding : Finding
        What a scan says of it.
    options : Options
        What is asked for.

    Returns
    -------
    Form
        What to write.

    Raises
    ------
    Stays
        It is left as it is.
    """
    example: tuple[Filled, ...] = ()
    if finding.verdict == ISLANDS and options.unsafe:
        example = _example(one, finding, options)
    elif finding.verdict != CLEAR:
        raise Stays(finding.reason, _recipe(finding))
    _check_place(one)
    form = replace(_form(one, unsafe=options.unsafe), example=example)
    doubts = []
    for doubt in [] if options.unsafe else silent(one):
        if not (options.verified and doubt.of):
            raise Stays(_told(doubt))
        doubts.append((doubt.of, doubt.kinds, _told(doubt)))
    return replace(form, doubts=tuple(doubts))


def _example(one: Examined, finding: Finding, options: Options) -> tuple[Filled, ...]:
    """Return arguments that show which calls are islands, and what they give."""
    names = one.handed() if one.function is not None else []
    lacking = next((name for name in names if name not in options.inputs), "" if names else "x")
    if lacking:
        reason = finding.reason.partition("pipeport.port(f")[0]
        asked = f'An example must show what islands give: add --input "{lacking}: uint8[H,W,3]".'
        raise Stays(f"{reason}{asked}", _recipe(finding))
    return tuple(filled(name, options.inputs[name]) for name in names)


def _told(doubt: Doubt) -> str:
    """Return a difference, and the ways out."""
    told = f"{doubt.name} differs where it is declared to: {doubt.summary}"
    if not doubt.kinds:
        return f"{told} --unsafe rewrites it all the same."
    what = f"`{doubt.of}`" if doubt.of else "what it is handed"
    which, others = ("floats", "integers") if doubt.kinds == "f" else ("integers", "floats")
    ways = f'--verify --input "{doubt.of}: uint8[H,W,3]" or --dataset says so, ' if doubt.of else ""
    return (
        f"{told} It concerns {which} alone, and the text does not tell that {what} holds {others}: {ways}"
        "an `astype` before it does, and --unsafe rewrites it all the same."
    )


def _form(one: Examined, *, unsafe: bool) -> Form:
    boundary, target = one.boundary, one.target
    draws = [use.name for use in one.body.uses if use.meaning.kind == meanings.DRAW]
    if draws and not unsafe:
        raise Stays(
            f"It draws ({draws[0]}), and a port draws from the seed of the element: --unsafe maps it with "
            "pipeport.seeds.seeded_map.",
            "own-augmentation",
        )
    known = declared(boundary.tout)
    if known.form == UNKNOWN:
        raise Stays("Its `Tout` does not tell how many results there are: write the dtypes in the call.")
    if returns_a_list(target) and (known.form == MANY or boundary.wrapper == "py_function"):
        raise Stays("Its function returns a list, which a port makes one tensor of: return a tuple.")
    eager = boundary.wrapper == "py_function"
    if boundary.form == "decorator":
        return _decorated(known, eager=eager, draws=bool(draws))
    native = meanings.meaning(target.name).native if target.kind == "library" else ""
    if native and not eager and not target.args and not target.keywords:
        return Form(NATIVE, native, "", known, cast=False, draws=bool(draws))
    if only_tensorflow(boundary, one.body):
        _check_graph(one)
        return Form(UNWRAP, "", "", known, cast=True, draws=False)
    return Form(PORT, "", "py_function" if eager else "", known, cast=eager, draws=bool(draws))


def _recipe(finding: Finding) -> str:
    """Return the recipe nearest to a reason that does not name one."""
    if "recipe" in finding.reason:
        return ""
    return "npz-to-tfrecord" if "numpy.load" in finding.reason else _RECIPES.get(finding.code, "")


def _check_place(one: Examined) -> None:
    boundary = one.boundary
    if boundary.form == "partial":
        raise Stays("The wrapper is filled in one place and called in another: write one call of it.")
    if boundary.function is not None and boundary.function.location.module is not boundary.module:
        raise Stays("The call does not name the function itself: write one call of the wrapper.")
    found = SESSIONS.search("\n".join(boundary.module.lines))
    if found:
        name = found[0].strip("(")
        raise Stays(f"The file runs graphs in sessions (`{name}`): pipeport works in TensorFlow 2.")
    if boundary.form == "decorator":
        return
    if boundary.arguments is None:
        raise Stays("The call does not say what is handed over (`inp`).")


def _check_graph(one: Examined) -> None:
    for use in one.body.uses:
        if use.meaning.kind != meanings.TENSORFLOW:
            continue
        if use.name in _NOT_IN_GRAPHS or not _SAME_IN_GRAPHS.fullmatch(use.name):
            reason = f"In a graph {use.name} may do something else than eagerly: look at it."
            raise Stays(reason, "py-function")


def _decorated(known: Declared, *, eager: bool, draws: bool) -> Form:
    if known.form == MANY and len(known.dtypes) == 1:
        raise Stays("It gives a list of one tensor, and its port a tensor: write `Tout` as one dtype.")
    return Form(PORT, "", "py_function" if eager else "", known, cast=eager, draws=draws)


def name_of(module: Module, resolver: Resolver, *libraries: str) -> str:
    """Return what a module calls a library; empty where it has no name for it."""
    location = Location(module, module.top, 1 << 30)
    for name in module.top.names:
        found = resolver.resolve(ast.Name(name, ast.Load()), location, {})
        if found.kind == "library" and found.name in libraries:
            return name
    return ""
