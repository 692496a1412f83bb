"""Suite `reading`: files of many sizes, both sides of every program alike, and no Python in the second."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import tensorflow as tf

from pipeport.bench import _bodies, _choice, _run
from pipeport.bench._choice import Options, choose
from pipeport.bench._factories import Factories
from pipeport.bench._plans import expand
from pipeport.bench._program_sides import builders
from pipeport.bench._suites import read_suite
from tests.bench.test_run import instantly
from tests.recipes.recipe_tools import boundaries

pytestmark = pytest.mark.newest_only

PLAN = read_suite("reading")
PROGRAMS = {program.name: program for program in PLAN.programs}


def small(name, elements=12):
    return dataclasses.replace(PROGRAMS[name], elements=elements, batch=min(PROGRAMS[name].batch, elements))


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_sides_give_the_same(name):
    for needed in PROGRAMS[name].needs:
        pytest.importorskip(needed)
    plan = dataclasses.replace(PLAN, programs=(small(name),), first_batch=False, memory=False)
    refused: list[str] = []
    report = _run.run(plan, measure=instantly, refuse=refused.append)
    assert refused == report.left_out == []
    [result] = report.cases
    before, after = result.sides
    assert before.answer == after.answer
    assert after.largest_difference <= PROGRAMS[name].difference
    assert len(result.code) == 16


@pytest.mark.parametrize("name", PROGRAMS)
def test_python_is_left_in_the_reference_alone(name):
    for needed in PROGRAMS[name].needs:
        pytest.importorskip(needed)
    program = small(name)
    with builders(program, list(program.sides), Factories()) as build:
        found = {side.kind: boundaries(build[side.name]()) for side in program.sides}
    assert found == {"reference": {"PyFunc"}, "native": set()}


def made(name, folder, elements):
    folder.mkdir()
    program = PROGRAMS[name]
    return Factories().function(program, program.inputs)(folder=folder, elements=elements)


def size_of(path):
    return tuple(tf.io.decode_image(tf.io.read_file(path)).shape[:2])


def test_files_have_many_sizes_and_are_the_same_in_every_run(tmp_path):
    paths, masks = made("read-image-and-mask", tmp_path / "a", 24)
    again, _ = made("read-image-and-mask", tmp_path / "b", 24)
    sizes = [size_of(path) for path in paths]
    assert len(set(sizes)) > 20
    assert 260 <= min(map(min, sizes)) <= max(map(max, sizes)) <= 520
    assert [size_of(path) for path in masks] == sizes
    for one, other in zip(paths, again, strict=True):
        assert tf.io.read_file(one) == tf.io.read_file(other)
    assert len({bytes(tf.io.read_file(path).numpy()) for path in paths}) == 24


def test_what_is_drawn_for_elements_does_something(tmp_path):
    _, flipped, brighter = made("read-augment", tmp_path / "a", 24)
    assert 0 < sum(flipped) < 24
    assert len(set(brighter)) == 24
    paths, corners, flipped = made("read-volume", tmp_path / "b", 24)
    assert 0 < sum(flipped) < 24
    assert (corners >= 0).all()
    assert (corners <= (32, 32, 16)).all()
    volumes = [np.load(path) for path in paths[:2]]
    assert {(volume.dtype.name, volume.shape) for volume in volumes} == {("int16", (128, 128, 64))}
    assert not np.array_equal(*volumes)
    assert volumes[0].min() < 0 < volumes[0].max()


def test_the_suite_asks_for_first_batches_and_memory():
    assert PLAN.first_batch
    assert PLAN.memory


def test_the_default_run_reads_files_of_many_sizes(monkeypatch):
    plan = choose(Options())
    cases = expand(plan).cases
    assert [case.program for case in cases if case.program] == ["read-resize"]
    assert expand(plan).seconds <= plan.budget_s == 120
    assert sum(not case.program for case in cases) >= 4
    # What a plan measures besides is the suite's wish, not the default run's.
    assert not plan.fresh
    monkeypatch.setattr(_bodies, "can_resolve", lambda name: not name.startswith("cv2"))
    without = expand(choose(Options()))
    assert not [case for case in without.cases if case.program]
    assert "read-resize: needs cv2, which cannot be imported here." in without.left_out


@pytest.mark.parametrize("options", [{"dtypes": ("uint8",)}, {"unknown_sizes": False}, {"quick": True}])
def test_an_axis_of_pairs_leaves_the_default_run_without_files(options):
    assert choose(Options(**options)).programs == ()


def test_the_file_of_the_default_run_is_one_of_the_suite():
    assert PLAN.name == _choice.READING
    assert _choice.FILES in PROGRAMS
