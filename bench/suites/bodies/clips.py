"""Sound, volumes and videos."""

import random

import cv2
import numpy as np
from scipy import ndimage
from scipy.io import wavfile

from bodies.reading import FOLDER
from bodies.sequences import wave_of
from bodies.table import Body, image

FRAME, HOP, BANDS = 64, 32, 8
SOUNDS = ["bird", "rain", "wind"]


def bank(bands, bins):
    """Return triangles over the bins of a spectrum, one per band."""
    edges = np.linspace(0, bins - 1, bands + 2)
    filters = np.zeros((bands, bins), np.float32)
    for band in range(bands):
        low, middle, high = edges[band : band + 3]
        rise = (np.arange(bins) - low) / (middle - low)
        fall = (high - np.arange(bins)) / (high - middle)
        filters[band] = np.maximum(0, np.minimum(rise, fall))
    return filters


FILTERS = bank(BANDS, FRAME // 2 + 1)


def log_spectrogram(wave):
    count = 1 + (len(wave) - FRAME) // HOP
    places = np.arange(FRAME)[None, :] + HOP * np.arange(count)[:, None]
    frames = wave[places] * np.hanning(FRAME)
    power = np.abs(np.fft.rfft(frames, axis=1)) ** 2
    return np.log(power + 1e-6).astype(np.float32)


def band_energies(wave):
    emphasised = np.append(wave[0], wave[1:] - 0.97 * wave[:-1])
    frames = []
    for start in range(0, len(emphasised) - FRAME + 1, HOP):
        frames.append(emphasised[start : start + FRAME] * np.hamming(FRAME))
    spectrum = np.abs(np.fft.rfft(np.stack(frames), FRAME))
    energies = 20 * np.log10(np.maximum(spectrum @ FILTERS.T, 1e-5))
    energies -= energies.mean(axis=0)
    return (energies / (energies.std(axis=0) + 1e-8)).astype(np.float32)


def with_noise_at_level(wave, noise):
    level = np.random.uniform(5, 20)
    start = np.random.randint(0, len(noise) - len(wave) + 1)
    noise = noise[start : start + len(wave)]
    power, disturbance = np.mean(wave**2), np.mean(noise**2)
    gain = np.sqrt(power / (disturbance * 10 ** (level / 10) + 1e-12))
    mixed = wave + gain * noise
    return (mixed / max(1.0, np.max(np.abs(mixed)))).astype(np.float32)


def of_fixed_length(wave, length=160):
    if wave.shape[0] > length:
        start = random.randint(0, wave.shape[0] - length)
        wave = wave[start : start + length]
    elif wave.shape[0] < length:
        wave = np.pad(wave, (0, length - wave.shape[0]), "constant")
    wave = wave - np.mean(wave)
    return np.expand_dims(wave, -1)


def loudness_and_crossings(wave):
    usable = len(wave) // HOP * HOP
    frames = wave[:usable].reshape(-1, HOP)
    loudness = np.sqrt(np.mean(np.square(frames), axis=1))
    crossings = (np.diff(np.sign(frames), axis=1) != 0).sum(axis=1) / HOP
    return np.column_stack((loudness, crossings)).astype(np.float32)


def sound_of_folder(path):
    path = path.decode()
    label = path.split("/")[-2]
    _, wave = wavfile.read(path)
    wave = wave.astype(np.float32) / 32768.0
    if wave.ndim > 1:
        wave = wave.mean(axis=1)
    return wave, np.array([label == name for name in SOUNDS]).astype(np.int32)


def three_windows(volume):
    channels = []
    for centre, width in ((0.5, 0.8), (0.3, 0.4), (0.7, 0.2)):
        low = centre - width / 2
        channels.append(np.clip((volume - low) / width, 0, 1))
    stacked = np.stack(channels, axis=-1)
    return (stacked * 255).astype(np.uint8)


def resampled_volume(volume, shape=(12, 16, 16)):
    factors = [new / old for new, old in zip(shape, volume.shape, strict=True)]
    volume = ndimage.zoom(volume, factors, order=1)
    inside = volume > np.mean(volume)
    mean, std = volume[inside].mean(), volume[inside].std()
    return np.where(inside, (volume - mean) / (std + 1e-8), 0)[..., np.newaxis].astype(np.float32)


def flipped_along_axes(volume, mask):
    for axis in range(3):
        if np.random.rand() < 0.5:
            volume, mask = np.flip(volume, axis), np.flip(mask, axis)
    if random.random() < 0.5:
        volume = volume * np.random.uniform(0.9, 1.1) + np.random.normal(0, 0.05)
    return np.ascontiguousarray(volume, dtype=np.float32), mask.copy()


def sampled_frames(video, count=6):
    places = np.linspace(0, len(video) - 1, count).astype(int)
    frames = [cv2.resize(video[place], (20, 16), interpolation=cv2.INTER_LINEAR) for place in places]
    return np.array(frames).astype("float32") / 255.0


def motion(video):
    grey = video.mean(axis=-1)
    moved = np.abs(grey[1:] - grey[:-1])
    threshold = moved.mean() + 2 * moved.std()
    history = np.zeros(moved.shape[1:], dtype=np.float32)
    for frame in moved:
        history = np.where(frame > threshold, 1.0, np.maximum(history - 0.1, 0)).astype(np.float32)
    return history, moved.reshape(len(moved), -1).sum(axis=1)


def video_of(length, *size):
    return np.stack([np.roll(image(*size), 2 * place, axis=1) for place in range(length)])


def recorded(label, number, length):
    """Write a sound for the tests and return its path as a dataset gives it."""
    folder = FOLDER / label
    folder.mkdir(exist_ok=True)
    path = folder / f"{number}.wav"
    wavfile.write(path, 8000, (wave_of(length).clip(-1, 1) * 32767).astype(np.int16))
    return str(path).encode()


def scans_of(*sizes):
    return tuple((image(*size, dtype="float32"),) for size in sizes)


WAVES = ((wave_of(200),), (wave_of(1000),))
SCANS = scans_of((10, 12, 9), (20, 32, 24))

BODIES = (
    Body(log_spectrogram, WAVES, static=((None, 33),)),
    Body(band_energies, WAVES, static=((None, BANDS),), relative=1e-4),
    Body(with_noise_at_level, ((wave_of(50), wave_of(90)), (wave_of(600), wave_of(1000))), static=((None,),)),
    Body(of_fixed_length, ((wave_of(50),), (wave_of(600),), (wave_of(160),)), static=((None, 1),)),
    Body(loudness_and_crossings, WAVES, static=((None, 2),)),
    Body(sound_of_folder, ((recorded("rain", 0, 50),), (recorded("wind", 1, 90),)), static=((None,), (3,)),
         example=True),
    Body(three_windows, SCANS, static=((None, None, None, 3),), levels=1),
    Body(resampled_volume, SCANS, static=((None, None, None, 1),), relative=1e-4),
    Body(flipped_along_axes, tuple((scan, (scan > 0.5).astype(np.uint8)) for (scan,) in SCANS),
         static=((None, None, None), (None, None, None))),
    Body(sampled_frames, ((video_of(4, 9, 12),), (video_of(15, 32, 40),)), known=((3,),),
         static=((6, 16, 20, 3),), relative=1.01 / 255),
    Body(motion, ((video_of(4, 9, 12),), (video_of(15, 32, 40),)), known=((3,),),
         static=((None, None), (None,))),
)  # fmt: skip
