"""The runner: non-vacuous verdicts, shrunk and runnable counterexamples, a file that survives anything."""

from __future__ import annotations

import dataclasses
import functools
import json
import runpy

import numpy as np
import pytest
import tensorflow as tf

from pipeport import catalog
from pipeport.contract import ENGINES, LARGE, Array, CannotServe, Degrees, Image, Maybe, OneOf, contract_of
from pipeport.errors import NotEquivalent, OutsideDomain
from pipeport.verify import CaseRecord, DtypeRecord, Failure, Report, check, verify_pair
from pipeport.verify import _fingerprint as fingerprints
from pipeport.verify import _results as results
from pipeport.verify import _runner as runner
from pipeport.verify._case import Plan, run_case
from pipeport.verify._examine import examine
from pipeport.verify._example import Example
from pipeport.verify._snippet import array_literal, example_line, snippet, value_literal
from tests.verify import stand_ins as s

FEW = Plan(examples=8, seed=1)
BRIGHTEN = contract_of(s.brighten_native)


@pytest.mark.parametrize("engine", ENGINES)
def test_equal_functions_pass_in_every_engine(engine):
    record = run_case(s.pair(s.flip, s.flip_native, s.MATRIX), engine, FEW)
    assert (record.status, record.failure) == ("passed", None)
    assert record.examples == sum(d.examples for d in record.dtypes) == 8
    assert all(d.error == 0 for d in record.dtypes)


@pytest.mark.parametrize("engine", ENGINES)
def test_unequal_functions_fail_in_every_engine_with_a_small_example(engine):
    record = run_case(s.pair(s.flip, s.flip_columns, s.MATRIX), engine, Plan(examples=30))
    assert record.status == "failed"
    assert "differs" in record.failure.reason
    assert len(record.failure.snippet) < 3000


@pytest.mark.parametrize("engine", ENGINES)
def test_the_counterexample_runs_when_pasted_and_shows_the_difference(engine, tmp_path, capsys):
    record = run_case(s.pair(s.flip, s.flip_columns, s.MATRIX), engine, Plan(examples=30))
    script = tmp_path / "counterexample.py"
    script.write_text(record.failure.snippet)
    runpy.run_path(str(script))
    out = capsys.readouterr().out
    shown = out.splitlines()
    reference = [line for line in shown if line.startswith("reference")]
    native = [line for line in shown if line.startswith("native")]
    assert reference
    assert native
    assert "raises" not in out
    first, second = out.split("native", 1)
    assert first.split("\n", 1)[1].strip() != second.split("\n", 1)[1].strip()


def test_worst_errors_are_ratios_to_what_is_allowed():
    record = run_case(runner.pair_of(BRIGHTEN), "graph", FEW)
    assert record.status == "passed"
    assert all(0 <= d.ratio <= 1 for d in record.dtypes)
    assert {d.dtype for d in record.dtypes} <= {"float32", "float64"}


def test_a_case_in_which_every_example_is_refused_is_no_pass():
    def refuse(m):
        raise ValueError("no")

    record = run_case(s.pair(refuse, refuse, s.MATRIX), "eager", FEW)
    assert record.status == "failed"
    assert "vacuous" in record.failure.reason


