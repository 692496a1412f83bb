"""Bodies that nobody wrote by hand: what `pipeport.port` makes of drawn programs equals what NumPy gives.

A dozen belong to every run; `nox -s bodies -- --minutes 30` draws a thousand.
"""

from __future__ import annotations

import functools
import random
import re
from collections import Counter

import numpy as np
import pytest
from click.testing import CliRunner

from tests.porting.drawn import __main__ as command
from tests.porting.drawn import judge as judging
from tests.porting.drawn import objects, session
from tests.porting.drawn.grammar import program
from tests.porting.drawn.kinds import KINDS
from tests.porting.drawn.programs import (
    ARRAYS,
    ERROR,
    INVALID,
    MODES,
    OBJECTS,
    PARTS,
    REFUSED,
    RIGHT,
    WRONG,
    Argument,
    Outcome,
    Program,
)
from tests.porting.drawn.session import Count, Worker, drawn, run
from tests.porting.drawn.smaller import smallest

pytestmark = pytest.mark.both

PROGRAMS = 12


@pytest.fixture(scope="module")
def worker():
    made = Worker()
    yield made
    made.end()


def test_a_program_that_ends_the_process_is_an_internal_error(worker):
    last = "def body(x):\n    return x\n\n\nimport os\nos._exit(1)\n"
    assert worker.judge(Program(last, {"x": Argument("int32", (4,))})).why == "ends the process"
    right = Program("def body(x):\n    return x\n", {"x": Argument("int32", (4,))})
    assert worker.judge(right, ("eager",)).kind == RIGHT


def test_a_dozen_are_right(worker, monkeypatch):
    monkeypatch.setattr(session, "Worker", lambda: worker)
    found = run(count=PROGRAMS, modes=3)
    told = [f"{outcome}\n{program.as_code()}" for outcome, program in found.failures]
    assert not told, "\n".join(told)
    assert all(kinds[RIGHT] > PROGRAMS / 4 for kinds in found.parts.values())
    assert found.kinds[INVALID] <= 1


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_that_is_not_drawn_fails(name):
    outcomes = (judging.judge(KINDS[name], (mode,)) for mode in reversed(MODES))
    assert any(one.failed for one in outcomes), "it is fixed, so take it out of KINDS"


def test_every_kind_is_drawn_where_it_may_be():
    found = drawn(100, 0, kinds=KINDS)
    assert {kind for program in found for kind in program.kinds} >= set(KINDS)
    assert not any(program.kinds & set(KINDS) for program in drawn(20, 0))


def test_a_wrong_port_is_noticed(monkeypatch):
    program = Program("def body(x):\n    a = x[::-1]\n    return x, a\n", {"x": Argument("uint8", (6,))})
    modes = ("eager", "function")
    assert judging.judge(program, modes) == Outcome(RIGHT)
    real = judging.port
    monkeypatch.setattr(judging, "port", lambda function: lambda x: real(function)(x[::-1]))
    assert judging.judge(program, modes) == Outcome(WRONG, "values of uint8", modes)
    monkeypatch.setattr(judging, "port", lambda function: lambda x: real(function)(x)[:1])
    assert judging.judge(program, modes).why == "number of results"
    monkeypatch.setattr(judging, "port", lambda function: 1 / 0)
    assert judging.judge(program, modes).kind == ERROR


def test_results_are_compared_bit_by_bit_unless_a_program_says_otherwise():
    source = "def body(x):\n    a = np.exp(x)\n    return a, x\n"
    exact = Program(source, {})
    loose = Program(source, {}, slack={"a": 1e-6}, scale=10.0)
    right = (np.float32([1, np.nan]), np.float32([1]))
    near = (np.float32([1.000001, np.nan]), np.float32([1]))
    assert judging.difference(exact, right, right) is None
    assert judging.difference(exact, near, right) == "values of float32"
    assert judging.difference(loose, near, right) is None
    assert judging.difference(loose, (near[0], near[0][:1]), right) == "values of float32"
    assert judging.difference(loose, (np.float32([2, np.nan]), right[1]), right) == "values of float32"
    assert (
        judging.difference(loose, (right[0].astype(np.float64), right[1]), right)
        == "dtype float64, NumPy float32"
    )
    assert judging.difference(loose, (right[0][:1], right[1]), right) == "shape"


def test_what_the_port_refuses_is_no_failure():
    lost = "def body(x):\n    return np.linalg.svd(x)\n"
    outcome = judging.judge(Program(lost, {"x": Argument("float32", (4, 3))}))
    assert (outcome.kind, outcome.failed) == (REFUSED, False)
    outside = Program("def body(x):\n    return x[9]\n", {"x": Argument("int32", (4,))})
    assert judging.judge(outside).kind != RIGHT


