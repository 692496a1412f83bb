"""Which tests a run takes, in an invented repository."""

from __future__ import annotations

import os
import re
import subprocess
from types import SimpleNamespace

import pytest

from pipeport import catalog
from pipeport.contract import ENGINES, Exact
from tests.selection import FOLDERS, GREEN, ROOT, SLOW, Selection, UnknownRevision, base_of, places_of, select

pytestmark = pytest.mark.newest_only

FILES = {
    "__init__": "",
    "shop/__init__": "from pipeport.shop._one import one\nfrom pipeport.shop._two import two\n",
    "shop/_one": """
        from pipeport.kernels.scale import scale
        def one(x): return scale(x)
        def _one_batch(x): return scale(x)
        """,
    "shop/_two": "def two(x): return 2 * x\n",
    "kernels/__init__": "",
    "kernels/scale": "FACTOR = 3\ndef scale(x): return FACTOR * x\n",
    "_batched": "def batched(f): return f\n",
    "contract/__init__": '"""What a pair promises."""\nLEVEL = 0\n',
    "verify/__init__": "",
}


def pair(name, batch=""):
    def function():
        """Stands for a native."""

    if batch:

        def form():
            """Stands for its form for batches."""

        form.__module__, form.__qualname__ = batch.rpartition(".")[::2]
        function.__pipeport_batch_form__ = form
    return SimpleNamespace(
        native=f"pipeport.shop.{name}", reference=f"shop.{name}", function=function, agreement=Exact()
    )


PAIRS = {p.native: p for p in (pair("one", "pipeport.shop._one._one_batch"), pair("two"))}
ONE, TWO = PAIRS


class Repository:
    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments):
        who = ("-c", "user.name=x", "-c", "user.email=x@y.z", "-c", "commit.gpgsign=false")
        command = ["git", *who, "-C", str(self.folder), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    def write(self, **files):
        for name, text in files.items():
            path = self.folder / "pipeport" / f"{name}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(line.removeprefix(" " * 8) for line in text.splitlines()) + "\n")

    def edit(self, name, old, new):
        assert old in FILES[name]
        self.write(**{name: FILES[name].replace(old, new)})

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x")
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path):
    """A checkout whose HEAD holds the same files as its parent."""
    made = Repository(tmp_path / "checkout")
    made.write(**FILES)
    made.commit()
    made.commit()
    return made


def selected(repository, **options):
    return select(repository.folder, contracts=PAIRS, **options)


def test_without_a_change_nothing_is_selected(repository):
    found = selected(repository)
    assert found.base == repository.git("rev-parse", "HEAD^")
    assert (found.files, dict(found.pairs), found.shared) == ((), {}, ())


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("shop/_two", "2 * x", "(2 * x)"),
        ("shop/_two", "two(x): return 2", "two(x):\n    '''Say more.'''\n    return 2"),
        ("contract/__init__", "What a pair promises.", "Promises."),
    ],
)
def test_words_and_layout_concern_no_pair(repository, name, old, new):
    repository.edit(name, old, new)
    found = selected(repository)
    assert found.files == (f"pipeport/{name}.py",)
    assert (dict(found.pairs), found.shared) == ({}, ())


def test_an_edited_native_is_proved(repository):
    repository.edit("shop/_two", "2 * x", "x + x")
    found = selected(repository)
    assert dict(found.pairs) == {TWO: 0}
    assert found.of_pair(TWO, "any test") == 0


def test_committed_changes_count_as_those_of_the_working_tree_do(repository):
    repository.edit("shop/_two", "2 * x", "x + x")
    repository.commit()
    assert list(selected(repository).pairs) == [TWO]


def test_files_that_git_does_not_know_yet_count(repository):
    repository.write(**{"shop/_three": "def three(x): return x\n"})
    assert selected(repository).files == ("pipeport/shop/_three.py",)


def test_the_form_for_batches_is_part_of_a_pair(repository):
    repository.edit("shop/_one", "_one_batch(x): return scale(x)", "_one_batch(x): return 1 * scale(x)")
    assert list(selected(repository).pairs) == [ONE]


