"""The oracle, agreement by agreement: what it accepts, and that it rejects the nearest wrong thing."""

from __future__ import annotations

import numpy as np
import pytest

from pipeport.contract import AsReference, Exact, Ulps, Within, WithinLevels
from pipeport.errors import NotEquivalent, OutsideDomain
from pipeport.verify import Close
from pipeport.verify._evidence import run_wide
from pipeport.verify._judge import Evidence
from pipeport.verify._judge_reference import reference_bound
from pipeport.verify._oracle import compare
from pipeport.verify._outcome import Outcome, Raised, flatten, kinds_of
from pipeport.verify._own import same_answer
from tests.verify import stand_ins

pytestmark = pytest.mark.newest_only


def outcome(*arrays, structure=None):
    leaves = tuple(np.asarray(a) for a in arrays)
    return Outcome(leaves, structure or ("*" if len(leaves) == 1 else "(*, *)"))


def error(*kinds, text="wrong"):
    return Outcome(error=Raised(frozenset(kinds), text))


def rejects(message, *args, **kwargs):
    with pytest.raises(NotEquivalent, match=message):
        compare(*args, **kwargs)


F = np.float32


class TestWhatAlwaysCounts:
    @pytest.mark.parametrize(
        "agreement", [Exact(), Ulps(1000), Within(1e9, "test"), AsReference(), Close(1, 1)]
    )
    def test_dtype_shape_structure_and_errors(self, agreement):
        one = outcome(np.zeros((2, 3), F))
        rejects(
            "dtype: reference gives float32, native gives float64", one, outcome(np.zeros((2, 3))), agreement
        )
        rejects(
            r"shape: reference gives \(2, 3\), native gives \(3, 2\)",
            one,
            outcome(np.zeros((3, 2), F)),
            agreement,
        )
        rejects("structure", one, outcome(np.zeros(2), np.zeros(2)), agreement)
        rejects("reference gives an answer\nnative raises wrong", one, error("value"), agreement)
        rejects("reference raises wrong\nnative gives an answer", error("value"), one, agreement)
        rejects("another kind of error", error("value"), error("type"), agreement)
        assert compare(error("value"), error("value"), agreement).refused

    @pytest.mark.parametrize("agreement", [Exact(), Ulps(4), Within(1.0, "test"), AsReference(), Close(1, 1)])
    def test_nan_and_infinities(self, agreement):
        right = outcome(np.array([np.nan, np.inf, -np.inf, 1], F))
        compare(right, right, agreement)
        for wrong in ([0, np.inf, -np.inf, 1], [np.nan, 3e38, -np.inf, 1], [np.nan, np.inf, np.inf, 1]):
            rejects("differs|in other places", right, outcome(np.array(wrong, F)), agreement)
        rejects(
            "differs|in other places",
            right,
            outcome(np.array([np.nan, np.inf, -np.inf, np.nan], F)),
            agreement,
        )

    def test_an_error_of_two_kinds_agrees_with_either(self):
        axis = kinds_of(np.exceptions.AxisError(3, 2))
        assert axis == {"index", "value"}
        compare(error(*axis), error("value"), Exact())
        compare(error(*axis), error("index"), Exact())
        rejects("another kind of error", error(*axis), error("type"), Exact())

    def test_second_output_is_compared_too(self):
        right = outcome(np.zeros(2), np.zeros(2))
        rejects(
            "label differs by 1 at .0., 0 allowed",
            right,
            outcome(np.zeros(2), np.ones(2)),
            Exact(),
            names=("image", "label"),
        )


class TestExact:
    def test_last_bit_and_sign_of_zero(self):
        right = outcome(np.array([1.0, 0.0], F))
        compare(right, right, Exact())
        rejects(
            "differs by 1.19e-7 at .0., 0 allowed",
            right,
            outcome(np.array([np.nextafter(F(1), F(2)), 0], F)),
            Exact(),
        )
        rejects("differs in the sign of zero at .1.", right, outcome(np.array([1.0, -0.0], F)), Exact())

    def test_integers_and_bool(self):
        rejects(
            r"differs by 1 at \[1\], 0 allowed; 1 of 2 are wrong\nreference 255, native 254$",
            outcome(np.uint8([0, 255])),
            outcome(np.uint8([0, 254])),
            Exact(),
        )
        rejects(r"output differs at \[0\]; 1 of 1", outcome([True]), outcome([False]), Exact())

    def test_empty_arrays_agree(self):
        assert compare(outcome(np.zeros((0, 3))), outcome(np.zeros((0, 3))), Exact()).pixels == 0


