"""The wheel, installed elsewhere, holds what the catalog, the recipes and the suites need."""

from __future__ import annotations

import json
import os
import site
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from pipeport import __version__, _releases, recipes_index
from pipeport.bench._results import read
from tests.bench.programs import program, suite
from tests.house import overlay

pytestmark = [pytest.mark.newest_only, pytest.mark.wheel]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the working tree."""
    target = tmp_path_factory.mktemp("dist")
    return Path(next(WheelBuilder(str(overlay.ROOT)).build(directory=str(target), versions=["standard"])))


@pytest.fixture(scope="module")
def command(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `pipeport` command of an environment that holds the wheel and this environment's packages.

    The packages come through a .pth file, so that nothing is fetched; `pipeport` itself is installed.
    """
    home = tmp_path_factory.mktemp("home")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    binary = home / "bin" / "python"
    ours = next(home.glob("lib/python*/site-packages"))
    shared = [path for path in (*site.getsitepackages(), *sys.path) if path.endswith("site-packages")]
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(binary),
        "install",
        "--no-deps",
        "--no-index",
        "--quiet",
    ]
    subprocess.run([*install, str(wheel)], check=True)
    (ours / "zz_shared.pth").write_text("\n".join(dict.fromkeys(shared)) + "\n", encoding="utf-8")
    return home / "bin" / "pipeport"


def run(command: Path, *arguments: str, cwd: Path) -> str:
    """Run the installed command in a folder that knows nothing of the repository."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {"COLUMNS": "200"}
    done = subprocess.run(
        [command, *arguments], capture_output=True, text=True, check=False, cwd=cwd, env=environment
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_holds_types_recipes_and_license(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"pipeport/py.typed", "pipeport/numpy/__init__.pyi"} <= names
    assert f"pipeport-{__version__}.dist-info/licenses/LICENSE" in names
    for recipe in recipes_index.recipes():
        assert {f"pipeport/_recipes/{recipe.name}/{file.name}" for file in recipe.files} <= names
    suites = {f"pipeport/_suites/{file.name}" for file in (overlay.ROOT / "bench" / "suites").glob("*.*")}
    assert "pipeport/_suites/recipes.toml" in suites
    assert suites <= names
    assert f"pipeport/releases/{_releases.newest().version}.json" in names
    assert not [name for name in names if "__pycache__" in name or name.startswith(("tests", "bench"))]


def test_the_installed_package_is_the_one_that_runs(command: Path, tmp_path: Path) -> None:
    where = "import pipeport; print(pipeport.__file__)"
    python = command.with_name("python")
    out = subprocess.run([python, "-c", where], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert Path(out.stdout.strip()).is_relative_to(command.parents[1])


def test_catalog_works_from_the_installed_package(command: Path, tmp_path: Path) -> None:
    assert "\nnumpy.fliplr " in run(command, "catalog", cwd=tmp_path)
    found = json.loads(run(command, "catalog", "numpy.fliplr", "--json", cwd=tmp_path))
    assert found["release"]["version"]
    assert found["pairs"][0]["proof"]
    assert found["pairs"][0]["ratios"]


def test_recipes_work_from_the_installed_package(command: Path, tmp_path: Path) -> None:
    listed = run(command, "recipe", cwd=tmp_path)
    for recipe in recipes_index.recipes():
        assert recipe.name in listed
        folder = Path(run(command, "recipe", recipe.name, "--path", cwd=tmp_path).strip())
        assert folder.is_relative_to(command.parents[1])
        assert run(command, "recipe", recipe.name, cwd=tmp_path)


def test_suites_work_from_the_installed_package(command: Path, tmp_path: Path) -> None:
    """By name; and a suite of one's own finds the recipes of the wheel."""
    listed = run(command, "bench", "--suites", cwd=tmp_path)
    for file in (overlay.ROOT / "bench" / "suites").glob("*.toml"):
        assert f"{file.stem}: " in listed
    assert "paired-flip" in run(command, "bench", "--suite", "recipes", "--list", cwd=tmp_path)
    pytest.importorskip("psutil")
    recipe = "recipes/arithmetic/{}.py:build_dataset"
    text = program(
        inputs="pipelines.py:images_and_frames",
        before=recipe.format("before"),
        after=recipe.format("after"),
    )
    few = ("--rounds", "1", "--seconds", "0.01", "--json", "a.json")
    run(command, "bench", "--suite", str(suite(tmp_path, text)), *few, cwd=tmp_path)
    [result] = read(tmp_path / "a.json").cases
    assert [len(side.rounds) for side in result.sides] == [1, 1]
