"""Write the files of a new pair from the live reference: façade with contract and docstring, export, test.

    python tools/new_pair.py cv2.dct          # what `nox -s new -- cv2.dct` runs
    python tools/new_pair.py --unfinished     # exit code 1 while something is to be filled in; part of lint

Signature and defaults are those of the reference. Domain and types are guessed from names and defaults. What
only a person can say carries a mark. No file is overwritten; the package's `__init__.py` gets a line more.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
# Written in two parts, so that this file does not count as unfinished.
MARK = "FILL" + " IN"
# Parameters that hold the first array, by the name of what comes in.
OUTPUTS = ("out", "dst", "output")
# OpenCV's docstrings state which parameters may be left out, and no defaults.
DEFAULTS_OF_OPENCV = {
    "anchor": "(-1, -1)", "borderType": "4", "delta": "0", "dstCn": "0", "dtype": "-1", "hint": "0",
    "iterations": "1", "ksize": "3", "scale": "1", "sigmaY": "0", "stream": "None",
}  # fmt: skip
# Required parameters, by name: the spec and a value.
BY_NAME = {
    "angle": ("Degrees(-360, 360, typical=30)", "30"),
    "code": ("OneOf(4, typical=4)", "4"),
    "ksize": ("OneOf(3, 5, 7, typical=3)", "3"),
    "shape": ("OneOf((5, 6), typical=(5, 6))", "(5, 6)"),
    "size": ("OneOf(3, 5, typical=3)", "3"),
}
PILLOW = """    reference_call="pipeport.references.pil.on_image",
    compared=("pipeport.references.pil.unchanged", "pipeport.references.pil.pixels"),
"""


class Refused(Exception):
    """Nothing is written, for a reason."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of the reference.

    Attributes
    ----------
    name, kind
        As in its signature.
    default : str or None
        Its source text; None where it is required.
    """

    name: str
    kind: Any
    default: str | None

    @property
    def typed(self) -> str:
        """Return what a docstring says of its type."""
        if self.default is None:
            return MARK
        kind = type(value_of(self.default)).__name__
        return "None" if kind == "NoneType" else f"{kind}, default {self.default}"


class _Source:
    """A default that is shown as its source text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def value_of(text: str) -> Any:
    """Return the value of a default's source text."""
    return eval(text, {"float": float})  # of a reference's signature, made by `source_of`


def source_of(value: Any) -> str:
    """Return the source text of a default."""
    if isinstance(value, float) and repr(value) in ("inf", "-inf", "nan"):
        return f'float("{value}")'
    text = repr(value)
    try:
        same = value_of(text) == value
    except Exception:
        same = False
    if not same:
        raise Refused(f"The default {text} has no source text: copy the façade of a neighbour.")
    return text


# --- the reference ---------------------------------------------------------------------------------


def reference_of(name: str) -> Any:
    """Return the live object of a dotted name."""
    parts = name.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        for part in parts[cut:]:
            if not hasattr(found, part):
                near = difflib.get_close_matches(part, dir(found))
                nearest = f" Nearest: {', '.join(near)}." if near else ""
                raise Refused(f"The installed {parts[0]} has no {name}.{nearest}")
            found = getattr(found, part)
        return found
    raise Refused(f"{parts[0]} cannot be imported: run this in the environment that has it.")


def parameters_of(name: str, reference: Any) -> tuple[list[Parameter], bool]:
    """Return the parameters of a reference, and whether the contract has to state them."""
    try:
        signature = inspect.signature(reference)
    except (TypeError, ValueError):
        return _of_text(name, reference.__doc__ or ""), True
    found = []
    for one in signature.parameters.values():
        default = None if one.default is one.empty else source_of(one.default)
        found.append(Parameter(one.name, one.kind, default))
    return found, False


def _of_text(name: str, doc: str) -> list[Parameter]:
    """Return the parameters that a docstring begins with: 'Canny(image, low[, edges[, size]]) -> edges'."""
    form = re.match(rf"{name.rpartition('.')[2]}\(([^)]*)\)", doc)
    if form is None:
        raise Refused(f"{name} has no signature, and its docstring begins with none.")
    required, _, optional = form[1].partition("[")
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    found = [Parameter(one, kind, None) for one in re.findall(r"\w+", required)]
    return found + [
        Parameter(one, kind, DEFAULTS_OF_OPENCV.get(one, "None")) for one in re.findall(r"\w+", optional)
    ]


