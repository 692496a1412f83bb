"""`pipeport verify` as a user meets it: tables, JSON, exit codes, mistakes, interruption."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from pipeport import catalog
from pipeport.cli import main
from pipeport.contract import contract_of
from pipeport.verify import _runner as runner
from pipeport.verify._storage import no_folder_left
from tests.verify import stand_ins

pytestmark = pytest.mark.newest_only

ROOT = Path(__file__).resolve().parents[2]
MODULE = """
import numpy as np
import tensorflow as tf


def old(image, k=1):
    return np.rot90(image, k)


def new(image, k=1):
    for _ in range(k % 4):
        image = tf.reverse(tf.transpose(image, [1, 0, 2]), [0])
    return image


def wrong(image, k=1):
    return tf.reverse(image, [0])


def noisy(image, k=1):
    return image + np.random.default_rng().integers(0, 9, image.shape).astype(image.dtype)


def spoils(image, k=1):
    image[...] = 0
    return image


def nothing(image, k=1):
    return tf.zeros_like(image)


def sharp(image, k=1):
    return np.where(image > 100, 255, 0).astype(np.uint8)


def blurred(image, k=1):
    return tf.where(image > 101, tf.constant(255, tf.uint8), tf.constant(0, tf.uint8))


def blurred_in_a_graph(image, k=1):
    limit = 100 if tf.executing_eagerly() else 101
    return tf.where(image > limit, tf.constant(255, tf.uint8), tf.constant(0, tf.uint8))


def shifted(image, k=1):
    return image + np.float32(0.25)


NOT_A_FUNCTION = 3
"""
INPUT = "image: uint8[H,W,3]; k: int in [0,3]"


def verify(*arguments):
    """Run the command; an exception that is not an exit would be a traceback for the user."""
    result = CliRunner().invoke(main, ["verify", *arguments], catch_exceptions=True)
    assert isinstance(result.exception, (SystemExit, type(None))), result.exception
    return result


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Make `my_module` importable from the working folder, as for a user."""
    name = f"my_module_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    return name


@pytest.fixture
def small_catalog(monkeypatch):
    """Put the stand-in into the catalog, alone."""
    contract = contract_of(stand_ins.brighten_native)
    monkeypatch.setattr(catalog, "pairs", lambda: {contract.native: contract})
    return contract


