"""The stubs of packages whose natives are built at import, such as `numpy.sinh` from a row of a table.

`python tools/readme_table.py` writes them.

Type checkers and editors read a source file, in which such a native is the result of a call. A stub tells its
signature. It re-exports everything else from where it is defined, as the package does.
"""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

import pipeport
from pipeport.contract import contract_of

PACKAGES = ("pipeport.numpy", "pipeport.numpy.fft", "pipeport.numpy.random")
_HEAD = '# Written by `python tools/readme_table.py`.\n"""{}"""\n'
_LONGEST = 110
_PLAIN = (bool, int, float, str, tuple, type(None))


def stub_of(package: str) -> Path:
    """Return the path of the stub of a package."""
    return Path(pipeport.__file__).parent.joinpath(*package.split(".")[1:], "__init__.pyi")


def text_of(package: str) -> str:
    """Return the stub of a package."""
    module = importlib.import_module(package)
    imports, built = [], []
    for name, place in _exports(module):
        if is_built(getattr(module, name), name, place):
            built.append(_definition(name, getattr(module, name)))
        else:
            imports.append(f"from {place} import {name} as {name}")
    lines = ["from typing import Any", "", *imports, "", *built]
    return _HEAD.format((module.__doc__ or "").strip()) + "\n" + "\n".join(lines)


def _exports(module: ModuleType) -> list[tuple[str, str]]:
    """Return each public name of a package, with the module that it comes from."""
    tree = ast.parse(inspect.getsource(module))
    return [
        (alias.name, node.module)
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module != "pipeport"
        for alias in node.names
        if node.module is not None
    ]


def is_built(value: Any, name: str, place: str) -> bool:
    """Say whether a value is a native whose signature the source of its module does not tell a type checker.

    It tells that of a function, of a class, and of a `sibling` of one of these.
    """
    if contract_of(value) is None:
        return False
    return not any(
        (isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name)
        or (isinstance(node, ast.Assign) and ast.unparse(node).startswith(f"{name} = sibling("))
        for node in ast.parse(inspect.getsource(importlib.import_module(place))).body
    )


def _definition(name: str, native: Any) -> str:
    """Return a native as a stub has it."""
    signature = inspect.signature(native)
    parts, kind = [], None
    for one in signature.parameters.values():
        if one.kind is one.KEYWORD_ONLY and kind not in (one.KEYWORD_ONLY, one.VAR_POSITIONAL):
            parts.append("*")
        if kind is inspect.Parameter.POSITIONAL_ONLY and one.kind is not kind:
            parts.append("/")
        parts.append(_parameter(one))
        kind = one.kind
    if kind is inspect.Parameter.POSITIONAL_ONLY:
        parts.append("/")
    end = f") -> {signature.return_annotation}:"
    head = f"def {name}({', '.join(parts)}{end}"
    if len(head) > _LONGEST:
        head = f"def {name}(\n" + "".join(f"    {part},\n" for part in parts) + end
    return f'{head}\n    """{contract_of(native).summary}"""\n'  # type: ignore[union-attr]


def _parameter(one: inspect.Parameter) -> str:
    stars = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
    text = f"{stars}{one.name}: {one.annotation}"
    if one.default is one.empty:
        return text
    # A value that is none of Python's own, such as NumPy's `_NoValue`, has no text.
    default = repr(one.default).replace("'", '"') if isinstance(one.default, _PLAIN) else "..."
    return f"{text} = {default}"