def text_of(parameters: list[Parameter]) -> str:
    """Return parameters as they are written between parentheses, and the parentheses."""
    every = [
        inspect.Parameter(
            one.name, one.kind,
            default=inspect.Parameter.empty if one.default is None else _Source(one.default),
            annotation=Any,
        )
        for one in parameters
    ]  # fmt: skip
    return str(inspect.Signature(every))


# --- guesses ---------------------------------------------------------------------------------------


def guesses(name: str, parameters: list[Parameter]) -> Iterator[tuple[Parameter, str | None, str | None]]:
    """Yield each parameter with a spec and a value for a call; None for what is refused or has a default."""
    first = parameters[0].name if parameters else ""
    for one in parameters:
        if one.name in OUTPUTS:
            yield one, None, None
        elif one.name == first and one.default is None:
            arrays = name.startswith(("numpy.", "scipy."))
            yield one, "Array()" if arrays else 'Image(dtypes=("uint8", "float32"))', "IMAGE"
        elif one.default is None:
            yield one, *BY_NAME.get(one.name, ("Real(0.5, 3.0, typical=1.5)", "1.5"))
        else:
            yield one, _by_default(one, first), None


def _by_default(one: Parameter, first: str) -> str | None:
    """Return a spec for a parameter with a default; None where nothing says what else it takes."""
    if one.name == "axis":
        return f'Axes(of="{first}")'
    if one.name == "dtype" and one.default == "None":
        return 'Maybe(spec=OneOf("float32", "float64"))'
    value = value_of(str(one.default))
    if isinstance(value, bool):
        return "Boolean()"
    if isinstance(value, int):
        return f"Integer({min(value, 0)}, {max(value, 0) + 3}, typical={value})"
    if isinstance(value, float):
        return f"Real({min(value, 0.0)}, {max(2 * value, 1.0)}, typical={value})"
    return None if value is None else f"OneOf({one.default})"


# --- the files -------------------------------------------------------------------------------------


def _documented(parameters: list[Parameter]) -> str:
    def line(one: Parameter) -> str:
        name = {one.kind.VAR_POSITIONAL: "*", one.kind.VAR_KEYWORD: "**"}.get(one.kind, "") + one.name
        return f"    {name} : {one.typed}\n        {MARK}.\n"

    return "".join(map(line, parameters))


def _domain(found: list[tuple[Parameter, str | None, str | None]]) -> str:
    lines = "".join(f'        "{one.name}": {spec},\n' for one, spec, _ in found if spec)
    return f"{{\n{lines}    }}"


def snake_of(name: str) -> str:
    """Return a name as the files of façades have it: 'medianBlur' is 'median_blur'."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().strip("_")


def _specs(text: str) -> str:
    """Return the names of specs and agreements in a text, as they are imported."""
    from pipeport import contract

    return ", ".join(sorted({word for word in re.findall(r"\b[A-Z]\w+", text) if hasattr(contract, word)}))


def function(name: str, parameters: list[Parameter], stated: bool) -> str:
    """Return the façade of a function."""
    module, _, last = name.rpartition(".")
    found = list(guesses(name, parameters))
    outputs = [one.name for one, _, _ in found if one.name in OUTPUTS]
    rest = [one.name for one, spec, _ in found if spec is None and one.name not in OUTPUTS]
    refused = "".join(f'        "{one}": "tensors are not written in place",\n' for one in outputs)
    refused += "".join(f'        "{one}": "{MARK}: the reason, or a domain",\n' for one in rest)
    domain = _domain(found)
    options = f"    refused={{\n{refused}    }},\n" if refused else ""
    options += PILLOW if name.startswith("PIL.") else ""
    signature = text_of(parameters).replace("(", "(batch_axes: int, ", 1)
    return f'''"""`{name}`."""

from __future__ import annotations

from typing import Any

from pipeport.contract import {_specs(domain + "Exact")}, batchable, replaces


# {MARK}: domain and agreement are guesses{", OpenCV states no defaults" if stated else ""}.
@replaces(
    "{name}",
    domain={domain},
    agreement=Exact(),
{options})
@batchable
def {last}{signature} -> Any:
    """{MARK}: say in one sentence what it does.

    Parameters
    ----------
{_documented([one for one in parameters if one.name not in outputs])}
    Returns
    -------
    tf.Tensor, {MARK}: shape and dtype
        {MARK}.

    Raises
    ------
    OutsideDomain
        {MARK}.
    UnsupportedArgument
        {MARK}.

    Notes
    -----
    Agreement: {MARK}.
    Graph: {MARK}.

    Examples
    --------
    >>> from pipeport.{module} import {last}
    >>> callable({last})  # {MARK}
    True
    """
    raise NotImplementedError("{MARK}: the computation, of arrays with `batch_axes` axes before their own")
'''


BODIES = {
    "Pixels": '''    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the image with what was drawn done to it."""
        raise NotImplementedError("{MARK}")
