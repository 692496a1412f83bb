"""Windows, choices, masks of reductions, bits, products of ranges, lists put in order."""

import itertools
import operator
import random

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from bodies.table import LARGE, SMALL, Body, both, image

STEPS = [1, 2, 4, 8]


def local_range(picture):
    grey = picture.mean(axis=-1).astype(np.float32)
    padded = np.pad(grey, 1, mode="edge")
    around = sliding_window_view(padded, (3, 3))
    spread = around.max(axis=(-2, -1)) - around.min(axis=(-2, -1))
    return np.clip(picture + 0.25 * spread[..., np.newaxis], 0, 255).astype(np.uint8)


def toned(picture):
    grey = picture.astype(np.float32) / 255
    lift = np.random.uniform(0.0, 0.1)
    dark, middle = grey < 0.25, grey < 0.75
    return np.select([dark, middle], [grey * 0.5 + lift, grey * 1.1], default=1.0)


def every_second(picture):
    height, width = picture.shape[:2]
    first = random.randint(0, 1)
    rows, columns = np.arange(first, height, 2), np.arange(first, width, 2)
    return picture[np.ix_(rows, columns)]


def standardised_inside(picture):
    picture = picture.astype(np.float32)
    inside = picture.max(axis=-1, keepdims=True) > 100
    mean = picture.mean(axis=(0, 1), where=inside)
    deviation = np.std(picture, axis=(0, 1), where=inside)
    return (picture - mean) / (deviation + np.float32(1e-3))


def scaled_by_brightest(picture):
    held = picture < 250
    peak = picture.max(initial=1, where=held)
    if np.any(picture > 128, where=held):
        picture = picture // 2
    return picture, peak, picture.sum(where=held, initial=10)


def to_unit(picture):
    found = np.multiply(picture, 1 / 127.5, dtype=np.float32)
    found = np.subtract(found, 1, dtype=np.float32)
    return np.sqrt(np.abs(found), dtype=np.float32)


def clipped_to_quantiles(picture):
    low, high = np.percentile(picture, [2, 98], method="nearest")
    middle = np.quantile(picture, 0.5, method="median_unbiased")
    picture = np.clip(picture, low, high)
    return picture, middle


def block_means(picture):
    height, width = picture.shape[0] // 4, picture.shape[1] // 4
    found = np.zeros((height, width), np.float32)
    for row, column in itertools.product(range(height), range(width)):
        block = picture[4 * row : 4 * row + 4, 4 * column : 4 * column + 4]
        found[row, column] = block.mean()
    return found


def unless_symmetric(picture):
    if np.array_equal(picture, picture[:, ::-1]) or np.allclose(picture, 0):
        return picture
    return picture[:, ::-1]


def checkered(picture):
    picture = picture.copy()
    height, width = picture.shape[0] // 2, picture.shape[1] // 2
    for row, column in itertools.product((0, 1), repeat=2):
        if row == column:
            block = picture[row * height : (row + 1) * height, column * width : (column + 1) * width]
            block[:] = 255 - block
    return picture


def best_first(scores, boxes):
    order = np.argsort(-scores, axis=1, kind="stable")[:, :3]
    best = np.take_along_axis(scores, order, axis=1)
    places = np.take_along_axis(boxes, order[..., np.newaxis], axis=1)
    return best, places


def flags_of(codes):
    bits = np.unpackbits(codes[:, np.newaxis], axis=1, bitorder="little")
    kept = bits[:, :5]
    return kept.astype(np.float32), kept.sum(axis=1, where=kept > 0)


def posed(points):
    angle = random.uniform(-0.5, 0.5)
    scale = np.diag([1.5, 0.5, 1.0])
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    move = np.array([[1.0, 0.0, 4.0], [0.0, 1.0, -2.0], [0.0, 0.0, 1.0]])
    matrix = np.linalg.multi_dot([move, turn, scale])
    return points @ matrix[:2, :2].T + matrix[:2, 2]


def with_deltas(wave):
    slope = np.diff(wave, prepend=wave[:1])
    bend = np.diff(slope, append=0)
    return np.stack([wave, slope, bend.astype(np.float32)], axis=-1)


def framed(wave, size=8, hop=4):
    frames = sliding_window_view(wave, size)[::hop]
    energy = np.sqrt(np.mean(frames**2, axis=-1))
    return (frames * np.hanning(size)).astype(np.float32), energy


def largest_boxes(boxes):
    boxes = [box for box in boxes]  # noqa: C416
    boxes = sorted(boxes, key=lambda box: (box[2] - box[0]) * (box[3] - box[1]), reverse=True)
    lowest = max(boxes, key=operator.itemgetter(3))
    return np.stack(boxes[:2]), lowest


