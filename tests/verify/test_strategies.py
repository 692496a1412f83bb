"""What is drawn lies in the domain, reaches its corners, and respects relations and exemptions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from pipeport.contract import (
    ALL_DTYPES,
    LARGE,
    Array,
    Axes,
    CannotServe,
    Degrees,
    Difference,
    Exact,
    Image,
    Integer,
    LabelOf,
    Matrix,
    Maybe,
    OneOf,
    PadValues,
    PadWidths,
    PerAxis,
    Permutation,
    Point,
    Radians,
    Real,
    SeedPair,
    Shaped,
    Shifts,
    Spec,
)
from pipeport.errors import OutsideDomain
from pipeport.verify._arrays import LARGE_SIZE, contents, large_array, recipe_of
from pipeport.verify._examples import examples
from pipeport.verify._pair import Pair
from pipeport.verify._strategies import POOL, Scene, in_order, strategy

pytestmark = pytest.mark.newest_only

SEARCH = settings(
    max_examples=2000,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def nothing(**arguments):
    return arguments


def made(domain, **more):
    return Pair(
        name="test", reference=nothing, native=nothing, reference_name="a.b", native_name="c.d",
        domain=domain, agreement=None, **more,
    )  # fmt: skip


def calls(domain, engine="eager", **more):
    return examples(made(domain, **more), engine)


def reaches(strategy_, condition):
    find(strategy_, condition, settings=SEARCH)


def never_reaches(strategy_, condition):
    with pytest.raises(NoSuchExample):
        find(strategy_, condition, settings=settings(parent=SEARCH, max_examples=200))


@given(strategy(Image(sides=(2, 5), channels=(None, 4), values=(0.0, 1.0)), Scene()))
def test_images(image):
    assert image.ndim in (2, 3)
    assert all(2 <= side <= 5 for side in image.shape[:2])
    assert image.ndim == 2 or image.shape[2] == 4
    if image.dtype.kind == "f":
        finite = image[np.isfinite(image)]
        assert ((finite >= 0) & (finite <= 1)).all()
        assert not ((finite != 0) & (np.abs(finite) < np.finfo(image.dtype).tiny)).any()


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_every_dtype_and_its_extremes_are_reached(dtype):
    images = strategy(Image(dtypes=(dtype,)), Scene())
    ends = {"b": (False, True), "f": (-1.0, 1.0)}.get(np.dtype(dtype).kind)
    low, high = ends if ends else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    reaches(images, lambda a: a.dtype == dtype and (a == low).any())
    reaches(images, lambda a: (a == high).any())
    reaches(images, lambda a: np.unique(a).size > 1)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_non_finite_pixels_are_drawn_if_and_only_if_the_domain_has_them(value):
    def same(a):
        return (np.isnan(a) if np.isnan(value) else a == value).any()

    reaches(strategy(Image(dtypes=("float32",)), Scene()), same)
    never_reaches(strategy(Image(dtypes=("float32",), non_finite=False), Scene()), same)


def test_shapes_come_from_a_small_pool_where_each_costs_a_trace():
    seen = set()

    @settings(parent=SEARCH, max_examples=200)
    @given(strategy(Array(ranks=(2,)), Scene(free=False)))
    def collect(array):
        seen.add(array.shape)

    collect()
    assert len(seen) <= len(POOL) + 1
    assert (0, 2) in seen or any(0 in shape for shape in seen)


def test_arrays_without_elements_only_where_the_domain_has_them():
    reaches(strategy(Array(), Scene()), lambda a: a.size == 0)
    never_reaches(strategy(Array(sides=(1, 4)), Scene()), lambda a: a.size == 0)


@given(
    calls(
        {
            "axis": Axes(of="m", none=True),
            "order": Permutation(of="m"),
            "moves": Axes(of="m", repeats=True),
            "shift": Shifts(of="m", axes="moves"),
            "m": Array(ranks=(1, 2, 3)),
        }
    )
)
def test_relations_to_an_array(call):
    a = call.arguments
    rank = a["m"].ndim
    axes = {"axis": a["axis"], "moves": a["moves"]}
    for value in axes.values():
        listed = () if value is None else value if isinstance(value, tuple) else (value,)
        assert all(-rank <= axis < rank for axis in listed)
    if isinstance(a["axis"], tuple):
        assert len({axis % rank for axis in a["axis"]}) == len(a["axis"])
    if a["order"] is not None:
        assert sorted(axis % rank for axis in a["order"]) == list(range(rank))
    if isinstance(a["shift"], tuple):
        assert len(a["shift"]) == len(a["moves"])


@given(calls({"image": Image(), "label": LabelOf(image="image")}))
def test_labels_have_the_plane_of_their_image(call):
    assert call.arguments["label"].shape[:2] == call.arguments["image"].shape[:2]
    assert 2 <= call.arguments["label"].ndim <= 4


@given(calls({"a": Array(ranks=(0, 1, 2, 3)), "w": PadWidths(of="a"), "v": PadValues(of="a")}))
def test_numpy_accepts_every_form_of_pad_width_and_value(call):
    a = call.arguments
    padded = np.pad(a["a"], a["w"], constant_values=a["v"])
    assert padded.dtype == a["a"].dtype


def test_tensors_hold_what_the_reference_gets():
    spec = {
        "image": Image(),
        "angle": Degrees(-720, 720, tensor=True),
        "center": Point(low=0, high=9, tensor=True),
    }

    @settings(parent=SEARCH, max_examples=300)
    @given(calls(spec, "graph"))
    def agree(call):
        for name, dtype in call.tensors.items():
            held = call.inputs()[name]
            assert str(held.dtype) == dtype
            np.testing.assert_array_equal(
                np.asarray(call.arguments[name], np.float64), held.astype(np.float64)
            )
        assert set(call.inputs()) == {"image", *call.tensors}
        assert not set(call.static()) & set(call.inputs())

    agree()
    for dtype in ("float32", "float64"):
        reaches(calls(spec, "graph"), lambda c, d=dtype: c.tensors.get("angle") == d)
    reaches(
        calls(spec, "graph"), lambda c: "angle" not in c.tensors and isinstance(c.arguments["angle"], int)
    )


def test_none_is_never_a_tensor():
    spec = {
        "image": Image(),
        "x": Maybe(spec=Integer(0, 3, tensor=True)),
        "mode": OneOf("a", "b", tensor=True),
    }
    reaches(calls(spec), lambda c: "x" in c.tensors)

    @given(calls(spec))
    def never(call):
        assert not (call.arguments["x"] is None and "x" in call.tensors)
        assert "mode" not in call.tensors

    never()


def test_batches_share_shapes_and_vary_values():
    spec = {"image": Image(), "angle": Degrees(-9, 9, tensor=True), "k": Integer(0, 3)}

    @given(calls(spec, "batched"))
    def batch(call):
        assert 1 <= len(call.elements) <= 3
        for element in call.elements:
            assert element["image"].shape == call.arguments["image"].shape
            assert element["k"] == call.arguments["k"]
            assert "angle" in call.per_element or element["angle"] == call.arguments["angle"]
        stacked = call.batched_inputs()
        assert stacked["image"].shape[0] == len(call.elements)
        assert "angle" not in stacked or stacked["angle"].ndim == ("angle" in call.per_element)

    batch()
    reaches(calls(spec, "batched"), lambda c: len({e["angle"] for e in c.elements}) == 3)


@pytest.mark.parametrize(("engine", "traces"), [("eager", {"eager"}), ("xla", {"static", "unknown"})])
def test_traces(engine, traces):
    for trace in traces:
        reaches(calls({"image": Image()}, engine), lambda c, t=trace: c.trace == t)


def test_channels_stay_known_and_other_sizes_do_not():
    reaches(calls({"m": Image(channels=(3,))}, "graph"), lambda c: c.unknown["m"] == (0, 1))
    reaches(calls({"m": Array(ranks=(3,))}, "graph"), lambda c: c.unknown["m"] == (0, 1, 2))


def test_validity_differences_and_engines_leave_examples_out():
    domain = {"image": Image(), "k": Integer(0, 9, tensor=True)}
    odd = Difference("odd", dict, lambda a: a["k"] % 2 == 1)
    unserved = CannotServe("graph", "tensor k", dict, lambda a: not isinstance(a["k"], int))
    more = {"differences": (odd,), "cannot_serve": (unserved,), "valid": lambda a: a["k"] > 3}

    @given(calls(domain, "graph", **more))
    def in_graph(call):
        assert call.arguments["k"] in (4, 6, 8)
        assert "k" not in call.tensors

    in_graph()
    reaches(calls(domain, "eager", **more), lambda c: "k" in c.tensors)


def test_optional_parameters_are_left_out_at_times():
    def native(image, k=2):
        return image

    pair = Pair(
        name="test", reference=native, native=native, reference_name="a.b", native_name="c.d",
        domain={"image": Image(), "k": Integer(0, 9)}, agreement=None,
    )  # fmt: skip
    reaches(examples(pair, "eager"), lambda c: "k" not in c.arguments)
    reaches(examples(pair, "eager"), lambda c: c.arguments.get("k") == 9)


@given(strategy(SeedPair(), Scene()))
def test_seeds_are_two_integers_of_32_bits(seed):
    assert len(seed) == 2
    assert all(-(2**31) <= half < 2**31 for half in seed)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@given(data=st.data())
def test_ends_of_a_range_hold_after_rounding_to_the_dtype(dtype, data):
    values = data.draw(contents(dtype, (5,), 0.1, 0.7, open_high=True))
    assert (values.astype(np.float64) >= 0.1).all()
    assert (values.astype(np.float64) < 0.7).all()


def test_specs_that_verify_does_not_know_are_named():
    class Odd(Spec):
        pass

    with pytest.raises(OutsideDomain, match="Odd"):
        strategy(Odd(), Scene())


def test_a_circle_of_references_is_refused():
    with pytest.raises(OutsideDomain, match="circle"):
        in_order({"a": Axes(of="b"), "b": LabelOf(image="a")})


def several(strategy_, count=300):
    seen = []

    @settings(parent=SEARCH, max_examples=count)
    @given(strategy_)
    def collect(value):
        seen.append(value)

    collect()
    return seen


def is_simple(value, parts=(1, 2, 3, 4)):
    return any(abs(value * p - round(value * p)) < 1e-9 for p in parts)


@pytest.mark.parametrize(
    ("spec", "simple"),
    [
        (Real(-3.0, 3.0), is_simple),
        (Degrees(-720.0, 720.0), is_simple),
        (Radians(-3.0, 3.0), lambda v: is_simple(v) or is_simple(np.degrees(v), (1,)) or v in (1e-9, -3.0)),
    ],
)
def test_about_half_of_the_numbers_are_where_coordinates_meet_pixels(spec, simple):
    values = several(strategy(spec, Scene()))
    share = np.mean([simple(value) for value in values])
    assert 0.35 < share < 0.85


@pytest.mark.parametrize("of", [15, 45, 90])
def test_degrees_are_multiples_of(of):
    odd = {15: 30, 45: 90, 90: 360}[of]
    reaches(strategy(Degrees(-720.0, 720.0), Scene()), lambda v: v % of == 0 and v % odd != 0 and v < 0)
    reaches(strategy(Radians(-7.0, 7.0), Scene()), lambda v: v != 0 and is_simple(np.degrees(v) / of, (1,)))


def test_centres_lie_on_and_between_the_pixels_of_the_image():
    spec = {"image": Image(channels=(None,)), "center": Point(low=-3.0, high=12.0)}

    def is_centre(call, inset):
        rows, columns = call.arguments["image"].shape
        centre = ((columns - inset) / 2, (rows - inset) / 2)
        return rows > 4 and columns > 4 and call.arguments["center"] == centre

    for large in (False, True):
        for inset in (0, 1):
            drawn = large_calls(spec) if large else calls(spec)
            reaches(drawn, lambda call, i=inset: is_centre(call, i))


def test_matrices_of_simple_fractions_and_turns_about_the_centre_are_drawn():
    spec = {"image": Image(channels=(None,)), "m": Matrix(rows=2, columns=3)}

    def keeps_the_centre(call):
        rows, columns = call.arguments["image"].shape
        m = call.arguments["m"].astype(float)
        centre = np.array([(columns - 1) / 2, (rows - 1) / 2])
        turned = abs(np.linalg.det(m[:, :2]) - 1) < 1e-6 and 0.1 < abs(m[0, 1]) < 0.9
        return rows > 3 and turned and np.allclose(m @ [*centre, 1], centre, atol=1e-5)

    reaches(calls(spec), keeps_the_centre)
    thirds = [2 / 3, -1 / 3, 1 / 3, 4 / 3]
    linear = strategy(Matrix(rows=2, columns=2, kind="linear", dtypes=("float64",)), Scene())
    reaches(linear, lambda m: np.isin(m, thirds).sum() >= 2 and abs(np.linalg.det(m)) > 0.1)


def test_coordinates_lie_on_pixels_and_on_parts_of_them():
    spec = Shaped(shape=(7, 20), values=(-15.0, 25.0), dtypes=("float32",))
    for parts in (1, 2, 4, 32):
        reaches(
            strategy(spec, Scene()),
            lambda a, p=parts: np.unique(a).size > 9 and (a * p == np.round(a * p)).all() and a.any(),
        )
    reaches(strategy(spec, Scene()), lambda a: np.unique(a).size > 9 and (a * 96 != np.round(a * 96)).any())


def large_calls(domain, **more):
    pair = Pair(
        name="test", reference=nothing, native=nothing, reference_name="a.b", native_name="c.d",
        domain=domain, agreement=Exact(), **more,
    )  # fmt: skip
    return examples(pair, "eager", large=True)


def test_of_a_large_image_all_else_grows():
    spec = {
        "image": Image(channels=(None, 3)),
        "mask": LabelOf(image="image", ranks=(2,)),
        "center": Point(low=-3.0, high=12.0),
        "size": PerAxis(spec=Integer(1, 20), count=2, single=False),
        "factors": PerAxis(spec=Integer(1, 4), count=2, single=False),
        "shift": PerAxis(spec=Real(-14.0, 14.0), of="image"),
        "map": Shaped(shape=(7, 20), values=(-15.0, 25.0)),
        "points": Shaped(shape=("image.ndim", (1, 6)), values=(0.0, 9.0)),
    }
    seen = several(large_calls(spec), 60)
    for call in seen:
        a = call.arguments
        assert a["image"].shape[:2] in LARGE
        assert a["mask"].shape == a["image"].shape[:2]
        assert a["map"].shape == (63, 180)
        assert a["points"].shape[0] == a["image"].ndim
        assert all(1 <= factor <= 4 for factor in a["factors"])
    assert len({call.arguments["image"].shape[:2] for call in seen}) > 2
    for name in ("center", "size", "shift"):
        assert max(np.max(call.arguments[name]) for call in seen) > 40, name
    assert max(call.arguments["map"].max() for call in seen) > 40
    assert max(call.arguments["points"].shape[1] for call in seen) > 40


def test_large_arrays_are_noise_and_told_by_how_they_were_made():
    arrays = several(contents("float32", (64, 65), -1.0, 1.0, nan=True), 40)
    assert np.mean([np.unique(array).size > 4000 for array in arrays]) > 0.5
    assert any(np.isnan(array).any() for array in arrays)
    assert arrays[0].size > LARGE_SIZE
    for array in arrays:
        again = eval(recipe_of(array), {"large_array": large_array, "nan": np.nan, "inf": np.inf})
        assert (again.dtype, again.shape, again.tobytes()) == (array.dtype, array.shape, array.tobytes())
    assert recipe_of(arrays[0] + 1) is None
