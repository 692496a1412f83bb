"""`pipeport trace` and its process: answers, exit codes, and functions that take their process along."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from pipeport.cli import main
from pipeport.errors import OutsideDomain
from pipeport.trace import _process
from pipeport.trace._problems import Problem
from pipeport.trace._process import Task, measured
from tests.trace.builders import mode, report

pytestmark = pytest.mark.newest_only

FUNCTIONS = "tests.trace.functions"


def invoke(*arguments):
    result = CliRunner(env={"COLUMNS": "80"}).invoke(main, ("trace", *arguments))
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def answered(monkeypatch):
    """Answer every task with a report, and keep the task."""
    tasks = []
    reports = [report(mode("eager", 0.002, 4e-5), mode("graph", 0.042, 2e-5, tracing=0.03))]

    def answer(task, watch):
        tasks.append(task)
        watch("eager: first call")
        return reports[0]

    monkeypatch.setattr(_process, "measured", answer)
    return tasks, reports


def test_the_command_prints_tables_words_and_a_plot(answered, tmp_path):
    picture = tmp_path / "step.svg"
    options = ("--modes", "graph,eager", "--rounds", "3", "--limit", "2", "--plot", str(picture))
    code, out, _ = invoke(
        f"{FUNCTIONS}:add", "--input", "x: float32[3]", "--input", "y: float32[3]", *options
    )
    assert code == 0
    [task] = answered[0]
    assert (task.modes, task.rounds, task.limit) == (("eager", "graph"), 3, 2.0)
    assert task.inputs == "x: float32[3]; y: float32[3]"
    assert "first call" in out
    assert "pays off from call" in out
    assert "tf.function against eager: 2x faster per call" in out
    assert max(map(len, out.splitlines())) <= 80
    assert picture.read_bytes().startswith(b"<?xml")


def test_json_holds_raw_values_and_comparisons(answered):
    code, out, _ = invoke(f"{FUNCTIONS}:add", "--input", "x: float32[3]; y: float32[3]", "--json")
    assert code == 0
    found = json.loads(out)
    assert found["format"] == 1
    assert [len(mode["rounds_s"]) for mode in found["modes"]] == [9, 9]
    assert [(one["mode"], one["other"]) for one in found["comparisons"]] == [("graph", "eager")]
    assert found["comparisons"][0]["break_even"]["calls"] == 2001


def test_exit_codes_say_what_became_of_it(answered):
    broken = Problem(
        kind="cannot be traced", message="no", frames=("a.py, line 3, in g", "a.py, line 1, in f")
    )
    graph = mode("graph", 1.0, 1.0)
    graph.problem = broken
    answered[1][0] = report(mode("eager", 1.0, 1.0), graph)
    code, out, _ = invoke(f"{FUNCTIONS}:doubled", "--input", "x: float32[3]")
    assert code == 1
    assert "tf.function cannot be traced: no" in out
    assert "    a.py, line 3, in g\n    a.py, line 1, in f" in out
    answered[1][0] = report(mode("eager", 1.0, 1.0))
    answered[1][0].interrupted = True
    code, out, _ = invoke(f"{FUNCTIONS}:doubled", "--input", "x: float32[3]")
    assert code == 130
    assert "Interrupted: 9 rounds" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("add",), "my_module:augment"),
        ((f"{FUNCTIONS}:add", "--input", "x: float32[3]"), "also y"),
        ((f"{FUNCTIONS}:add", "--input", "x: float32[3]; z: float32[3]"), "z"),
        ((f"{FUNCTIONS}:add", "--input", "x: float33[3]"), "Did you mean float32"),
        ((f"{FUNCTIONS}:add", "--modes", "jit"), "allowed: python, eager, graph, xla"),
        ((f"{FUNCTIONS}:add", "--plot", "no/such/folder/a.svg"), "Create the folder"),
        ((f"{FUNCTIONS}:add", "--plot", "a.txt"), "--plot"),
        ((f"{FUNCTIONS}:add", "surplus"), "surplus"),
        (("--watch", "no_such_script.py"), "no such file"),
        (("--watch", "tests/trace/functions.py", "--rounds", "3"), "--watch"),
    ],
)
def test_a_mistake_is_told_before_anything_is_imported(arguments, says, monkeypatch):
    monkeypatch.setattr(_process, "measured", None)
    code, out, err = invoke(*arguments)
    assert (code, out) == (2, "")
    assert says in err


ONE = "x: float32[] in [1,1]"


def test_a_mode_that_dies_is_left_out_and_the_rest_measured():
    function = f"{FUNCTIONS}:dies_eagerly"
    task = Task(name="x", function=function, inputs=ONE, modes=("eager", "graph"), rounds=2)
    eager, graph = measured(task, lambda step: None).modes
    assert (eager.problem.kind, eager.problem.message) == ("ends its process", "exit code 7")
    assert (graph.problem, len(graph.rounds_s)) == (None, 2)


def test_a_mode_that_hangs_in_tensorflow_is_ended(monkeypatch):
    monkeypatch.setattr(_process, "_GRACE_S", 0.5)
    task = Task(name="x", function=f"{FUNCTIONS}:hangs", inputs=ONE, modes=("graph",), limit=1.0)
    [graph] = measured(task, lambda step: None).modes
    # On a busy machine the second may be over while it is traced; it is ended all the same.
    assert graph.problem.kind == "does not end"
    assert "1 s" in graph.problem.message


def test_an_interruption_keeps_what_the_process_has_measured():
    steps = []

    def interrupt(step):
        steps.append(step)
        if step == "plain Python: round 4 of 1000":
            raise KeyboardInterrupt

    task = Task(
        name="add",
        function=f"{FUNCTIONS}:add",
        inputs="x: float32[3]; y: float32[3]",
        modes=("python", "eager"),
        rounds=1000,
        seconds=0.01,
    )
    found = measured(task, interrupt)
    assert found.interrupted
    assert found.name == "add"
    assert [mode.mode for mode in found.modes if mode.measured] == ["python", "eager"]
    assert 3 <= len(found.modes[0].rounds_s) < 1000
    assert steps[:2] == ["importing tests.trace.functions", "starting TensorFlow"]


def test_an_interruption_counts_even_where_the_function_swallows_it():
    def interrupt(step):
        if step == "plain Python: round 2 of 200":
            raise KeyboardInterrupt

    task = Task(name="deaf", function=f"{FUNCTIONS}:deaf", modes=("python",), rounds=200, seconds=0.01)
    found = measured(task, interrupt)
    assert found.interrupted
    assert len(found.modes[0].rounds_s) < 100


def test_a_module_that_cannot_be_imported_is_a_mistake():
    with pytest.raises(OutsideDomain, match="no module 'no_such_module_at_all'"):
        measured(Task(name="none", function="no_such_module_at_all:f"), lambda step: None)
