"""Comparing reports, and refusing to."""

from __future__ import annotations

import pytest

from pipeport.bench._compare import blocks, compare, headings, slower
from pipeport.errors import OutsideDomain
from tests.bench.builders import case_result, report

pytestmark = pytest.mark.newest_only

OLD = case_result(reference=(100,) * 6, native=(400, 401, 399, 400, 402, 398))


def test_new_over_old():
    quicker = case_result(reference=(100,) * 6, native=(800, 802, 798, 800, 804, 796))
    changes = compare(report(OLD), report(quicker))
    assert [(c.kind, c.ratio.verdict) for c in changes] == [
        ("reference", "no difference"),
        ("native", "faster"),
    ]
    assert changes[1].ratio.ratio == pytest.approx(2.0)
    assert (changes[1].before, changes[1].after) == (400.0, 800.0)
    assert slower(changes) == []


def test_a_slower_native_is_a_finding_but_a_slower_reference_is_not():
    lost = case_result(reference=(50,) * 6, native=(200, 201, 199, 200, 202, 198))
    assert [c.kind for c in slower(compare(report(OLD), report(lost)))] == ["native"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("cpu", "Another Processor"),
        ("architecture", "aarch64"),
        ("cores", 64),
        ("usable_cores", 1),
        ("memory_gib", 64.0),
        ("gpus", ["/physical_device:GPU:0"]),
    ],
)
def test_unlike_machines_are_refused_by_name(name, value):
    with pytest.raises(
        OutsideDomain, match=rf"machine\.{name} is .* in the first and .* in the second"
    ) as caught:
        compare(report(OLD), report(OLD, machine={name: value}))
    assert repr(value) in str(caught.value)


def test_a_little_memory_more_or_less_is_the_same_machine():
    assert compare(report(OLD), report(OLD, machine={"memory_gib": 8.2}))


def test_other_thread_settings_are_refused():
    other = report(OLD)
    other.environment["threads"] = other.environment["threads"] | {"opencv": 2}
    with pytest.raises(OutsideDomain, match=r"threads\.opencv is 1"):
        compare(report(OLD), other)


def test_another_protocol_is_refused_but_more_rounds_are_not():
    other = report(OLD)
    other.protocol["seconds"] = 0.5
    with pytest.raises(OutsideDomain, match=r"protocol\.seconds"):
        compare(report(OLD), other)
    more = report(OLD)
    more.protocol["rounds"] = 9
    assert compare(report(OLD), more)


def test_versions_may_differ():
    newer = report(OLD)
    newer.environment["versions"]["tensorflow"] = "3.0"
    assert compare(report(OLD), newer)


def test_nothing_in_common():
    with pytest.raises(OutsideDomain, match="no case that is in both"):
        compare(report(OLD), report())


def test_intervals_have_the_level_of_their_rounds():
    changes = compare(report(OLD), report(case_result(reference=(100,) * 6, native=(400,) * 3)))
    assert headings(changes)[-2:] == ("interval", "verdict")
    [block] = blocks(changes)
    assert block.title == "numpy.fliplr, float32, 256x256"
    assert [row.cells[-2] for row in block.rows] == ["95 %: 1.00 to 1.00", "75 %: 1.00 to 1.00"]
    assert headings(changes[:1])[-2] == "95 % interval"
