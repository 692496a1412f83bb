"""`pipeport.trace.watch`: what it says of programs with a fault, and that it is silent about sound ones."""

from __future__ import annotations

import doctest
import json
import linecache
import re
import sys
import threading

import pytest
import tensorflow as tf

from pipeport._tensorflow_private import _tracing as inside
from pipeport.errors import UnsupportedArgument, WrongType
from pipeport.trace import _watch_record, watch
from pipeport.trace._explain import changes, nearest
from pipeport.trace._watch_arguments import Identities, describe
from pipeport.trace._watch_text import lines
from tests.trace.programs import SOUND, TROUBLED

pytestmark = pytest.mark.both

# The line that a finding is about, where it is another one than the function's.
STATEMENTS = {
    "printed_while_tracing": 'print("step", 7)',
    "appended": "history.append(x)",
    "counted_in_the_module": "traced += 1",
    "counted_by_an_attribute": "self.count += 1",
    "counted_by_a_helper": 'COUNTS["calls"] += 1',
    "counted_in_an_argument": "queue.value += 1",
    "kept_in_an_argument": "queue.last = x * 2",
    "kept_in_an_element_of_an_argument": "queues[0].last = x * 2",
    "kept_in_a_dictionary_of_an_argument": 'queue.last = {"doubled": x * 2}',
    "time_of_the_trace": "return tf.cast(x, tf.float64) + time.time()",
    "hour_of_the_trace_by_a_method": "return datetime.now().hour",
    "drawn_once_in_a_dataset": "return tf.cast(x, tf.float64) + np.random.uniform()",
    "rate_changed_between_calls": "return x * self.rate if self.training else x",
    "flag_changed_between_calls": "return x * self.rate if self.training else x",
    "fails_while_tracing": 'raise ValueError(f"no such mode: {mode}")',
    "counted_in_a_keras_model": "self.calls_seen += 1",
    "counted_in_a_keras_metric": "self.batches_seen += 1",
    "counted_in_a_weighted_metric": "self.batches_seen += 1",
    "counted_in_a_keras_loss": "self.calls_of_loss += 1",
    "counted_in_a_function_of_a_metric": 'COUNTS["errors"] += 1',
    "array_in_place": "state[0] += 1",
    "generator_went_on": "return x + next(numbers)",
    "drawn_from_numpy": "return x + np.random.uniform()",
    "drawn_from_python": "return x + uniform(0, 1)",
    "loop_over_a_list": "for number in numbers:",
    "numpy_of_the_module": "return x * TABLE",
    "variable_in_each_trace": "return x * tf.Variable(1.0)",
}
MENDED = [(mended.__name__, mended) for *_, mended in TROUBLED if mended is not None]


@pytest.fixture(autouse=True)
def _quiet():
    """TensorFlow's own warning about retraces is not what is tested."""
    level = tf.get_logger().level
    tf.get_logger().setLevel("ERROR")
    yield
    tf.get_logger().setLevel(level)


def statement(finding) -> str:
    return linecache.getline(finding.file, finding.line).strip()


@pytest.mark.parametrize(
    ("program", "kind", "part"), [case[:3] for case in TROUBLED], ids=[case[0].__name__ for case in TROUBLED]
)
def test_a_fault_is_found_where_it_is(program, kind, part) -> None:
    with watch() as report:
        program()
    assert report.notes == ()
    found = [finding for finding in report.findings if finding.kind == kind and part in finding.message]
    assert len(found) == 1, str(report)
    (finding,) = found
    code = program.__code__
    assert finding.file == code.co_filename
    assert statement(finding) == STATEMENTS.get(program.__name__, statement(finding)) != ""
    assert finding.advice.endswith(".")


@pytest.mark.parametrize("program", [*SOUND, *dict(MENDED).values()], ids=lambda program: program.__name__)
def test_nothing_is_said_of_sound_programs(program) -> None:
    with watch() as report:
        program()
    assert report.findings == (), str(report)
    assert report.notes == ()
    assert report.functions or "printed" in program.__name__ or "dataset" in program.__name__


def test_a_third_of_the_programs_does_nothing_wrong() -> None:
    silent = len({*SOUND, *dict(MENDED).values()})
    assert len(TROUBLED) >= 20
    assert 3 * silent >= silent + len(TROUBLED)


