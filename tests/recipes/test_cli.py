"""`pipeport recipe`: list, print, JSON, path, copy; and a user's mistakes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from pipeport import recipes_index
from pipeport.cli import main
from pipeport.errors import NotPorted, OutsideDomain, PipeportError

pytestmark = pytest.mark.newest_only

FORMS = {recipe.name: recipe.form for recipe in recipes_index.recipes()}
NAMES = list(FORMS)
SHOWN = {
    "migration": ("Symptom", "def build_dataset(", "Bugs on the way", "Measured"),
    "tf-function": ("Symptom", "Cause", "import tensorflow as tf", "Measured"),
}


@pytest.fixture
def pipeport():
    def call(*arguments: str, columns: int = 100):
        return CliRunner().invoke(main, ["recipe", *arguments], env={"COLUMNS": str(columns)})

    return call


def test_list(pipeport):
    result = pipeport()
    assert result.exit_code == 0
    assert all(name in result.output for name in NAMES)
    assert "tf.numpy_function" in result.output


def test_list_is_by_symptom(pipeport):
    """Each recipe under each of its groups, and the groups in their order."""
    lines = pipeport(columns=200).output.splitlines()
    headings = [line for line in lines if line in recipes_index.GROUPS]
    assert headings == list(recipes_index.GROUPS)
    for group, members in recipes_index.by_group(recipes_index.recipes()).items():
        begin = lines.index(group)
        below = [line.split()[0] for line in lines[begin + 1 :] if line.startswith(" ") and line.strip()]
        assert below[: len(members)] == [recipe.name for recipe in members]


def test_list_as_json(pipeport):
    listed = json.loads(pipeport("--json").output)
    assert listed["format"] == 1
    assert [recipe["name"] for recipe in listed["recipes"]] == NAMES
    assert all(recipe["symptom"].endswith(".") for recipe in listed["recipes"])
    assert all("after.py" in recipe["files"] for recipe in listed["recipes"])
    assert {recipe["name"]: recipe["form"] for recipe in listed["recipes"]} == FORMS
    assert all(set(recipe["groups"]) <= set(recipes_index.GROUPS) for recipe in listed["recipes"])


@pytest.mark.parametrize("name", NAMES)
def test_print(pipeport, name):
    result = pipeport(name)
    assert result.exit_code == 0
    for line in SHOWN[FORMS[name]]:
        assert line in result.output
    assert "<!--" not in result.output


@pytest.mark.parametrize("columns", [60, 250])
def test_print_fits_the_terminal(pipeport, columns):
    lines = pipeport("rotation", columns=columns).output.splitlines()
    assert max(map(len, lines)) <= min(columns, 110)


@pytest.mark.parametrize("name", NAMES)
def test_raw(pipeport, name):
    text = pipeport(name, "--raw").output
    assert text.startswith("# ")
    assert "```python\n" in text
    assert "<!--" not in text


def test_one_as_json(pipeport):
    recipe = json.loads(pipeport("rotation", "--json").output)
    assert recipe["name"] == "rotation"
    assert "pipeport.skimage.transform" in recipe["sections"]["After"]


def test_path(pipeport):
    folder = Path(pipeport("rotation", "--path").output.strip())
    assert (folder / "after.py").is_file()


def test_copy(pipeport, tmp_path):
    result = pipeport("paired-flip", "--copy", str(tmp_path / "new"))
    assert result.exit_code == 0
    written = [Path(line) for line in result.output.splitlines()]
    assert sorted(path.name for path in written) == ["README.md", "after.py", "before.py", "pitfalls.py"]
    for path in written:
        assert path.parent == tmp_path / "new" / "paired-flip"
        original = recipes_index.find("paired-flip").folder / path.name
        assert path.read_bytes() == original.read_bytes()


def test_copy_never_overwrites(tmp_path):
    mine = tmp_path / "rotation" / "after.py"
    mine.parent.mkdir()
    mine.write_text("mine")
    with pytest.raises(OutsideDomain, match=r"after\.py"):
        recipes_index.find("rotation").copy_to(tmp_path)
    assert mine.read_text() == "mine"
    assert list(mine.parent.iterdir()) == [mine], "nothing is written when something is refused"


def test_copy_below_a_file(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutsideDomain, match=r"^copy: "):
        recipes_index.find("rotation").copy_to(tmp_path / "file")


def test_unknown_name():
    with pytest.raises(NotPorted, match=r"recipe: got 'rotatoin'; .* Nearest: rotation\."):
        recipes_index.find("rotatoin")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nonsense",), "recipe: got 'nonsense'"),
        (("--raw",), "--raw needs the NAME"),
        (("--copy", "."), "--copy needs the NAME"),
        (("rotation", "--raw", "--json"), "--json and --raw exclude each other"),
    ],
)
def test_mistakes(pipeport, arguments, message):
    result = pipeport(*arguments)
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output


def test_installed_recipes_come_first(tmp_path, monkeypatch):
    """In a wheel the recipes lie inside the package; a folder `recipes` beside it is somebody else's."""
    package = tmp_path / "pipeport"
    for folder in (package / "_recipes", tmp_path / "recipes"):
        folder.mkdir(parents=True)
    monkeypatch.setattr("importlib.resources.files", lambda _package: package)
    assert recipes_index.root() == package / "_recipes"
    (package / "_recipes").rmdir()
    assert recipes_index.root() == tmp_path / "recipes"
    (tmp_path / "recipes").rmdir()
    with pytest.raises(PipeportError, match=r"^recipes: "):
        recipes_index.root()


LOADED = """
import sys
from pipeport.cli import main
main({arguments}, standalone_mode=False)
print("LOADED", *sys.modules)
"""


def loaded_by(code: str) -> set[str]:
    """Return the modules a fresh interpreter has loaded after `code`."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("arguments", [["recipe"], ["recipe", "rotation"]])
def test_tensorflow_is_not_loaded(arguments):
    loaded = loaded_by(LOADED.format(arguments=arguments))
    assert "pipeport.recipes_index" in loaded
    assert not loaded & {"tensorflow", "skimage", "numpy"}


def test_the_proof_above_can_fail():
    assert "numpy" in loaded_by("import numpy\n" + LOADED.format(arguments=["recipe"]))
