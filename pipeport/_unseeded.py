"""Functions of TensorFlow and Keras that draw, and which of them take the seed of an element in a port."""

from __future__ import annotations

ADVICE = (
    "It draws outside of the seed. Call tf.image.random_*, or draw with tf.random.uniform or np.random, "
    "which take the seed of pipeport.seeds.seeded_map, and give the numbers to a function that draws none, "
    "as tf.image.adjust_gamma or scipy.ndimage.rotate."
)
SEEDING = (
    "It would seed once, while tracing: leave it out, and give the seed to "
    "`ds.apply(pipeport.seeds.seeded_map(function, 42))`."
)
OP_SEED = (
    "Leave it out: pipeport.seeds.seeded_map gives the seed. Two calls with one seed draw differently when "
    "they run in Python; to change two images alike, draw once and use tf.image.stateless_random_*."
)
# Draws that a port takes from the seed of the element, as tf.random and tf.image have them.
SEEDED = frozenset(
    {
        *(f"random.{name}" for name in ("uniform", "normal", "shuffle")),
        *(f"random.Generator.{name}" for name in ("uniform", "normal", "uniform_full_int", "make_seeds")),
        *(f"image.random_{name}" for name in ("flip_left_right", "flip_up_down", "brightness", "hue")),
        *(f"image.random_{name}" for name in ("contrast", "saturation", "jpeg_quality", "crop")),
    }
)
# Their names in TensorFlow 1, which compat.v1 keeps.
_OLD = {
    "random_uniform": "random.uniform",
    "random_normal": "random.normal",
    "random_shuffle": "random.shuffle",
    "random_crop": "image.random_crop",
}
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
_SETTERS = frozenset({"set_random_seed", "set_seed"})


def draws_unseeded(module: str, name: str) -> bool:
    """Say whether a function of TensorFlow or Keras draws without a seed that it is given.

    `module`: dotted name of the module where it is written, or where it is found. `name`: its name; of an
    object such as a layer that of its class. Returns: False of those called `stateless_...`, and of
    everything of other libraries.
    """
    name = name.lower()
    if module.partition(".")[0] not in ("tensorflow", "keras"):
        return False
    if name.startswith("stateless_") or name in _OTHERS:
        return False
    return module.startswith(_MODULES) or name.startswith(_STARTS) or any(part in name for part in _PARTS)


def is_seeded(name: str) -> bool:
    """Say whether a port takes the draws of a function of TensorFlow from the seed of the element.

    Returns: True of the names of TensorFlow 1 too.
    """
    top, _, rest = name.partition(".")
    rest = rest.removeprefix("compat.v1.").removeprefix("compat.v2.")
    return top == "tensorflow" and _OLD.get(rest, rest) in SEEDED


def sets_seed(module: str, name: str) -> bool:
    """Say whether a function of TensorFlow or Keras sets the seed of all draws.

    `module`: dotted name of the module where it is written, or where it is found. Returns: False of
    everything of other libraries.
    """
    return module.partition(".")[0] in ("tensorflow", "keras") and name in _SETTERS