class TestRefusals:
    """Only what both sides accept counts; what both refuse is counted apart."""

    def test_they_do_not_count(self):
        for engine in ("eager", "graph", "dataset"):
            record = run_case(s.pair(s.scale, s.refusing_scale, FACTORS, s.AsReference()), engine, FEW)
            assert record.failure is None
            assert record.examples == sum(d.examples for d in record.dtypes) == 8
            assert record.refused > 0

    def test_a_fifth_as_many_are_compared_and_the_rest_left_to_the_reference(self):
        ran = []

        def native(m, factor=2.0):
            ran.append(factor)
            return s.refusing_scale(m, factor)

        often = {"m": s.MATRIX["m"], "factor": OneOf(1.0, *[float("nan")] * 9)}
        record = run_case(s.pair(s.scale, native, often, s.AsReference()), "eager", Plan(examples=20))
        assert (record.status, record.examples) == ("passed", 20)
        assert 1 <= record.refused <= 4
        assert len(ran) == 20 + record.refused

    def test_signatures_are_chosen_among_what_is_accepted(self):
        often = {"m": s.MATRIX["m"], "factor": OneOf(1.0, *[float("nan")] * 9)}
        record = run_case(
            s.pair(s.scale, s.refusing_scale, often, s.AsReference()), "graph", Plan(examples=60)
        )
        assert (record.status, record.examples) == ("passed", 60)

    def test_a_case_that_cannot_reach_its_count_fails_and_says_so(self):
        calls = []

        def reference(m):
            calls.append(m)
            if m.shape != (3, 3) or m.any():
                raise ValueError("no")
            return m

        def native(m):
            tf.debugging.assert_equal(tf.shape(m), [3, 3])
            tf.debugging.assert_equal(tf.reduce_any(tf.cast(m, tf.bool)), False)
            return m

        record = run_case(s.pair(reference, native, s.MATRIX), "eager", Plan(examples=8))
        assert record.status == "failed"
        assert "too few" in record.failure.reason
        assert f"{record.examples} of 8" in record.failure.reason
        assert 100 < len(calls) < 600


class TestLargeImages:
    def shapes(self, engine, count, domain=None):
        seen = []

        def reference(image):
            seen.append(image.shape[:2])
            return image

        pair = s.pair(reference, s.same, domain or {"image": Image()})
        record = run_case(pair, engine, Plan(examples=count))
        assert (record.status, record.examples) == ("passed", count)
        return record.large, [shape for shape in seen if max(shape) >= 64]

    @pytest.mark.parametrize("engine", ["eager", "graph"])
    def test_a_few_are_drawn_eagerly_and_in_a_graph(self, engine):
        count, large = self.shapes(engine, 16 if engine == "eager" else 4)
        assert count == 1
        assert set(large) & set(LARGE)  # and those that tell which sizes the output follows

    def test_more_are_drawn_in_a_long_run(self):
        count, large = self.shapes("eager", 200)
        assert count == 8
        assert len(set(large)) > 2

    def test_none_elsewhere(self):
        assert self.shapes("xla", 4) == (0, [])
        assert self.shapes("eager", 3) == (0, [])
        assert self.shapes("eager", 16, {"image": Array(ranks=(2,))}) == (0, [])

    def test_none_beyond_the_sizes_a_user_states(self):
        seen = set()

        def old(image):
            seen.add(max(image.shape))
            return image

        assert check(old, s.same, {"image": Image(sides=(1, 5), channels=(None,))}, engines=["eager"]).ok
        assert max(seen) == 5

    def test_what_fails_on_large_images_alone_is_found_and_told_shortly(self, tmp_path, capsys):
        def native(m):
            return tf.where(tf.size(m) > 2000, tf.reverse(m, [0]), m)

        def reference(m):
            return m

        pair = s.pair(reference, native, {"m": Image(dtypes=("uint8",))})
        record = run_case(pair, "eager", Plan(examples=16))
        assert record.status == "failed"
        assert len(record.failure.snippet) < 3000
        assert "from pipeport.verify._arrays import large_array" in record.failure.snippet


def test_a_domain_that_is_left_out_wholly_fails_or_names_the_exemption():
    # A thousand are drawn before a large domain is given up, at once from a small one.
    large = {"m": Array(ranks=(1,), sides=(1, 1), dtypes=("int64",))}
    small = {"m": OneOf(1, 2)}
    empty = s.pair(s.flip, s.flip_native, large, valid=lambda a: False)
    assert "could be drawn" in run_case(empty, "eager", FEW).failure.reason
    never = CannotServe("xla", "no kernel", dict, lambda a: True)
    exempt = s.pair(s.flip, s.flip_native, small, cannot_serve=(never,))
    record = run_case(exempt, "xla", FEW)
    assert (record.status, record.note) == ("not run", "no kernel")


