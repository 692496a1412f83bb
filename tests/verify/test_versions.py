"""Where the natives follow one OpenCV or SciPy and another is installed, `verify` and `catalog` say so."""

from __future__ import annotations

import json
import sys
import types

import pytest
from click.testing import CliRunner

from pipeport import catalog, config
from pipeport._followed import OPENCV, SCIPY
from pipeport._reach import reached
from pipeport.cli import _verify_versions, main
from pipeport.contract import Exact
from pipeport.verify import CaseRecord, Failure, Report
from pipeport.verify._fingerprint import roots

pytestmark = pytest.mark.both

FLIP, MATRIX = "pipeport.cv2.flip", "pipeport.cv2.getRotationMatrix2D"
CASE = CaseRecord(FLIP, "eager", "passed", 3, 3)
ROTATED = CaseRecord("pipeport.skimage.transform.rotate", "eager", "passed", 3, 3)
FAILED = CaseRecord("mine.old -> mine.new", "eager", "failed", failure=Failure("output differs by 3"))


def run(*arguments: str, code: int | None = 0) -> str:
    """Run a verb; return its answer, in one line. Without a code either verdict will do."""
    result = CliRunner().invoke(main, arguments, env={"COLUMNS": "80"})
    assert result.exit_code in ((0, 1) if code is None else (code,)), result.output
    assert max(map(len, result.stdout.splitlines())) <= 80
    return " ".join(result.stdout.split())


@pytest.fixture
def installed(monkeypatch):
    """A function that puts a release of a library where its import finds it."""

    def put(version: str, name: str = "cv2") -> None:
        module = types.ModuleType(name)
        module.__version__ = version
        monkeypatch.setitem(sys.modules, name, module)

    return put


@pytest.mark.parametrize(
    ("library", "follows", "release", "agree"),
    [
        (OPENCV, 4, "4.11.0", True),
        (OPENCV, 5, "5.1", True),
        (OPENCV, 4, "5.0.0", False),
        (OPENCV, 5, "4.9", False),
        (OPENCV, 5, "6.0", False),
        (SCIPY, "1.17", "1.14.1", True),
        (SCIPY, "1.17", "1.13.1", False),
        (SCIPY, "1.17", "1.18.0", False),
        (SCIPY, "1.18", "1.17.1", False),
        (SCIPY, "1.18", "1.19.0", True),
    ],
)
def test_versions_are_compared(installed, library, follows, release, agree):
    installed(release, library.module)
    case = CASE if library is OPENCV else ROTATED
    with config._use_version(library, follows):
        (found,) = _verify_versions.compared(Report((case,)), None)
    assert found.library is library
    assert found.to_json() == {
        "results_of": follows,
        "because": "pipeport.config says so",
        "compared_with": release,
        "agree": agree,
    }


def test_the_notice_says_how_to_make_them_agree():
    found = _verify_versions.Compared(OPENCV, 4, "PIPEPORT_OPENCV says so", "5.0.0")
    assert found.notice() == (
        "Versions differ: pipeport gives the results of OpenCV 4 (PIPEPORT_OPENCV says so), and was "
        "compared with OpenCV 5.0.0, so that failures may be no bugs. To make them agree, set "
        "PIPEPORT_OPENCV=5, or install OpenCV 4."
    )
    found = _verify_versions.Compared(SCIPY, "1.17", "pipeport.config says so", "1.18.1")
    assert found.notice().endswith("To make them agree, set PIPEPORT_SCIPY=1.18, or install SciPy 1.17.")


def test_a_version_that_is_not_mirrored_is_not_advised():
    found = _verify_versions.Compared(OPENCV, 5, "opencv-python 6.0 is installed", "6.0")
    assert found.notice().endswith("To make them agree, install OpenCV 5.")


def test_pairs_of_other_libraries_have_nothing_to_do_with_it(installed):
    installed("4.11.0")
    installed("1.17.1", "scipy")
    other = CaseRecord("pipeport.numpy.flip", "eager", "passed", 3, 3)
    assert _verify_versions.compared(Report((other,)), None) == ()


def test_without_the_library_nothing_was_compared(monkeypatch):
    monkeypatch.delitem(sys.modules, "cv2", raising=False)
    monkeypatch.delitem(sys.modules, "scipy", raising=False)
    assert _verify_versions.compared(Report((CASE, ROTATED)), None) == ()


@pytest.mark.parametrize("mirror", ["pipeport.cv2", "pipeport.skimage", None])
def test_own_functions_count_where_both_are_loaded(installed, monkeypatch, mirror):
    installed("4.11.0")
    installed("1.17.1", "scipy")
    for name in ("pipeport.cv2", "pipeport.keras", "pipeport.scipy", "pipeport.skimage"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    if mirror:
        monkeypatch.setitem(sys.modules, mirror, types.ModuleType(mirror))
    libraries = [one.library for one in _verify_versions.compared(Report((FAILED,)), Exact())]
    assert libraries == {"pipeport.cv2": [OPENCV], "pipeport.skimage": [SCIPY], None: []}[mirror]
    assert _verify_versions.compared(Report((CASE,)), Exact()) == ()


def test_scipy_concerns_what_reaches_its_filter():
    """What `Library.references` lists is what code and contracts say: no native more, none less."""
    for name, contract in catalog.pairs().items():
        found = {(one.module, one.name) for one in reached(*roots(contract, "batched"))}
        filters = any(one == "is_inexact" and module.endswith("_spline") for module, one in found)
        assert SCIPY.concerns(contract.reference) == filters, name


@pytest.fixture
def major():
    return int(pytest.importorskip("cv2").__version__.split(".")[0])


def test_the_command_names_versions_that_differ(major):
    arguments = ("verify", MATRIX, "--engine", "eager", "--examples", "3")
    with config.use_opencv(9 - major):
        text = run(*arguments)
        report = json.loads(run(*arguments, "--json"))
    assert f"Versions differ: pipeport gives the results of OpenCV {9 - major} (pipeport.config" in text
    assert f"set PIPEPORT_OPENCV={major}, or install OpenCV {9 - major}. 1 case: 1 passed" in text
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
    version, reason = config.version_and_reason(OPENCV)
    assert "installed" in reason
    assert f" results here OpenCV {version}: {reason} " in run("catalog", "cv2.resize")


def test_a_change_of_scipy_is_told_too(monkeypatch):
    release = pytest.importorskip("scipy").__version__
    version, _ = SCIPY.of_release(release)
    other = {"1.17": "1.18", "1.18": "1.17"}[version]
    arguments = ("verify", "scipy.ndimage.spline_filter1d", "--engine", "eager", "--examples", "3")
    with config.use_scipy(other):
        text = run(*arguments, code=None)
    assert f"Versions differ: pipeport gives the results of SciPy {other} (pipeport.config says so)" in text
    assert f"was compared with SciPy {release}, so that" in text
    monkeypatch.setenv("PIPEPORT_SCIPY", other)
    for name in ("scipy.ndimage.zoom", "skimage.transform.resize"):
        assert f" results here SciPy {other}: PIPEPORT_SCIPY says so " in run("catalog", name)
