"""Functions of TensorFlow and Keras that draw numbers which no seed of an element reaches."""

from __future__ import annotations

ADVICE = (
    "It draws outside of the seed. Draw the numbers with np.random, which takes the seed of "
    "pipeport.seeds.seeded_map, and give them to a function that draws none, as tf.image.adjust_contrast, "
    "tf.image.flip_left_right or scipy.ndimage.rotate."
)
# Where they are written, and where they are found.
_MODULES = (
    "tensorflow.python.ops.random_ops",
    "tensorflow.python.ops.stateful_random_ops",
    "keras.src.random",
    "keras.random",
    "tensorflow.keras.random",
    "tensorflow.random",
)
# How names begin, and what is part of them.
_STARTS = ("random", "sample_distorted_", "sampled_", "get_random_")
_PARTS = ("dropout", "candidate_sampler")
# What is found beside them and draws nothing.
_OTHERS = frozenset({"algorithm", "all_candidate_sampler", "fold_in", "index_shuffle", "set_seed", "split"})


def draws_unseeded(module: str, name: str) -> bool:
    """Say whether a function of TensorFlow or Keras draws without a seed that it is given.

    Parameters
    ----------
    module : str
        Dotted name of the module where it is written, or where it is found.
    name : str
        Its name; of an object such as a layer that of its class.

    Returns
    -------
    bool
        False of those called `stateless_...`, and of everything of other libraries.
    """
    name = name.lower()
    if module.partition(".")[0] not in ("tensorflow", "keras"):
        return False
    if name.startswith("stateless_") or name in _OTHERS:
        return False
    return module.startswith(_MODULES) or name.startswith(_STARTS) or any(part in name for part in _PARTS)
