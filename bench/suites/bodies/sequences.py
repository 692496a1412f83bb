# ruff: noqa: RET505
"""Sequences, labels and tables."""

import random

import numpy as np

from bodies.settings import CLASSES
from bodies.table import Body, image

LENGTH, WINDOW = 24, 6
state = np.random.RandomState(3)


def padded(tokens):
    length = min(len(tokens), LENGTH)
    result = np.zeros(LENGTH, dtype=np.int32)
    result[:length] = tokens[:length]
    mask = np.arange(LENGTH) < length
    return result, mask, length


def time_masked(spectrogram, most=6):
    spectrogram = spectrogram.copy()
    frames, bins = spectrogram.shape
    for _ in range(2):
        width = state.randint(1, most)
        start = state.randint(0, frames - width)
        spectrogram[start : start + width] = 0
    band = state.randint(0, 3)
    if band:
        first = state.randint(0, bins - band)
        spectrogram[:, first : first + band] = spectrogram.mean()
    return spectrogram


def drawn_window(wave):
    starts = list(range(0, len(wave) - WINDOW, 3))
    start = random.choice(starts)
    return wave[start : start + WINDOW], np.int64(start)


def drawn_windows(wave):
    starts = [3 * number for number in range(1, (len(wave) - WINDOW) // 3)]
    first, second = np.random.permutation(starts)[:2]
    third = np.random.choice(starts)
    total = wave[first : first + WINDOW] + wave[second : second + WINDOW]
    return total / 2, third, np.random.choice(starts, 2, replace=False)


def smoothed(label, eps=0.1):
    one_hot = np.eye(CLASSES, dtype=np.float32)[label]
    return one_hot * (1 - eps) + eps / CLASSES


def one_hot_by_index(labels):
    result = np.zeros((labels.size, CLASSES), np.uint8)
    result[np.arange(labels.size), labels] = 1
    return result


def level(value):
    if value < 0:
        return np.int32(-1)
    if 0 <= value < 0.25:
        return np.int32(0)
    elif 0.25 <= value < 0.5:
        return np.int32(1)
    return np.int32(2) if value < 0.75 else np.int32(3)


def first_silence(wave, window=4, least=0.5):
    position = 0
    while position + window <= len(wave):
        energy = float(np.sum(wave[position : position + window] ** 2))
        if energy < least:
            break
        position += window
    return np.int64(position), wave[:position]


def smoothed_curve(values, alpha=0.3):
    result = np.zeros_like(values)
    so_far = values[0]
    for i in range(len(values)):
        so_far = alpha * values[i] + (1 - alpha) * so_far
        result[i] = so_far
    return result


def windows(series, size=5, step=2):
    count = (series.shape[0] - size) // step + 1
    rows = [series[i * step : i * step + size] for i in range(count)]
    return np.array(rows)


def masked_tokens(tokens, mask_id=99):
    tokens = tokens.copy()
    chosen = np.random.rand(len(tokens)) < 0.3
    kept = tokens[chosen]
    tokens[chosen] = mask_id
    return tokens, kept


def stretched_wave(wave):
    gain = 10 ** (random.gauss(0, 3) / 20)
    shift = random.randint(-3, 3)
    wave = np.roll(wave * np.float32(gain), shift)
    peak = np.abs(wave).max()
    if peak > 1:
        wave /= peak
    return wave.astype(np.float32)


def summary(table):
    mean, std = table.mean(0), table.std(0)
    largest = sorted(range(3), reverse=True)
    text = f"{table.shape[1]} columns"
    assert len(text) > 0
    return {"mean": mean, "std": std, "range": np.ptp(table, axis=0), "columns": table[:, largest]}


def grown_in_a_loop(image):
    rows = []
    for _ in range(np.random.randint(1, 5)):
        rows.append(image[np.random.randint(0, image.shape[0])])
    return np.stack(rows)


def collected_under_a_condition(image):
    views = [image]
    if random.random() < 0.5:
        views.append(image[::-1])
    return np.concatenate(views)


def tokens_of(number):
    return (np.arange(number) * 7 % 50).astype(np.int64)


def wave_of(number):
    rng = np.random.default_rng(number)
    return (rng.normal(size=number) * np.linspace(1, 0.05, number)).astype(np.float32)


def frames_of(*size):
    return image(*size, channels=None, dtype="float32")


BODIES = (
    Body(padded, ((tokens_of(5),), (tokens_of(100),)), static=((24,), (24,), ())),
    Body(time_masked, ((frames_of(9, 8),), (frames_of(120, 64),)), static=((None, None),)),
    Body(drawn_window, ((wave_of(9),), (wave_of(200),)), static=((None,), ())),
    Body(drawn_windows, ((wave_of(20),), (wave_of(200),)), static=((None,), (), (2,))),
    Body(smoothed, ((np.int64(2),), (np.int64(4),)), static=((5,),)),
    Body(one_hot_by_index, ((tokens_of(4) % 5,), (tokens_of(64) % 5,)), static=((None, 5),)),
    Body(
        level, ((np.float32(0.3),), (np.float32(-2),), (np.float32(0.6),), (np.float32(0.8),)), static=((),)
    ),
    Body(first_silence, ((wave_of(6),), (wave_of(200),), (wave_of(3),)), static=((), (None,))),
    Body(smoothed_curve, ((wave_of(7),), (wave_of(128),)), static=((None,),)),
    Body(windows, ((wave_of(9),), (wave_of(64),)), sized=True),
    Body(masked_tokens, ((tokens_of(6),), (tokens_of(80),)), static=((None,), (None,))),
    Body(stretched_wave, ((wave_of(9),), (wave_of(256),)), static=((None,),)),
    Body(grown_in_a_loop, ((image(6, 5),), (image(40, 31),))),
    Body(collected_under_a_condition, ((image(6, 5),), (image(40, 31),))),
    Body(summary, ((frames_of(5, 3),), (frames_of(64, 3),)), known=((1,),)),
)
