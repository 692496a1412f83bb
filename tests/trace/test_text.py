"""What a report says: words and tables, from figures that are known."""

from __future__ import annotations

import pytest

from pipeport._shown import Table
from pipeport.errors import OutsideDomain
from pipeport.trace import _text
from pipeport.trace._plot import plot
from pipeport.trace._problems import Problem
from tests.trace.builders import mode, report

pytestmark = pytest.mark.newest_only

FAST = report(
    mode("python", 1e-6, 1e-6),
    mode("eager", 0.002, 4e-5),
    mode("graph", 0.042, 2e-5, tracing=0.03, nodes=12, constant_bytes=3 * 2**20, memory_bytes=2048),
    mode("xla", 0.142, 2.1e-5, tracing=0.03, noise=0.3, nodes=12, constant_bytes=0),
)


def test_what_nothing_was_counted_of_has_no_table():
    bare = report(mode("eager", 2.0, 1.0), mode("graph", 0.3, 0.1, tracing=0.2))
    filled = [
        [part.columns for part in _text.parts(one) if isinstance(part, Table) and part.rows]
        for one in (bare, FAST)
    ]
    assert filled == [[_text.TIMES, _text.COMPARISONS], [_text.TIMES, _text.HOLDINGS, _text.COMPARISONS]]


def test_words_say_when_it_pays_off_and_when_never():
    told = _text.sentences(FAST)
    assert (
        told[0]
        == "tf.function against eager: 2x faster per call (95 %: 2 to 2); it pays off from call 2,001 on."
    )
    assert told[1] == "tf.function against plain Python: 20x slower per call; it never pays off."
    assert (
        told[2]
        == "XLA against tf.function: no difference per call; what its first call costs is never won back."
    )
    assert told[3].startswith("tf.function holds 3 MiB of constants")
    assert len(told) == 4


def test_what_pays_off_at_once_has_no_number_of_calls():
    told = _text.sentences(report(mode("eager", 2.0, 1.0), mode("graph", 0.3, 0.1, tracing=0.2)))
    assert told == [
        "tf.function against eager: 10x faster per call (95 %: 10 to 10); it pays off from the first call on."
    ]


def test_tables_hold_what_is_known():
    times = dict(zip(_text.TIMES, _text.time_rows(FAST)[2], strict=True))
    assert list(times.items())[:3] == [("mode", "tf.function"), ("first call", "42 ms"), ("tracing", "30 ms")]
    assert (times["preparing"], times["later calls"]) == ("12 ms", "20 µs")
    assert _text.time_rows(FAST)[0][2:4] == ("", "")
    assert _text.holding_rows(FAST)[2] == ("tf.function", "12", "3 MiB", "2 KiB")
    rows = {row[:2]: row[2:] for row in _text.comparison_rows(FAST)}
    assert rows["tf.function", "eager"] == ("2x faster (2 to 2)", "2,001")
    assert rows["eager", "plain Python"] == ("40x slower (40 to 40)", "never")
    assert rows["XLA", "tf.function"][0].startswith("no difference (")
    assert len(rows) == 6


def test_problems_and_remarks_are_told_once():
    broken = Problem(kind="cannot be traced", message="ValueError: no", frames=("a.py, line 1, in f",))
    graph, xla = mode("graph", 1.0, 1.0), mode("xla", 1.0, 1.0)
    graph.problem = xla.problem = broken
    found = report(mode("eager", 1.0, 1.0, remarks=["prints on every call"]), graph, xla)
    assert _text.sentences(found) == [
        "Eager prints on every call.",
        "tf.function cannot be traced: ValueError: no (a.py, line 1, in f).",
    ]
    assert found.failed == [graph]
    assert [row[0] for row in _text.time_rows(found)] == ["eager"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (0.0, "0 ns"),
        (1.5, "1.5 s"),
        (0.01234, "12.3 ms"),
        (9.996e-4, "1,000 µs"),
        (2.5e-10, "0.25 ns"),
    ],
)
def test_times_in_words(value, text):
    assert _text.seconds(value) == text


def test_the_plot_of_equal_reports_is_the_same_file(tmp_path):
    for name in ("a.svg", "b.svg"):
        plot([FAST, report(mode("python", 1.0, 1.0), name="one mode")], tmp_path / name)
    first = (tmp_path / "a.svg").read_bytes()
    assert first == (tmp_path / "b.svg").read_bytes()
    assert b"<svg" in first
    with pytest.raises(OutsideDomain, match=r"pictures\.txt|txt"):
        plot([FAST], tmp_path / "pictures.txt")
    with pytest.raises(OutsideDomain, match="no mode"):
        plot([report()], tmp_path / "c.svg")
