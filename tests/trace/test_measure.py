"""One function in every mode: what is measured, and what is said of functions that cannot be."""

from __future__ import annotations

import functools
import itertools

import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import OutsideDomain, UnsupportedArgument
from pipeport.trace import Report, measure
from pipeport.trace._modes import MODES
from tests.trace import functions

quickly = functools.partial(measure, rounds=2, seconds=0.002)
X = np.arange(3, dtype=np.float32)


def of(report, name):
    return next(mode for mode in report.modes if mode.mode == name)


def problems(report):
    return {mode.mode: mode.problem.kind for mode in report.modes if mode.problem}


class Clock:
    """A clock that moves a millisecond when it is read, and otherwise when it is told."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        self.now += 0.001
        return self.now


def test_times_are_those_of_the_clock():
    clock = Clock()

    def step(x):
        clock.now += 0.5
        return x + 1

    found = measure(step, X, modes=("python", "graph"), rounds=3, seconds=0.002, clock=clock)
    python, graph = found.modes
    assert python.first == pytest.approx(0.501)
    assert python.tracing is None
    assert python.compiling is None
    assert python.calls == 1
    assert python.rounds_s == pytest.approx([0.501] * 3)
    # The body runs while it is traced, three times anew; its calls take a tick of the clock.
    assert graph.tracing_s == pytest.approx([0.501] * 3)
    assert graph.first_run_s == pytest.approx([0.001] * 3)
    assert graph.calls == 2
    assert graph.rounds_s == pytest.approx([0.0005] * 3)
    assert graph.first == pytest.approx(0.502)
    assert found.comparison("graph", "python").break_even.calls == 2
    assert found.comparison("python", "graph") is None


def test_every_mode_of_a_plain_function():
    found = quickly(functions.add, X, X)
    assert [mode.mode for mode in found.modes] == list(MODES)
    assert problems(found) == {}
    assert all(mode.measured and len(mode.rounds_s) == 2 for mode in found.modes)
    assert of(found, "graph").nodes == 4
    assert of(found, "graph").constant_bytes == 0
    assert len(of(found, "xla").tracing_s) == 3
    assert [mode.remarks for mode in found.modes] == [[]] * 4
    assert found.inputs == ["0: float32[3]", "1: float32[3]"]
    assert len(found.comparisons()) == 6
    again = Report.from_dict(found.as_dict())
    assert [one.nodes for one in again.modes] == [one.nodes for one in found.modes]
    assert Report.from_dict(again.as_dict()) == again


def test_inputs_may_be_a_text_and_sizes_unknown_while_tracing():
    shapes = []

    def seen(x, k):
        shapes.append((type(x).__name__, getattr(x, "shape", None), k))
        return x * k

    found = quickly(seen, inputs="x: float32[H=1..7,3] in [0,1]; k: int in [2,2]", modes=("python", "graph"))
    assert found.inputs == ["x: float32[7 (unknown), 3]", "k: 2"]
    assert ("ndarray", (7, 3), 2) in shapes
    assert [None, 3] in [list(shape) for _, shape, _ in shapes]
    assert {k for _, _, k in shapes} == {2}


def test_a_tensor_without_axes_is_a_python_number_in_plain_python():
    kinds = []

    def noted(n):
        kinds.append(type(n))
        return n

    quickly(noted, inputs="n: int32[] in [3,3]", modes=("python",))
    assert set(kinds) == {int}


def test_constants_are_counted_with_their_bytes():
    graph = of(quickly(functions.holds_a_table, X[:1], modes=("graph",)), "graph")
    assert graph.constant_bytes == functions.TABLE.nbytes
    assert graph.captured_bytes == 0
    table = tf.constant(functions.TABLE)
    graph = of(quickly(lambda x: x + table, X[:1], modes=("graph",)), "graph")
    assert (graph.constant_bytes, graph.captured_bytes) == (0, functions.TABLE.nbytes)


def test_a_tf_function_is_made_anew_and_keeps_its_signature():
    found = quickly(functions.signed, X)
    assert problems(found) == {}
    assert functions.signed.experimental_get_tracing_count() == 0
    assert of(found, "graph").measured


def test_memory_that_a_call_takes_is_seen():
    found = quickly(lambda x: float(np.ones(4_000_000).sum()), X, modes=("python",))
    grown = of(found, "python").memory_bytes
    assert grown is None or grown > 24_000_000


def test_what_calls_tensorflow_has_no_plain_form_unless_one_is_given():
    found = quickly(functions.doubled_in_tensorflow, X)
    assert problems(found) == {"python": "is not measured"}
    found = quickly(functions.doubled_in_tensorflow, X, plain=functions.doubled)
    assert problems(found) == {}
    assert not found.failed


def test_what_cannot_be_traced_is_told_with_the_users_frames():
    found = quickly(functions.needs_values, X)
    assert of(found, "eager").measured
    problem = of(found, "graph").problem
    assert problem.kind == "cannot be traced"
    assert "no attribute 'numpy'" in problem.message
    assert [frame.rpartition(", in ")[2] for frame in problem.frames] == ["needs_values", "helper"]
    assert found.failed == [of(found, "graph")]


def test_what_raises_is_told_once_per_mode():
    found = quickly(functions.raises, X)
    assert problems(found) == {
        "python": "raises",
        "eager": "raises",
        "graph": "cannot be traced",
        "xla": "cannot be traced",
    }
    assert all("not (3,)" in mode.problem.message for mode in found.modes)
    assert all(len(mode.problem.frames) == 1 for mode in found.modes)


def test_an_error_of_a_graph_names_the_users_line():
    found = quickly(functions.wrong_while_running, X, modes=("graph",))
    problem = of(found, "graph").problem
    assert problem.kind == "raises"
    assert "103" in problem.message
    assert "Detected at node" not in problem.message
    assert problem.frames[-1].endswith("in wrong_while_running")


def test_what_is_printed_or_changed_is_told_and_not_shown(capfd):
    found = quickly(functions.prints_and_counts, X)
    printed, complained = capfd.readouterr()
    assert "a call" not in printed + complained
    assert "a run" not in printed + complained
    assert of(found, "eager").remarks == [
        "prints on every call",
        "changes `count`, `seen` on every call",
    ]
    graph = of(found, "graph").remarks
    assert "changes `count`, `seen` while it is traced, not when it is called" in graph
    assert of(found, "xla").problem.kind == "cannot be compiled"


def test_changes_of_inputs_objects_and_random_states():
    def remarks(function, mode="python"):
        return of(quickly(function, X, modes=(mode,)), mode).remarks

    # The first call writes, later ones write the same again.
    assert remarks(functions.changes_its_input) == ["changes input 0 on the first call only"]
    assert remarks(functions.Counter().step) == ["changes the Counter it belongs to on every call"]
    assert remarks(functions.draws) == ["changes the state of numpy.random on every call"]
    assert remarks(functions.draws, "graph") == [
        "changes the state of numpy.random while it is traced, not when it is called"
    ]
    assert remarks(functions.doubled) == []


def test_another_answer_is_told():
    numbers = itertools.count()
    found = quickly(lambda x: x + next(numbers), X, modes=("eager", "graph"))
    assert any(
        "answers otherwise than eager: values up to" in remark for remark in of(found, "graph").remarks
    )


def test_what_does_not_end_is_ended():
    found = measure(functions.sleeps, X, modes=("python", "eager"), limit=0.2)
    assert problems(found) == {"python": "does not end", "eager": "does not end"}
    assert "0.2 s" in of(found, "eager").problem.message


def test_what_leaves_python_is_told():
    found = quickly(functions.leaves, X, modes=("eager",))
    assert of(found, "eager").problem.message == "SystemExit: done"


def test_an_interruption_keeps_what_was_measured():
    kept = []

    def interrupt(step, _limit):
        if step == "eager: round 2 of 5":
            raise KeyboardInterrupt

    found = measure(
        functions.add,
        X,
        X,
        modes=("python", "eager"),
        rounds=5,
        seconds=0.002,
        watch=interrupt,
        keep=kept.append,
    )
    assert found.interrupted
    assert [len(mode.rounds_s) for mode in found.modes] == [1, 1]
    assert kept[-1] is found


@pytest.mark.parametrize(
    ("arguments", "options", "error", "says"),
    [
        ((X,), {}, OutsideDomain, "missing a required argument"),
        ((X, X, X), {}, OutsideDomain, "too many positional"),
        ((), {"inputs": "x: float32[3]"}, OutsideDomain, "missing a required argument"),
        ((), {"inputs": "x: float33[3]; y: int"}, OutsideDomain, "float33"),
        ((X, X), {"inputs": "x: float32[3]"}, UnsupportedArgument, "values and a text"),
        ((X, X), {"modes": ("jit",)}, UnsupportedArgument, "'jit'"),
        ((X, X), {"modes": ()}, UnsupportedArgument, "none"),
        ((X, X), {"rounds": 0}, OutsideDomain, "rounds: got 0"),
        ((X, X), {"limit": -1.0}, OutsideDomain, "limit"),
    ],
)
def test_a_wrong_call_is_refused_before_anything_runs(arguments, options, error, says):
    with pytest.raises(error, match=says):
        measure(functions.add, *arguments, **options)


@pytest.mark.parametrize(
    ("text", "low", "high", "dtype"),
    [
        ("x: float32[50] in [0,1]", 0, 1, "float32"),
        ("x: uint8|float32[50]", 0, 255, "uint8"),
        ("x: int64[50] in (0,3)", 1, 2, "int64"),
        ("x: float64[50]", -100, 100, "float64"),
        ("x: bool[50]", 0, 1, "bool"),
    ],
)
def test_values_are_drawn_within_their_range(text, low, high, dtype):
    got = []
    quickly(lambda x: got.append(x) or 0, inputs=text, modes=("python",))
    assert got[0].dtype == dtype
    assert low <= got[0].min() <= got[0].max() <= high
    assert len(np.unique(got[0])) > 1


def test_special_values_and_choices_are_drawn():
    got = []
    text = "x: float32[H=2..9] with nan, inf; mode: {'edge', 'wrap'}; flag: bool; t: float in [1,2]"
    quickly(lambda x, mode, flag, t: got.append((x, mode, flag, t)) or 0, inputs=text, modes=("python",))
    x, mode, flag, t = got[0]
    assert np.isnan(x).sum() == np.isinf(x).sum() == 1
    assert (x.shape, mode, flag) == ((9,), "edge", True)
    assert 1 <= t <= 2