def test_a_kernel_concerns_what_reaches_it_and_a_renamed_one_nothing(repository):
    repository.edit("kernels/scale", "FACTOR = 3", "FACTOR = 4")
    assert list(selected(repository).pairs) == [ONE]


def test_a_renamed_and_moved_kernel_is_no_change(repository):
    (repository.folder / "pipeport/kernels/scale.py").unlink()
    repository.write(**{"kernels/sizes": FILES["kernels/scale"].replace("scale", "enlarge")})
    moved = FILES["shop/_one"].replace("scale", "enlarge").replace("kernels.enlarge", "kernels.sizes")
    repository.write(**{"shop/_one": moved})
    assert not selected(repository).pairs


def test_a_pair_that_the_base_lacks_is_proved(repository):
    repository.write(**{"shop/_two": FILES["shop/_two"] + "def three(x): return 3 * x\n"})
    repository.write(**{"shop/__init__": FILES["shop/__init__"] + "from pipeport.shop._two import three\n"})
    pairs = {**PAIRS, "pipeport.shop.three": pair("three")}
    assert dict(select(repository.folder, contracts=pairs).pairs) == {"pipeport.shop.three": 0}


def test_the_nearest_to_the_change_come_first(repository):
    repository.edit("kernels/scale", "FACTOR = 3", "FACTOR = 4")
    repository.edit("shop/_two", "2 * x", "x + x")
    found = selected(repository)
    assert list(found.pairs) == [TWO, ONE]
    assert found.of_pair(TWO, "") < found.of_pair(ONE, "")


def test_what_judges_every_pair_asks_for_one_in_twelve(repository):
    repository.edit("contract/__init__", "LEVEL = 0", "LEVEL = 1")
    found = selected(repository)
    assert (dict(found.pairs), found.shared) == ({}, ("contract/__init__.py",))
    asked = [name for i in range(600) if found.of_pair(name := f"pair {i}", "") == 1]
    drawn = [name for i in range(600) if found.of_pair(name := f"pair {i}", f"test {i}") is not None]
    assert 25 < len(asked) < len(drawn) < 120
    assert "one in 12 is proved" in found.text()


class TestBase:
    def test_the_parent_of_head_until_nox_was_green(self, repository):
        parent, head = repository.git("rev-parse", "HEAD^"), repository.git("rev-parse", "HEAD")
        assert base_of(repository.folder) == (parent, "HEAD's parent")
        repository.git("update-ref", GREEN, head)
        repository.commit()
        repository.commit()
        assert base_of(repository.folder) == (head, "the last for which nox was green here")

    def test_another_is_named(self, repository):
        repository.edit("shop/_two", "2 * x", "x + x")
        last = repository.commit()
        assert base_of(repository.folder, "HEAD")[0] == last
        assert not selected(repository, named="HEAD").files

    def test_an_unknown_one_is_refused(self, repository):
        with pytest.raises(UnknownRevision, match="'nowhere'; allowed: a revision"):
            base_of(repository.folder, "nowhere")

    def test_an_unknown_one_ends_a_run_of_the_tests(self):
        command = ["pytest", "--collect-only", "-q"]
        environment = {**os.environ, "PIPEPORT_BASE": "nowhere"}
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        assert done.returncode == pytest.ExitCode.USAGE_ERROR
        assert "PIPEPORT_BASE: got 'nowhere'" in done.stderr

    def test_no_git_a_shallow_clone_and_one_commit_leave_the_samples(self, repository, tmp_path):
        (tmp_path / "archive").mkdir()
        source = f"file://{repository.folder}"
        subprocess.run(["git", "clone", "-q", "--depth", "1", source, str(tmp_path / "shallow")], check=True)
        young = Repository(tmp_path / "young")
        young.commit()
        reasons = {name: base_of(tmp_path / name) for name in ("archive", "shallow", "young")}
        alone = ("", "HEAD has no parent here")
        assert reasons == {"archive": ("", "this is not a git checkout"), "shallow": alone, "young": alone}
        assert "Fast tests and samples run." in select(tmp_path / "archive", contracts=PAIRS).text()