class TestUlps:
    @pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
    def test_counts_across_zero(self, dtype):
        tiny = np.nextafter(dtype(0), dtype(1))
        worst = compare(outcome([dtype(0)]), outcome([tiny]), Ulps(1))
        assert worst.error == 1
        assert compare(outcome([-tiny]), outcome([tiny]), Ulps(2)).ratio == 1
        rejects("differs by 2 ulps at .0., 1 allowed", outcome([-tiny]), outcome([tiny]), Ulps(1))

    def test_integers_must_be_equal(self):
        rejects("differs by 1 at .0., 0 allowed", outcome(np.int32([4])), outcome(np.int32([5])), Ulps(9))


class TestBounds:
    def test_within(self):
        assert compare(outcome([1.0]), outcome([1.25]), Within(0.5, "test")).ratio == 0.5
        rejects("differs by 0.75 at .0., 0.5 allowed", outcome([1.0]), outcome([1.75]), Within(0.5, "test"))

    def test_close_is_numpys_allclose(self):
        compare(outcome([100.0]), outcome([101.0]), Close(rtol=0.01, atol=0))
        rejects(
            "differs by 1.1 at .0., 1 allowed", outcome([100.0]), outcome([101.1]), Close(rtol=0.01, atol=0)
        )
        compare(outcome([0.0]), outcome([1e-9]), Close(rtol=0, atol=1e-8))

    def test_within_does_not_wrap_around_in_unsigned_integers(self):
        rejects(
            "differs|in other places", outcome(np.uint8([0])), outcome(np.uint8([255])), Within(1, "test")
        )

    def test_large_integers_stay_exact(self):
        near = np.int64([2**62]), np.int64([2**62 + 1])
        rejects("differs|in other places", outcome(near[0]), outcome(near[1]), Within(0.5, "test"))


class TestWithinLevels:
    def test_levels_and_fraction(self):
        right = np.zeros(100, np.uint8)
        few, many, far = right.copy(), right.copy(), right.copy()
        few[:2], many[:3], far[0] = 1, 1, 2
        compare(outcome(right), outcome(few), WithinLevels(1, 0.02))
        rejects(
            "3 % of pixels differ by one level, 2 % allowed",
            outcome(right),
            outcome(many),
            WithinLevels(1, 0.02),
        )
        rejects(
            "differs by 2 grey levels at .0., 1 allowed", outcome(right), outcome(far), WithinLevels(1, 0.02)
        )

    def test_says_so_for_floats(self):
        with pytest.raises(OutsideDomain, match="integer outputs"):
            compare(outcome([1.0]), outcome([1.0]), WithinLevels(1, 0.1))

    def test_floats_have_a_bound_of_their_own(self):
        both = WithinLevels(1, 0.1, floats=Within(0.5, "sums in another order"))
        compare(outcome([1.0]), outcome([1.4]), both)
        rejects("differs by 0.6 at .0., 0.5 allowed", outcome([1.0]), outcome([1.6]), both)
        rejects(
            "differs by 2 grey levels", outcome(np.zeros(9, np.uint8)), outcome(np.full(9, 2, np.uint8)), both
        )


