"""random_flip_pair."""

from __future__ import annotations

from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.contract import (
    Exact,
    Image,
    LabelOf,
    OneOf,
    Real,
    SameDistribution,
    SeedPair,
    Stock,
    batch_form,
    replaces,
)
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs.arrays import as_tensor, at_least_rank, limit_rank
from pipeport.kernels.inputs.integers import whole_numbers


def _plane_axes(axis: Any) -> tuple[int, ...]:
    axes = whole_numbers(axis, "axis")
    if not axes or len(set(axes)) < len(axes) or not set(axes) <= {0, 1}:
        advice = "Rows are 0, columns 1; negative axes differ between image and label."
        raise UnsupportedArgument(explain("axis", repr(axis), "0, 1 or (0, 1)", advice))
    return axes


def _checked(image: Any, label: Any, batch_axes: int) -> tuple[Any, Any]:
    """Return both as tensors, ordered after the check that their planes have one size."""
    pair = []
    for name, value in (("image", image), ("label", label)):
        x = at_least_rank(as_tensor(value, name), name, 2 + batch_axes)
        limit_rank(x, name, 8)
        pair.append(x)
    one, other = (
        x.shape[: 2 + batch_axes] if x.shape.rank is not None else tf.TensorShape(None) for x in pair
    )
    allowed = "the height and width of `image`"
    advice = "Resize or crop the label like its image first."
    if not one.is_compatible_with(other):
        raise OutsideDomain(explain("label", f"shape {other} for an image of {one}", allowed, advice))
    if one.is_fully_defined() and other.is_fully_defined():
        return pair[0], pair[1]
    message = explain("label", "another size at run time", allowed, advice)
    sizes = [tf.shape(x)[: 2 + batch_axes] for x in pair]
    with tf.control_dependencies([tf.debugging.assert_equal(*sizes, message)]):
        return tf.identity(pair[0]), tf.identity(pair[1])


@replaces(
    "pipeport.references.random_flip_pair",
    domain={
        "image": Image(),
        "label": LabelOf(image="image"),
        "p": Real(0.0, 1.0, tensor=True),
        "axis": OneOf(0, 1, (0, 1)),
    },
    agreement=SameDistribution(
        application=Exact(),
        given="pipeport.references._paired.admissible",
        statistic="pipeport.references._paired.statistic",
    ),
    extra={"seed": SeedPair(tensor=True)},
    returns=("image", "label"),
    stock=Stock(
        "tf.image.stateless_random_flip_left_right",
        "one image at a time, p=0.5 and axis 1 only; ranks 3 and 4 only",
        "pipeport.references.stock.flip_left_right_pair",
    ),
)
def random_flip_pair(
    image: Any, label: Any, p: Any = 0.5, axis: Any = 1, *, seed: Any = None
) -> tuple[Any, Any]:
    """Flip an image and its label together, with one draw.

    Native equivalent of `pipeport.references.random_flip_pair`, the body people write as
    ``if np.random.random() < p``.

    Parameters
    ----------
    image : array_like, shape (H, W, ...), bool or any number
        Rank 2 or more; sizes and rank may be unknown.
    label : array_like, shape (H, W, ...), bool or any number
        Rank 2 or more, not necessarily that of `image`: a mask, a depth map, a stack.
    p : float or scalar floating tensor, default 0.5
        Probability of a flip.
    axis : {0, 1, (0, 1)}, default 1
        0 reverses rows, 1 columns, (0, 1) both, in the image and in the label.
    seed : array_like of int, shape (2,), or None
        The draw is a function of it: give each element its own. None takes the ambient
        seed (`pipeport.seeds.ambient`).

    Returns
    -------
    (tf.Tensor, tf.Tensor)
        Image and label, with their shapes and dtypes.

    Raises
    ------
    UnsupportedArgument
        There is no seed, `axis` is another, or a rank is above 8.
    OutsideDomain
        Image and label differ in height or width, `p` lies outside [0, 1], a rank is below
        2, or `seed` has another shape.
    WrongType
        `p` is not a real number, or `seed` not of an integer dtype.
    tf.errors.InvalidArgumentError
        Sizes unknown at trace time turn out to differ, or a tensor `p` to lie outside.

    Notes
    -----
    Agreement: the result is bit for bit one of the reference's two; the draw has its
    distribution (32 bits: p is exact within 2**-33).
    Graph: no Python at run time; static shapes are kept. The same seed draws the same on
    every engine. In the batched form `seed` has shape (B, 2), or (2,): element i then draws
    with ``seeds.fold_in(seed, i)``.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.idioms import random_flip_pair
    >>> image, mask = tf.constant([[[1], [2]]]), tf.constant([[1, 2]])
    >>> flipped, label = random_flip_pair(image, mask, p=1.0, seed=(1, 2))
    >>> label.numpy().tolist()
    [[2, 1]]
    """
    axes = _plane_axes(axis)
    x, y = _checked(image, label, 0)
    flip = seeds.bernoulli(seeds.look_up(seed), _scalar(p))
    out = tf.cond(
        flip, lambda: (tf.reverse(x, axes), tf.reverse(y, axes)), lambda: (tf.identity(x), tf.identity(y))
    )
    return tf.ensure_shape(out[0], x.shape), tf.ensure_shape(out[1], y.shape)


def _scalar(p: Any) -> Any:
    p = seeds.probability(p)
    if len(p.shape):
        advice = "For one per element use pipeport.batched."
        raise OutsideDomain(explain("p", f"shape {p.shape}", "one probability", advice))
    return p


def _bits_per_element(seed: Any, count: Any) -> Any:
    """Return 32 bits for each of `count` elements, from a seed each or one folded per element."""
    if isinstance(count, int) and not count:
        return tf.zeros([0], tf.int32)  # XLA does not compile a loop over nothing
    if seed.shape.rank == 2:
        same = explain("seed", "another number of entries", "one pair per element", "Give (2,) or (B, 2).")
        with tf.control_dependencies([tf.debugging.assert_equal(tf.shape(seed)[0], count, same)]):
            each = tf.identity(seed)
        return tf.map_fn(seeds.bits, each, fn_output_signature=tf.int32)
    counter = tf.range(tf.cast(count, tf.int64))
    return tf.map_fn(lambda i: seeds.bits(seeds.fold_in(seed, i)), counter, fn_output_signature=tf.int32)


@batch_form(random_flip_pair)
def _random_flip_pair_batch(
    image: Any, label: Any, p: Any = 0.5, axis: Any = 1, *, seed: Any = None
) -> tuple[Any, Any]:
    axes = [a + 1 for a in _plane_axes(axis)]
    x, y = _checked(image, label, 1)
    count = None if x.shape.rank is None else x.shape[0]
    drawn = _bits_per_element(seeds.look_up(seed, batch=True), tf.shape(x)[0] if count is None else count)
    flip = seeds.chance(drawn, p)

    def chosen(z: Any) -> Any:
        ones = tf.ones([tf.rank(z) - 1], tf.int32)
        mask = tf.reshape(flip, tf.concat([tf.shape(z)[:1], ones], 0))
        return tf.ensure_shape(tf.where(mask, tf.reverse(z, axes), z), z.shape)

    return chosen(x), chosen(y)
