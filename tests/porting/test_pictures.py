"""Matplotlib's reader of images, images of Pillow's whose mode a file knows, and sound, in ported bodies."""

from __future__ import annotations

import os
import types

import numpy as np
import pytest
import tensorflow as tf
from PIL import Image
from scipy.io import wavfile

from pipeport.errors import PipeportError, PortRefused
from pipeport.porting import port
from tests.porting.test_files import check, compare

NOISE = np.random.default_rng(2).integers(0, 256, (7, 9, 4)).astype(np.uint8)
PICTURES = {"L": NOISE[..., 0], "RGB": NOISE[..., :3], "RGBA": NOISE}


def pictures(folder, mode, suffix="png"):
    """Write two images of one mode and return their paths."""
    files = [folder / f"{number}.{suffix}" for number in range(2)]
    for number, file in enumerate(files):
        Image.fromarray(PICTURES[mode][number:]).save(file)
    return files


def as_it_is(path):
    image = Image.open(path)
    return np.array(image), np.array(image.resize((5, 4))), np.asarray(image.size)


def first_colours(path):
    image = np.array(Image.open(path.decode()))[..., :3]
    return image[np.newaxis].astype(np.float32) / 255


def by_its_largest(path):
    image = Image.open(path.decode())
    return np.asarray(image) / np.max(image), np.mean(image, axis=(0, 1))


def before_conversion(path):
    image = Image.open(path).resize((5, 6), Image.BICUBIC).transpose(Image.ROTATE_90)
    return np.array(image.convert("RGB")), np.array(image.convert("L")), image.width


@pytest.mark.parametrize("mode", PICTURES)
def test_the_mode_is_that_of_the_example(mode, tmp_path):
    files = pictures(tmp_path, mode)
    other, _ = pictures(tmp_path / "..", "RGB" if mode == "L" else "L")
    check(as_it_is, files, files[0], refused=other, words="another mode")
    if mode != "L":
        check(first_colours, files, files[0])
        check(by_its_largest, files, files[0])
    with pytest.raises(PipeportError, match=r"mode is not known.*example"):
        tf.data.Dataset.from_tensors(str(files[0])).map(port(as_it_is))


def test_methods_before_a_conversion_see_the_mode_of_the_file(tmp_path):
    files = []
    for mode in PICTURES:
        folder = tmp_path / mode
        folder.mkdir()
        files += pictures(folder, mode)
    files += pictures(tmp_path, "RGB", "jpg") + pictures(tmp_path, "RGB", "bmp")
    palette = tmp_path / "p.png"
    Image.fromarray(PICTURES["RGB"]).quantize().save(palette)
    check(before_conversion, files, refused=palette, words="palette")


@pytest.mark.parametrize("suffix", ["png", "jpg", "bmp"])
@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA"])
def test_pictures_of_matplotlib(mode, suffix, tmp_path):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    reader = pytest.importorskip("matplotlib.image")
    if (mode, suffix) in (("RGBA", "jpg"), ("RGBA", "bmp")):
        pytest.skip("such files have no alpha")

    def read(path):
        return pyplot.imread(path.decode()), reader.imread(path.decode()) * np.float32(2)

    files = pictures(tmp_path, mode, suffix)
    other = tmp_path / ("x.bmp" if suffix == "png" else "x.png")
    Image.fromarray(PICTURES["RGB"]).save(other)
    check(read, files, files[0], refused=other, words="another format")
    with pytest.raises(PortRefused, match=r"imread: .*example"):
        tf.data.Dataset.from_tensors(str(files[0])).map(port(read))


def module(name, **functions):
    """Return a module as a library would be, whose functions stand here."""
    made = types.ModuleType(name)
    for called, function in functions.items():
        copied = types.FunctionType(
            function.__code__, function.__globals__, called, function.__defaults__, function.__closure__
        )
        copied.__kwdefaults__ = function.__kwdefaults__
        copied.__module__, copied.__qualname__ = name, called
        setattr(made, called, copied)
    return made


def read(file, frames=-1, start=0, stop=None, dtype="float64", always_2d=False):
    """As `soundfile.read`, of 16 bits."""
    rate, samples = wavfile.read(file)
    samples = samples if samples.ndim == 2 or not always_2d else samples[:, np.newaxis]
    samples = samples[start : start + frames if stop is None and frames >= 0 else stop]
    return (samples if dtype == "int16" else (samples / 32768).astype(dtype)), rate


def load(path, *, sr=22050, mono=True, dtype=np.float32):
    """As `librosa.load`, of 16 bits, without resampling."""
    rate, samples = wavfile.read(path)
    if sr not in (None, rate):
        raise ValueError(sr)
    samples = (samples.T / 32768).astype(dtype)
    return (np.mean(samples, axis=0) if mono and samples.ndim == 2 else samples), rate if sr is None else sr


soundfile = module("soundfile", read=read)
librosa = module("librosa.core.audio", load=load)


def sounds(path):
    path = path.decode()
    whole, rate = soundfile.read(path)
    part, _ = soundfile.read(path, start=3, frames=20, dtype="float32")
    table, _ = soundfile.read(path, always_2d=True, dtype="int16")
    return whole, rate, part, table


def of_librosa(path):
    samples, rate = librosa.load(path.decode(), sr=None)
    same, _ = librosa.load(path.decode(), sr=8000, dtype=np.float64)
    return samples, rate, same


def channels_of_librosa(path):
    return librosa.load(path, sr=8000, mono=False)[0]


@pytest.fixture(params=[(), (2,), (3,)], ids=["one", "two", "three"])
def waves(request, tmp_path):
    files = [tmp_path / f"{number}.wav" for number in range(2)]
    for number, file in enumerate(files):
        samples = np.random.default_rng(number).integers(-32768, 32768, (50 + number, *request.param))
        wavfile.write(file, 8000, samples.astype(np.int16))
    return files


def test_sound_of_other_libraries(waves):
    check(sounds, waves, waves[0])
    check(of_librosa, waves)
    check(channels_of_librosa, waves, waves[0])
    with pytest.raises(PortRefused, match=r"soundfile\.read: .*example"):
        tf.data.Dataset.from_tensors(str(waves[0])).map(port(sounds))

    def resampled(path):
        return librosa.load(path)[0]

    with pytest.raises(tf.errors.InvalidArgumentError, match=r"another rate.*sr=None"):
        list(tf.data.Dataset.from_tensors(str(waves[0])).map(port(resampled)))

    def cut(path):
        return librosa.load(path, offset=0.5)[0]

    with pytest.raises(PipeportError, match=r"librosa\.load: got offset"):
        tf.data.Dataset.from_tensors(str(waves[0])).map(port(cut))
    compare(port(of_librosa)(tf.constant(str(waves[1]))), of_librosa(os.fsencode(waves[1])))