def test_statements_are_of_programs() -> None:
    assert set(STATEMENTS) <= {case[0].__name__ for case in TROUBLED}


def _power():
    @tf.function
    def power(x, n):
        return x * tf.cast(n, tf.float32)

    return power


def test_the_suggested_signature_leaves_one_trace() -> None:
    power = _power()
    calls = [(tf.ones([2, 3]), 1), (tf.ones([4, 3]), 2), (tf.ones([2, 3]), 3)]
    with watch(power) as report:
        for call in calls:
            power(*call)
    assert report.traces == power.experimental_get_tracing_count() == 3
    suggested = {
        text for one in report.findings for text in re.findall(r"input_signature=(\[.*\])", one.advice)
    }
    assert suggested == {"[tf.TensorSpec([None, 3], tf.float32), tf.TensorSpec([], tf.int32)]"}
    mended = tf.function(power.python_function, input_signature=eval(suggested.pop()))
    with watch(mended) as report:
        answers = [mended(*call) for call in calls]
    assert report.traces == mended.experimental_get_tracing_count() == 1
    assert not report.findings
    for call, answer in zip(calls, answers, strict=True):
        tf.debugging.assert_equal(power(*call), answer)


def test_each_retrace_is_compared_with_the_nearest() -> None:
    power = _power()
    with watch(power) as report:
        for x, n in ((tf.ones(2), 1), (tf.ones([2, 2]), 7), (tf.ones(3), 1), (tf.ones([2, 2]), 8)):
            power(x, n)
    (function,) = report.functions
    assert [trace.nearest for trace in function.traces] == [None, 1, 1, 2]
    assert [[change.argument for change in trace.changes] for trace in function.traces] == [
        [],
        ["x", "n"],
        ["x"],
        ["n"],
    ]
    assert [trace.call for trace in function.traces] == [1, 2, 3, 4]
    assert all(trace.nodes > 2 and trace.seconds > 0 for trace in function.traces)
    assert function.calls == 4
    assert function.retraces == 3


def test_nearest_of_equals_is_the_latest() -> None:
    identities = Identities()

    def call(*values):
        return describe(lambda a, b: None, values, {}, identities)

    earlier = [call(1, 2), call(5, 6), call(1, 4)]
    assert nearest(call(1, 3), earlier) == 2
    assert nearest(call(5, 7), earlier) == 1
    assert changes(call(1, 2), call(1, 2)) == ()
    assert changes(call(1, float("nan")), call(1, float("nan"))) == ()


def test_traces_from_before_are_known() -> None:
    power = _power()
    power(tf.ones(2), 1)
    with watch(power) as report:
        power(tf.ones(2), 1)
        assert report.traces == 0
        power(tf.ones(2), 2)
    (function,) = report.functions
    assert function.traced_before == 1
    assert [one.message for one in report.findings] == ["argument `n` is a Python int, 1 then 2"]


def test_one_function_alone_is_watched() -> None:
    power, other = _power(), tf.function(lambda x: x + 1)
    with watch(power) as report, watch() as everything:
        for n in (1, 2):
            other(tf.ones(n))
            power(tf.ones(2), n)
    assert [function.name for function in report.functions] == ["power"]
    assert {function.name for function in everything.functions} == {"power", "<lambda>"}
    assert len(report.findings) == 1
    assert len(everything.findings) == 2


def test_as_a_decorator() -> None:
    @watch
    @tf.function
    def step(x, n):
        """Doc."""
        return x + n

    @watch()
    @tf.function
    def outer(x):
        return step(x, 1)

    assert [int(step(tf.constant(1), n)) for n in (1, 2)] == [2, 3]
    assert int(outer(tf.constant(1))) == 2
    assert step.experimental_get_tracing_count() == 2
    assert (step.__name__, step.__doc__) == ("step", "Doc.")
    assert [one.message for one in step.report.findings] == ["argument `n` is a Python int, 1 then 2"]
    assert not outer.report.findings

    class Layer:
        @watch
        @tf.function
        def call(self, x):
            return x + 1

    layer = Layer()
    for size in (1, 2):
        layer.call(tf.ones(size))
    assert [one.kind for one in Layer.call.report.findings] == ["retrace"]

    @watch
    def program():
        for n in (3, 4):
            power(tf.ones(2), n)
        return "done"

    power = _power()
    assert program() == "done"
    assert [one.function for one in program.report.findings] == ["_power.<locals>.power".rpartition(".")[2]]


