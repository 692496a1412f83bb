"""The suite of functions that are ported whole."""

from __future__ import annotations

import numpy as np
import pytest
from bodies import PORTED

from pipeport.bench._factories import Factories
from pipeport.bench._program_sides import builders
from pipeport.bench._suites import read_suite

pytestmark = pytest.mark.newest_only

PROGRAMS = {program.name: program for program in read_suite("bodies").programs}


def body_of(program):
    [name] = {side.arguments["body"] for side in program.sides}
    return name


def test_every_program_measures_the_body_it_is_named_after():
    assert len(PROGRAMS) >= 40
    for name, program in PROGRAMS.items():
        assert body_of(program) in PORTED
        assert body_of(program).replace("_", "-") == name
        assert [side.kind for side in program.sides] == ["reference", "native"]


def test_every_ported_function_of_one_image_is_measured_or_gives_unknown_sizes():
    of_images = {
        name
        for name, body in PORTED.items()
        if len(body.inputs[0]) == 1
        and isinstance(body.inputs[0][0], np.ndarray)
        and body.inputs[0][0].ndim == 3
    }
    left = of_images - {body_of(program) for program in PROGRAMS.values()}
    unknown = {"around_foreground", "accepted_after_tries", "collected_under_a_condition", "grown_in_a_loop"}
    unknown |= {"changed_by_a_table"}
    assert left == unknown | {"named_by_draw"}  # a string, which no batch of images holds


@pytest.mark.parametrize("name", ["lambda", "random-crop"])
def test_both_sides_give_the_same_elements(name):
    program = PROGRAMS[name]
    with builders(program, list(program.sides), Factories()) as build:
        before, after = (build[side.name]() for side in program.sides)
    assert before.element_spec == after.element_spec
    one, other = (next(dataset.as_numpy_iterator()) for dataset in (before, after))
    assert (one.dtype, one.shape) == (other.dtype, other.shape)
    if not program.random:
        np.testing.assert_allclose(one, other, atol=program.difference)
