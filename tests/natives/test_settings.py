"""Settings of the process: where each comes from; which OpenCV and SciPy are followed where none is set."""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from pipeport import config
from pipeport._followed import LIBRARIES, OPENCV, SCIPY
from pipeport.errors import PipeportWarning, UnsupportedArgument

pytestmark = pytest.mark.both

ADVICE = "To choose, set PIPEPORT_OPENCV to 4 or 5, or call pipeport.config.set_opencv."


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch):
    """Start as a new process does, without any setting."""
    for name in (*(library.variable for library in LIBRARIES), "PIPEPORT_BIT_EQUAL", "PIPEPORT_FAST_START"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(config, "_versions", {})
    monkeypatch.setattr(config, "_bit_equal", None)
    monkeypatch.setattr(config, "_fast_start", None)
    forget()
    yield
    forget()


def forget() -> None:
    """Let the next question look again, and warn again."""
    for library in LIBRARIES:
        vars(library).pop("followed", None)
    config._warn_once.cache_clear()


def install(place: Path, name: str, version: str, module: str = "cv2") -> None:
    """Write what pip leaves of a distribution: its list of files, and the module over an earlier one."""
    source = f'version = "{version}"\nname = "{name}"\n'.encode()
    digest = base64.urlsafe_b64encode(hashlib.sha256(source).digest()).rstrip(b"=").decode()
    (place / module).mkdir(parents=True, exist_ok=True)
    (place / module / "version.py").write_bytes(source)
    about = place / f"{name.replace('-', '_')}-{version}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (about / "RECORD").write_text(
        f"{module}/version.py,sha256={digest},{len(source)}\n{about.name}/RECORD,,\n"
    )


def followed(*places: Path, library=OPENCV) -> tuple[int | str, str, list[str]]:
    """Return the version, why, and the warnings, of two questions where only these places are searched."""
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        patch.setattr(sys, "path", list(map(str, places)))
        ask = getattr(config, library.name.lower())
        version = ask()
        assert ask() == version
    assert all(one.category is PipeportWarning for one in caught)
    return version, config.version_and_reason(library)[1], [str(one.message) for one in caught]


class TestInstalledOpenCV:
    @pytest.mark.parametrize("name", OPENCV.distributions)
    def test_5_goes_without_saying(self, tmp_path, name):
        install(tmp_path, name, "5.0.0.93")
        assert followed(tmp_path) == (5, f"{name} 5.0.0.93 is installed", [])

    @pytest.mark.parametrize("name", OPENCV.distributions)
    def test_4_is_followed_and_said_once(self, tmp_path, name):
        install(tmp_path, name, "4.11.0.86")
        reason = f"{name} 4.11.0.86 is installed"
        said = f"pipeport gives the results of OpenCV 4: {reason}. {ADVICE}"
        assert followed(tmp_path) == (4, reason, [said])

    def test_without_any_5_is_given_and_said_once(self, tmp_path):
        reason = "no package of OpenCV is installed"
        said = f"pipeport gives the results of OpenCV 5: {reason}. {ADVICE}"
        assert followed(tmp_path) == (5, reason, [said])

    @pytest.mark.parametrize(("version", "nearest"), [("3.4.18.65", 4), ("6.0", 5), ("11.1.0rc1", 5)])
    def test_other_majors_give_the_nearest(self, tmp_path, version, nearest):
        install(tmp_path, "opencv-python", version)
        reason = f"opencv-python {version} is installed, and {nearest} is the nearest that is mirrored"
        assert followed(tmp_path)[:2] == (nearest, reason)
        forget()
        assert len(followed(tmp_path)[2]) == 1

    def test_a_distribution_without_a_version_is_none(self, tmp_path):
        about = tmp_path / "opencv_python-5.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Name: opencv-python\nVersion: unknown\n")
        assert followed(tmp_path)[1] == "no package of OpenCV is installed"

    def test_it_is_looked_up_once_per_process(self, tmp_path):
        install(tmp_path, "opencv-python", "5.0.0.93")
        assert followed(tmp_path)[0] == 5
        assert followed(tmp_path / "elsewhere")[0] == 5