def test_a_failure_is_made_small():
    source = """def mix(a, b):
    return a + b


def body(x, y):
    a = mix(x, 3).T
    if x.max() > 2:
        for i in range(3):
            a = np.floor(a[1:] * 0.3)
    b = y + 1
    return a, b
"""
    program = Program(source, {"x": Argument("float32", (64, 64, 3)), "y": Argument("int8", (3,))})
    small = smallest(program, lambda one: "np.floor" in one.source and "a * 0.3" in one.source)
    assert "mix" not in small.source
    assert small.arguments == {"y": Argument("int8", (3,))} or "x" in small.arguments
    assert [line.strip() for line in small.source.splitlines()][-2:] == ["a = np.floor(a * 0.3)", "return a"]


@pytest.mark.parametrize("kind", [RIGHT, WRONG])
def test_the_command_says_by_its_exit_code_whether_any_failed(kind, monkeypatch):
    program = Program("def body(x):\n    return x\n", {"x": Argument("int32", (4,))})
    failures = [(Outcome(WRONG, "shape", ("map",)), program)] if kind == WRONG else []
    monkeypatch.setattr(command, "run", lambda **named: Count(Counter({kind: 3}), failures=failures))
    result = CliRunner().invoke(command.main, ["--json"])
    assert result.exit_code == (kind == WRONG)
    assert ('"code": "import random' in result.output) == (kind == WRONG)


def test_a_number_draws_one_program():
    assert program(17, 3) == program(17, 3)
    assert len({one.source for one in drawn(60, 0)}) > 50
    assert drawn(20, 1) != drawn(20, 0)


@pytest.mark.parametrize(
    "text",
    [
        r"[*+-] [\[(].*\.m(ean|ax)\(\)",
        r"[\[(].*\.mean\(\).* [*+-]",
        r"\[:, :2\] \S= [\[(]",
        r"zip\(range\(\w+\.sum\(\)\)",
        r"enumerate\(",
        r"^body = np\.\w+$",
        r"^body = partial\(",
        r" if .* else ",
        r"^    (\w) = (\w)\n    \2 \S= ",
    ],
)
def test_kinds_of_statements_are_drawn(text):
    assert any(re.search(text, one.source, re.MULTILINE) for one in few_hundred())


@functools.cache
def few_hundred():
    return drawn(400, 0, real_one_in=1000)


@pytest.mark.parametrize(
    "text",
    [
        r"\.append\(", r"\.pop\(", r" \+= \[", r"\.get\(", r"\.setdefault\(", r"dict\(zip\(", r"enumerate\(",
        r"sorted\(.*key=", r"divmod\(", r"random\.choice\(", r"\.split\(", r"'\.format\(", r"map\(int, ",
        r"TABLE\[", r"in range\(k", r"while ", r"\(\w+ if .* else", r"f'", r"\[v for ", r"sum\(", r"lambda",
        r" in NAMES",
    ],
)  # fmt: skip
def test_kinds_of_objects_are_drawn(text):
    assert any(re.search(text, one.source) for one in objects_drawn())


@functools.cache
def objects_drawn():
    return drawn(250, 0, parts=(OBJECTS,))


def test_parts_of_the_grammar_take_turns():
    both = drawn(6, 3, parts=PARTS)
    assert [one.part for one in both] == [ARRAYS, OBJECTS] * 3
    assert [both[0], both[2]] == [program(0, 3), program(2, 3)]
    assert all(one.part == ARRAYS for one in drawn(6, 3))


def test_strings_are_compared_and_made_small():
    named = Program(
        "def body(s):\n    return s.decode() + 'x', 1\n", {"s": Argument("bytes", (), (b"a", b"bc"))}
    )
    assert judging.judge(named, ("eager", "function", "map, unknown sizes")) == Outcome(RIGHT)
    assert judging.difference(named, (b"ax", 1), ("ax", 1)) is None
    assert judging.difference(named, (b"a", 1), ("ax", 1)) == "values of |S2"
    outside = "TABLE = np.array([1])\nNAMES = ['a']\n\n\n"
    source = f"{outside}def body(x):\n    a = x[0] if x[1] else TABLE\n    return a\n"
    small = smallest(Program(source, {"x": Argument("int32", (4,))}), lambda one: "= TABLE" in one.source)
    assert "NAMES" not in small.source


def test_what_the_original_raises_too_is_no_fault():
    source = "def body(x):\n    return [1, 2].index(7), x\n"
    assert judging.judge(Program(source, {"x": Argument("int32", (4,))})).kind == INVALID


def test_loops_without_an_end_are_not_drawn():
    draft = objects._Draft(random.Random(0))
    assert draft.run(["a = [1]", "for v in a:", "    a.append(v)"]) is None
    assert draft.run(["a = 1", "while a < 2:", "    a -= 1"]) is None
    assert draft.run(["a = 1", "for v in range(2):", "    while a < 3:", "        a += 1"])[0] == {
        "a": 3,
        "v": 1,
    }
