"""GPU sides, with the CPU in the GPU's place: the counting is the same."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport import catalog
from pipeport.bench import _arguments, _bodies, _devices, _pipelines
from pipeport.bench._case import Case
from pipeport.bench._variants import PLAIN
from pipeport.errors import UnsupportedArgument

pytestmark = pytest.mark.newest_only

FLIP = catalog.find("pipeport.numpy.fliplr")
CASE = Case(pair=FLIP.native, dtype="float32", size=(24, 32))


def test_no_device_no_sides():
    assert _devices.sides(None, None, None, None) == []


@pytest.mark.parametrize("device", ["gpu", "all"])
def test_a_gpu_that_is_not_there_is_a_mistake(device, monkeypatch):
    monkeypatch.setattr(_devices, "first_gpu", lambda: None)
    _devices.require_gpu("cpu")
    with pytest.raises(
        UnsupportedArgument, match=f"--device: got '{device}'; allowed: cpu here: .* no GPU. Use"
    ):
        _devices.require_gpu(device)
    monkeypatch.setattr(_devices, "first_gpu", lambda: "/GPU:0")
    _devices.require_gpu(device)


def test_every_side_counts_whole_batches_and_can_be_opened_again():
    arguments = _arguments.arguments_for(FLIP, CASE)
    source = _pipelines.Source(CASE, arguments)
    seen = []

    def call(m):
        output = _bodies.native_call(FLIP, PLAIN, arguments, batched=True)(m=m)
        seen.append(output.device if tf.executing_eagerly() else "traced")
        return output

    sides = _devices.sides(source, call, arguments, "/CPU:0")
    assert [side.name for side in sides] == [_devices.FED, _devices.COMPUTE, _devices.TRANSFER]
    for side in sides:
        for _ in range(2):
            stream = side.open()
            assert [stream.pull(), stream.pull()] == [_pipelines.BATCH] * 2
            stream.close()
    # One trace serves all batches.
    assert seen == ["traced"]


def test_fed_computes_what_the_native_computes():
    arguments = _arguments.arguments_for(FLIP, CASE)
    source = _pipelines.Source(CASE, arguments)
    call = _bodies.native_call(FLIP, PLAIN, arguments, batched=True)
    host = _pipelines.pipeline(source, lambda element: element, op_takes_batch=True)
    batch = next(iter(host))
    outputs = call(**_devices._to("/CPU:0", batch)).numpy()
    assert np.array_equal(outputs, np.stack([np.fliplr(image) for image in arguments.arrays["m"]]))
