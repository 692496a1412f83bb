"""Data from Python: a generator before, ops that read after."""

from __future__ import annotations

import pytest
import tensorflow as tf

from tests.recipes.recipe_tools import boundaries, claimed, collected, counted, loaded

NAME = "data-from-python"


def test_before_has_the_problem_and_after_has_not():
    before, after = counted(NAME)
    assert list(before.values()) == [10, "FailedPreconditionError", "PyFunc"]
    assert list(after.values()) == [10, "yes", "none"]


def test_claims():
    assert list(claimed(NAME).values()) == [120, 12000, 0, 1000]


def test_before_and_after_agree(tmp_path):
    file = tmp_path / "rows.csv"
    file.write_text("1,2.5,-3\n4e3,0.1,6\n")
    before, after = (program.build_dataset(str(file)) for program in loaded(NAME))
    rows = [row.tolist() for row in collected(after)]
    assert rows == [row.tolist() for row in collected(before)]
    assert rows[0] == [1.0, 2.5, -3.0]
    assert before.element_spec == after.element_spec
    assert boundaries(before) == {"PyFunc"}
    assert boundaries(after) == set()


def test_a_row_that_does_not_fit_is_refused(tmp_path):
    """As the README says; and an empty field is the default."""
    file = tmp_path / "rows.csv"
    _before, after = loaded(NAME)
    file.write_text("1,,3\n")
    assert [row.tolist() for row in collected(after.build_dataset(str(file)))] == [[1.0, 0.0, 3.0]]
    file.write_text("1,2\n")
    with pytest.raises(tf.errors.InvalidArgumentError):
        collected(after.build_dataset(str(file)))