''',
    "Spatial": '''    def geometry(self, params: Mapping[str, Any], size: Size) -> Any:
        """Return where the transform moves things in an image of that size."""
        raise NotImplementedError("{MARK}")

    def plane(self, value: Any, geometry: Any, kind: str, batch_axes: int) -> Any:
        """Return an image or masks, moved."""
        raise NotImplementedError("{MARK}")

    def boxes(self, boxes: Any, geometry: Any) -> Any:
        """Return boxes, moved."""
        raise NotImplementedError("{MARK}")

    def points(self, points: Any, geometry: Any) -> Any:
        """Return points, moved."""
        raise NotImplementedError("{MARK}")
''',
}


def transform(name: str, reference: Any, parameters: list[Parameter]) -> str:
    """Return the façade of a transform of albumentations."""
    last = name.rpartition(".")[2]
    base = "Pixels" if "ImageOnlyTransform" in {one.__name__ for one in reference.__mro__} else "Spatial"
    found = [
        (one, _by_default(one, "") if one.default else None, None) for one in parameters if one.name != "p"
    ]
    domain = _domain(found)
    kept = "".join(f"        self.{one.name} = {one.name}\n" for one, _, _ in found)
    every = [Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD, None), *parameters]
    signature = text_of(every).replace("self: Any", "self")
    size = "from pipeport.albumentations._sizes import Size\n" if base == "Spatial" else ""
    return f'''"""`{name}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeport.albumentations._{base.lower()} import {base}
from pipeport.albumentations._promise import augments
{size}from pipeport.contract import {_specs(domain) or "Spec"}


# {MARK}: the domain is a guess; `settings` name what the draws are compared with.
@augments(
    "{last}",
    domain={domain},
)
class {last}({base}):
    """{MARK}: say in one sentence what it does.

    Parameters
    ----------
{_documented([one for one in parameters if one.name != "p"])}
    Returns
    -------
    {last}
        {{called}} {MARK}.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1]. {MARK}.
    UnsupportedArgument
        A parameter is a tensor; in a call, there is no seed. {MARK}.

    Notes
    -----
    Agreement: {MARK}.
    Graph: {MARK}.

    Examples
    --------
    >>> import pipeport.albumentations as A
    >>> callable(A.{last}())  # {MARK}
    True
    """

    def __init__{signature} -> None:
        super().__init__(p)
        # {MARK}: check the parameters, see `_arguments`.
{kept}
    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return the drawn parameters, by name."""
        raise NotImplementedError("{MARK}")

