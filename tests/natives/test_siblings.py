"""Natives that are declared as the sibling of another: as good as if they were written out."""

from __future__ import annotations

import inspect
import traceback

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import catalog
from pipeport._reach import reached
from pipeport.contract import contract_of, sibling, told_as
from pipeport.cv2 import bitwise_and, bitwise_or
from pipeport.errors import WrongType
from pipeport.scipy.ndimage import maximum_filter, minimum_filter


def test_signature_and_contract_are_those_of_the_other_under_its_own_name() -> None:
    assert inspect.signature(minimum_filter) == inspect.signature(maximum_filter)
    assert (minimum_filter.__name__, minimum_filter.__module__) == (
        "minimum_filter",
        maximum_filter.__module__,
    )
    contract, other = contract_of(minimum_filter), contract_of(maximum_filter)
    assert contract is catalog.pairs()["pipeport.scipy.ndimage.minimum_filter"]
    assert contract.reference == "scipy.ndimage.minimum_filter"
    assert (contract.domain, contract.valid) == (other.domain, other.valid)
    assert contract.summary == "Return the smallest of each element's neighbours."


def test_it_computes_something_else_of_one_and_of_a_batch() -> None:
    one = np.array([[1, 2], [3, 4]], np.uint8)
    assert minimum_filter(one, 3).numpy().tolist() == [[1, 1], [1, 1]]
    assert maximum_filter(one, 3).numpy().tolist() == [[4, 4], [4, 4]]
    assert pipeport.batched(bitwise_or)(one[np.newaxis], one[np.newaxis] * 2).numpy().tolist() == [
        [[3, 6], [7, 12]]
    ]
    assert pipeport.batched(bitwise_and)(one[np.newaxis], one[np.newaxis] * 2).numpy().tolist() == [
        [[0, 0], [2, 0]]
    ]


def test_a_traceback_names_it_and_leads_to_what_computes() -> None:
    with pytest.raises(WrongType) as caught:
        minimum_filter(tf.zeros([3, 3]), size="wide")
    frames = traceback.extract_tb(caught.tb)
    names = [frame.name for frame in frames]
    assert names.index("minimum_filter") < names.index("extremes_in")
    assert "maximum_filter" not in names


def test_a_call_that_does_not_fit_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match=r"bitwise_or\(\) missing 1 required positional argument: 'src2'"):
        bitwise_or(np.zeros((2, 2), np.uint8))
    with pytest.raises(TypeError, match=r"minimum_filter\(\) got an unexpected keyword argument 'sizes'"):
        minimum_filter(tf.zeros([3, 3]), sizes=3)


def test_its_proof_is_of_what_computes_both() -> None:
    names = set(reached("pipeport.scipy.ndimage.minimum_filter"))
    assert set(reached("pipeport.scipy.ndimage.maximum_filter")) - names == set()


def test_words_change_over_line_breaks_and_as_a_whole() -> None:
    def told() -> None:
        """Return the most
        of all, or almost `told`."""

    assert told_as(told, "said", {"the most of all": "the least"}) == "Return the least, or almost `said`."


def test_a_word_that_is_not_there_is_a_mistake() -> None:
    with pytest.raises(KeyError, match="biggest"):
        told_as(maximum_filter, "minimum_filter", {"biggest": "smallest"})
    with pytest.raises(TypeError, match="has no contract"):
        sibling(len, "size", len, {})