def changed(*files, **options):
    return Selection("f" * 40, "HEAD's parent", "commit", files, **options)


class TestFolders:
    def test_the_package_is_mirrored_and_kernels_belong_to_their_library(self):
        assert places_of("pipeport/cv2/_blur.py") == ("tests/cv2/",)
        assert places_of("pipeport/kernels/opencv/_median.py") == ("tests/cv2/",)
        assert places_of("pipeport/porting/control/_flow.py") == ("tests/porting/",)
        assert places_of("tests/porting/modes.py") == ("tests/porting/",)
        assert "tests/recipes/" in places_of("docs/verify.md")
        assert places_of(".gitignore") == ()

    def test_every_place_that_is_named_is_there_and_every_room_has_tests(self):
        for place, folders in FOLDERS.items():
            assert list(ROOT.glob(f"{place}*" if not place.endswith("/") else place)), place
            assert all((ROOT / one).exists() for one in folders), place
        rooms = [file.relative_to(ROOT).as_posix() for file in ROOT.glob("pipeport/**/*.py")]
        assert [one for one in rooms if not places_of(one)] == []

    def test_a_changed_file_comes_first_then_who_names_what_changed(self):
        found = changed("pipeport/cv2/_median_blur.py", "tests/cv2/test_canny.py")
        near = {
            name: found.of_folder(f"tests/cv2/test_{name}.py") for name in ("canny", "median_blur", "warp")
        }
        assert near == {"canny": 0, "median_blur": 1, "warp": 2}
        assert found.of_folder("tests/numpy/test_flips.py") is None

    def test_a_changed_file_without_words_is_far_from_each_test(self):
        assert changed("pipeport/kernels/xla/traced.pb").of_folder("tests/kernels/test_stored.py") in (
            2,
            None,
        )

    def test_another_sample_at_each_commit_and_more_of_documents(self):
        names = [f"tests/cv2/test_x.py::test_{i}" for i in range(400)]
        samples = [
            [one for one in names if Selection("f", "", commit).in_sample(one)] for commit in ("1a", "2b")
        ]
        assert all(8 < len(one) < 40 for one in samples)
        assert samples[0] != samples[1]
        documents = [changed().in_sample(f"tests/recipes/test_x.py::test_{i}") for i in range(400)]
        assert 30 < sum(documents) < 80


def test_every_slow_test_is_there():
    for name in SLOW.read_text("utf-8").split():
        file, *classes, function = name.split("::")
        text = (ROOT / file).read_text("utf-8")
        for word in (*(f"class {one}" for one in classes), f"def {function}"):
            assert re.search(rf"^ *{word}\b", text, re.MULTILINE), f"{name}: run nox -s tests -- --write-slow"


class TestPairs:
    def test_a_twentieth_of_those_that_did_not_change(self):
        cases = [(name, engine) for name in catalog.pairs() for engine in ENGINES]
        taken = [case for case in cases if changed().of_pair(case[0], "|".join(case)) is not None]
        assert 0.02 * len(cases) < len(taken) < 0.09 * len(cases)

    def test_all_that_changed_and_no_sample(self):
        found = changed(prove="changed", pairs={"one": 0, "two": 3})
        assert [found.of_pair(name, "") for name in ("one", "two", "other")] == [0, 3, None]

    def test_a_week_of_days_takes_every_slow_test_once(self):
        days = [select(prove=f"2026-11-{day}", contracts={}) for day in range(20, 27)]
        names = [f"tests/cv2/test_x.py::test_{i}" for i in range(100)]
        assert [sum(day.in_sample(name) for day in days) for name in names] == [1] * 100
        assert days[0].of_pair("anything", "") is None
        assert "2026-11-20" in days[0].text()

    def test_everything_where_that_is_asked_for(self):
        found = select(prove="all", contracts={})
        assert found.of_pair("anything", "") == 0
        assert found.text() == "Everything runs."
