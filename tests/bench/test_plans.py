"""Plans, suites and options: which cases are measured, and what is left out is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeport import catalog
from pipeport.bench._case import Case
from pipeport.bench._choice import Options, choose
from pipeport.bench._plans import DEFAULT, FULL, HEADLINE, QUICK, Plan, Selection, expand
from pipeport.bench._suites import parse_size, read_suite
from pipeport.errors import NotPorted, OutsideDomain, UnsupportedArgument

pytestmark = pytest.mark.newest_only

SUITES = sorted((Path(__file__).parents[2] / "bench" / "suites").glob("*.toml"))
FLIP = "pipeport.numpy.fliplr"


def test_default_run_is_about_two_minutes_and_begins_with_rotation():
    expanded = expand(DEFAULT)
    assert expanded.seconds <= 120
    first = [(case.pair, case.dtype, case.scope) for case in expanded.cases[:3]]
    assert first == [
        (HEADLINE, "float32", "op"),
        (HEADLINE, "uint8", "op"),
        (HEADLINE, "float32", "pipeline"),
    ]
    assert all(c.size == (256, 256) and c.cores == "all" and not c.batched for c in expanded.cases)
    assert (DEFAULT.rounds, DEFAULT.seconds) == (3, 1.0)


def test_every_pair_is_measured_or_named_as_left_out():
    expanded = expand(DEFAULT)
    said = " ".join(expanded.left_out)
    for contract in catalog.pairs().values():
        measured = any(case.pair == contract.native for case in expanded.cases)
        assert measured or contract.native.removeprefix("pipeport.") in said


def test_quick_run_is_quick():
    assert expand(QUICK).seconds <= 27
    assert expand(QUICK).cases[0].pair == HEADLINE


def test_full_run_has_every_axis():
    cases = expand(FULL).cases
    assert {case.size for case in cases} == {(256, 256), (32, 32), (512, 512), (240, 320), None}
    assert {case.cores for case in cases} == {"all", "one"}
    assert {case.batched for case in cases} == {True, False}
    assert {case.scope for case in cases} == {"op", "pipeline"}
    assert len(cases) == len(set(cases))
    assert FULL.latency


def test_a_budget_leaves_out_by_name():
    plan = Plan(name="p", selections=(Selection(pairs=(FLIP,)),), budget_s=1.0)
    expanded = expand(plan)
    assert expanded.cases == []
    assert "numpy.fliplr (float32, uint8)" in expanded.left_out[-1]


def test_a_reference_that_is_not_installed_is_said(monkeypatch):
    from pipeport.bench import _bodies

    monkeypatch.setattr(_bodies, "can_resolve", lambda name: not name.startswith("numpy"))
    plan = Plan(name="p", selections=(Selection(pairs=(FLIP,)),))
    assert expand(plan).cases == []
    assert expand(plan).left_out == [f"{FLIP}: its reference numpy.fliplr cannot be imported here."]


def test_what_takes_no_image_has_one_case():
    axes = {"sizes": ((256, 256), (32, 32), None), "batched": (False, True), "scopes": ("op", "pipeline")}
    [case] = expand(Plan(name="p", selections=(Selection(pairs=("numpy.hanning",), **axes),))).cases
    assert case == Case(pair="pipeport.numpy.hanning")
    assert case.conditions == "no image"
    assert Case.from_dict(case.as_dict()) == case
    assert expand(choose(Options(pairs=("numpy.hanning",), dtypes=("uint8",)))).cases == [case]
    with pytest.raises(OutsideDomain, match="hanning: takes no image"):
        choose(Options(pairs=("numpy.hanning",), sizes=("32",)))


def test_a_native_that_serves_no_batch_has_no_batched_case():
    selection = Selection(pairs=("A.Rotate",), dtypes=("uint8",), batched=(False, True))
    assert [case.batched for case in expand(Plan(name="p", selections=(selection,))).cases] == [False]


def test_no_batch_of_unknown_sizes():
    plan = Plan(name="p", selections=(Selection(pairs=(FLIP,), sizes=(None,), batched=(True, False)),))
    assert {case.batched for case in expand(plan).cases} == {False}


@pytest.mark.parametrize("axis", [{"dtypes": ("int8",)}, {"scopes": ("x",)}, {"cores": ("3",)}])
def test_unknown_axis_values_are_refused(axis):
    with pytest.raises(UnsupportedArgument, match="allowed"):
        Selection(**axis)


@pytest.mark.parametrize(
    ("text", "size"), [("256", (256, 256)), ("240x320", (240, 320)), ("unknown", None), ("1x2", (1, 2))]
)
def test_sizes(text, size):
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["0", "-3", "3x", "x3", "3x0", "abc", "", "1x2x3", "1.5"])
def test_bad_sizes(text):
    with pytest.raises(OutsideDomain, match="HEIGHTxWIDTH"):
        parse_size(text)


def test_options_replace_axes():
    options = Options(pairs=("fliplr",), dtypes=("uint8",), sizes=("32",), cores="one", rounds=5, seconds=0.2)
    plan = choose(options)
    [case] = expand(plan).cases
    assert case == Case(pair=FLIP, dtype="uint8", size=(32, 32), cores="one")
    assert (plan.rounds, plan.seconds, plan.budget_s) == (5, 0.2, None)


def test_static_and_unknown_sizes():
    full = choose(Options(full=True, pairs=("fliplr",), unknown_sizes=False))
    assert None not in {case.size for case in expand(full).cases}
    only = choose(Options(pairs=("fliplr",), unknown_sizes=True))
    assert {case.size for case in expand(only).cases} == {None}
    both = choose(Options(pairs=("fliplr",), unknown_sizes=True, sizes=("64",)))
    assert {case.size for case in expand(both).cases} == {None, (64, 64)}


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        (Options(quick=True, full=True), UnsupportedArgument, "--quick and --full"),
        (Options(suite="geometry", pairs=("fliplr",)), UnsupportedArgument, "names its own pairs"),
        (Options(pairs=("no.such.pair",)), NotPorted, "no.such.pair"),
        (Options(pairs=("fliplr",), unknown_sizes=True, batched=True), OutsideDomain, "no batch"),
        (Options(dtypes=("complex64",)), UnsupportedArgument, "complex64"),
    ],
)
def test_contradictions_are_refused(options, error, said):
    with pytest.raises(error, match=said):
        choose(options)


@pytest.mark.parametrize("path", SUITES, ids=lambda path: path.stem)
def test_committed_suites_have_cases(path):
    expanded = expand(read_suite(path))
    assert expanded.cases
    assert len(expanded.cases) == len(set(expanded.cases))


def test_headline_suite_covers_the_figures_of_the_catalog():
    cases = expand(read_suite(next(p for p in SUITES if p.stem == "headline"))).cases
    rotations = {(c.dtype, c.size, c.scope, c.cores, c.batched) for c in cases if c.pair == HEADLINE}
    static = (256, 256)
    for wanted in (
        ("float32", static, "op", "all", False),
        ("uint8", static, "op", "all", False),
        ("float32", None, "op", "all", False),
        ("float32", static, "pipeline", "all", False),
    ):
        assert wanted in rotations


@pytest.mark.parametrize(
    ("text", "said"),
    [("rounds =", "TOML suite"), ("round = 3", "key 'round'"), ("[[cases]]\nsize = 3", "key 'size'")],
)
def test_bad_suites(text, said, tmp_path):
    path = tmp_path / "s.toml"
    path.write_text(text)
    with pytest.raises((OutsideDomain, UnsupportedArgument), match=said):
        read_suite(path)


def test_conditions_tell_cases_apart():
    base = Case(pair=FLIP, dtype="float32")
    assert base.conditions == "float32, 256x256"
    other = Case(
        pair=FLIP, dtype="uint8", variant="uint8 kept uint8", size=None, scope="pipeline", cores="one"
    )
    assert other.conditions == "uint8 kept uint8, unknown sizes, from JPEG files, one core"
    assert Case.from_dict(other.as_dict()) == other