{BODIES[base].replace("{MARK}", MARK)}'''


def test_of_function(name: str, parameters: list[Parameter]) -> str:
    """Return a test of a function."""
    module, _, last = name.rpartition(".")
    values = [value for _, _, value in guesses(name, parameters) if value is not None]
    call = ", ".join(["image", *values[1:]])
    return f'''"""`{name}`: {MARK} what is tested beyond what follows from the contract."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from {module} import {last} as reference

from pipeport.{module} import {last}

RANDOM = np.random.default_rng(1)


# {MARK}: sizes and options at which a native goes wrong.
@pytest.mark.parametrize("options", [{{}}])
@pytest.mark.parametrize("shape", [(1, 1), (7, 1), (40, 31)])
def test_equal_where_sizes_are_known_and_unknown(shape: tuple[int, ...], options: dict[str, Any]) -> None:
    image = RANDOM.integers(0, 256, shape).astype(np.uint8)
    right = np.asarray(reference({call}, **options))
    for sizes in (shape, [None] * len(shape)):
        graph = tf.function(
            lambda image: {last}({call}, **options),
            input_signature=[tf.TensorSpec(sizes, tf.uint8)], autograph=False,
        )  # fmt: skip
        found = graph(image).numpy()
        assert found.dtype == right.dtype
        np.testing.assert_array_equal(found, right)
'''


def test_of_transform(name: str) -> str:
    """Return a test of a transform."""
    last = name.rpartition(".")[2]
    return f'''"""`{name}`: {MARK} what is tested beyond what follows from the contract."""

from __future__ import annotations

import numpy as np
import pytest

import pipeport.albumentations as A
from pipeport.errors import OutsideDomain


def test_the_seed_decides() -> None:
    image = np.arange(192, dtype=np.uint8).reshape(8, 8, 3)
    found = [A.{last}(p=1.0)(image=image, seed=(1, 2))["image"].numpy() for _ in range(2)]
    np.testing.assert_array_equal(*found)
    # {MARK}: what this image becomes.


def test_parameters_out_of_range_are_refused() -> None:
    with pytest.raises(OutsideDomain, match="p: got 2"):
        A.{last}(p=2)
'''


# --- writing ---------------------------------------------------------------------------------------


def _new(file: Path) -> Path:
    if file.exists():
        raise Refused(f"{file.relative_to(ROOT)} exists already: no file is overwritten.")
    return file


def _exported(init: Path, module: str, file: Path, last: str) -> None:
    """Add an export to a package, sorted among the others; make the package where there is none."""
    if not init.exists():
        init.parent.mkdir(parents=True)
        text = (
            f'"""Natives of `{module}`."""\n\nfrom pipeport import _mirror\n\n_mirror.answer_for(__name__)\n'
        )
        init.write_text(text, encoding="utf-8")
    before, import_, after = init.read_text(encoding="utf-8").partition("from pipeport import _mirror\n")
    line = f"from pipeport.{module}.{file.stem} import {last} as {last}\n"
    init.write_text(before + import_ + line + after, encoding="utf-8")


def write(name: str) -> list[Path]:
    """Write the files of a new pair.

    Parameters
    ----------
    name : str
        Dotted name of the reference; the usual short names of libraries are known.

    Returns
    -------
    list of pathlib.Path
        What was written.
    """
    from pipeport import catalog

    name = catalog._in_full(name)
    module, _, last = name.rpartition(".")
    library = module.partition(".")[0]
    libraries = [one for one in catalog.FACADES if one not in ("idioms", "random")]
    if library not in libraries:
        raise Refused(f"{name} belongs to none of {', '.join(libraries)}.")
    if catalog.exported(name) is not None or catalog._called(name):
        raise Refused(f"{name} has a native: pipeport catalog {name}")
    reference = reference_of(name)
    if library == "numpy" and type(reference).__name__ == "ufunc":
        raise Refused(f"{name} is elementwise: add a row to pipeport/numpy/_functions.py.")
    if not callable(reference) or (inspect.isclass(reference) and library != "albumentations"):
        raise Refused(f"{name} is not a function: copy a neighbour of its kind.")
    parameters, stated = parameters_of(name, reference)
    snake = snake_of(last)
    package = ROOT.joinpath("pipeport", *module.split("."))
    facade = _new(package / f"_{snake}.py")
    test = _new(ROOT / "tests" / library / f"test_{snake}.py")
    if inspect.isclass(reference):
        texts = transform(name, reference, parameters), test_of_transform(name)
    else:
        texts = function(name, parameters, stated), test_of_function(name, parameters)
    _exported(package / "__init__.py", module, facade, last)
    test.parent.mkdir(exist_ok=True)
    for file, text in zip((facade, test), texts, strict=True):
        file.write_text(text, encoding="utf-8")
    written = [facade, package / "__init__.py", test]
    for command in (("check", "--quiet", "--fix", "--select", "I,F401"), ("format", "--quiet")):
        subprocess.run([sys.executable, "-m", "ruff", *command, *written], cwd=ROOT, check=True)
    return written


def unfinished() -> list[str]:
    """Return the places in package and tests where something is to be filled in."""
    files = sorted(file for folder in ("pipeport", "tests") for file in (ROOT / folder).rglob("*.py"))
    return [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()}"
        for file in files
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if MARK in line
    ]


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("name", nargs="?", help="dotted name of the reference, such as cv2.dct")
    parser.add_argument("--unfinished", action="store_true", help="list what is to be filled in")
    given = parser.parse_args()
    if given.unfinished:
        found = unfinished()
        print("\n".join(found) or "Nothing is to be filled in.")
        return int(bool(found))
    if given.name is None:
        parser.error("give the name of a reference")
    try:
        written = write(given.name)
    except Refused as reason:
        print(reason, file=sys.stderr)
        return 2
    for file in written:
        print(file.relative_to(ROOT))
    print(f"Next: what is marked `{MARK}`, then a line in CHANGELOG.md, and python tools/readme_table.py.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