class TestAsReference:
    """The bound is 2 max|reference - oracle| + 8 eps max(1, max|oracle|) + slack + 8 moved."""

    oracle = np.array([1.0, 2.0])
    right = np.array([1.0, 2.001], F)

    def bound(self):
        return reference_bound(self.right, self.oracle, 0.0)

    def test_bound(self):
        own = abs(float(self.right[1]) - 2.0)
        assert self.bound() == pytest.approx(2 * own + 8 * np.finfo(F).eps * 2)

    @pytest.mark.parametrize(
        ("share", "accepted"), [(0.0, True), (0.99, True), (1.01, False), (-1.01, False)]
    )
    def test_limit(self, share, accepted):
        got = (self.oracle + share * self.bound()).astype(F)
        evidence = Evidence(oracle=(self.oracle,))
        if accepted:
            assert compare(outcome(self.right), outcome(got), AsReference(), evidence).ratio <= 1
        else:
            rejects("differs by .* allowed", outcome(self.right), outcome(got), AsReference(), evidence)

    def test_slack_is_added(self):
        got = (self.oracle + 1.5 * self.bound()).astype(F)
        compare(
            outcome(self.right), outcome(got), AsReference(), Evidence((self.oracle,), slack=self.bound())
        )

    @pytest.mark.parametrize(("times", "accepted"), [(0.9, True), (1.1, False)])
    def test_what_an_unsteady_reference_moves_is_added_eight_times(self, times, accepted):
        right = np.array([1.0, 2.0])
        still = reference_bound(right, right, 0.0)
        moves = np.array([0.5, -0.25]) * still
        evidence = Evidence((right,), nearby=lambda: [(right,), (right + moves,)])
        got = right + np.array([0.0, times * (still + 8 * 0.5 * still)])
        if accepted:
            compare(outcome(right), outcome(got), AsReference(), evidence)
        else:
            rejects("differs by .* allowed", outcome(right), outcome(got), AsReference(), evidence)

    def test_a_discontinuous_reference_is_not_unsteady(self):
        right = np.array([1.0, 2.0])
        evidence = Evidence((right,), nearby=lambda: [(np.array([1.0, 3.0]),)])
        rejects("differs by .* allowed", outcome(right), outcome([1.0, 2.5]), AsReference(), evidence)

    def test_integer_results_must_be_equal(self):
        rejects("differs|in other places", outcome(np.uint8([7])), outcome(np.uint8([8])), AsReference())

    def test_either_side_of_a_discontinuity_and_nothing_between(self):
        right = np.array([0.0, 5.0])
        discontinuities = np.array([[0.0, 5.0], [1.0, 5.0]])
        evidence = Evidence(discontinuities=discontinuities)
        worst = compare(outcome(right), outcome([1.0, 5.0]), AsReference(), evidence)
        assert (worst.on_other_side, worst.pixels) == (1, 2)
        rejects("on no side of a discontinuity", outcome(right), outcome([0.5, 5.0]), AsReference(), evidence)
        rejects("on no side of a discontinuity", outcome(right), outcome([0.0, 6.0]), AsReference(), evidence)

    def test_nan_may_stand_where_either_run_has_it(self):
        right, oracle = np.array([np.nan, 1], F), np.array([2.0, 1.0])
        evidence = Evidence(oracle=(oracle,))
        compare(outcome(right), outcome(np.array([np.nan, 1], F)), AsReference(), evidence)
        compare(outcome(right), outcome(np.array([2, 1], F)), AsReference(), evidence)
        rejects(
            "differs|in other places",
            outcome(right),
            outcome(np.array([2, np.nan], F)),
            AsReference(),
            evidence,
        )
        rejects(
            "differs|in other places", outcome(right), outcome(np.array([3, 1], F)), AsReference(), evidence
        )


class TestDtypeExtra:
    """Our parameter dtype: rounded to nearest, saturated, cast."""

    right = np.array([0.4, 0.6, 254.5, 300.0, -7.0])

    def check(self, values, dtype="uint8"):
        evidence = Evidence(oracle=(self.right,), dtype="uint8")
        return compare(outcome(self.right), outcome(np.array(values, dtype)), AsReference(), evidence)

    def test_rounds_and_saturates(self):
        self.check([0, 1, 254, 255, 0])
        self.check([0, 1, 255, 255, 0])  # the half may fall either way by the last bit of the computation

    @pytest.mark.parametrize(
        ("wrong", "why"),
        [
            ([0, 0, 254, 255, 0], "truncated"),
            ([0, 1, 254, 44, 0], "wrapped"),
            ([0, 1, 254, 255, 249], "wrapped"),
        ],
    )
    def test_rejects(self, wrong, why):
        with pytest.raises(NotEquivalent, match="differs by"):
            self.check(wrong)

    def test_dtype_is_exact(self):
        with pytest.raises(NotEquivalent, match="asked for uint8, native gives int32"):
            self.check([0, 1, 254, 255, 0], "int32")


def test_structures_are_told_apart():
    assert flatten((1, 2))[0] == flatten([1, 2])[0] == "(*, *)"
    assert flatten({"b": 1, "a": (2, 3)}) == ("{a: (*, *), b: *}", [2, 3, 1])
    assert flatten(1)[0] != flatten((1,))[0]


