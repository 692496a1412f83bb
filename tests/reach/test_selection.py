"""Which cases a run proves, in an invented repository."""

from __future__ import annotations

import os
import subprocess
from types import SimpleNamespace

import pytest

from pipeport import catalog
from pipeport.contract import ENGINES, Exact
from tests.selection import MOST, Base, Selection, UnknownRevision, base_of, select

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
HOUR = 3600
NOW = 1_700_000_000


def pair(name, batch=""):
    def function():
        """Stands for a native."""

    if batch:

        def form():
            """Stands for its form for batches."""

        form.__module__, form.__qualname__ = batch.rpartition(".")[::2]
        function.__pipeport_batch_form__ = form
    return SimpleNamespace(native=f"pipeport.shop.{name}", function=function, agreement=Exact())


PAIRS = {p.native: p for p in (pair("one", "pipeport.shop._one._one_batch"), pair("two"))}
ONE, TWO = PAIRS


class Repository:
    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments, date=NOW):
        who = ("-c", "user.name=x", "-c", "user.email=x@y.z", "-c", "commit.gpgsign=false")
        stamp = {"GIT_COMMITTER_DATE": f"{date} +0000", "GIT_AUTHOR_DATE": f"{date} +0000"}
        command = ["git", *who, "-C", str(self.folder), *arguments]
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, env={**os.environ, **stamp}
        )
        return done.stdout.strip()

    def write(self, **files):
        for name, text in files.items():
            path = self.folder / "pipeport" / f"{name}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(line.removeprefix(" " * 8) for line in text.splitlines()) + "\n")

    def edit(self, name, old, new):
        assert old in FILES[name]
        self.write(**{name: FILES[name].replace(old, new)})

    def commit(self, age=0):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x", date=NOW - age * HOUR)
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path):
    """A checkout whose base is two days old, and whose HEAD holds the same files."""
    made = Repository(tmp_path / "checkout")
    made.write(**FILES)
    made.commit(48)
    made.commit()
    return made


def selected(repository, **options):
    return select(repository.folder, contracts=PAIRS, **options)


def test_without_a_change_the_sample_alone_is_proved(repository):
    found = selected(repository)
    assert found.base.revision
    assert not found.changed
    assert not found.shared


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("shop/_two", "2 * x", "(2 * x)"),
        ("shop/_two", "two(x): return 2", "two(x):\n    '''Say more.'''\n    return 2"),
        ("contract/__init__", "What a pair promises.", "Promises."),
    ],
)
def test_words_and_layout_are_no_change(repository, name, old, new):
    repository.edit(name, old, new)
    found = selected(repository)
    assert (found.changed, found.shared) == ({}, ())


def test_an_edited_native_is_proved_in_every_engine(repository):
    repository.edit("shop/_two", "2 * x", "x + x")
    found = selected(repository)
    assert dict(found.changed) == {TWO: frozenset(ENGINES)}
    assert all(found.needs(TWO, case) for case in (*ENGINES, "graph tests", "SavedModel"))


def test_committed_changes_count_as_those_of_the_working_tree_do(repository):
    repository.edit("shop/_two", "2 * x", "x + x")
    repository.commit()
    assert list(selected(repository).changed) == [TWO]


def test_the_form_for_batches_concerns_batches_alone(repository):
    repository.edit("shop/_one", "_one_batch(x): return scale(x)", "_one_batch(x): return 1 * scale(x)")
    assert dict(selected(repository).changed) == {ONE: frozenset({"batched"})}


def test_a_kernel_concerns_what_reaches_it_and_a_renamed_one_nothing(repository):
    repository.edit("kernels/scale", "FACTOR = 3", "FACTOR = 4")
    assert list(selected(repository).changed) == [ONE]


def test_a_renamed_and_moved_kernel_is_no_change(repository):
    (repository.folder / "pipeport/kernels/scale.py").unlink()
    repository.write(**{"kernels/sizes": FILES["kernels/scale"].replace("scale", "enlarge")})
    repository.write(
        **{
            "shop/_one": FILES["shop/_one"]
            .replace("scale", "enlarge")
            .replace("kernels.enlarge", "kernels.sizes")
        }
    )
    assert not selected(repository).changed


def test_a_pair_that_the_base_lacks_is_changed(repository):
    repository.write(**{"shop/_two": FILES["shop/_two"] + "def three(x): return 3 * x\n"})
    repository.write(**{"shop/__init__": FILES["shop/__init__"] + "from pipeport.shop._two import three\n"})
    pairs = {**PAIRS, "pipeport.shop.three": pair("three")}
    assert list(select(repository.folder, contracts=pairs).changed) == ["pipeport.shop.three"]


def test_the_nearest_to_the_change_come_first(repository):
    repository.edit("kernels/scale", "FACTOR = 3", "FACTOR = 4")
    repository.edit("shop/_two", "2 * x", "x + x")
    assert list(selected(repository).changed) == [TWO, ONE]


