"""Suites of functions, and the page that compares published claims with their result."""

from __future__ import annotations

import copy
import json
import sys

import pytest
from click.testing import CliRunner

from pipeport.cli import main
from pipeport.errors import NotPorted, OutsideDomain, PipeportError, UnsupportedArgument
from pipeport.trace import _process, _suite
from pipeport.trace._problems import Problem
from tests.house import overlay
from tests.trace.builders import mode, report

sys.path.insert(0, str(overlay.ROOT / "bench"))

import claim_rules
import claims

pytestmark = pytest.mark.newest_only

ENTRY = '[[functions]]\nname = "f"\nfunction = "code.py:f"\n'


def suite(folder, text):
    path = folder / "mine.toml"
    path.write_text(text)
    return path


def invoke(*arguments):
    result = CliRunner(env={"COLUMNS": "100"}).invoke(main, ("bench", *arguments))
    return result.exit_code, result.stdout, result.stderr


def test_a_suite_of_functions_is_read_without_importing_them(tmp_path):
    text = "# Mine.\nrounds = 5\n" + ENTRY + 'input = "x: int32[]"\nmodes = ["eager", "graph"]\n'
    found = _suite.read(suite(tmp_path, text + ENTRY.replace('"f"', '"g"') + "rounds = 3\n"))
    assert (found.name, found.about) == ("mine", "Mine.")
    first, second = (entry.task for entry in found.entries)
    assert (first.function, first.inputs, first.modes) == ("code:f", "x: int32[]", ("eager", "graph"))
    assert (first.rounds, second.rounds) == (5, 3)
    assert first.folders == (str(tmp_path),)
    assert [entry.task.name for entry in found.chosen(["g"]).entries] == ["g"]
    with pytest.raises(NotPorted, match=r"'h'.*f, g"):
        found.chosen(["h"])


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        (ENTRY + "speed = 1\n", UnsupportedArgument, "speed"),
        (ENTRY.replace('"f"', "1"), OutsideDomain, "name = 1"),
        ('[[functions]]\nname = "f"\n', OutsideDomain, "no function"),
        (ENTRY.replace("code.py", "far/code.py"), OutsideDomain, "beside the suite"),
        (ENTRY + 'modes = ["jit"]\n', OutsideDomain, "jit"),
        ("rounds = 0\n" + ENTRY, OutsideDomain, "rounds = 0"),
    ],
)
def test_what_a_suite_of_functions_refuses(text, error, says, tmp_path):
    with pytest.raises(error, match=says):
        _suite.read(suite(tmp_path, text))


def test_the_suite_that_travels_names_what_exists():
    found = _suite.read("tf-function")
    names = [entry.task.name for entry in found.entries]
    assert len(names) == len(set(names)) >= 13
    source = (overlay.ROOT / "bench/suites/functions/tf_function_examples.py").read_text()
    for entry in found.entries:
        for target in filter(None, (entry.task.function, entry.task.plain)):
            assert target.startswith("tf_function_examples:")
            assert f"def {target.partition(':')[2]}(" in source


@pytest.fixture
def measured(monkeypatch):
    """Answer every task by a report, but for one that is a mistake."""

    def answer(task, watch):
        watch("eager: first call")
        if task.name == "power-loop":
            raise OutsideDomain("no such file")
        return report(mode("eager", 0.002, 4e-5), mode("graph", 0.042, 2e-5, tracing=0.03), name=task.name)

    monkeypatch.setattr(_process, "measured", answer)


def test_bench_measures_lists_and_keeps_a_suite_of_functions(measured, tmp_path):
    kept, picture = tmp_path / "kept.json", tmp_path / "kept.svg"
    names = ("vector-add", "control-flow")
    code, out, err = invoke("--suite", "tf-function", *names, "--json", str(kept), "--plot", str(picture))
    assert code == 0
    assert "1 of 2: vector-add" in err
    assert picture.exists()
    assert [line.split()[0] for line in out.splitlines()[1:4]] == [
        "vector-add",
        "tf.function",
        "control-flow",
    ]
    assert "2,001" in out
    again = _suite.read_result(kept)
    assert [one.name for one in again.reports] == list(names)
    assert again.as_dict() == json.loads(kept.read_text())
    code, out, _ = invoke("--suite", "tf-function", "--rounds", "3")
    assert code == 2
    assert "Left out: power-loop: no such file" in out
    code, out, _ = invoke("--suite", "tf-function", "--list")
    assert code == 0
    assert "vector-add: x + y of two vectors" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--suite", "tf-function", "--full"), "--full"),
        (("--suite", "tf-function", "--memory"), "--memory"),
        (("--suite", "tf-function", "no-such-function"), "no-such-function"),
        (("--suite", "tf_function"), "Nearest: tf-function"),
    ],
)
def test_what_bench_refuses_of_a_suite_of_functions(arguments, says, measured):
    code, out, err = invoke(*arguments)
    assert (code, out) == (2, "")
    assert says in err