CLOSE = [Within(0.5, "test"), AsReference(), Close(0.01, 0.01)]


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
class TestComplex:
    """Bounds hold for the magnitude of a difference, bits, NaN and infinities for each part."""

    @pytest.mark.parametrize("agreement", [Exact(), Ulps(4), *CLOSE])
    @pytest.mark.parametrize("off", [1, 1j, -2j])
    def test_both_parts_count(self, agreement, dtype, off):
        right = np.array([1 + 2j, 3 - 1j], dtype)
        assert compare(outcome(right), outcome(right.copy()), agreement).pixels == 2
        wrong = right + np.array([0, off], dtype)
        rejects(r"differs by .* at \[1\], .*; 1 of 2 are wrong", outcome(right), outcome(wrong), agreement)

    @pytest.mark.parametrize("agreement", [Exact(), Ulps(4), *CLOSE])
    def test_nan_and_infinities_of_each_part(self, agreement, dtype):
        def of(*parts):
            return outcome(np.array(parts, dtype(0).real.dtype).view(dtype))

        right = of(np.nan, 1, 2, np.inf)
        compare(right, of(np.nan, 1, 2, np.inf), agreement)
        others = "other places"
        rejects(others, right, of(1, np.nan, 2, np.inf), agreement)
        rejects(others, right, of(np.nan, 1, np.inf, 2), agreement)
        rejects(others, right, of(np.nan, 1, 2, -np.inf), agreement)
        rejects(others, right, of(np.nan, np.nan, 2, np.inf), agreement)
        rejects("differs by", right, of(np.nan, 3, 2, np.inf), agreement)
        rejects("differs by", right, of(np.nan, 1, 4, np.inf), agreement)

    def test_a_bound_is_for_the_magnitude(self, dtype):
        right = outcome(np.array([1 + 1j], dtype))
        assert compare(right, outcome(np.array([4 + 5j], dtype)), Within(5.0, "test")).error == 5
        rejects(
            "differs by 5 at .0., 4 allowed", right, outcome(np.array([4 + 5j], dtype)), Within(4.0, "test")
        )

    def test_bits_and_units_of_each_part(self, dtype):
        right = np.array([1 + 1j], dtype)
        near = right.copy()
        near.imag = np.nextafter(near.imag, 2)
        assert compare(outcome(right), outcome(near), Ulps(1)).error == 1
        rejects(r"output\.imag differs by .* at \[0\], 0 allowed", outcome(right), outcome(near), Exact())
        zeros = outcome(np.zeros(1, dtype)), outcome(np.array([complex(0, -0.0)], dtype))
        rejects("imag differs in the sign of zero", *zeros, Exact())

    @pytest.mark.parametrize(("share", "accepted"), [(0.99, True), (1.01, False)])
    def test_the_bound_of_the_reference(self, dtype, share, accepted):
        """Twice what the reference itself is off, and 8 eps of a part for the largest magnitude, 5."""
        oracle = np.array([3 + 4j])
        off = 1e-3j
        right = (oracle + off).astype(dtype)
        bound = 2 * abs(complex(right[0]) - oracle[0]) + 8 * 5 * np.finfo(dtype).eps
        assert reference_bound(right, oracle, 0.0) == pytest.approx(bound)
        got = (oracle - share * bound * (0.6 + 0.8j)).astype(dtype)
        evidence = Evidence(oracle=(oracle,))
        if accepted:
            assert compare(outcome(right), outcome(got), AsReference(), evidence).ratio > 0.98
        else:
            rejects("differs by .* allowed", outcome(right), outcome(got), AsReference(), evidence)

    def test_no_levels(self, dtype):
        one = outcome(np.ones(1, dtype))
        with pytest.raises(OutsideDomain, match="integer outputs"):
            compare(one, one, WithinLevels(1, 0.1))
        compare(one, one, WithinLevels(1, 0.1, floats=Within(0.5, "test")))

    def test_it_is_the_reference_in_complex128(self, dtype):
        one = stand_ins.pair(np.cumsum, np.cumsum, {}, AsReference())
        a = np.array([1 + 2j, 0.1 - 0.3j], dtype)
        wide = run_wide(one, {"a": a}, outcome(np.cumsum(a)))
        assert wide.leaves[0].dtype == np.complex128
        np.testing.assert_array_equal(wide.leaves[0], np.cumsum(a.astype(np.complex128)))

    def test_a_few_roundings_are_the_same_answer(self, dtype):
        right = np.array([1 + 2j, np.nan], dtype)
        assert same_answer(outcome(right), outcome(right * dtype(1 + np.finfo(dtype).eps)))
        assert not same_answer(outcome(right), outcome(right + np.array(1e-3j, dtype)))
