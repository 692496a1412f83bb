"""Every folder under recipes/ is a whole recipe, tested, and its README shows its own programs."""

from __future__ import annotations

import ast
import inspect
import re
import sys

import pytest

from pipeport import recipes_index
from pipeport.errors import NotPorted
from tests.recipes import (
    test_arithmetic,
    test_npz_to_tfrecord,
    test_off_tensorflow_addons,
    test_own_augmentation,
    test_paired_flip,
    test_port_a_body,
    test_read_resize_normalise,
    test_rotation,
    test_volume_rotation,
)
from tests.recipes.recipe_tools import NAMES, RECIPES, program

TESTS = {
    "arithmetic": test_arithmetic,
    "npz-to-tfrecord": test_npz_to_tfrecord,
    "off-tensorflow-addons": test_off_tensorflow_addons,
    "own-augmentation": test_own_augmentation,
    "paired-flip": test_paired_flip,
    "port-a-body": test_port_a_body,
    "read-resize-normalise": test_read_resize_normalise,
    "rotation": test_rotation,
    "volume-rotation": test_volume_rotation,
}
FILES = ["README.md", "after.py", "before.py", "pitfalls.py"]
SECTIONS = ["Symptom", "Why", "Before", "After", "What differs", "Bugs on the way", "Proof", "Measured"]
# Functions of pitfalls.py that serve the others.
HELPERS = {"convert_once", "drawn", "images", "place_of", "refused", "saved", "stock_kernel"}


def pitfalls_of(name: str) -> list[str]:
    tree = ast.parse((RECIPES / name / "pitfalls.py").read_text())
    return [n.name for n in tree.body if isinstance(n, ast.FunctionDef) and n.name not in HELPERS]


def test_every_folder_has_tests():
    assert sorted(TESTS) == NAMES, "a recipe without a line in TESTS, or a line without a recipe"


def test_a_forgotten_folder_is_noticed(tmp_path, monkeypatch):
    (tmp_path / "new").mkdir()
    monkeypatch.setattr(sys.modules[__name__], "NAMES", [*NAMES, "new"])
    with pytest.raises(AssertionError):
        test_every_folder_has_tests()


@pytest.mark.parametrize("name", NAMES)
def test_files(name):
    assert sorted(f.name for f in (RECIPES / name).iterdir() if f.name != "__pycache__") == FILES


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_of_test_is_there(name):
    """Agreement, no boundary, a check that fires, shapes, and one test per pitfall."""
    wanted = {"test_before_and_after_agree", "test_boundaries", "test_static_shapes"}
    wanted |= {f"test_{pitfall}" for pitfall in pitfalls_of(name)}
    assert wanted <= set(vars(TESTS[name])), wanted - set(vars(TESTS[name]))


@pytest.mark.parametrize("name", NAMES)
def test_every_pitfall_test_uses_its_pitfall(name):
    for pitfall in pitfalls_of(name):
        source = inspect.getsource(vars(TESTS[name])[f"test_{pitfall}"])
        assert f"pitfalls.{pitfall}()" in source
        assert "assert " in source


@pytest.mark.parametrize("name", NAMES)
def test_sections(name):
    recipe = recipes_index.find(name)
    assert list(recipe.sections) == SECTIONS
    assert all(recipe.sections.values()), "an empty section"
    assert recipe.symptom.endswith(".")
    assert len(recipe.symptom) < 160


@pytest.mark.parametrize("name", NAMES)
def test_readme_shows_every_program_and_pitfall(name):
    """The text of the blocks is compared with the files by tests/test_readme.py."""
    shown = set(re.findall(r"<!-- generated: code (.+) -->", (RECIPES / name / "README.md").read_text()))
    wanted = {"before.py", "after.py"} | {f"pitfalls.py {pitfall}" for pitfall in pitfalls_of(name)}
    assert wanted <= shown


@pytest.mark.parametrize("name", NAMES)
def test_readme_has_no_code_but_the_programs(name):
    """A block that is not generated could drift; shell lines are checked below."""
    text = (RECIPES / name / "README.md").read_text()
    unmarked = re.sub(r"<!-- generated: .*?<!-- end -->", "", text, flags=re.DOTALL)
    assert re.findall(r"^```(\w+)", unmarked, flags=re.MULTILINE) == ["sh"]


@pytest.mark.parametrize("name", NAMES)
def test_proof_command(name, request):
    """The command under "Proof" names a pair of the catalog, a function of the recipe, or tests."""
    from pipeport import catalog

    proof = recipes_index.find(name).sections["Proof"]
    command = re.search(r"```sh\n(.+)\n```", proof)[1]
    if own := re.search(r"pipeport verify (\w+):(\w+) --port ", command):
        assert callable(getattr(program(name, own[1]), own[2]))
        assert "test_the_command_under_proof" in vars(TESTS[name])
    elif command.startswith("pipeport verify "):
        assert catalog.find(command.split()[-1])
    keyword = re.search(r"python -m pytest tests/recipes -k (\w+)", proof)[1]
    assert TESTS[name].__name__.endswith(f"test_{keyword}")


def imports(name: str, file: str) -> set[str]:
    tree = ast.parse((RECIPES / name / file).read_text())
    imported = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    imported |= {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    return {dotted.partition(".")[0] for dotted in imported}


def calls_port(name: str) -> bool:
    """Say whether a recipe ports its body: that one still imports what it did."""
    tree = ast.parse((RECIPES / name / "after.py").read_text())
    called = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return bool(called & {"port", "pipeport.port"})


@pytest.mark.parametrize("name", NAMES)
def test_after_imports_nothing_but_tensorflow_and_pipeport(name):
    allowed = {"tensorflow", "pipeport"} | (imports(name, "before.py") if calls_port(name) else set())
    assert imports(name, "after.py") <= allowed


def test_recipes_that_port():
    """Else the test above would let every recipe import what it likes."""
    assert [name for name in NAMES if calls_port(name)] == ["own-augmentation", "port-a-body"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("file", ["before", "after"])
def test_programs_build_a_dataset(name, file):
    if (name, file) == ("off-tensorflow-addons", "before"):
        pytest.importorskip("tensorflow_addons", reason="cannot be loaded beside this TensorFlow")
    assert "parallel_calls" in inspect.signature(program(name, file).build_dataset).parameters


def test_a_program_that_is_not_there_is_named_with_those_that_are():
    with pytest.raises(NotPorted, match=r"program: got 'afterwards'; allowed: .*after"):
        recipes_index.find("rotation").load("afterwards")
