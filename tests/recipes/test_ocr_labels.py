"""The recipe for labels of words: the same numbers of any text, and every bug."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

from tests.recipes.recipe_tools import boundaries, collected, photographs, program
from tests.recipes.test_port_a_body import functions

cv2 = pytest.importorskip("cv2")
before, after = program("ocr-labels", "before"), program("ocr-labels", "after")
pitfalls = program("ocr-labels", "pitfalls")

WORDS = ("Pipeline\n", "", "it's 1,024", "a-word-longer-than-sixteen", "café")
LENGTHS = [8, 0, 8, 16, 3]


@pytest.fixture(scope="module")
def paths(tmp_path_factory) -> list[str]:
    """Images of several sizes, one wider than the line, and their words."""
    folder = tmp_path_factory.mktemp("words")
    found = []
    for number, word in enumerate(WORDS):
        found.append(str(folder / f"{number}.png"))
        height, width = (8, 64) if number == 0 else (30 + number, 20 * number)
        cv2.imwrite(found[-1], photographs()[number][:height, :width])
        Path(found[-1]).with_suffix(".txt").write_text(word, encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def ported(paths) -> tf.data.Dataset:
    return after.build_dataset(paths)


def test_before_and_after_agree(paths, ported):
    old, new = collected(before.build_dataset(paths)), collected(ported)
    assert [int(length) for _, _, length in new] == LENGTHS
    for (image, label, length), (other, numbers, count) in zip(old, new, strict=True):
        assert np.abs(other - image).max() < 1.01 / 255
        np.testing.assert_array_equal(numbers, label)
        assert count == length
        assert (other.dtype, numbers.dtype, count.dtype) == (image.dtype, label.dtype, length.dtype)
    assert "".join(after.LETTERS[number] for number in new[0][1][:8]) == "pipeline"


def test_the_body_is_the_same():
    old, new = (functions("ocr-labels", file) for file in ("before.py", "after.py"))
    assert [name for name in old if old[name] != new.get(name)] == ["tf_prepare", "build_dataset"]


def test_boundaries(paths, ported):
    assert boundaries(ported) == set()
    assert boundaries(before.build_dataset(paths)) == {"PyFunc"}


def test_static_shapes(ported):
    assert [one.shape.as_list() for one in ported.element_spec] == [[32, 128], [16], []]


def test_letter_that_is_not_known():
    old, new = pitfalls.letter_that_is_not_known()
    assert "4" in old
    assert "4" in new


def test_bytes_for_letters():
    assert pitfalls.bytes_for_letters() == [4, 5]


def test_end_of_the_line():
    assert pitfalls.end_of_the_line() == [4, 3]


def test_padding_that_is_a_letter():
    assert pitfalls.padding_that_is_a_letter() == ["cb", "cab"]
