"""A dataset made with each native survives a tf.Module SavedModel and a load without pipeport."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from pipeport import catalog
from tests.catalog import arguments

pytestmark = pytest.mark.both

COUNT = 2
LOADER = Path(__file__).with_name("restored.py")


def _method(native: str) -> str:
    return native.replace(".", "_")


def _over_dataset(call: arguments.Call) -> Any:
    """Return a function of a batch that maps the native over a dataset of its elements."""
    specs = {name: tf.TensorSpec([COUNT, *v.shape], v.dtype, name) for name, v in call.elements.items()}

    def body(**batch: Any) -> Any:
        dataset = tf.data.Dataset.from_tensor_slices(batch).map(lambda element: call(**element))
        return dataset.batch(COUNT).get_single_element()

    function = tf.function(body)
    function.get_concrete_function(**specs)
    return function


def _chosen(request: pytest.FixtureRequest) -> list[str]:
    """Return the natives that this run tests."""
    own = [item for item in request.session.items if item.path == Path(__file__)]
    return [item.callspec.params["native"] for item in own if isinstance(item, pytest.Function)]


@pytest.fixture(scope="module")
def restored(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    """The module as built here, and the folder with what a fresh process got from its SavedModel."""
    folder = tmp_path_factory.mktemp("saved")
    module = tf.Module()
    (folder / "in").mkdir()
    (folder / "out").mkdir()
    for native in _chosen(request):
        call = arguments.typical(catalog.find(native), tensors=True)
        setattr(module, _method(native), _over_dataset(call))
        np.savez(
            folder / "in" / f"{_method(native)}.npz", **{f"in_{k}": v for k, v in call.batch(COUNT).items()}
        )
    tf.saved_model.save(module, str(folder / "model"))
    done = subprocess.run(
        [sys.executable, str(LOADER), str(folder)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return module, folder


@pytest.mark.parametrize("native", arguments.parametrized())
def test_restored_equals_the_original(native: str, restored: tuple[Any, Path]) -> None:
    module, folder = restored
    call = arguments.typical(catalog.find(native), tensors=True)
    batch = {name: tf.constant(value) for name, value in call.batch(COUNT).items()}
    expected = tf.nest.flatten(getattr(module, _method(native))(**batch))
    with np.load(folder / "out" / f"{_method(native)}.npz") as found:
        outputs = [found[name] for name in found]
    assert len(outputs) == len(expected)
    for one, other in zip(expected, outputs, strict=True):
        assert one.numpy().dtype == other.dtype
        np.testing.assert_array_equal(one.numpy(), other)
