"""Reports in notebooks: each says as HTML what it says as text, and nothing of a user's becomes a tag."""

from __future__ import annotations

import html
import re
from collections import Counter
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import trace, verify
from pipeport._shown import Table, as_html, as_lines
from pipeport.acceleration import RunReport, Settings, Verdict
from pipeport.acceleration._measure import Rate
from pipeport.acceleration._verdict import Trials
from tests.trace.builders import mode
from tests.trace.builders import report as measured

pytestmark = pytest.mark.newest_only

EVIL = "<script>alert('&amp;')</script>"


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"[^\s─]+", text))


def words_of(page: str) -> Counter[str]:
    return words(html.unescape(re.sub(r"<[^>]*>", " ", page)))


def test_a_table_has_its_filled_columns_and_words_stand_to_the_left() -> None:
    found = Table(("name", "empty", "ms"), [("a", "", "1.5"), ("b\nc", "", "")], ("name",))
    rows = ElementTree.fromstring(as_html([found])).iter("tr")
    cells = [[("".join(cell.itertext()), cell.attrib["style"].split(";")[0]) for cell in row] for row in rows]
    left, right = "text-align: left", "text-align: right"
    assert cells == [
        [("name", left), ("ms", right)],
        [("a", left), ("1.5", right)],
        [("b\nc", left), ("", right)],
    ]
    assert as_lines([Table(("name", "empty", "ms"), [("long", "", "1")])]) == ["name  ms", "long  1", ""]


def test_a_table_without_rows_is_not_shown() -> None:
    assert as_lines([Table(("a",), []), "b"]) == ["b"]
    assert "table" not in as_html([Table(("a",), []), "b"])


def test_indented_texts_and_programs() -> None:
    page = as_html(["    far", "import numpy as np\nprint(1)\n"])
    assert '2em">far</p>' in page
    assert "<pre>import numpy as np\nprint(1)</pre>" in page


@pytest.mark.parametrize(
    "parts", [[EVIL], [f"{EVIL}\n{EVIL}"], [Table((EVIL,), [(EVIL,)])], [Table((EVIL,), [(EVIL,)], (EVIL,))]]
)
def test_what_is_shown_is_no_markup(parts: list[Any]) -> None:
    page = as_html(parts)
    assert "<script" not in page
    assert EVIL in "".join(ElementTree.fromstring(page).itertext()), "it is there, as text"


# --- each report -----------------------------------------------------------------------------------


def _turned(image: Any) -> Any:
    return np.rot90(image)


def _inspected() -> Any:
    dataset = tf.data.Dataset.from_tensors(np.zeros((2, 2)))
    dataset = dataset.map(lambda x: tf.numpy_function(lambda y: y + 1, [x], tf.float64))
    return pipeport.inspect(dataset, seconds=0)


def _watched() -> Any:
    @tf.function
    def power(x: Any, n: int) -> Any:
        return x**n

    with trace.watch(power) as report:
        for n in (2, 3, 4):
            power(tf.constant(2.0), n)
    return report


def _run() -> Any:
    trials = Trials(Settings())
    trials.verdicts += [
        Verdict(
            "a.py:3", "<lambda>", "numpy_function", python=Rate(2e-3, 2e-3, 0.1), native=Rate(1e-3, 1e-3, 0.3)
        ),
        Verdict("b.py:4", "f & g", "py_function", reason="effect", detail="by <b>much</b>"),
    ]
    trials.children.append("<sh>")
    return RunReport(trials)


@pytest.mark.parametrize("make", [_inspected, _watched, _run, lambda: measured(mode("eager", 2.0, 1.0))])
def test_a_report_says_the_same_as_html(make: Any) -> None:
    report = make()
    page = report._repr_html_()
    ElementTree.fromstring(page)
    columns = words("runs as boundary because") if isinstance(report, RunReport) else Counter()
    assert words_of(page) == words(str(report)) + columns
    assert not re.search(r"<(lambda|b|sh|module)>", page)


def test_a_port_shows_what_its_calls_become() -> None:
    page = pipeport.port(_turned)._repr_html_()
    assert [cell.text for cell in ElementTree.fromstring(page).iter("th")] == ["line", "call", "becomes"]
    assert "native pipeport.numpy.rot90" in page
    assert ">np.rot90(image)<" in page


def test_a_verification_shows_its_cases_and_what_fails() -> None:
    failure = verify.Failure("output differs by <3> at [0]", "# why\nimport numpy\nprint(1 < 2)\n", "uint8")
    cases = (
        verify.CaseRecord("pipeport.numpy.flip", "eager", "passed", 5, 5, (verify.DtypeRecord("bool", 5),)),
        verify.CaseRecord("pipeport.numpy.flip", "graph", "failed", failure=failure),
        verify.CaseRecord("pipeport.numpy.flip", "xla", "not run", note="no <XLA>"),
    )
    page = verify.Report(cases)._repr_html_()
    ElementTree.fromstring(page)
    assert "numpy.flip in eager, graph, xla" in page
    assert [words_of(row) for row in re.findall("<tr>.*?</tr>", page)[1:]] == [
        words("bool 1 passed 5 equal"),
        words("uint8 1 failed 0"),
    ]
    assert "<pre>import numpy\nprint(1 &lt; 2)</pre>" in page
    assert "Not run: numpy.flip in xla (no &lt;XLA&gt;)." in page
    assert "3 cases: 1 passed, 1 failed, 1 not run; 5 examples." in page
    assert "none finished" in verify.Report()._repr_html_()
