"""The arithmetic of timing, with a clock that does not run by itself."""

from __future__ import annotations

import pytest

from pipeport.bench._measure import Protocol, Steady, interleaved, measure_once, timed, warm_up
from pipeport.bench._usage import Usage, unwatched
from tests.bench.fakes import FakeClock, FakeStream, Stage

pytestmark = pytest.mark.newest_only

RULE = Steady(window_s=0.1, windows=4, tolerance=0.1, cap_s=3.0)


def steady(seconds):
    return lambda pull: seconds


def test_steady_needs_all_windows():
    assert not RULE.reached([(32, 0.1)] * 3)
    assert RULE.reached([(32, 0.1)] * 4)


@pytest.mark.parametrize(
    ("last", "reached"), [(100, True), (109, True), (112, False), (91, True), (88, False)]
)
def test_steady_compares_the_halves(last, reached):
    windows = [(100, 0.1), (100, 0.1), (last, 0.1), (last, 0.1)]
    assert RULE.reached(windows) is reached


def test_steady_looks_at_the_newest_windows_only():
    assert RULE.reached([(1, 0.1)] * 9 + [(100, 0.1)] * 4)
    assert not RULE.reached([(100, 0.1)] * 9 + [(1, 0.1)] * 2)


def test_steady_weighs_windows_by_their_time():
    # 100 elements in 0.1 s and 300 in 0.3 s are the same rate.
    assert RULE.reached([(100, 0.1), (100, 0.1), (300, 0.3), (300, 0.3)])


def test_warm_up_of_an_even_stream_takes_the_first_portion_and_four_windows():
    clock = FakeClock()
    stream = FakeStream(clock, lambda pull: 2.0 if pull == 0 else 0.0625)
    discarded, warm_s, was_steady = warm_up(stream, RULE, clock)
    # One portion of start-up, then four windows of two pulls (1/16 s each).
    assert was_steady
    assert stream.pulls == 1 + 4 * 2
    assert discarded == stream.pulls * 32
    assert warm_s == pytest.approx(2.0 + 8 * 0.0625)


def test_warm_up_waits_for_a_ramp_to_end():
    clock = FakeClock()
    # Every pull is 5 % quicker than the one before, down to 10 ms.
    stream = FakeStream(clock, lambda pull: max(0.010, 0.100 * 0.95**pull))
    _, _, was_steady = warm_up(stream, RULE, clock)
    assert was_steady
    assert stream.seconds_of(stream.pulls) <= 0.0125


def test_warm_up_gives_up_at_the_cap_and_says_so():
    clock = FakeClock()
    # Every pull is slower than the one before: no two halves ever agree.
    stream = FakeStream(clock, lambda pull: 0.05 * 1.25 ** min(pull, 40) / 40)
    discarded, warm_s, was_steady = warm_up(stream, RULE, clock)
    assert not was_steady
    assert discarded == stream.pulls * 32
    assert RULE.cap_s <= warm_s


def test_the_first_portion_does_not_use_up_the_cap():
    clock = FakeClock()
    stream = FakeStream(clock, lambda pull: 60.0 if pull == 0 else 0.05)
    assert warm_up(stream, RULE, clock)[2]


def test_timed_counts_whole_portions_until_the_span_is_full():
    clock = FakeClock()
    stream = FakeStream(clock, steady(0.3), portion=7)
    # 0.3, 0.6, 0.9 are too short; 1.2 s is the first end of a pull after 1 s.
    elements, seconds = timed(stream, 1.0, clock)
    assert (elements, seconds) == (4 * 7, pytest.approx(1.2))


def test_timed_counts_a_single_slow_portion():
    clock = FakeClock()
    elements, seconds = timed(FakeStream(clock, steady(5.0)), 1.0, clock)
    assert (elements, seconds) == (32, pytest.approx(5.0))


def test_a_round_excludes_everything_before_the_rate_was_steady():
    clock = FakeClock()
    stage = Stage(clock)
    # 4 s of compilation, two slow pulls, then exactly 256 elements/s.
    side = stage.side("a", lambda pull: 4.0 if pull == 0 else 0.5 if pull < 3 else 0.125)
    measured = measure_once(side, Protocol(seconds=2.0, steady=RULE), clock, unwatched)
    assert measured.rate == pytest.approx(256.0)
    assert measured.seconds == pytest.approx(2.0)
    assert measured.elements == 512
    assert measured.discarded == (stage.streams[0].pulls - 16) * 32
    assert measured.steady


def test_the_processor_is_watched_during_the_timed_span_alone():
    clock = FakeClock()
    spans = []

    def watch():
        begin = clock()

        def stop():
            spans.append((begin, clock()))
            return Usage(cores=1.5, others=0.25)

        return stop

    side = Stage(clock).side("a", steady(0.1))
    measured = measure_once(side, Protocol(seconds=1.0, steady=RULE), clock, watch)
    assert (measured.cores, measured.others) == (1.5, 0.25)
    [(begin, end)] = spans
    assert end - begin == pytest.approx(measured.seconds)


def test_rounds_are_interleaved_and_never_overlap():
    clock = FakeClock()
    stage = Stage(clock)
    sides = [stage.side(name, steady(0.1)) for name in "ABC"]
    told = []
    results = interleaved(
        sides,
        Protocol(rounds=2, steady=RULE),
        clock=clock,
        before=lambda n, side: told.append((n, side.name)),
    )
    once = [f"{what} {name}" for name in "ABC" for what in ("open", "close")]
    assert stage.log == once * 2
    assert told == [(n, name) for n in range(2) for name in "ABC"]
    assert {name: len(rounds) for name, rounds in results.items()} == {"A": 2, "B": 2, "C": 2}
    # A fresh stream for every side in every round.
    assert len({id(stream) for stream in stage.streams}) == 6


def test_the_protocol_is_the_same_for_every_side():
    """Equal streams give equal raw values, whatever part they play and wherever they stand."""
    clock = FakeClock()
    stage = Stage(clock)
    kinds = ("reference", "native", "stock", "peer", "roofline", "gpu")
    sides = [stage.side(kind, lambda pull: 0.5 if pull < 3 else 0.1, kind=kind) for kind in kinds]
    results = interleaved(sides, Protocol(rounds=2, steady=RULE), clock=clock)
    values = {
        (r.elements, round(r.seconds, 9), r.discarded, round(r.warm_s, 9), r.steady)
        for rounds in results.values()
        for r in rounds
    }
    assert len(values) == 1


def test_an_interruption_closes_the_stream_and_keeps_the_rounds():
    clock = FakeClock()
    stage = Stage(clock)

    def interrupt(pull):
        if len(stage.streams) == 4:
            raise KeyboardInterrupt
        return 0.1

    kept = {}
    with pytest.raises(KeyboardInterrupt):
        interleaved(
            [stage.side("A", interrupt), stage.side("B", interrupt)],
            Protocol(rounds=3, steady=RULE),
            clock=clock,
            into=kept,
        )
    assert {name: len(rounds) for name, rounds in kept.items()} == {"A": 2, "B": 1}
    assert stage.log[-1] == "close B"
    assert all(stream.closed for stream in stage.streams)


def test_two_speeds_give_their_exact_ratio():
    clock = FakeClock()
    stage = Stage(clock)
    sides = [stage.side("slow", steady(0.08)), stage.side("quick", steady(0.02))]
    results = interleaved(sides, Protocol(rounds=3, steady=RULE), clock=clock)
    for slow, quick in zip(results["slow"], results["quick"], strict=True):
        assert quick.rate / slow.rate == pytest.approx(4.0)