def checked_boxes(boxes):
    if any(box[2] <= box[0] or box[3] <= box[1] for box in boxes):
        return np.zeros((1, 4), np.float32)
    if all(box[0] == 0 for box in boxes):
        boxes = boxes + 1
    return np.array([min(boxes[:, 0]), min(boxes[:, 1]), max(boxes[:, 2]), max(boxes[:, 3])])[np.newaxis]


def strided(wave):
    step = random.choice(STEPS)
    level = STEPS.index(step)
    return wave[::2] * step, np.int64(level)


def packed_mask(picture):
    mask = picture.max(axis=-1) > 128
    packed = np.packbits(mask, axis=1, bitorder="little")
    share = np.unpackbits(packed, axis=1, count=mask.shape[1], bitorder="little").mean()
    return packed, share


def best_marked(scores):
    marked = np.zeros((scores.shape[0], scores.shape[1] + 1), np.float32)
    inner = marked[:, 1:]
    order = np.argsort(-scores, axis=1, kind="stable")[:, :2]
    np.put_along_axis(inner, order, [[1.0, 0.5]], axis=1)
    return marked


def overlapping_frames(wave, size=8, hop=4):
    count = 1 + (len(wave) - size) // hop
    step = wave.strides[0]
    frames = as_strided(wave, shape=(count, size), strides=(hop * step, step))
    return (frames * np.hanning(size)).astype(np.float32), np.abs(frames).max(axis=1)


def local_median(picture, size=3):
    grey = np.ascontiguousarray(picture[..., 1])
    height, width = grey.shape
    around = as_strided(grey, (height - size + 1, width - size + 1, size, size), grey.strides * 2)
    return np.median(around, axis=(2, 3)).astype(np.uint8)


def scores_of(rows, columns):
    return np.random.default_rng(rows).normal(size=(rows, columns)).astype(np.float32)


def boxes_of(rows, columns):
    return np.random.default_rng(columns).uniform(0, 40, (rows, columns, 4)).astype(np.float32)


def row_of(number):
    return np.random.default_rng(number).normal(size=number).astype(np.float32)


BOXES = np.array([[1, 2, 9, 8], [0, 0, 4, 5], [3, 1, 30, 12], [2, 2, 5, 40]], np.float32)

BODIES = (
    Body(local_range, both(SMALL, LARGE), known=((2,),), static=((None, None, 3),), levels=1),
    Body(toned, both(SMALL, LARGE), static=((None, None, None),)),
    Body(every_second, both(SMALL, LARGE), known=((2,),), static=((None, None, 3),)),
    Body(standardised_inside, both(SMALL, LARGE), known=((2,),), static=((None, None, 3),)),
    Body(scaled_by_brightest, both(SMALL, LARGE), static=((None, None, None), (), ())),
    Body(to_unit, both(SMALL, LARGE), static=((None, None, None),)),
    Body(clipped_to_quantiles, both(SMALL, LARGE), static=((None, None, None), ())),
    Body(block_means, both(SMALL, (24, 20)), known=((2,),), static=((None, None),)),
    Body(unless_symmetric, both(SMALL, LARGE), static=((None, None, None),)),
    Body(checkered, both(SMALL, LARGE), known=((2,),), static=((None, None, 3),)),
    Body(
        best_first,
        ((scores_of(4, 5), boxes_of(4, 5)), (scores_of(20, 12), boxes_of(20, 12))),
        known=((), (2,)),
        static=((None, None), (None, None, 4)),
    ),
    Body(flags_of, ((image(3, 4)[0, :, 0],), (image(2, 64)[0, :, 0],)), static=((None, 5), (None,))),
    Body(posed, ((scores_of(4, 2),), (scores_of(30, 2),)), known=((1,),), static=((None, 2),)),
    Body(with_deltas, ((row_of(6),), (row_of(200),)), static=((None, 3),)),
    Body(framed, ((row_of(20),), (row_of(200),)), static=((None, 8), (None,))),
    Body(largest_boxes, ((BOXES,), (BOXES[::-1] + 1,)), sized=True),
    Body(checked_boxes, ((BOXES,), (BOXES[::-1] + 1,)), known=((1,),)),
    Body(packed_mask, both(SMALL, LARGE), known=((2,),), static=((None, None), ())),
    Body(best_marked, ((scores_of(4, 5),), (scores_of(20, 12),)), static=((None, None),)),
    Body(overlapping_frames, ((row_of(20),), (row_of(200),)), static=((None, 8), (None,))),
    Body(local_median, both(SMALL, LARGE), known=((2,),), static=((None, None),)),
    Body(strided, ((row_of(6),), (row_of(64),)), static=((None,), ())),
)
