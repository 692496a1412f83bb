"""One counterexample per bug: failures that differ in their numbers alone are one."""

from __future__ import annotations

import pytest

from pipeport.errors import NotEquivalent
from pipeport.verify import CaseRecord, Failure, Report, _api
from pipeport.verify._bugs import bugs_of, kind

pytestmark = pytest.mark.newest_only


def failed(engine, reason, script="", pair="a.old -> a.new"):
    snippet = f"# {reason}\n{script}" if script else ""
    return CaseRecord(pair, engine, "failed", failure=Failure(reason, snippet))


def script(inputs):
    return f"import numpy as np\n\ninputs = dict(\n    x=np.array({inputs}),\n)\n"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "output differs by 4.45 at [0, 2], 2e-6 allowed\nold 1, new 5",
            "output differs by 3 at [7], 0 allowed\nold nan, new -2",
        ),
        ("output shape: old gives (2, 3), new gives (3, 2)", "output shape: old gives (1,), new gives ()"),
        ("old raises ValueError: k is 3\nnew answers", "old raises ValueError: k: no 7\nnew answers"),
        ("old answers\nnew raises OutsideDomain: no", "old answers\nnew raises InvalidArgumentError: x"),
    ],
)
def test_one_kind(one, other):
    assert kind(one) == kind(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("output differs by 4 at [0], 0 allowed", "mask differs by 4 at [0], 0 allowed"),
        ("output differs by 4 at [0], 0 allowed", "output differs at [0], NaN is in other places"),
        ("output dtype: old gives uint8, new gives int32", "output dtype: old gives uint8, new gives bool"),
        ("old raises ValueError: k\nnew gives an answer", "old raises TypeError: k\nnew gives an answer"),
        ("old raises ValueError: k\nnew gives an answer", "old gives an answer\nnew raises ValueError: k"),
        ("old gives an answer\nnew raises SomeError: k", "old gives an answer\nnew raises OtherError: k"),
    ],
)
def test_two_kinds(one, other):
    assert kind(one) != kind(other)


def test_the_smallest_example_stands_for_all_engines():
    report = Report(
        (
            failed("eager", "output differs by 4 at [1], 0 allowed", script("[1, 2, 3]")),
            failed("graph", "output differs by 2 at [0], 0 allowed", script("[1]")),
            CaseRecord("a.old -> a.new", "xla", "passed", 5),
            failed("dataset", "new raises KeyError: 'x'", script("[]")),
            failed("batched", "output differs by 9 at [0], 0 allowed"),
        )
    )
    first, second = bugs_of(report.cases)
    assert (first.case.engine, first.others) == ("graph", ("eager", "batched"))
    assert first.places == "in graph; also fails in: eager, batched"
    assert first.script == script("[1]")
    assert second.places == "in dataset"
    with pytest.raises(NotEquivalent) as caught:
        _api._raise_failures(report)
    text = str(caught.value)
    assert text.startswith(
        "a.old -> a.new fails in graph; also fails in: eager, batched\noutput differs by 2"
    )
    assert text.count("import numpy") == text.count(" fails in ") == 2


def test_pairs_are_kept_apart():
    reason = "output differs by 4 at [1], 0 allowed"
    assert len(bugs_of([failed("eager", reason), failed("eager", reason, pair="b.old -> b.new")])) == 2
    assert bugs_of([CaseRecord("a", "eager", "passed", 5)]) == []
