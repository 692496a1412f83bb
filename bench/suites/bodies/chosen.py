"""Modes, functions and weights that a draw or an image decides on."""

import random

import cv2
import numpy as np

from bodies.table import LARGE, SMALL, Body, both

WEIGHTS = {"mild": 0.25, "strong": 0.75}
CODES = {0: 10, 1: 20, 2: 30}


def padded_by_size(image):
    mode = "reflect" if min(image.shape[:2]) > 4 else "edge"
    return np.pad(image, ((0, 4), (0, 4), (0, 0)), mode=mode)


def drawn_border(image):
    mode = random.choice(["constant", "edge", "reflect"])
    return np.pad(image, ((2, 2), (2, 2), (0, 0)), mode=mode)


def one_of_two_functions(image):
    turn = random.choice([np.fliplr, np.flipud])
    return turn(image)


def turned_or_left(image):
    turn = None
    if np.random.rand() < 0.5:
        turn = np.flipud
    if turn is not None:
        image = turn(image)
    return image


def smoothed_by_noise(image):
    kind = "median" if image.std() > 55 else "mean"
    smooth = cv2.medianBlur(image, 3) if kind == "median" else cv2.blur(image, (3, 3))
    share = WEIGHTS["strong" if kind == "mean" else "mild"]
    return cv2.addWeighted(image, 1 - share, smooth, share, 0)


def one_of_own_functions(image):
    def darker(pixels):
        return pixels // 2

    def inverted(pixels):
        return 255 - pixels

    change = random.choice([darker, inverted, lambda pixels: pixels[::-1]])
    return change(image)


def looked_up(labels):
    return np.array([CODES[label] for label in labels])


def code_of_label(label):
    return np.int64(CODES[label])


BODIES = (
    Body(looked_up, ((np.array([0, 2]),), (np.array([1, 0]),)), known=((0,),), static=((2,),)),
    Body(code_of_label, ((np.int64(2),), (np.int64(0),)), static=((),)),
    Body(padded_by_size, both((4, 9), SMALL), known=((2,),), static=((None, None, 3),)),
    Body(drawn_border, both(SMALL, LARGE), known=((2,),), static=((None, None, 3),)),
    Body(one_of_two_functions, both(SMALL, LARGE), known=((2,),), static=((None, None, 3),)),
    Body(turned_or_left, both(SMALL, LARGE), known=((2,),), static=((None, None, 3),)),
    Body(smoothed_by_noise, both(SMALL, LARGE), known=((2,),), levels=1),
    Body(one_of_own_functions, both(SMALL, LARGE), known=((2,),), static=((None, None, 3),)),
)
