"""A dataset made with each native runs in a tf.data service worker, in another process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python.data.experimental.ops import data_service_ops

import pipeport.albumentations as A
from pipeport import catalog, seeds
from pipeport.idioms import random_flip_pair
from tests.catalog import arguments

pytestmark = pytest.mark.both

WORKER = Path(__file__).with_name("worker.py")


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    """Target of a dispatcher on the loopback with one worker in another process."""
    dispatcher = tf.data.experimental.service.DispatchServer(
        tf.data.experimental.service.DispatcherConfig(port=0)
    )
    address = dispatcher.target.removeprefix("grpc://")
    with subprocess.Popen(
        [sys.executable, str(WORKER), address], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
        yield dispatcher.target
        # Not asked to end: TensorFlow 2.15's worker was seen to take minutes for that.
        worker.kill()


def _through(service: str, dataset: Any) -> list[Any]:
    # As `tf.data.experimental.service.distribute`, which asks for the end of a task once a second.
    distribute = data_service_ops._distribute(
        processing_mode=tf.data.experimental.service.ShardingPolicy.OFF,
        service=service,
        task_refresh_interval_hint_ms=10,
    )
    return list(dataset.apply(distribute).as_numpy_iterator())


@pytest.mark.parametrize("native", arguments.parametrized())
def test_runs_in_a_worker(native: str, service: str) -> None:
    call = arguments.typical(catalog.find(native), tensors=True)
    dataset = tf.data.Dataset.from_tensor_slices(call.batch(3)).map(lambda element: call(**element))
    here = list(dataset.as_numpy_iterator())
    there = _through(service, dataset)
    assert len(there) == len(here) == 3
    for ours, its in zip(here, there, strict=True):
        for one, other in zip(tf.nest.flatten(ours), tf.nest.flatten(its), strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(one, other)


def test_a_boundary_does_not_run_in_a_worker(service: str) -> None:
    dataset = tf.data.Dataset.from_tensor_slices(np.ones((3, 4, 4), np.float32)).map(
        lambda x: tf.numpy_function(np.fliplr, [x], tf.float32)
    )
    with pytest.raises(tf.errors.OpError, match="pyfunc_"):
        _through(service, dataset)


def test_seeded_elements_are_the_same_in_a_worker(service: str) -> None:
    images = np.random.default_rng(0).random((40, 8, 6, 3)).astype(np.float32)
    dataset = tf.data.Dataset.from_tensor_slices((images, images[..., 0])).apply(
        seeds.seeded_map(random_flip_pair, 42, epochs=2, num_parallel_calls=2)
    )
    here, there = list(dataset.as_numpy_iterator()), _through(service, dataset)
    assert len(there) == len(here) == 80
    for ours, its in zip(here, there, strict=True):
        np.testing.assert_array_equal(ours[0], its[0])
        np.testing.assert_array_equal(ours[1], its[1])
    flipped = [not np.array_equal(one[0], image) for one, image in zip(here, [*images, *images], strict=True)]
    assert flipped[:40] != flipped[40:]


def test_an_augmented_epoch_is_the_same_in_a_worker(service: str) -> None:
    images = np.random.default_rng(0).integers(0, 255, (10, 6, 6, 3), dtype=np.uint8)
    boxes = np.tile(np.float32([[1, 2, 3, 3], [0, 0, 6, 5]]), (10, 1, 1))
    pipeline = A.Compose(
        [A.OneOf([A.HorizontalFlip(), A.VerticalFlip()]), A.D4()], bbox_params={"format": "coco"}
    )
    data = tf.data.Dataset.from_tensor_slices({"image": images, "bboxes": boxes})
    dataset = data.apply(seeds.seeded_map(lambda element: pipeline(**element), 42, epochs=2))
    here, there = list(dataset.as_numpy_iterator()), _through(service, dataset)
    assert len(there) == len(here) == 20
    for ours, its in zip(here, there, strict=True):
        np.testing.assert_array_equal(ours["image"], its["image"])
        np.testing.assert_array_equal(ours["bboxes"], its["bboxes"])
    assert any(not np.array_equal(a["image"], b["image"]) for a, b in zip(here[:10], here[10:], strict=True))
