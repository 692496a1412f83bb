"""Type checkers know the signatures of natives that are built at import."""

from __future__ import annotations

import ast
import importlib
import inspect

import pytest

from pipeport import catalog
from tools import stubs

pytestmark = pytest.mark.newest_only


@pytest.mark.parametrize("package", stubs.PACKAGES)
def test_the_stub_is_what_the_command_writes(package: str) -> None:
    assert stubs.stub_of(package).read_text(encoding="utf-8") == stubs.text_of(package), (
        "run `python tools/readme_table.py`"
    )


def test_no_package_with_built_natives_is_without_a_stub() -> None:
    built = set()
    for pair in catalog.pairs().values():
        package, _, name = pair.native.rpartition(".")
        if stubs.is_built(pair.function, name, pair.function.__module__):
            built.add(package)
    assert built == set(stubs.PACKAGES)


@pytest.mark.parametrize("package", stubs.PACKAGES)
def test_signatures_of_the_stub_are_those_of_the_natives(package: str) -> None:
    module = importlib.import_module(package)
    tree = ast.parse(stubs.stub_of(package).read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    for node in functions:
        own = inspect.signature(getattr(module, node.name))
        names = [*node.args.posonlyargs, *node.args.args, node.args.vararg, *node.args.kwonlyargs]
        written = [one.arg for one in (*names, node.args.kwarg) if one is not None]
        assert written == list(own.parameters), node.name
        defaults = [*node.args.defaults, *(one for one in node.args.kw_defaults if one is not None)]
        given = [name for name, one in own.parameters.items() if one.default is not one.empty]
        assert len(defaults) == len(given), node.name
    assert functions


def test_the_stub_has_every_public_name() -> None:
    for package in stubs.PACKAGES:
        module = importlib.import_module(package)
        tree = ast.parse(stubs.stub_of(package).read_text(encoding="utf-8"))
        written = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        written |= {
            alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names
        }
        public = {name for name, value in vars(module).items() if not name.startswith("_")}
        modules = {name for name in public if inspect.ismodule(getattr(module, name))}
        assert public - modules == written - {"Any"}
