"""Matrices, arrays of stated sizes, lists, callables, files and objects: drawn, given, judged, printed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given
from PIL import Image as Pillow

import pipeport
from pipeport.contract import (
    ENGINES,
    ArrayFile,
    ArrayList,
    Axes,
    Callback,
    EncodedImage,
    Exact,
    Image,
    Integer,
    Matrix,
    PerAxis,
    Shaped,
    contract_of,
    replaces,
)
from pipeport.errors import OutsideDomain, WrongType
from pipeport.verify import _case, _files
from pipeport.verify import _drawing as drawing
from pipeport.verify._draw_files import others
from pipeport.verify._example import Example
from pipeport.verify._examples import examples_like, signature_of
from pipeport.verify._judge import Worst
from pipeport.verify._outcome import kinds_of, run_reference
from pipeport.verify._pair import pair_of
from pipeport.verify._report import CaseRecord, Failure
from pipeport.verify._results import Results, merged
from pipeport.verify._snippet import snippet
from pipeport.verify._strategies import Scene, strategy
from tests.verify import stand_ins as s
from tests.verify.test_strategies import calls, reaches

pytestmark = pytest.mark.newest_only

FEW = _case.Plan(examples=12)


def join(arrays, axis=0):
    return np.concatenate(arrays, axis)


def join_native(arrays, axis=0):
    rank = arrays[0].shape.rank
    if not -rank <= axis < rank:
        raise IndexError("axis")
    return tf.concat(arrays, axis)


def weigh(image, matrix, offset=None):
    found = image * np.asarray(matrix, image.dtype).sum()
    return found if offset is None else found + offset


def weigh_native(image, matrix, offset=None):
    found = image * tf.reduce_sum(tf.cast(matrix, image.dtype))
    return found if offset is None else found + offset


def nothing(**arguments):
    return arguments


def double(x):
    return x * 2


def apply(image, f, times):
    return f(image) * np.asarray(times, image.dtype).sum()


def apply_native(image, f, times):
    return f(image) * tf.reduce_sum(tf.cast(times, image.dtype))


def content(path):
    return np.fromfile(path, np.uint8)


def content_native(path):
    return tf.io.decode_raw(tf.io.read_file(path), tf.uint8)


GREY = Image(dtypes=("float64",), channels=(None,), non_finite=False)
PLANES = {
    "image": GREY,
    "matrix": Matrix(rows=2, columns=3, kind="affine", tensor=True),
    "offset": Shaped(shape=("image.0", "image.1"), dtypes=("float64",), per_image=True),
}
LISTS = {"arrays": ArrayList(axis="axis"), "axis": Axes(of="arrays", several=False)}
CALLS = {
    "image": GREY,
    "f": Callback("tests.verify.test_vocabulary.double"),
    "times": PerAxis(spec=Integer(1, 3), of="image", tensor=True),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("reference", "native", "domain", "agreement"),
    [
        (join, join_native, LISTS, Exact()),
        (weigh, weigh_native, PLANES, s.AsReference()),
        (apply, apply_native, CALLS, s.AsReference()),
    ],
    ids=["lists", "matrices", "callables"],
)
def test_right_natives_pass_in_every_engine(reference, native, domain, agreement, engine):
    # Each example may be a trace or a compilation: half as many outside of eager calls.
    plan = FEW if engine == "eager" else _case.Plan(examples=FEW.examples // 2)
    record = _case.run_case(s.pair(reference, native, domain, agreement), engine, plan)
    assert record.status == "passed", record.failure
    assert record.examples == plan.examples


@pytest.mark.parametrize(
    ("reference", "native", "domain"),
    [
        (join, lambda arrays, axis=0: join_native(arrays[::-1], axis), LISTS),
        (weigh, lambda image, matrix, offset=None: weigh_native(image, matrix[:, :2], offset), PLANES),
        (weigh, lambda image, matrix, offset=None: weigh_native(image, matrix), PLANES),
        (apply, lambda image, f, times: apply_native(image, lambda x: x, times), CALLS),
        (content, lambda path: content_native(path)[:-1], {"path": EncodedImage()}),
    ],
    ids=["order of a list", "offset column", "ignored array", "ignored callable", "last byte"],
)
def test_wrong_natives_fail_with_a_script_that_shows_it(reference, native, domain, capsys):
    record = _case.run_case(s.pair(reference, native, domain), "graph", FEW)
    assert record.status == "failed"
    script = record.failure.snippet.replace("# native = ...", "native = None #")
    scope = {"__name__": "script"}
    exec(compile(script, "script", "exec"), scope)
    printed = capsys.readouterr().out
    assert "reference" in printed
    assert "reference raises" not in printed or "native raises" in printed


@given(strategy(Matrix(rows=3, columns=3, kind="affine"), Scene()))
def test_affine_matrices_keep_their_last_row_and_can_be_inverted(matrix):
    np.testing.assert_array_equal(matrix[2], [0, 0, 1])
    assert np.linalg.cond(matrix[:2, :2].astype(float)) < 1e3


@pytest.mark.parametrize(
    "condition",
    [
        lambda m: (m[:, :3] == np.eye(3)).all(),
        lambda m: np.linalg.det(m[:, :3]) < 0,
        lambda m: sorted(np.abs(m[:, :3]).ravel()) == [0] * 6 + [1] * 3 and m[0, 0] == 0,
        lambda m: np.unique(np.abs(m[:, :3])).size > 8,
        lambda m: m[:, 3].any(),
    ],
    ids=["identity", "reflection", "right angle", "generic", "offset"],
)
def test_matrices_of_every_kind_are_reached(condition):
    reaches(strategy(Matrix(rows=3, columns=4), Scene()), condition)


def test_singular_and_projective_matrices_are_drawn_where_asked_for():
    flat = Matrix(rows=2, columns=2, kind="linear", singular=True)
    reaches(strategy(flat, Scene()), lambda m: np.linalg.matrix_rank(m) < 2)
    reaches(strategy(Matrix(rows=3, columns=3, kind="projective"), Scene()), lambda m: m[2, 0] != 0)


@given(calls({"image": Image(), "map": Shaped(shape=("image.ndim", "image.0", (2, 4)), values=(0, 5))}))
def test_sizes_follow_the_array_they_name(call):
    image, found = call.arguments["image"], call.arguments["map"]
    assert found.shape[:2] == (image.ndim, image.shape[0])
    assert 2 <= found.shape[2] <= 4
    assert found.size == 0 or (found.min() >= 0 and found.max() <= 5)


@given(calls({"image": Image(), "zoom": PerAxis(spec=Integer(1, 3), of="image")}))
def test_one_value_or_one_per_axis(call):
    zoom = call.arguments["zoom"]
    assert isinstance(zoom, int) or len(zoom) == call.arguments["image"].ndim


def test_lists_differ_along_one_axis_and_are_of_one_dtype():
    listed = calls(LISTS, "graph")

    @given(listed)
    def alike(call):
        arrays = call.arguments["arrays"]
        assert len({a.dtype for a in arrays}) == 1
        assert sum(len(set(sizes)) > 1 for sizes in zip(*(a.shape for a in arrays), strict=True)) <= 1
        assert [part.dtype for part in call.inputs()["arrays"]] == [a.dtype for a in arrays]

    alike()
    reaches(listed, lambda c: len({a.shape for a in c.arguments["arrays"]}) == 2)


def test_a_matrix_is_given_as_a_tensor_or_known_while_tracing():
    for constant in (False, True):
        reaches(calls(PLANES, "graph"), lambda c, k=constant: ("matrix" in c.constants) == k)
    fixed = {"image": GREY, "matrix": Matrix(rows=2, columns=3)}

    @given(calls(fixed, "graph"))
    def known(call):
        assert set(call.inputs()) == {"image"}
        assert isinstance(call.static()["matrix"], np.ndarray)

    known()


def test_batches_have_matrices_per_element_or_shared():
    for shared in (False, True):
        reaches(
            calls(PLANES, "batched"),
            lambda c, k=shared: "matrix" not in c.constants and ("matrix" not in c.per_element) == k,
        )

    @given(calls(PLANES, "batched"))
    def stacked(call):
        inputs, count = call.batched_inputs(), len(call.elements)
        assert inputs["image"].shape[0] == inputs["offset"].shape[0] == count
        if "matrix" in inputs:
            assert inputs["matrix"].shape == ((count, 2, 3) if "matrix" in call.per_element else (2, 3))

    stacked()


@pytest.mark.parametrize("form", ["path", "bytes"])
@pytest.mark.parametrize("name", [f for f in _files.FORMATS if f not in ("broken", "missing")])
def test_images_of_every_format_can_be_read(name, form):
    @given(strategy(EncodedImage(formats=(name,), form=form), Scene(free=False)))
    def readable(value):
        path = value if form == "path" else _files.file_of(value.tobytes(), ".image")
        with Pillow.open(path) as image:
            assert image.format.lower() == name.replace("png16", "png").partition("-")[0]
            assert min(image.size) >= 1
            image.load()

    readable()


def test_missing_and_broken_files():
    @given(strategy(EncodedImage(formats=("missing", "broken")), Scene()))
    def unreadable(path):
        if not Path(path).exists():
            return
        with pytest.raises(Exception), Pillow.open(path) as image:  # noqa: B017, PT011 - PIL's own kinds
            image.load()

    unreadable()
    reaches(strategy(EncodedImage(formats=("broken",)), Scene()), lambda p: not Path(p).stat().st_size)
    reaches(strategy(EncodedImage(formats=("missing",)), Scene()), lambda p: not Path(p).exists())


def test_array_files_in_every_order():
    files = strategy(ArrayFile(dtypes=("int32",), ranks=(2,)), Scene())
    for order in ("<", ">"):
        reaches(files, lambda p, o=order: np.load(p).dtype == np.dtype(f"{o}i4"))
    reaches(files, lambda p: np.load(p).flags.f_contiguous and not np.load(p).flags.c_contiguous)
    outcome = run_reference(
        np.load, {"file": _files.file_of(_files.array_bytes(np.arange(3, dtype=">i4")), ".npy")}
    )
    assert outcome.leaves[0].dtype.isnative
    np.testing.assert_array_equal(outcome.leaves[0], [0, 1, 2])


def test_paths_enter_as_text_and_as_string_tensors():
    paths = calls({"path": EncodedImage(formats=("png",))}, "graph")
    reaches(paths, lambda c: c.inputs() and c.inputs()["path"].dtype == object)
    reaches(paths, lambda c: isinstance(c.static().get("path"), str))
    pair = s.pair(content, content_native, {"path": EncodedImage(formats=("bmp", "png", "missing"))})
    for engine in ("eager", "graph", "dataset"):
        record = _case.run_case(pair, engine, FEW)
        assert record.status == "passed", record.failure
    spec = EncodedImage(formats=("png", "jpeg", "broken"))
    assert len({Path(path).stat().st_size for path in others(spec, "")}) > 1


@replaces(
    "tests.verify.test_vocabulary.Line",
    kind="class",
    domain={"slope": Integer(-5, 5, tensor=True), "start": Integer(0, 3)},
    agreement=Exact(),
    proven_against=">=0",
    reference_call="tests.verify.test_vocabulary.by_position",
    compared=("tests.verify.test_vocabulary.values", "tests.verify.test_vocabulary.values"),
)
class LineNative:
    """A line."""

    def __init__(self, slope, start=0):
        self.slope, self.start = slope, start

    def __call__(self, x):
        return self.start + self.slope * x


class Line:
    """Reference; its parameters have no names."""

    def __init__(self, *parameters):
        self.slope, self.start = parameters

    def __call__(self, x):
        return self.start + self.slope * x


def by_position(arguments):
    return (arguments["slope"], arguments.get("start", 0)), {}


def values(line):
    native = isinstance(line, LineNative)
    return {"at two": tf.cast(line(2), tf.int64) if native else np.int64(line(2))}


@pytest.mark.parametrize("engine", ENGINES)
def test_objects_are_compared_by_what_is_read_of_them(engine):
    pair = pair_of(contract_of(LineNative))
    assert _case.run_case(pair, engine, FEW).status == "passed"

    class Steeper(LineNative):
        def __call__(self, x):
            return super().__call__(x + 1)

    record = _case.run_case(pair_of(contract_of(LineNative), native=Steeper), engine, FEW)
    assert "differs" in record.failure.reason
    assert "read_reference(original_reference(*arguments_of(given)" in record.failure.snippet
    with pytest.raises(WrongType, match="object"):
        pipeport.batched(LineNative)


def test_a_batch_needs_something_to_be_a_batch_of():
    over = pipeport.batched(s.brighten_native)
    with pytest.raises(Exception, match="image"):
        over(None)

    @replaces("a.b", domain={"k": Integer(0, 3, tensor=True)}, agreement=Exact(), proven_against=">=0")
    def number(k):
        """Give it back."""
        return tf.identity(k)

    with pytest.raises(OutsideDomain, match="no argument with a leading batch axis"):
        pipeport.batched(number)(2)
    assert pipeport.batched(number)(tf.constant([1, 2])).numpy().tolist() == [1, 2]


def test_many_examples_share_few_signatures_with_data_of_their_own(monkeypatch):
    seen: dict[tuple, set[bytes]] = {}
    large: dict[tuple, set[bytes]] = {}

    def native(image, matrix, offset):
        return weigh_native(image, matrix, offset)

    real = _case.examine

    def noted(pair, call, engine):
        data = b"|".join(value.tobytes() for value in call.inputs().values())
        group = large if max(call.arguments["image"].shape) >= 64 else seen
        group.setdefault(signature_of(call), set()).add(data)
        return real(pair, call, engine)

    monkeypatch.setattr(_case, "examine", noted)
    monkeypatch.setattr(drawing, "SIGNATURES", 6)
    domain = {**PLANES, "image": Image(dtypes=("float64",), channels=(None,), sides=(2, 9), non_finite=False)}
    record = _case.run_case(s.pair(weigh, native, domain, s.AsReference()), "graph", _case.Plan(examples=60))
    assert record.examples == 60
    assert len(seen) == 6
    assert sum(map(len, seen.values())) > 50
    assert 1 <= len(large) <= 3  # one example in 25


def test_examples_are_drawn_afresh_and_not_varied_from_each_other(monkeypatch):
    """In one long run of Hypothesis two thirds of these sides would be one."""
    seen = []

    def noted(pair, call, engine):
        seen.append(call.arguments)
        return Worst()

    monkeypatch.setattr(_case, "examine", noted)
    sides = {name: Integer(1, 20) for name in "abcd"}
    record = _case.run_case(s.pair(nothing, nothing, sides), "eager", _case.Plan(examples=400))
    assert record.examples == len(seen) == 400
    drawn = [value for arguments in seen for value in arguments.values()]
    assert all(drawn.count(value) < 0.2 * len(drawn) for value in range(1, 21))
    assert len({tuple(arguments.values()) for arguments in seen}) > 360


def test_signatures_are_chosen_for_what_they_add():
    usual = [Example(elements=({"k": 1, "mode": "a"},)) for _ in range(50)]
    rare = Example(elements=({"k": 1, "mode": "b"},)), Example(elements=({"k": 2, "mode": "a"},))
    chosen = drawing.most_varied([*usual, *rare], 3)
    assert set(map(id, rare)) <= set(map(id, chosen))
    assert len(drawing.most_varied(usual, 90)) == 50


def test_examples_like_a_call_keep_its_signature():
    found: list[Example] = []
    reaches(calls(PLANES, "graph"), lambda c: not c.constants and (found.append(c) or True))
    pair = s.pair(weigh, weigh_native, PLANES)

    @given(examples_like(pair, "graph", found[:1]))
    def alike(call):
        assert signature_of(call) == signature_of(found[0])

    alike()
    reaches(
        examples_like(pair, "graph", found[:1]),
        lambda c: not np.array_equal(c.arguments["matrix"], found[0].arguments["matrix"]),
    )


def test_a_rank_that_follows_sizes_may_be_unknown():
    domain = {"m": s.Array(ranks=(2,), sides=(1, 4), dtypes=("uint8",))}

    def thin(m):
        return np.squeeze(m)

    def thin_native(m):
        return tf.squeeze(m)

    record = _case.run_case(s.pair(thin, thin_native, domain), "graph", FEW)
    assert record.status == "passed", record.failure

    def hidden(m):
        return tf.compat.v1.placeholder_with_default(m, None)

    record = _case.run_case(s.pair(s.flip, lambda m: hidden(tf.reverse(m, [0])), domain), "graph", FEW)
    assert "the rank is lost" in record.failure.reason


def test_kinds_of_what_references_raise():
    for error in (OSError("truncated"), SyntaxError("broken PNG file"), EOFError()):
        assert kinds_of(error, reference=True) == {"value"}
        assert kinds_of(error) != {"value"}
    assert kinds_of(FileNotFoundError(), reference=True) == {"not-found"}


def test_a_constant_matrix_is_printed_where_it_was_known():
    call = Example(
        elements=({"image": np.zeros((2, 3)), "matrix": np.ones((2, 3))},),
        constants=frozenset({"matrix"}),
        trace="static",
        unknown={"image": (0, 1), "matrix": ()},
    )
    text = snippet(s.pair(weigh, weigh_native, PLANES), call, "graph", "why")
    assert "native(image=each[\"image\"], matrix=np.full((2, 3), 1.0, 'float64'))" in text


class TestMerge:
    @staticmethod
    def case(status="passed", examples=200, mark="now", pair="p"):
        failure = Failure("why") if status == "failed" else None
        return CaseRecord(pair, "eager", status, examples, examples, failure=failure, fingerprint=mark)

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ({"mark": "now", "examples": 10}, {"mark": "then", "examples": 200}),
            ({"mark": "now"}, {"mark": "then", "status": "failed"}),
            ({"status": "failed"}, {"status": "passed"}),
            ({"examples": 200}, {"examples": 10}),
        ],
        ids=["sources", "an old failure", "a failure", "examples"],
    )
    def test_of_two_cases_the_telling_one_stays(self, tmp_path, one, other):
        for first, second in ((one, other), (other, one)):
            for name, what in (("a.json", first), ("b.json", second)):
                (tmp_path / name).unlink(missing_ok=True)
                Results(tmp_path / name).keep(self.case(**what))
            found = merged([tmp_path / "a.json", tmp_path / "b.json"], lambda c: c.fingerprint == "now")
            assert found == [self.case(**one)]

    def test_cases_of_both_files_are_kept_in_order(self, tmp_path):
        for name in ("b", "a"):
            Results(tmp_path / f"{name}.json").keep(self.case(pair=name))
        paths = [tmp_path / "b.json", tmp_path / "a.json"]
        assert [case.pair for case in merged(paths, lambda _: True)] == ["a", "b"]
        with pytest.raises(OutsideDomain, match="does not exist"):
            merged([tmp_path / "c.json"], lambda _: True)