def test_a_function_that_keeps_state_fails():
    count = iter(range(10**6))

    def flaky(m):
        return tf.reverse(m, [0]) if next(count) % 2 else tf.identity(m)

    record = run_case(s.pair(s.flip, flaky, s.MATRIX), "eager", Plan(examples=50))
    assert record.status == "failed"


def test_a_native_that_freezes_its_randomness_in_a_dataset_is_not_equal_to_itself():
    def unseeded(m):
        return tf.cast(tf.random.uniform(tf.shape(m)), m.dtype) + m

    record = run_case(s.pair(s.flip, unseeded, {"m": Image(dtypes=("float32",))}), "dataset", FEW)
    assert record.status == "failed"


class TestRandomPairs:
    def test_fair_draws_pass(self):
        for engine in ("eager", "graph"):
            record = run_case(s.coin_pair(s.coin_native), engine, FEW)
            assert record.failure is None

    def test_draws_that_never_fall_are_found_by_the_distribution_alone(self):
        record = run_case(s.coin_pair(s.coin_frozen), "eager", FEW)
        assert "distribution" in record.failure.reason

    def test_results_no_draw_explains_are_found(self):
        def blurred(image, p=0.5, *, seed):
            return image * 0.5 + 7

        record = run_case(s.coin_pair(blurred), "eager", FEW)
        assert "no draw of the reference" in record.failure.reason


FACTORS = {"m": s.MATRIX["m"], "factor": OneOf(1.0, float("nan"))}


class TestXla:
    """XLA drops assertions: refusals at run time cannot be compared, refusals while tracing can."""

    def test_run_time_refusals_are_not_counted(self):
        record = run_case(s.pair(s.scale, s.scale_native, FACTORS, s.AsReference()), "xla", FEW)
        assert record.status == "passed"
        assert sum(d.refused for d in record.dtypes) == 0

    def test_elsewhere_they_are_compared(self):
        record = run_case(s.pair(s.scale, s.scale_native, FACTORS), "graph", Plan(examples=30))
        assert "reference raises ValueError" in record.failure.reason

    def test_trace_time_refusals_are_compared(self):
        def wrong_kind(m, factor=2.0):
            if not np.isfinite(factor):
                raise TypeError("factor")
            return s.scale_native(m, factor)

        record = run_case(s.pair(s.scale, wrong_kind, FACTORS), "xla", Plan(examples=30))
        assert "kind of error" in record.failure.reason


