"""Where the natives follow one OpenCV and another is installed, `verify` and `catalog` say so."""

from __future__ import annotations

import json
import sys
import types

import pytest
from click.testing import CliRunner

from pipeport import config
from pipeport.cli import _verify_opencv, main
from pipeport.contract import Exact
from pipeport.verify import CaseRecord, Failure, Report

FLIP, MATRIX = "pipeport.cv2.flip", "pipeport.cv2.getRotationMatrix2D"
CASE = CaseRecord(FLIP, "eager", "passed", 3, 3)
FAILED = CaseRecord("mine.old -> mine.new", "eager", "failed", failure=Failure("output differs by 3"))


def run(*arguments: str) -> str:
    """Run a verb; return its answer, in one line."""
    result = CliRunner().invoke(main, arguments, env={"COLUMNS": "80"})
    assert result.exit_code == 0, result.output
    assert max(map(len, result.stdout.splitlines())) <= 80
    return " ".join(result.stdout.split())


@pytest.fixture
def installed(monkeypatch):
    """A function that puts an OpenCV of a given version where `import cv2` finds it."""

    def put(version: str) -> None:
        module = types.ModuleType("cv2")
        module.__version__ = version
        monkeypatch.setitem(sys.modules, "cv2", module)

    return put


@pytest.mark.parametrize(
    ("follows", "version", "agree"),
    [(4, "4.11.0", True), (5, "5.1", True), (4, "5.0.0", False), (5, "4.9", False)],
)
def test_major_versions_are_compared(installed, follows, version, agree):
    installed(version)
    with config.use_opencv(follows):
        found = _verify_opencv.compared(Report((CASE,)), None)
    assert found.to_json() == {
        "results_of": follows,
        "because": "pipeport.config says so",
        "compared_with": version,
        "agree": agree,
    }


def test_the_notice_says_how_to_make_them_agree():
    found = _verify_opencv.Compared(4, "PIPEPORT_OPENCV says so", "5.0.0")
    assert found.notice() == (
        "Versions differ: pipeport.cv2 gives the results of OpenCV 4 (PIPEPORT_OPENCV says so), and was "
        "compared with OpenCV 5.0.0, so that failures may be no bugs. To make them agree, set "
        "PIPEPORT_OPENCV=5, or install an OpenCV 4."
    )


def test_a_version_that_is_not_mirrored_is_not_advised():
    found = _verify_opencv.Compared(5, "opencv-python 6.0 is installed", "6.0")
    assert found.notice().endswith("To make them agree, install an OpenCV 5.")


def test_pairs_of_other_libraries_have_nothing_to_do_with_it(installed):
    installed("4.11.0")
    other = CaseRecord("pipeport.numpy.flip", "eager", "passed", 3, 3)
    assert _verify_opencv.compared(Report((other,)), None) is None


def test_without_opencv_nothing_was_compared(monkeypatch):
    monkeypatch.delitem(sys.modules, "cv2", raising=False)
    assert _verify_opencv.compared(Report((CASE,)), None) is None


@pytest.mark.parametrize("mirror", [True, False])
def test_own_functions_count_where_both_are_loaded(installed, monkeypatch, mirror):
    installed("4.11.0")
    monkeypatch.delitem(sys.modules, "pipeport.cv2", raising=False)
    if mirror:
        monkeypatch.setitem(sys.modules, "pipeport.cv2", types.ModuleType("pipeport.cv2"))
    found = _verify_opencv.compared(Report((FAILED,)), Exact())
    assert (found is not None) == mirror
    assert _verify_opencv.compared(Report((CASE,)), Exact()) is None


@pytest.fixture
def major():
    return int(pytest.importorskip("cv2").__version__.split(".")[0])


def test_the_command_names_versions_that_differ(major):
    arguments = ("verify", MATRIX, "--engine", "eager", "--examples", "3")
    with config.use_opencv(9 - major):
        text = run(*arguments)
        report = json.loads(run(*arguments, "--json"))
    assert f"Versions differ: pipeport.cv2 gives the results of OpenCV {9 - major} (pipeport.config" in text
    assert f"set PIPEPORT_OPENCV={major}, or install an OpenCV {9 - major}. 1 case: 1 passed" in text
    assert report["opencv"]["agree"] is False
    assert report["opencv"]["results_of"] == 9 - major


def test_the_command_is_silent_where_they_agree(major):
    arguments = ("verify", MATRIX, "--engine", "eager", "--examples", "3")
    with config.use_opencv(major):
        assert "Versions differ" not in run(*arguments)
        assert json.loads(run(*arguments, "--json"))["opencv"]["agree"] is True
    assert "opencv" not in json.loads(run("verify", "np.flipud", *arguments[2:], "--json"))


@pytest.mark.parametrize("version", [4, 5])
def test_the_catalog_says_whose_results_a_native_gives(monkeypatch, version):
    with config.use_opencv(version):
        assert f" results here OpenCV {version}: pipeport.config says so " in run("catalog", "cv2.resize")
    monkeypatch.setenv("PIPEPORT_OPENCV", str(version))
    assert f" results here OpenCV {version}: PIPEPORT_OPENCV says so " in run("catalog", "cv2.resize")
    assert "results here" not in run("catalog", "np.rot90")


def test_the_catalog_says_what_is_installed(monkeypatch):
    monkeypatch.delenv("PIPEPORT_OPENCV", raising=False)
    version, reason = config.opencv_and_reason()
    assert "installed" in reason
    assert f" results here OpenCV {version}: {reason} " in run("catalog", "cv2.resize")