class TestSeveralInstalled:
    def test_of_one_major_version_nothing_is_said(self, tmp_path):
        install(tmp_path, "opencv-python", "5.0.0.93")
        install(tmp_path, "opencv-contrib-python", "5.1.0.1")
        assert followed(tmp_path) == (5, "opencv-contrib-python 5.1.0.1 is installed", [])

    @pytest.mark.parametrize("last", [4, 5])
    def test_the_one_whose_files_are_there_counts(self, tmp_path, last):
        versions = {4: ("opencv-python-headless", "4.11.0.86"), 5: ("opencv-python", "5.0.0.93")}
        install(tmp_path, *versions[9 - last])
        install(tmp_path, *versions[last])  # writes over the other's cv2
        here, other = " ".join(versions[last]), " ".join(versions[9 - last])
        version, reason, said = followed(tmp_path)
        assert (version, reason) == (last, f"{here} brings cv2, beside {other}")
        assert len(said) == 1

    @pytest.mark.parametrize("order", [(4, 5), (5, 4)])
    def test_the_first_of_the_path_counts(self, tmp_path, order):
        install(tmp_path / "4", "opencv-python", "4.11.0.86")
        install(tmp_path / "5", "opencv-contrib-python", "5.0.0.93")
        version, reason, said = followed(*(tmp_path / str(major) for major in order))
        assert version == order[0]
        assert "brings cv2, beside" in reason
        assert len(said) == 1

    @pytest.mark.parametrize("gone", ["cv2/version.py", "RECORD"])
    def test_where_the_files_do_not_tell_the_newest_counts(self, tmp_path, gone):
        install(tmp_path, "opencv-python", "5.0.0.93")
        install(tmp_path, "opencv-python-headless", "4.11.0.86")
        for file in [*tmp_path.glob(gone), *tmp_path.glob(f"*/{gone}")]:
            file.unlink()
        reason = "opencv-python 5.0.0.93 is the newest, beside opencv-python-headless 4.11.0.86"
        version, found, said = followed(tmp_path)
        assert (version, found) == (5, reason)
        assert len(said) == 1


class TestWhatIsSet:
    @pytest.fixture(autouse=True)
    def _installed_4(self, tmp_path):
        install(tmp_path, "opencv-python", "4.11.0.86")

    def test_the_environment_overrules_what_is_installed(self, tmp_path, monkeypatch):
        monkeypatch.setenv("PIPEPORT_OPENCV", "5")
        assert followed(tmp_path) == (5, "PIPEPORT_OPENCV says so", [])

    def test_the_program_overrules_the_environment(self, tmp_path, monkeypatch):
        monkeypatch.setenv("PIPEPORT_OPENCV", "4")
        with config.use_opencv(5):
            assert followed(tmp_path) == (5, "pipeport.config says so", [])
        assert followed(tmp_path)[0] == 4
        config.set_opencv(5)
        assert followed(tmp_path)[0] == 5
        config.set_opencv(None)
        assert followed(tmp_path)[1] == "PIPEPORT_OPENCV says so"

    def test_what_is_set_is_checked(self, monkeypatch):
        monkeypatch.setenv("PIPEPORT_OPENCV", "latest")
        with pytest.raises(UnsupportedArgument, match="PIPEPORT_OPENCV: got 'latest'; allowed: 4 or 5"):
            config.opencv()

    def test_a_native_follows_what_is_installed(self, tmp_path):
        import tensorflow as tf

        from pipeport.cv2 import warpAffine

        assert followed(tmp_path)[0] == 4
        ramp = np.arange(0, 320, 32, dtype=np.float32)[np.newaxis]
        shift = np.array([[1.0, 0.0, -0.26], [0.0, 1.0, 0.0]])
        warped = tf.data.Dataset.from_tensors(ramp).map(lambda row: warpAffine(row, shift, (9, 1)))
        np.testing.assert_array_equal(next(iter(warped)), ramp[:, :9] + 8)  # 8.32 in whole 1/32 of 32