class TestStaticShape:
    def lost(self, native, domain=s.MATRIX, reference=s.flip, engine="graph"):
        record = run_case(s.pair(reference, native, domain), engine, Plan(examples=20))
        return record.failure.reason if record.failure else None

    @pytest.mark.parametrize("engine", ["graph", "dataset"])
    def test_a_lost_rank_is_found(self, engine):
        def unranked(m):
            return tf.compat.v1.placeholder_with_default(tf.reverse(m, [0]), None)

        assert "rank is lost" in self.lost(unranked, engine=engine)

    def test_a_lost_dimension_is_found(self):
        def unknown_rows(m):
            return tf.compat.v1.placeholder_with_default(tf.reverse(m, [0]), [None, m.shape[1]])

        assert "lost on axis 0" in self.lost(unknown_rows)

    def test_lost_channels_are_found_with_unknown_sizes_too(self):
        def no_channels(m):
            if m.shape[0] is not None:
                return tf.reverse(m, [0])
            return tf.compat.v1.placeholder_with_default(tf.reverse(m, [0]), [None] * m.shape.rank)

        assert "lost on axis 2" in self.lost(no_channels, {"m": Image(channels=(3,))})

    def test_a_size_that_depends_on_data_may_be_unknown(self):
        def positive(m):
            return m[m > 0]

        def positive_native(m):
            return tf.boolean_mask(m, m > 0)

        assert self.lost(positive_native, reference=positive) is None

    def test_a_size_that_depends_on_a_tensor_parameter_may_be_unknown_and_no_other(self):
        def turned(m, angle=0.0):
            return m.T if angle > 5 else m

        def turned_native(m, angle=0.0):
            if not tf.is_tensor(angle):
                return tf.transpose(m) if angle > 5 else tf.identity(m)
            return tf.cond(angle > 5, lambda: tf.transpose(m), lambda: m)

        def careless(m, angle=0.0):
            return tf.cond(tf.constant(angle) > 5, lambda: tf.transpose(m), lambda: m)

        domain = {"m": Image(channels=(None,)), "angle": Degrees(0, 10, tensor=True)}
        assert self.lost(turned_native, domain, turned) is None
        assert "lost on axis 0" in self.lost(careless, domain, turned)

    def test_a_size_that_a_real_tensor_takes_part_in_may_be_unknown(self):
        def grown(m, angle=0.0, center=0.0):
            return np.resize(m, (m.shape[0] + round(angle), *m.shape[1:]))

        def native(m, angle=0.0, center=0.0):
            more = [m.shape[0] + round(angle), *m.shape[1:]]
            full = tf.ensure_shape(tf.numpy_function(np.resize, [m, more], m.dtype), more)
            return hidden(full) if tf.is_tensor(center) else full

        def hidden(result):
            return tf.compat.v1.placeholder_with_default(result, [None, *result.shape[1:]])

        spec = {
            "m": Array(ranks=(2,), sides=(2, 4), dtypes=("uint8",)),
            "angle": Degrees(0, 6),
            "center": Degrees(0, 6, tensor=True),
        }
        pair = s.pair(grown, native, spec)
        image = np.zeros((2, 3), "uint8")
        arguments = {"m": image, "angle": 3.0, "center": 1.0}
        for tensors in ({}, {"center": "float32"}):
            call = Example(elements=(arguments,), tensors=tensors, trace="static", unknown={"m": (0, 1)})
            assert examine(pair, call, "graph").error == 0
        careless = s.pair(grown, lambda m, angle=0.0, center=0.0: hidden(native(m, angle)), spec)
        with pytest.raises(NotEquivalent, match="lost on axis 0"):
            examine(careless, Example(elements=(arguments,), trace="static"), "graph")


class TestResults:
    def keep(self, path, status="passed", engine="eager", **more):
        record = CaseRecord("pipeport.a", engine, status, 5, 5, (DtypeRecord("uint8", 5),), **more)
        results.Results(path).keep(record)
        return record

    def test_round_trip(self, tmp_path):
        path = tmp_path / "deep" / "verified.json"
        one = self.keep(path, versions={"numpy": "2"})
        two = self.keep(path, "failed", "graph", failure=Failure("why", "print()", "uint8"))
        assert results.Results(path).load() == {one.key: one, two.key: two}

    def test_the_file_is_replaced_whole_or_not_at_all(self, tmp_path, monkeypatch):
        path = tmp_path / "verified.json"
        self.keep(path)
        before = path.read_bytes()

        def torn(*_):
            raise KeyboardInterrupt

        monkeypatch.setattr(results.os, "fsync", torn)
        with pytest.raises(KeyboardInterrupt):
            self.keep(path, engine="graph")
        assert path.read_bytes() == before
        assert [p.name for p in tmp_path.iterdir()] == ["verified.json"]

    @pytest.mark.parametrize(
        "text", ["", "[]", "{", '{"format": 99, "cases": {}}', '{"format": 1, "cases": {"a": {}}}']
    )
    def test_another_file_is_refused_and_left_alone(self, tmp_path, text):
        path = tmp_path / "notes.json"
        path.write_text(text)
        with pytest.raises(OutsideDomain, match="results"):
            self.keep(path)
        assert path.read_text() == text

    def test_a_report_is_plain_data(self):
        report = Report((CaseRecord("a", "eager", "failed", failure=Failure("why")),))
        assert not report.ok
        assert json.loads(json.dumps(report.to_json()))["cases"][0]["failure"]["reason"] == "why"


