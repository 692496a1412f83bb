"""Reading about pipeport loads neither TensorFlow nor a reference; and the proof can fail."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

import pipeport
from tests.house import overlay

pytestmark = pytest.mark.newest_only

REFERENCES = {"PIL", "albumentations", "cv2", "scipy", "skimage", "tensorflow_addons"}
HEAVY = {"keras", "tensorflow", *REFERENCES}

# Runs what follows it as the command line, or as a statement, then tells which modules were loaded.
PROBE = """
import json, sys
sys.argv = ["pipeport", *sys.argv[1:]]
try:
    if sys.argv[1:]:
        from pipeport.cli import main
        main(prog_name="pipeport")
    else:
        import pipeport
except SystemExit as stop:
    assert not stop.code, stop.code
print()
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


def loaded(*arguments: str, path: Path = overlay.ROOT) -> set[str]:
    """Return the top-level modules a fresh process has loaded after `pipeport ARGUMENTS`."""
    done = overlay.run("-c", PROBE, *arguments, path=path)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_import_is_light() -> None:
    assert loaded().isdisjoint(HEAVY | {"numpy", "click", "rich"})


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]], ids=" ".join)
def test_the_first_look_loads_not_even_numpy(arguments: list[str]) -> None:
    assert loaded(*arguments).isdisjoint(HEAVY | {"numpy"})


@pytest.mark.parametrize("verb", ["bench", "catalog", "recipe", "verify"])
def test_help_of_every_verb_is_light(verb: str) -> None:
    assert loaded(verb, "--help").isdisjoint(HEAVY | {"numpy"})


@pytest.mark.parametrize(
    "arguments",
    [
        ["catalog"],
        ["catalog", "numpy.fliplr"],
        ["catalog", "rotate"],
        ["catalog", "--json"],
        ["recipe"],
        ["recipe", "rotation"],
    ],
    ids=" ".join,
)
def test_reading_loads_no_tensorflow(arguments: list[str]) -> None:
    assert loaded(*arguments).isdisjoint(HEAVY)


@pytest.mark.parametrize("heavy", ["tensorflow", "skimage"])
def test_a_heavy_import_would_be_seen(heavy: str, tmp_path: Path) -> None:
    package = overlay.copy_package(tmp_path) / "pipeport"
    with (package / "errors.py").open("a", encoding="utf-8") as module:
        module.write(f"\nimport {heavy}\n")
    assert heavy in loaded("--help", path=tmp_path)


def test_type_checkers_see_what_is_resolved_on_first_use():
    tree = ast.parse((overlay.ROOT / "pipeport" / "__init__.py").read_text())
    [block] = (
        one for one in tree.body if isinstance(one, ast.If) and "TYPE_CHECKING" in ast.unparse(one.test)
    )
    seen = {alias.asname: one.module for one in block.body for alias in one.names}
    modules = dict.fromkeys(pipeport._MODULES, "pipeport")
    assert seen == pipeport._VERBS | modules