class TestSciPy:
    ADVICE = "To choose, set PIPEPORT_SCIPY to 1.17 or 1.18, or call pipeport.config.set_scipy."

    @pytest.mark.parametrize(
        ("release", "version"),
        [("1.14.0", "1.17"), ("1.17.1", "1.17"), ("1.18.0", "1.18"), ("1.20.0rc1", "1.18"), ("2.0", "1.18")],
    )
    def test_what_is_installed_is_followed_without_a_word(self, tmp_path, release, version):
        install(tmp_path, "scipy", release, "scipy")
        assert followed(tmp_path, library=SCIPY) == (version, f"scipy {release} is installed", [])

    def test_without_any_the_newest_is_given_and_said_once(self, tmp_path):
        reason = "no package of SciPy is installed"
        said = f"pipeport gives the results of SciPy 1.18: {reason}. {self.ADVICE}"
        assert followed(tmp_path, library=SCIPY) == ("1.18", reason, [said])

    def test_an_older_release_than_was_proved_is_said_once(self, tmp_path):
        install(tmp_path, "scipy", "1.13.1", "scipy")
        reason = "scipy 1.13.1 is installed, and 1.17 is the nearest that is mirrored"
        said = f"pipeport gives the results of SciPy 1.17: {reason}. {self.ADVICE}"
        assert followed(tmp_path, library=SCIPY) == ("1.17", reason, [said])

    def test_what_is_set_comes_first(self, tmp_path, monkeypatch):
        install(tmp_path, "scipy", "1.18.1", "scipy")
        monkeypatch.setenv("PIPEPORT_SCIPY", "1.17")
        assert followed(tmp_path, library=SCIPY) == ("1.17", "PIPEPORT_SCIPY says so", [])
        config.set_scipy("1.18")
        with config.use_scipy("1.17"):
            assert config.scipy() == "1.17"
        assert config.scipy() == "1.18"
        config.set_opencv(4)
        config.set_scipy(None)
        assert config.scipy() == "1.17"
        assert config.opencv() == 4  # a setting of its own

    @pytest.mark.parametrize("version", ["1.16", 1.18, "1.18.1", True, ""])
    def test_other_versions_are_refused(self, version):
        with pytest.raises(UnsupportedArgument, match=r"version: got .*; allowed: 1\.17 or 1\.18"):
            config.set_scipy(version)


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.name)
def test_here_the_installed_one_is_followed(library):
    """Beside TensorFlow Addons that is OpenCV 4: the session sets PIPEPORT_OPENCV, which is gone here."""
    module = pytest.importorskip(library.module)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        version = getattr(config, library.name.lower())()
    assert (version, True) == library.of_release(module.__version__)
    assert f" {module.__version__}" in config.version_and_reason(library)[1]
    assert len(caught) == (library.tells_older and version != library.newest)


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.name)
def test_a_library_is_never_imported(library):
    ask = f"config.{library.name.lower()}()"
    script = f"import sys; from pipeport import config; {ask}; print({library.module!r} in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize("name", ["bit_equal", "fast_start"])
class TestSwitches:
    def test_they_are_off_by_default(self, name):
        assert getattr(config, name)() is False

    @pytest.mark.parametrize(
        ("text", "wanted"), [("0", False), ("1", True), ("false", False), ("true", True), ("True", True)]
    )
    def test_environment(self, monkeypatch, name, text, wanted):
        monkeypatch.setenv(f"PIPEPORT_{name.upper()}", text)
        assert getattr(config, name)() is wanted

    @pytest.mark.parametrize("text", ["", "yes", "2", "bit equal"])
    def test_other_texts_are_refused(self, monkeypatch, name, text):
        variable = f"PIPEPORT_{name.upper()}"
        monkeypatch.setenv(variable, text)
        with pytest.raises(UnsupportedArgument, match=rf"{variable}: got .*; allowed: '0', 'false', "):
            getattr(config, name)()

    def test_the_program_overrules_the_environment(self, monkeypatch, name):
        monkeypatch.setenv(f"PIPEPORT_{name.upper()}", "1")
        ask, say = getattr(config, name), getattr(config, f"set_{name}")
        say(False)
        assert ask() is False
        with getattr(config, f"use_{name}")(True):
            assert ask() is True
        assert ask() is False
        say(None)
        assert ask() is True

    def test_the_earlier_setting_returns_after_an_error(self, name):
        with pytest.raises(ZeroDivisionError), getattr(config, f"use_{name}")(True):
            raise ZeroDivisionError
        assert getattr(config, name)() is False

    @pytest.mark.parametrize("wanted", [1, 0, "true", np.True_])
    def test_only_booleans_are_taken(self, name, wanted):
        with pytest.raises(UnsupportedArgument, match=r"wanted: got .*; allowed: True, False, None"):
            getattr(config, f"set_{name}")(wanted)


class TestArrayLimit:
    def test_it_is_64_megabytes_by_default(self, monkeypatch):
        monkeypatch.delenv("PIPEPORT_ARRAY_LIMIT", raising=False)
        assert config.array_limit() == 64

    def test_the_program_overrules_the_environment(self, monkeypatch):
        monkeypatch.setenv("PIPEPORT_ARRAY_LIMIT", "8")
        assert config.array_limit() == 8
        config.set_array_limit(16)
        with config.use_array_limit(0):
            assert config.array_limit() == 0
        assert config.array_limit() == 16
        config.set_array_limit(None)
        assert config.array_limit() == 8

    @pytest.mark.parametrize("text", ["", "-1", "64 MB", "1.5"])
    def test_other_texts_are_refused(self, monkeypatch, text):
        monkeypatch.setenv("PIPEPORT_ARRAY_LIMIT", text)
        with pytest.raises(UnsupportedArgument, match=r"PIPEPORT_ARRAY_LIMIT: got .*; allowed: a whole"):
            config.array_limit()

    @pytest.mark.parametrize("megabytes", [-1, True, 1.0, "64"])
    def test_only_whole_numbers_are_taken(self, megabytes):
        with pytest.raises(UnsupportedArgument, match="megabytes: got "):
            config.set_array_limit(megabytes)