class TestResume:
    @pytest.fixture
    def counted(self, monkeypatch):
        ran = []
        real = runner.run_case

        def counting(pair, engine, *args):
            ran.append(engine)
            return real(pair, engine, *args)

        monkeypatch.setattr(runner, "run_case", counting)
        return ran

    def run(self, path, *, examples=3, resume=True, **more):
        plan = Plan(examples=examples)
        cases = runner.run_contracts(
            [BRIGHTEN], ("eager", "batched"), plan, results=path, resume=resume, **more
        )
        return list(cases)

    def test_only_what_is_missing_is_run(self, tmp_path, counted):
        path = tmp_path / "verified.json"
        self.run(path, shard=(1, 2))
        assert counted == ["eager"]
        records = self.run(path)
        assert counted == ["eager", "batched"]
        assert [r.note for r in records] == ["resumed", ""]
        assert [r.note for r in self.run(path)] == ["resumed"] * 2

    def test_more_examples_and_no_resume_run_again(self, tmp_path, counted):
        path = tmp_path / "verified.json"
        self.run(path)
        self.run(path, examples=2)
        assert len(counted) == 2
        self.run(path, examples=4)
        assert len(counted) == 4
        self.run(path, resume=False)
        assert len(counted) == 6

    def test_changed_sources_and_failures_run_again(self, tmp_path, counted, monkeypatch):
        path = tmp_path / "verified.json"
        self.run(path)
        monkeypatch.setattr(fingerprints, "processor", lambda: "another")
        self.run(path)
        assert len(counted) == 4
        monkeypatch.setattr(fingerprints, "_judges", lambda: b"other sources")
        self.run(path)
        assert len(counted) == 6
        text = path.read_text().replace('"passed"', '"failed"')
        path.write_text(text)
        self.run(path)
        assert len(counted) == 8

    def test_every_finished_case_is_kept_when_a_later_one_is_interrupted(self, tmp_path, monkeypatch):
        path = tmp_path / "verified.json"
        real = runner.run_case

        def stopped(pair, engine, *args):
            if engine == "batched":
                raise KeyboardInterrupt
            return real(pair, engine, *args)

        monkeypatch.setattr(runner, "run_case", stopped)
        with pytest.raises(KeyboardInterrupt):
            self.run(path)
        assert list(results.Results(path).load()) == [f"{BRIGHTEN.native}|eager"]

    def test_shards_partition_the_cases(self):
        seen = [
            (r.pair, r.engine)
            for part in (1, 2, 3)
            for r in runner.run_contracts([BRIGHTEN], ENGINES, Plan(examples=1), shard=(part, 3))
        ]
        assert sorted(seen) == sorted((BRIGHTEN.native, engine) for engine in ENGINES)
        with pytest.raises(OutsideDomain, match="shard"):
            list(runner.run_contracts([BRIGHTEN], shard=(4, 3)))


def test_a_reference_of_another_environment_is_not_passed_but_not_run():
    from dataclasses import replace

    elsewhere = replace(BRIGHTEN, reference="no_such_package.rotate", environment="addons")
    (record,) = runner.run_contracts([elsewhere], ("eager",), FEW)
    assert record.status == "not run"
    assert "needs the addons environment" in record.note
    from pipeport.verify import MissingPackage

    with pytest.raises(MissingPackage, match=r"pip install 'pipeport\[verify\]'"):
        list(runner.run_contracts([replace(elsewhere, environment="main")], ("eager",), FEW))


