"""The recipe for log-mel features: equal outside of the masks, masks of one distribution, and every bug."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf
from scipy import stats
from scipy.io import wavfile

import pipeport
from tests.recipes.recipe_tools import boundaries, collected, program
from tests.recipes.test_port_a_body import functions

before, after = program("log-mel", "before"), program("log-mel", "after")
pitfalls = program("log-mel", "pitfalls")

# One false alarm in a million; the draws are the same on every run.
FALSE_ALARM = 1e-6
COUNT = 60


@pytest.fixture(scope="module")
def paths(tmp_path_factory) -> list[str]:
    """A file of noise, shorter than a second."""
    path = tmp_path_factory.mktemp("sounds") / "noise.wav"
    noise = np.random.default_rng(0).normal(0, 3000, 15_000)
    wavfile.write(path, before.RATE, noise.astype(np.int16))
    return [str(path)]


@pytest.fixture(scope="module")
def augmented(paths) -> tf.data.Dataset:
    return after.build_dataset(paths * COUNT, parallel_calls=2)


def whole(paths) -> np.ndarray:
    """Return the features without masks."""
    _, wave = wavfile.read(paths[0])
    return before.log_mel(np.pad(wave / 32768, (0, before.RATE - len(wave))))


def masks(found: np.ndarray, plain: np.ndarray) -> tuple[int, int, int, int]:
    """Return first band, bands, first frame, frames of the masks; raise unless all else is as it was."""
    masked = np.abs(found - plain) > 1e-4
    np.testing.assert_allclose(found[masked], plain.mean(), rtol=1e-5)
    bands, frames = np.flatnonzero(masked.all(axis=0)), np.flatnonzero(masked.all(axis=1))
    rest = masked.copy()
    rest[:, bands], rest[frames] = False, False
    assert not rest.any()
    for places in (bands, frames):
        assert np.all(np.diff(places) == 1)
    return (
        *(bands[:1] if len(bands) else [0]),
        len(bands),
        *(frames[:1] if len(frames) else [0]),
        len(frames),
    )


def test_before_and_after_agree(paths, augmented):
    np.random.seed(0)
    plain = whole(paths)
    old = np.array([masks(one, plain) for one in collected(before.build_dataset(paths * COUNT))])
    new = np.array([masks(one, plain) for one in collected(augmented)])
    for column in range(4):
        assert stats.ks_2samp(old[:, column], new[:, column]).pvalue > FALSE_ALARM
        assert len(set(new[:, column])) > 5, "nothing is drawn"


def test_other_features_are_noticed(paths):
    plain = whole(paths)
    with pytest.raises(AssertionError):
        masks(plain + 0.01, plain)


def test_under_the_same_draws(paths):
    """`example` draws as the function does, and raises if they differ."""
    assert pipeport.port(before.features, example=(paths[0].encode(),)).original is before.features


def test_reproducible(paths):
    first, again = (collected(after.build_dataset(paths * 12, parallel_calls=count)) for count in (1, 8))
    np.testing.assert_array_equal(first, again)


def test_another_rate(tmp_path, paths, augmented):
    wavfile.write(tmp_path / "a.wav", 8000, np.zeros(100, np.int16))
    dataset = after.build_dataset([*paths, str(tmp_path / "a.wav")])
    with pytest.raises(tf.errors.InvalidArgumentError, match="resample the file first"):
        collected(dataset)


def test_the_body_is_the_same():
    old, new = (functions("log-mel", file) for file in ("before.py", "after.py"))
    assert [name for name in old if old[name] != new.get(name)] == ["tf_features", "build_dataset"]


def test_boundaries(paths, augmented):
    assert boundaries(augmented) == set()
    assert boundaries(before.build_dataset(paths)) == {"PyFunc"}


def test_static_shapes(augmented):
    assert augmented.element_spec.shape == (98, 64)


def test_mono_or_stereo():
    shapes, message = pitfalls.mono_or_stereo()
    assert shapes == [(8000,), (8000, 2)]
    assert "got another number of channels; allowed: that of the example" in message


def test_samples_of_other_widths():
    assert "Bad audio format for WAV" in pitfalls.samples_of_other_widths()


def test_second_without_a_size():
    assert pitfalls.second_without_a_size() == [[None], [16_000]]


def test_quiet_bands():
    exact, rounded = pitfalls.quiet_bands()
    assert exact < 1e-9
    assert rounded > 1


def test_log_of_silence():
    assert pitfalls.log_of_silence() == [pitfalls.FRAME // 2 + 1, 0]


def test_stock_kernel():
    assert 1e-3 < pitfalls.stock_kernel() < 1e-2