def test_wrong_use_is_refused() -> None:
    @tf.function
    @watch
    def below(x):
        return x

    with pytest.raises(UnsupportedArgument, match="Put @watch above @tf"):
        below(tf.constant(1))
    concrete = tf.function(lambda x: x).get_concrete_function(tf.TensorSpec([]))
    with pytest.raises(UnsupportedArgument, match="a concrete function; allowed"):
        watch(concrete)
    with pytest.raises(WrongType, match=r"fn: got a value of type int"):
        watch(3)
    with pytest.raises(WrongType, match=r"watch\(\): got no function"):
        watch()(1, 2)


def test_nothing_stays_behind() -> None:
    kind, output = inside.function_class(), sys.stdout
    before = (kind.__call__, kind.get_concrete_function, list(inside.on_trace()))

    def program():
        assert kind.__call__ is not before[0]
        _power()(tf.ones(1), 1)
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"), watch() as report, watch():
        program()
    assert (kind.__call__, kind.get_concrete_function, inside.on_trace()) == before
    assert sys.stdout is output
    _power()(tf.ones(1), 1)
    assert report.traces == 1


def test_errors_of_the_program_pass() -> None:
    @tf.function
    def step(x):
        raise KeyError("theirs")

    with watch() as report, pytest.raises(KeyError, match="theirs"):
        step(tf.constant(1))
    assert report.traces == 0
    assert [finding.message for finding in report.findings] == ["tracing failed: KeyError: 'theirs'"]


def test_an_error_of_ours_leaves_the_program_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_):
        raise LookupError("ours")

    monkeypatch.setattr(_watch_record, "describe", broken)
    with watch() as report:
        assert float(_power()(tf.ones([]), 3)) == 3
    assert report.notes == ("Something was not noted: LookupError: ours.",)


def test_an_unknown_tensorflow_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inside, "LAST", (2, 14))
    original = inside.function_class().__call__
    with (
        pytest.raises(UnsupportedArgument, match=r"TensorFlow: got 2\.\d+\.\d+.*; allowed: 2\.15 to"),
        watch(),
    ):
        pass
    assert inside.function_class().__call__ is original


def test_the_example_runs() -> None:
    (example,) = [one for one in doctest.DocTestFinder().find(watch, "watch", globs={}) if one.examples]
    assert doctest.DocTestRunner().run(example) == (0, len(example.examples))


def test_threads_are_watched() -> None:
    power = _power()
    power(tf.ones(1), 1)
    with watch(power) as report:
        threads = [threading.Thread(target=lambda n=n: power(tf.ones(1), n)) for n in range(1, 5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    (function,) = report.functions
    assert (function.calls, len(function.traces), report.notes) == (4, 3, ())


def test_run_eagerly_is_said() -> None:
    tf.config.run_functions_eagerly(True)
    try:
        with watch() as report:
            _power()(tf.ones(1), 1)
    finally:
        tf.config.run_functions_eagerly(False)
    assert report.notes == ("tf.config.run_functions_eagerly was on: then nothing is traced.",)


def test_the_report_as_text_and_as_data() -> None:
    power = _power()
    with watch(power) as report:
        for n in (1, 2):
            power(tf.ones([]), n)
    line = power.python_function.__code__.co_firstlineno
    assert lines(report) == lines(report.state)
    text = re.sub(r"\d+\.\d\d s", "0.00 s", str(report))
    assert text.splitlines() == [
        f"{lines(report.state)[0].split(':')[0]}:{line} power: 2 calls, 2 traces, 0.00 s of tracing",
        "  retrace: argument `n` is a Python int, 1 then 2 (1 retrace).",
        "    Pass a tensor, tf.constant(2), or name it in input_signature: tf.TensorSpec([], tf.int32)."
        " One trace for all calls seen:"
        " input_signature=[tf.TensorSpec([], tf.float32), tf.TensorSpec([], tf.int32)].",
        "1 finding: 1 function, 2 calls, 2 traces.",
    ]
    data = json.loads(json.dumps(report.as_json()))
    assert data["format"] == 1
    (function,) = data["functions"]
    first, second = function["traces"]
    assert first["changes"] == []
    assert second["changes"][0]["after"] == "2"
    assert function["findings"][0]["kind"] == "retrace"