def test_the_seed_decides_the_examples():
    def seen(seed):
        arrays = []

        def spy(m):
            arrays.append(m.numpy().tobytes())
            return tf.reverse(m, [0])

        run_case(s.pair(s.flip, spy, s.MATRIX), "eager", Plan(examples=5, seed=seed))
        return arrays

    assert seen(3) == seen(3) != seen(4)


class TestOwnFunctions:
    """A reference of the user's own is asked for one answer to one input."""

    def test_one_that_draws_is_refused_with_advice(self):
        generator = np.random.default_rng(0)

        def noisy(image):
            return image + generator.normal(size=image.shape).astype(image.dtype)

        for new in (lambda image: image * 0.9, lambda image: image):
            with pytest.raises(
                OutsideDomain, match=r"noisy: got two different.*Make what it draws a parameter"
            ):
                check(noisy, new, "image: float32[H,W]", examples=5, engines=["eager"])

    def test_one_that_draws_at_times_is_refused_too(self):
        generator = np.random.default_rng(0)

        def at_times(image, k):
            return image + generator.normal() if k == 3 else image

        with pytest.raises(OutsideDomain, match="k: 3"):
            check(at_times, lambda image, k: image, "image: float64[H]; k: int in [0,3]", engines=["eager"])

    def test_one_that_draws_from_a_parameter_is_not(self):
        def seeded(image, seed):
            return image + np.random.default_rng(seed).integers(0, 9)

        # The same code, on arrays and on tensors.
        assert check(seeded, seeded, "image: int64[H]; seed: int in [0,3]", examples=5, engines=["eager"]).ok

    def test_a_change_in_place_is_told(self):
        def doubled(image, by):
            image *= 2
            return image + by

        report = check(
            doubled, lambda image, by: image * 2 + by, "image: int32[H] in [0,9]; by: int32[]", examples=5
        )
        assert all("changes `image` in place" in case.note for case in report.cases)
        same = check(np.flipud, lambda m: tf.reverse(m, [0]), "m: uint8[H,W]", examples=5, engines=["eager"])
        assert same.cases[0].note == ""


class TestApi:
    def test_check_passes_and_reports(self):
        report = check(np.flipud, lambda m: tf.reverse(m, [0]), "m: uint8[H,W]", examples=5)
        assert report.ok
        assert [case.engine for case in report.cases] == ["eager", "graph", "dataset"]

    def test_check_raises_with_the_snippet(self):
        with pytest.raises(NotEquivalent, match=r"(?s)differs.*import numpy as np") as caught:
            check(np.flipud, lambda m: tf.reverse(m, [1]), "m: uint8[H,W]")
        assert isinstance(caught.value, AssertionError)

    def test_verify_pair_takes_a_name_a_contract_or_a_native(self):
        assert verify_pair(s.brighten_native, engines=["eager"], examples=3).ok
        assert verify_pair(BRIGHTEN, engines=["eager"], examples=3).ok
        with pytest.raises(NotEquivalent):
            verify_pair(BRIGHTEN, engines=["eager"], native=lambda image, by=1.0: image)

    def test_unknown_engines_are_named(self):
        with pytest.raises(OutsideDomain, match="engine: got 'gpu'"):
            check(np.flipud, np.flipud, "m: uint8[H]", engines=["gpu"])


ARRAYS = [
    np.array(3, "uint8"), np.array([], "float32"), np.zeros((0, 3)), np.full((2, 2), 7, "int32"),
    np.arange(6, dtype="float16").reshape(2, 3), np.array([[0.1, np.nan], [-0.0, -np.inf]], "float32"),
    np.array([True, False]), np.array([2**62 + 1, -(2**63)]), np.array(np.inf), np.full((3,), -0.0),
    np.random.default_rng(0).normal(size=(9, 30)).astype("float32"), np.array([1e-30, 1e30, 0.1]),
]  # fmt: skip