def test_what_judges_every_pair_asks_for_a_quarter_and_the_mutants(repository):
    repository.edit("contract/__init__", "LEVEL = 0", "LEVEL = 1")
    found = selected(repository)
    assert (dict(found.changed), found.shared) == ({}, ("contract/__init__.py",))
    assert found.needs_mutant("any")
    names = [f"pair {i}" for i in range(400)]
    quarter = {name for name in names if all(found.needs(name, engine) for engine in ENGINES)}
    assert 60 < len(quarter) < 140
    assert "a quarter of the pairs" in found.text()


class TestBase:
    def test_the_newest_ancestor_that_is_a_day_older_than_head(self, tmp_path):
        made = Repository(tmp_path / "checkout")
        made.commit(80)
        wanted = made.commit(25)
        made.commit(23)
        made.commit()
        assert base_of(made.folder).revision == wanted

    def test_of_the_first_parents(self, tmp_path):
        made = Repository(tmp_path / "checkout")
        wanted = made.commit(80)
        made.git("checkout", "-q", "-b", "side")
        made.commit(30)
        made.git("checkout", "-q", "main")
        made.git("merge", "-q", "--no-ff", "-m", "x", "side")
        assert base_of(made.folder).revision == wanted

    def test_another_is_named(self, repository):
        repository.edit("shop/_two", "2 * x", "x + x")
        last = repository.commit()
        assert base_of(repository.folder, "HEAD").revision == last
        assert not selected(repository, named="HEAD").changed

    def test_an_unknown_one_is_refused(self, repository):
        with pytest.raises(UnknownRevision, match="'nowhere'; allowed: a revision"):
            base_of(repository.folder, "nowhere")

    def test_an_unknown_one_ends_a_run_of_the_tests(self):
        command = ["pytest", "--collect-only", "-q", "tests/reach"]
        environment = {**os.environ, "PIPEPORT_BASE": "nowhere"}
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        assert done.returncode == pytest.ExitCode.USAGE_ERROR
        assert "PIPEPORT_BASE: got 'nowhere'" in done.stderr

    def test_no_git_a_shallow_clone_and_a_young_history_leave_the_sample(self, repository, tmp_path):
        (tmp_path / "archive").mkdir()
        source = f"file://{repository.folder}"
        subprocess.run(["git", "clone", "-q", "--depth", "1", source, str(tmp_path / "shallow")], check=True)
        young = Repository(tmp_path / "young")
        young.commit()
        reasons = {name: base_of(tmp_path / name).reason for name in ("archive", "shallow", "young")}
        assert reasons == {
            "archive": "this is no git checkout",
            "shallow": "this is a shallow clone",
            "young": "no commit is a day older than HEAD",
        }
        found = select(tmp_path / "archive", contracts=PAIRS)
        assert found.text() == "Proved: a sample, one case in 20 (this is no git checkout)."


BASE = Base("f" * 40, "a day before HEAD")
MANY = {f"pipeport.p{i}": frozenset(ENGINES) for i in range(MOST + 2)}


class TestSelection:
    def test_at_most_sixty_are_proved_and_the_rest_is_named(self):
        found = Selection(BASE, "commit", MANY)
        assert len(found.proved) == MOST
        assert found.left == ["pipeport.p60", "pipeport.p61"]
        assert "Changed and not proved: p60, p61. To prove them: nox -s changed" in found.text()

    def test_all_that_changed_and_no_sample(self):
        found = Selection(BASE, "commit", MANY, most=None, sample=False)
        assert not found.left
        assert all(found.needs(name, "xla") for name in MANY)
        assert not any(found.needs(f"other {i}", "xla") for i in range(200))

    def test_a_twentieth_of_the_rest_is_proved_another_at_each_commit(self):
        cases = [(name, engine) for name in catalog.pairs() for engine in ENGINES]
        chosen = [
            {case for case in cases if Selection(BASE, commit).needs(*case)} for commit in ("1a", "2b", "3c")
        ]
        assert all(0.02 * len(cases) < len(one) < 0.09 * len(cases) for one in chosen)
        assert chosen[0] != chosen[1] != chosen[2]

    def test_mutants_are_sampled_where_their_judge_is_the_same(self):
        names = [f"mutant {i}" for i in range(400)]
        for shared in ((), ("kernels/xla/_undivided.py",)):
            tried = [n for n in names if Selection(BASE, "commit", shared=shared).needs_mutant(n)]
            assert 8 < len(tried) < 40

    def test_everything_where_that_is_asked_for(self):
        found = select(prove="all", contracts={})
        assert found.needs("anything", "eager")
        assert found.needs_mutant("any")
        assert found.text() == "Proved: all pairs."
