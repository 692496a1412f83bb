"""`nox -s new -- NAME`: what it writes passes the linters, and is unfinished until it is filled in."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pipeport import catalog
from tests.house import overlay
from tools import new_pair

pytestmark = pytest.mark.newest_only

# A function, a filter of OpenCV, a transform of images and one of all targets, none of which will have a
# native: the façade, and its signature.
WRITTEN = {
    "scipy.ndimage.watershed_ift": (
        "pipeport/scipy/ndimage/_watershed_ift.py",
        "(input, markers, structure=None, output=None)",
    ),
    "cv2.pyrMeanShiftFiltering": (
        "pipeport/cv2/_pyr_mean_shift_filtering.py",
        "(src, sp, sr, dst=None, maxLevel=None, termcrit=None)",
    ),
    "albumentations.Superpixels": (
        "pipeport/albumentations/_superpixels.py",
        "(p_replace=(0, 0.1), n_segments=(100, 100), max_size=128, interpolation=1, p=0.5)",
    ),
    "albumentations.PiecewiseAffine": (
        "pipeport/albumentations/_piecewise_affine.py",
        "(scale=(0.03, 0.05), nb_rows=(4, 4), nb_cols=(4, 4), interpolation=1, mask_interpolation=0, "
        "absolute_scale=False, keypoint_remapping_method='mask', p=0.5, border_mode=0, fill=0, fill_mask=0)",
    ),
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = overlay.copy_package(tmp_path_factory.mktemp("new"))
    for file in ("tools/new_pair.py", "pyproject.toml"):
        target = root / file
        target.parent.mkdir(exist_ok=True)
        target.write_text((overlay.ROOT / file).read_text(encoding="utf-8"), encoding="utf-8")
    (root / "tests").mkdir()
    return root


def new(name: str, root: Path) -> subprocess.CompletedProcess[str]:
    return overlay.run("tools/new_pair.py", name, path=root)


def test_what_is_written_imports_and_passes_the_linters(copy: Path) -> None:
    for name, (facade, _) in WRITTEN.items():
        done = new(name, copy)
        assert done.returncode == 0, done.stderr
        files = done.stdout.splitlines()[:3]
        assert files[0] == facade
        assert all((copy / file).is_file() for file in files)
    for command in (("ruff", "check", "."), ("ruff", "format", "--check", "."), ("numpydoc", "lint")):
        files = [facade for facade, _ in WRITTEN.values()] if command[-1] == "lint" else []
        done = subprocess.run(
            [sys.executable, "-m", *command, *files], cwd=copy, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    code = f"""
import inspect, re
from pipeport import catalog
for name in {[*WRITTEN]}:
    pair = catalog.find(name)
    text = re.sub("(: | -> )'?(Any|None)'?", "", str(inspect.signature(pair.function)))
    print(text.replace(" = ", "="), *pair.domain, sep="|")
"""
    done = overlay.run("-c", code, path=copy)
    assert done.returncode == 0, done.stderr
    printed = [line.split("|") for line in done.stdout.splitlines()]
    assert [line[0] for line in printed] == [signature for _, signature in WRITTEN.values()]
    assert printed[1][1:] == ["src", "sp", "sr"]
    assert printed[2][1:] == ["p", "p_replace", "n_segments", "max_size", "interpolation"]
    # Lint fails until everything is filled in.
    check = overlay.run("tools/new_pair.py", "--unfinished", path=copy)
    assert check.returncode == 1
    for facade, _ in WRITTEN.values():
        assert f"{facade}:" in check.stdout
    for file in [*(copy / "pipeport").rglob("*.py"), *(copy / "tests").rglob("*.py")]:
        text = file.read_text(encoding="utf-8")
        if new_pair.MARK in text:
            file.write_text(text.replace(new_pair.MARK, "Done"), encoding="utf-8")
    assert overlay.run("tools/new_pair.py", "--unfinished", path=copy).returncode == 0


def test_a_file_that_exists_is_not_overwritten(copy: Path) -> None:
    file = copy / "pipeport/cv2/_edge_preserving_filter.py"
    file.write_text("mine = 1\n", encoding="utf-8")
    before = (copy / "pipeport/cv2/__init__.py").read_text(encoding="utf-8")
    done = new("cv2.edgePreservingFilter", copy)
    assert (done.returncode, done.stdout) == (2, "")
    assert "_edge_preserving_filter.py exists already" in done.stderr
    assert file.read_text(encoding="utf-8") == "mine = 1\n"
    assert (copy / "pipeport/cv2/__init__.py").read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("cv2.resize", "cv2.resize has a native"),
        ("np.rot90", "numpy.rot90 has a native"),
        ("A.Compose", "albumentations.Compose has a native"),
        ("cv2.edgePreservingFiltr", "has no cv2.edgePreservingFiltr. Nearest: edgePreservingFilter"),
        ("pandas.read_csv", "belongs to none of"),
        ("cv2.INTER_LANCZOS4", "is not a function"),
        ("scipy.ndimage.nothing_such", "has no scipy.ndimage.nothing_such."),
    ],
)
def test_what_is_refused(name: str, says: str) -> None:
    with pytest.raises(new_pair.Refused) as caught:
        new_pair.write(name)
    assert says in str(caught.value)


def test_nothing_here_is_unfinished() -> None:
    assert new_pair.unfinished() == []


@pytest.mark.parametrize(
    ("doc", "expected"),
    [
        ("f(src, size[, dst[, anchor[, more]]]) -> dst", "(src, size, dst=None, anchor=(-1, -1), more=None)"),
        ("f(a) -> b", "(a)"),
    ],
)
def test_signatures_of_opencv_are_read(doc: str, expected: str) -> None:
    text = new_pair.text_of(new_pair._of_text("cv2.f", doc))
    assert text.replace(": Any", "").replace(" = ", "=") == expected
    with pytest.raises(new_pair.Refused, match="begins with none"):
        new_pair._of_text("cv2.g", doc)


def examples() -> list[tuple[str, list[str]]]:
    """Return the examples of "Four ways to add", with the files that it names for each."""
    page = (overlay.ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = page.split("## Four ways to add", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(
        r"^\| a (?:row|function|filter|transform)[^|]*\| `([\w.]+)` \|(.*)$", section, re.MULTILINE
    )
    return [(name, re.findall(r"`(pipeport/[\w/]+\.py)`", rest)) for name, rest in rows]


def test_the_four_ways_have_real_examples() -> None:
    found = examples()
    assert len(found) == 4
    for name, files in found:
        contract = catalog.find(name)
        first, *others = [(overlay.ROOT / file).read_text(encoding="utf-8") for file in files]
        assert re.search(rf"^(def |class )?{name.rpartition('.')[2]}\b( = |\()", first, re.MULTILINE), name
        assert contract.native == f"pipeport.{name}"
        assert all(others) or not others


def test_the_row_is_the_one_of_the_table() -> None:
    page = (overlay.ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    [(file, row)] = re.findall(r"^```python\n# (pipeport/\S+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert row in (overlay.ROOT / file).read_text(encoding="utf-8")
