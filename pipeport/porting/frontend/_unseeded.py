"""Functions of TensorFlow and Keras that draw numbers which no seed of an element reaches."""

from __future__ import annotations

from typing import Any

ADVICE = (
    "It draws outside of the seed. Draw the numbers with np.random, which takes the seed of "
    "pipeport.seeds.seeded_map, and give them to a function that draws none, as tf.image.adjust_contrast, "
    "tf.image.flip_left_right or scipy.ndimage.rotate."
)
_MODULES = (
    "tensorflow.python.ops.random_ops",
    "tensorflow.python.ops.stateful_random_ops",
    "tensorflow.python.ops.candidate_sampling_ops",
    "keras.src.random",
)
_STARTS = ("random", "sample_distorted_", "sampled_", "dropout", "get_random_")


def draws_unseeded(function: Any) -> bool:
    """Say whether a function of TensorFlow or Keras draws without a seed that it is given.

    Parameters
    ----------
    function : callable
        The function, a method, or an object such as a layer.

    Returns
    -------
    bool
        False of those called `stateless_...`, and of everything of other libraries.
    """
    module = str(getattr(function, "__module__", None) or type(function).__module__)
    name = str(getattr(function, "__name__", None) or type(function).__name__).lower()
    if module.partition(".")[0] not in ("tensorflow", "keras") or name.startswith("stateless_"):
        return False
    return module.startswith(_MODULES) or name.startswith(_STARTS)