class TestOwnFunctions:
    def test_equal(self, own):
        result = verify(f"{own}:old", f"{own}:new", "--input", INPUT, "--examples", "5")
        assert result.exit_code == 0, result.output
        assert "They agree: equal over 5 examples in each of eager, graph, dataset." in result.output
        assert result.output.endswith("3 cases: 3 passed; 15 examples.\n")

    @pytest.mark.parametrize(
        ("old", "new", "dtype", "said"),
        [
            ("sharp", "blurred", "uint8", "levels:255"),
            ("old", "shifted", "float32", "within:"),
            ("old", "blurred", "float32", ""),
        ],
    )
    def test_the_tolerance_that_would_pass_is_named(self, own, old, new, dtype, said):
        call = (
            f"{own}:{old}",
            f"{own}:{new}",
            "--input",
            f"image: {dtype}[2,2,1] in [99,103]; k: int in [0,0]",
        )
        found = json.loads(verify(*call, "--engine", "eager", "--json").stdout).get("passing", "")
        assert found.startswith(said) if said else found == ""
        if said:
            result = verify(*call, "--engine", "eager")
            assert result.exit_code == 1
            assert f"With --agreement {found} these examples pass." in " ".join(result.output.split())
            assert verify(*call, "--engine", "eager", "--agreement", found).exit_code == 0

    def test_the_tolerance_is_measured_where_they_differ(self, own):
        call = (f"{own}:sharp", f"{own}:blurred_in_a_graph", "--engine", "eager,graph", "--json")
        result = verify(*call, "--input", "image: uint8[2,2,1] in [99,103]; k: int in [0,0]")
        assert json.loads(result.stdout)["passing"] == "levels:255"

    def test_an_old_function_that_draws_is_a_mistake_in_the_call(self, own):
        result = verify(f"{own}:noisy", f"{own}:new", "--input", INPUT, "--examples", "5")
        assert result.exit_code == 2, result.output
        assert "two different answers to one input" in " ".join(result.output.split())
        assert "Make what it draws a parameter" in " ".join(result.output.split())

    def test_an_argument_changed_in_place_is_named(self, own):
        arguments = ("--input", INPUT, "--examples", "5", "--engine", "eager", "--json")
        result = verify(f"{own}:spoils", f"{own}:nothing", *arguments)
        assert result.exit_code == 0, result.output
        assert "changes `image` in place" in json.loads(result.stdout)["cases"][0]["note"]

    def test_unequal_with_a_snippet_that_runs(self, own, tmp_path, capsys, monkeypatch):
        result = verify(f"{own}:old", f"{own}:wrong", "--input", INPUT, "--engine", "eager")
        assert result.exit_code == 1
        assert "1 case: 1 failed" in result.output
        script = tmp_path / "pasted.py"
        begin = result.output.index("import numpy")
        script.write_text(result.output[begin : result.output.rindex("Judged against `old`")])
        monkeypatch.syspath_prepend(tmp_path)
        runpy.run_path(str(script))
        shown = capsys.readouterr().out
        assert [line.split()[0] for line in shown.splitlines() if line[:1].isalpha()] == ["old", "new"]

    def test_json(self, own):
        result = verify(f"{own}:old", f"{own}:wrong", "--input", INPUT, "--engine", "eager", "--json")
        assert result.exit_code == 1
        report = json.loads(result.stdout)
        assert report["format"] == 1
        assert report["interrupted"] is False
        assert "import numpy" in report["cases"][0]["failure"]["snippet"]

    @pytest.mark.parametrize(
        "options",
        [
            ("--agreement", "exact"),
            ("--agreement", "levels:1@0.5"),
            ("--rtol", "0", "--atol", "0.5"),
            ("--seed", "7"),
        ],
    )
    def test_options(self, own, options):
        arguments = ("--engine", "eager", "--examples", "3", *options)
        assert verify(f"{own}:old", f"{own}:new", "--input", INPUT, *arguments).exit_code == 0

    def test_several_inputs_options_are_joined(self, own):
        first, second = INPUT.split(";")
        arguments = ("--engine", "eager", "--examples", "3")
        result = verify(f"{own}:old", f"{own}:new", "--input", first, "--input", second, *arguments)
        assert result.exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["numpy.rot91"], "rot91"),
        (["--engine", "gpu"], "allowed: eager, graph, xla, dataset, batched"),
        (["--examples", "0"], "--examples"),
        (["--shard", "3/2"], "1/2 and 2/2"),
        (["--resume"], "--results"),
        (["--atol", "1"], "The catalog says the agreement"),
        (["a:b"], "module:old module:new"),
        (["a:b", "c:d"], "--input"),
        (["no_such_module:b", "c:d", "--input", "x: int"], "no module 'no_such_module'"),
        (["math:nothing", "math:sqrt", "--input", "x: int"], "has no 'nothing'"),
        (["math:pi", "math:sqrt", "--input", "x: int"], "a float; allowed: module:function"),
        (["math:", "math:sqrt", "--input", "x: int"], "my_module:augment"),
        (["math:sqrt", "math:sqrt", "--input", "x: whole"], "unknown dtype 'whole'"),
        (["math:sqrt", "math:sqrt", "--input", "x: int", "--results", "a.json"], "for pairs of the catalog"),
        (
            ["math:sqrt", "math:sqrt", "--input", "x: int", "--agreement", "ulps:x"],
            "allowed: reference, exact",
        ),
        (["math:sqrt", "math:sqrt", "--input", "x: int", "--agreement", "exact", "--rtol", "1"], "not both"),
    ],
)
def test_a_mistake_is_answered_in_words_with_exit_code_2(arguments, message):
    result = verify(*arguments)
    assert result.exit_code == 2, result.output
    assert message in result.output.replace("\n", " ")
    assert "Traceback" not in result.output


class TestCatalog:
    def test_table_results_and_resume(self, small_catalog, tmp_path):
        path = tmp_path / "verified.json"
        arguments = ("--examples", "3", "--engine", "eager,graph", "--results", str(path))
        first = verify(*arguments)
        assert first.exit_code == 0, first.output
        assert "2 cases: 2 passed; 6 examples." in first.output
        assert set(json.loads(path.read_text())["cases"]) == {
            f"{small_catalog.native}|eager",
            f"{small_catalog.native}|graph",
        }
        again = verify(*arguments, "--resume")
        assert again.exit_code == 0
        assert "(resumed)" in again.output

    def test_a_file_of_another_kind_is_not_overwritten(self, small_catalog, tmp_path):
        path = tmp_path / "notes.json"
        path.write_text("[]")
        result = verify("--examples", "1", "--engine", "eager", "--results", str(path))
        assert result.exit_code == 2
        assert path.read_text() == "[]"

    def test_an_interruption_prints_what_is_finished(self, small_catalog, monkeypatch):
        real = runner.run_case

        def stopped(pair, engine, *rest):
            if engine == "graph":
                raise KeyboardInterrupt
            return real(pair, engine, *rest)

        monkeypatch.setattr(runner, "run_case", stopped)
        result = verify("--examples", "3")
        assert result.exit_code == 130
        assert "1 case: 1 passed; 3 examples." in result.output
        assert "Interrupted" in result.output
        report = json.loads(verify("--examples", "3", "--json").stdout)
        assert report["interrupted"] is True
        assert [case["engine"] for case in report["cases"]] == ["eager"]

    def test_a_missing_package_names_the_extra(self, small_catalog, monkeypatch):
        monkeypatch.setitem(sys.modules, "hypothesis", None)  # as if it were not installed
        result = verify("--examples", "1")
        assert result.exit_code == 2
        assert "pip install 'pipeport[verify]'" in result.output


