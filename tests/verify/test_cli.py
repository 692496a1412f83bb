"""`pipeport verify` as a user meets it: tables, JSON, exit codes, mistakes, interruption."""

from __future__ import annotations

import json
import runpy
import sys

import pytest
from click.testing import CliRunner

from pipeport import catalog
from pipeport.cli import main
from pipeport.contract import contract_of
from pipeport.verify import _runner as runner
from tests.verify import stand_ins

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


NOT_A_FUNCTION = 3
"""
INPUT = "image: uint8[H,W,3]; k: int in [0,3]"


def verify(*arguments):
    """Run the command; an exception that is no exit would be a traceback for the user."""
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
        assert "3 cases: 3 passed; 15 examples." in result.output
        for engine in ("eager", "graph", "dataset"):
            assert engine in result.output

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
        assert "1 cases: 1 failed" in result.output
        script = tmp_path / "pasted.py"
        script.write_text(result.output[result.output.index("\n# output") : result.output.rindex("1 cases:")])
        monkeypatch.syspath_prepend(tmp_path)
        runpy.run_path(str(script))
        shown = capsys.readouterr().out
        assert "reference" in shown
        assert "native" in shown

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
        (["no_such_module:b", "c:d", "--input", "x: int"], "cannot be imported"),
        (["math:nothing", "math:sqrt", "--input", "x: int"], "has no 'nothing'"),
        (["math:pi", "math:sqrt", "--input", "x: int"], "not a function"),
        (["math:", "math:sqrt", "--input", "x: int"], "write module:function"),
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
        assert "1 cases: 1 passed; 3 examples." in result.output
        assert "Interrupted" in result.output
        report = json.loads(verify("--examples", "3", "--json").stdout)
        assert report["interrupted"] is True
        assert [case["engine"] for case in report["cases"]] == ["eager"]

    def test_a_missing_package_names_the_extra(self, small_catalog, monkeypatch):
        monkeypatch.setitem(sys.modules, "hypothesis", None)  # as if it were not installed
        result = verify("--examples", "1")
        assert result.exit_code == 2
        assert "pip install 'pipeport[verify]'" in result.output


def test_help_describes_the_language():
    result = verify("--help")
    assert result.exit_code == 0
    for word in ("H=1..64", "with nan, inf", "pi may be used", "{'edge', 'wrap'}", "Exit codes"):
        assert word in result.output
