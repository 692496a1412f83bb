"""Mixing of batch elements written by hand: results for a draw, and its likelihood."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport.references._scene import Array, many


def bytes_of_batch(_shape: Any, index: int) -> Array:
    """Return the batch of images (8, 64, 64, 3) that an element of a benchmark has, uint8."""
    return np.random.default_rng(index).integers(0, 256, (8, 64, 64, 3), np.uint8)


def _batch(images: Any, labels: Any, alpha: float) -> tuple[Array, Array]:
    images, labels = np.asarray(images), np.asarray(labels)
    if not 0 < alpha < math.inf:
        raise ValueError("alpha must be positive")
    if images.ndim < 1 or labels.ndim < 1 or len(images) != len(labels):
        raise ValueError("one label for each image")
    if images.dtype.kind not in "iuf" or labels.dtype.kind != "f":
        raise ValueError("images must be real numbers, labels floats")
    return images, labels


def _shares(share: Any, order: Any, count: int, per_element: bool) -> tuple[Array, Array]:
    """Return the drawn shares and order, after a check that they are possible."""
    share, order = np.asarray(share), np.asarray(order)
    if share.shape != ((count,) if per_element else ()) or not np.all((share >= 0) & (share <= 1)):
        raise ValueError("one share, or one for each element, from 0 to 1")
    if sorted(order) != list(range(count)):
        raise ValueError("every element must come once")
    return np.broadcast_to(share, (count,)), order


def _mean(values: Array, share: Array, order: Array) -> Array:
    kept = share.astype(values.dtype).reshape([-1] + [1] * (values.ndim - 1))
    mean: Array = kept * values + (1 - kept) * values[order]
    return mean


def mixed(
    images: Any, labels: Any, alpha: float = 0.2, per_element: bool = False, *, share: Any, order: Any
) -> tuple[Array, Array]:
    """Mix every element with another, in shares that were drawn.

    `images`, `labels`, `alpha`, `per_element`: as `mixup` takes them. `share`: what each element keeps of its
    own. `order`: with which element each is mixed.
    """
    images, labels = _batch(images, labels, alpha)
    share, order = _shares(share, order, len(images), per_element)
    images = images if images.dtype.kind == "f" else images.astype(np.float32)
    return _mean(images, share, order), _mean(labels, share, order)


def mixup(images: Any, labels: Any, alpha: float = 0.2, per_element: bool = False) -> tuple[Array, Array]:
    """Mix every element of a batch with another, and their labels in the same share.

    Parameters
    ----------
    images : array_like
        (B, ...).
    labels : array_like
        (B, ...), floats: one-hot, or numbers.
    alpha : float, default 0.2
        Both parameters of the beta distribution of what an element keeps of its own.
    per_element : bool, default False
        Whether each element has a share of its own; else the batch has one.

    Returns
    -------
    (numpy.ndarray, numpy.ndarray)
        Images, whole numbers as float32, and labels.

    Raises
    ------
    ValueError
        Sizes, dtypes or `alpha` do not fit.
    """
    images, labels = _batch(images, labels, alpha)
    share = np.random.beta(alpha, alpha, len(images) if per_element else None)  # noqa: NPY002
    order = np.random.permutation(len(images))  # noqa: NPY002
    return mixed(images, labels, alpha, per_element, share=share, order=order)


def _box(share: float, centre: Any, size: tuple[int, int]) -> tuple[slice, slice]:
    """Return the part of a box about a centre that lies in the image."""
    root = math.sqrt(1 - share)
    halves = (int(side * root) // 2 for side in size)
    row, column = (
        slice(max(int(at) - half, 0), min(int(at) + half, side))
        for at, half, side in zip(centre, halves, size, strict=True)
    )
    return row, column


def pasted(
    images: Any,
    labels: Any,
    alpha: float = 1.0,
    per_element: bool = False,
    *,
    share: Any,
    order: Any,
    centre: Any,
) -> tuple[Array, Array]:
    """Paste a box of another element into each, as was drawn.

    `images`, `labels`, `alpha`, `per_element`: as `cutmix` takes them. `share`: part of an image outside its
    box, before that is cut at the border. `centre`: row and column of the middle of the box.
    """
    images, labels = _batch(images, labels, alpha)
    if images.ndim not in (3, 4) or 0 in images.shape[1:3]:
        raise ValueError("images must be (B, H, W) or (B, H, W, C)")
    share, order = _shares(share, order, len(images), per_element)
    size = images.shape[1], images.shape[2]
    centre = np.asarray(centre)
    if centre.shape != (*share.shape * per_element, 2) or not np.all((centre >= 0) & (centre < size)):
        raise ValueError("row and column of a pixel")
    found, kept = images.copy(), np.ones(len(images))
    for index, (part, at) in enumerate(zip(share, np.broadcast_to(centre, (len(images), 2)), strict=True)):
        rows, columns = _box(float(part), at, size)
        found[index, rows, columns] = images[order[index], rows, columns]
        kept[index] = 1 - (rows.stop - rows.start) * (columns.stop - columns.start) / (size[0] * size[1])
    return found, _mean(labels, kept, order)


def cutmix(images: Any, labels: Any, alpha: float = 1.0, per_element: bool = False) -> tuple[Array, Array]:
    """Paste a box of another element into every element of a batch, and mix their labels by its area.

    Parameters
    ----------
    images : array_like
        (B, H, W) or (B, H, W, C).
    labels : array_like
        (B, ...), floats: one-hot, or numbers.
    alpha : float, default 1.0
        Both parameters of the beta distribution of the part outside the box.
    per_element : bool, default False
        Whether each element has a box of its own; else the batch has one.

    Returns
    -------
    (numpy.ndarray, numpy.ndarray)
        Images and labels.

    Raises
    ------
    ValueError
        Sizes, dtypes or `alpha` do not fit.
    """
    images, labels = _batch(images, labels, alpha)
    count = len(images) if per_element else None
    share = np.random.beta(alpha, alpha, count)  # noqa: NPY002
    order = np.random.permutation(len(images))  # noqa: NPY002
    centre = np.stack([np.random.randint(0, side, count) for side in images.shape[1:3]], -1)  # noqa: NPY002
    return pasted(images, labels, alpha, per_element, share=share, order=order, centre=centre)


def mixup_statistic(native: Callable[..., Any]) -> float:
    """Test shares, orders, and that labels are mixed as their images.

    `native`: with the reference's parameters and `seed`. Returns: Kolmogorov-Smirnov of the shares of a batch
    and of its elements, their correlation, and chi-square over six orders; the worst of four, times four. 0
    where labels went apart from their images.
    """
    from scipy.stats import beta, chisquare, kstest, spearmanr

    images, labels = np.eye(3)[:, :, None], np.eye(3)
    orders = np.zeros(27, int)
    shares: dict[bool, list[Array]] = {False: [], True: []}
    for per_element, found in shares.items():
        for mix, label in many(native, 300, images, labels, alpha=0.7, per_element=per_element):
            if np.abs(mix[..., 0] - label).max() > 1e-12:
                return 0.0
            # What is not its own says with which element it was mixed; with none, nothing of the share.
            others = (label - np.diag(np.diag(label))).argmax(1)
            moved = np.diag(label) < 1
            orders[np.where(moved, others, np.arange(3)) @ [9, 3, 1]] += 1
            if moved.all():
                found.append(np.diag(label)[:2])
    alone, own = (np.array(shares[key]) for key in (False, True))
    if np.ptp(alone, 1).max() > 1e-12:
        return 0.0
    law = beta(0.7, 0.7).cdf
    seen = orders[[5, 7, 11, 15, 19, 21]]
    fits = [kstest(alone[:, 0], law).pvalue, kstest(own.ravel(), law).pvalue, spearmanr(*own.T).pvalue]
    return 4 * float(min(*fits, chisquare(seen).pvalue if seen.sum() == 600 else 0.0))


def _boxes_seen(found: list[list[Array]]) -> Array:
    """Return top, left, height and width of the boxes that were pasted, and what the labels say of them."""
    seen = []
    for images, labels in found:
        for index in range(len(images)):
            rows, columns = np.nonzero(images[index] != index)
            if len(rows):
                ends = rows[0], columns[0], np.ptp(rows) + 1, np.ptp(columns) + 1
                seen.append([*ends, 1 - labels[index, index] - len(rows) / images[0].size])
    return np.array(seen)


def cutmix_statistic(native: Callable[..., Any]) -> float:
    """Test places and sizes of boxes against those of the reference, and labels against boxes.

    `native`: with the reference's parameters and `seed`. Returns: Kolmogorov-Smirnov between the boxes of 300
    batches of the native, for the batch and per element, and those of 2000 of the reference; the worst of ten
    numbers, times ten. 0 where labels do not fit.
    """
    from scipy.stats import ks_2samp

    images = np.broadcast_to(np.arange(2, dtype=np.uint8)[:, None, None], (2, 12, 17)).copy()
    labels, worst = np.eye(2), 1.0
    state = np.random.get_state()  # noqa: NPY002
    np.random.seed(0)  # noqa: NPY002
    drawn = [list(cutmix(images, labels, 0.8)) for _ in range(2000)]
    np.random.set_state(state)  # noqa: NPY002
    its = _boxes_seen(drawn)[::2]  # the second has the same box
    for per_element in (False, True):
        ours = _boxes_seen(many(native, 300, images, labels, alpha=0.8, per_element=per_element))
        if np.abs(ours[:, 4]).max() > 1e-12:
            return 0.0
        ours = ours if per_element else ours[::2]
        pairs = [*zip(ours.T[:4], its.T[:4], strict=True), (ours[:, 2] * ours[:, 3], its[:, 2] * its[:, 3])]
        worst = min(worst, *(float(ks_2samp(one, other).pvalue) for one, other in pairs))
    return min(1.0, 10 * worst)