def test_the_list_of_suites_holds_it():
    assert "tf-function: 14 functions, about" in invoke("--suites")[1]


# --- claims --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def committed():
    return _suite.read_result(claims.RESULT)


def test_the_page_is_what_the_result_gives(committed):
    assert claims.PAGE.read_text(encoding="utf-8") == claims.page(committed)


def test_a_stale_page_is_noticed_and_written_again(tmp_path, monkeypatch):
    page = tmp_path / "claims.md"
    page.write_text(
        claims.PAGE.read_text(encoding="utf-8").replace("holds", "holds always"), encoding="utf-8"
    )
    monkeypatch.setattr(claims, "PAGE", page)
    monkeypatch.setattr(sys, "argv", ["claims.py", "--check"])
    with pytest.raises(SystemExit, match="stale"):
        claims.main()
    monkeypatch.setattr(sys, "argv", ["claims.py"])
    claims.main()
    monkeypatch.setattr(sys, "argv", ["claims.py", "--check"])
    claims.main()


def test_every_claim_is_judged_with_figures(committed):
    for source in claim_rules.SOURCES:
        for claim, verdict, when, evidence in claim_rules.judged(committed, source):
            assert verdict in (claim_rules.HOLDS, claim_rules.ONLY_WHEN, claim_rules.NOT)
            assert bool(when) == (verdict == claim_rules.ONLY_WHEN), claim.text
            assert evidence, claim.text


def made(result, speeds, **facts):
    """Return a result in which every function has these seconds per later call, by mode."""
    changed = copy.deepcopy(result)
    for one in changed.reports:
        one.modes = [
            mode(
                name,
                first,
                later,
                tracing=None if name in ("python", "eager") else first / 10,
                nodes=facts["nodes"],
            )
            for name, (first, later) in speeds.items()
        ]
        for found in one.modes:
            found.problem = facts.get("problem") if found.mode == "graph" and "printed" in one.name else None
            found.tracing_s = (
                [found.tracing_s[0] * facts["tracing"].get(one.name, 1.0)] if found.tracing_s else []
            )
    return changed


def verdicts(result):
    return {
        claim.text: verdict
        for source in claim_rules.SOURCES
        for claim, verdict, *_ in claim_rules.judged(result, source)
    }


def test_each_verdict_follows_the_figures(committed):
    """Of two made results with opposite figures, every claim has two verdicts."""
    slow = made(
        committed,
        {"python": (1.0, 1.0), "eager": (2.0, 2.0), "graph": (90.0, 20.0), "xla": (400.0, 20.0)},
        nodes=50,
        tracing={"control-flow": 3.0, "range-loop": 3.0, "matmul-float32": 3.0},
        problem=Problem(kind="cannot be traced", message="TypeError: no"),
    )
    fast = made(
        committed,
        {"python": (9.0, 9.0), "eager": (9.0, 4.0), "graph": (1.9, 1.0), "xla": (0.5, 0.2)},
        nodes=10**6,
        tracing={},
    )
    before, after = verdicts(slow), verdicts(fast)
    assert len(before) == len(claim_rules.CLAIMS)
    same = {text for text, verdict in before.items() if after[text] == verdict}
    assert same == set()
    assert before["A loop takes longer to trace."] == "holds"
    assert after["Loops over `tf.range` are unrolled while they are traced."] == "holds"
    assert after["Graphs are optimised by the XLA compiler."] == "holds only when"


def test_a_result_without_a_function_is_refused(committed, tmp_path):
    partly = copy.deepcopy(committed)
    partly.reports = partly.reports[:1]
    with pytest.raises((PipeportError, SystemExit)):
        claims.page(partly)
    (tmp_path / "a.json").write_text('{"format": 99}')
    with pytest.raises(OutsideDomain, match="format 99"):
        _suite.read_result(tmp_path / "a.json")