@pytest.mark.parametrize("array", ARRAYS, ids=lambda a: f"{a.dtype}{a.shape}")
def test_array_literals_are_exact(array):
    again = eval(array_literal(array), {"np": np, "nan": np.nan, "inf": np.inf})
    assert (again.dtype, again.shape, again.tobytes()) == (array.dtype, array.shape, array.tobytes())


@pytest.mark.parametrize(
    "value", [1, -2.5, None, "edge", True, (1, (2, 3)), (1,), [], [(0, 1)], np.float32(0.1)]
)
def test_value_literals_are_exact(value):
    again = eval(value_literal(value), {"np": np})
    assert again == value
    assert type(again) is type(value)


def test_the_snippet_imports_methods_from_their_class():
    pair = runner.pair_of(catalog.find("pipeport.PIL.Image.transpose"))
    image = np.zeros((2, 3), "uint8")
    call = Example(elements=({"image": image, "method": 0},), tensors={}, trace="eager", unknown={})
    text = snippet(pair, call, "eager", "why")
    assert "from PIL.Image import Image\n\nreference = Image.transpose" in text
    compile(text, "snippet", "exec")


def test_the_snippet_holds_parameters_in_the_form_in_which_they_failed():
    pair = runner.pair_of(BRIGHTEN)
    image = np.zeros((2, 3), "float32")
    call = Example(
        elements=({"image": image, "by": 2.0},),
        tensors={"by": "float32"},
        trace="unknown",
        unknown={"image": (0, 1)},
    )
    text = snippet(pair, call, "graph", "why")
    assert "by=np.array(2.0, 'float32')" in text
    assert "tf.TensorSpec([None, None], 'float32')" in text
    assert 'reference(image=inputs["image"], by=2.0)' in text
    assert text.startswith("# why\n")


def test_optional_values_may_be_none():
    domain = {"m": s.MATRIX["m"], "mode": Maybe(spec=OneOf("a"))}

    def reference(m, mode=None):
        return m if mode is None else m[::-1]

    def native(m, mode=None):
        return m if mode is None else tf.reverse(m, [0])

    assert run_case(s.pair(reference, native, domain), "graph", FEW).status == "passed"


class TestKeptExamples:
    """Arguments in the contract on which the pair once failed are judged before others are drawn."""

    RARE = np.array([[0.3125, 0.6875]], np.float32)

    @staticmethod
    def wrong_where_rare(image, *arguments, **options):
        right = s.brighten_native(image, *arguments, **options)
        rare = tf.equal(tf.reduce_max(tf.cast(image, tf.float32)), 0.6875)
        return tf.where(rare, tf.cast(7, right.dtype), right)

    def pair(self, *examples):
        kept = dataclasses.replace(BRIGHTEN, examples=examples)
        wrong = functools.wraps(s.brighten_native)(self.wrong_where_rare)
        return runner.pair_of(kept, native=wrong)

    @pytest.mark.parametrize("engine", ENGINES)
    def test_they_are_judged_in_every_engine(self, engine):
        assert run_case(self.pair(), engine, FEW).status == "passed"
        record = run_case(self.pair(lambda: {"image": self.RARE}), engine, FEW)
        assert record.status == "failed"
        assert "differs" in record.failure.reason

    def test_what_failed_is_printed_as_an_entry_that_fails_again(self):
        record = run_case(self.pair(lambda: {"image": self.RARE}), "eager", FEW)
        (example,) = eval(f"({record.failure.example})", {"np": np, "tf": tf})
        np.testing.assert_array_equal(example()["image"], self.RARE)
        assert run_case(self.pair(example), "eager", FEW).status == "failed"

    def test_a_tensor_stays_one(self):
        call = Example(elements=({"angle": 30.0, "k": 1},), tensors={"angle": "float32"})
        assert example_line(call) == "lambda: {'angle': tf.constant(30.0, 'float32'), 'k': 1},"