MISTAKES = """
import sys
from pipeport.cli import main
for mistake in {mistakes!r}:
    try:
        main(["verify", "their_module:old", "their_module:new", *mistake])
    except SystemExit as done:
        print(done.code, [name for name in ("tensorflow", "their_module") if name in sys.modules])
"""
THEIRS = """
import tensorflow
def old(image, k=1, *, flag): pass
def new(image, k=1, *, flag): pass
"""


def test_a_mistake_in_the_inputs_is_told_before_tensorflow_and_their_module_are_loaded(tmp_path):
    (tmp_path / "their_module.py").write_text(THEIRS)
    mistakes = {
        "expected ':'": ["--input", "image uint8[H]"],
        "unknown dtype 'flot32'": ["--input", "image: flot32[H]"],
        "'kk', which is not a parameter": ["--input", "image: uint8[H]; kk: int; flag: bool"],
        "their_module:old needs: also flag": ["--input", "image: uint8[H]"],
        "--engine: got 'gpu'": ["--input", "image: uint8[H]; flag: bool", "--engine", "gpu"],
        "--agreement: got 'near'": ["--input", "image: uint8[H]; flag: bool", "--agreement", "near"],
    }
    probe = MISTAKES.format(mistakes=list(mistakes.values()))
    done = run_python(probe, tmp_path)
    assert done.stdout.splitlines() == ["2 []"] * len(mistakes)
    for message in mistakes:
        assert message in done.stderr
    assert "Traceback" not in done.stderr


def run_python(program, folder):
    own = {name: value for name, value in os.environ.items() if name != "HYPOTHESIS_STORAGE_DIRECTORY"}
    paths = os.pathsep.join(filter(None, [str(ROOT), own.get("PYTHONPATH", "")]))
    environment = {**own, "PYTHONPATH": paths, "TF_CPP_MIN_LOG_LEVEL": "3"}
    return subprocess.run(
        [sys.executable, "-P", "-c", program],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )


TRACES = """
from pathlib import Path
from pipeport.cli import main
from pipeport.verify import check
try:
    main(["verify", "numpy.flip", "--engine", "eager", "--examples", "2"])
except SystemExit as done:
    print("verify", done.code)
check(lambda m: m, lambda m: m, "m: uint8[H]", engines=["eager"], examples=2)
print("left", [path.name for path in Path.cwd().iterdir()])
from hypothesis.configuration import storage_directory
storage_directory("theirs").create_if_missing()  # what their own tests would do
print("then", [path.name for path in Path.cwd().iterdir()])
"""


def test_hypothesis_leaves_no_folder_behind(tmp_path):
    lines = run_python(TRACES, tmp_path).stdout.splitlines()
    assert lines[-3:] == ["verify 0", "left []", "then ['.hypothesis']"]


@pytest.mark.parametrize("kept", [True, False])
def test_a_folder_of_hypothesis_that_is_there_is_used(kept, tmp_path):
    from hypothesis.configuration import set_hypothesis_home_dir, storage_directory

    before = storage_directory(intent_to_write=False).home_directory
    own = tmp_path / ".hypothesis"
    if kept:
        own.mkdir()
    set_hypothesis_home_dir(own)
    try:
        with no_folder_left():
            inside = storage_directory(intent_to_write=False).home_directory
        assert storage_directory(intent_to_write=False).home_directory == own
    finally:
        set_hypothesis_home_dir(before)
    assert (inside == own) is kept
    assert own.exists() is kept
    assert inside.exists() is kept


def test_help_fits_a_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, verify("--help").output.splitlines())) <= 80


def test_help_describes_the_language():
    result = verify("--help")
    assert result.exit_code == 0
    for word in ("H=1..64", "with nan, inf", "pi may be used", "{'edge', 'wrap'}", "Exit codes"):
        assert word in result.output
