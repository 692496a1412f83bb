"""Another revision in a folder of its own, of an invented repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pipeport.bench._revision import checked_out
from pipeport.errors import OutsideDomain, PipeportError

pytestmark = pytest.mark.newest_only


def git(root: Path, *arguments: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", "-C", root, *who, *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def written(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


@pytest.fixture
def repository(tmp_path):
    """Three commits: without the package, with it, and with it changed; and a change that is in none."""
    root = tmp_path / "clone"
    root.mkdir()
    git(root, "init", "-b", "main")
    steps = (
        {"README.md": "before"},
        {"src/small/__init__.py": "WHEN = 1", "src/small/bench/old.py": "", "src/small/gone.py": ""},
        {"src/small/__init__.py": "WHEN = 2", "src/small/bench/new.py": "", "src/small/_figures.py": "F = 2"},
    )
    for step in steps:
        written(root, step)
        git(root, "add", "-A")
        git(root, "commit", "-m", "x")
    for gone in ("gone.py", "bench/old.py"):
        (root / "src/small" / gone).unlink()
    now = {"src/small/__init__.py": "WHEN = 3", "src/small/bench/new.py": "B = 3", "src/bench/s.toml": ""}
    written(root, now)
    return root


def test_the_package_is_that_of_the_revision_and_its_bench_this_one(repository):
    package = repository / "src" / "small"
    with checked_out("HEAD~1", package) as other:
        laid = other.folder / "small"
        assert (laid / "__init__.py").read_text() == "WHEN = 1"
        assert (laid / "gone.py").is_file()
        assert [path.name for path in (laid / "bench").iterdir()] == ["new.py"]
        assert (laid / "bench" / "new.py").read_text() == "B = 3"
        assert (laid / "_figures.py").read_text() == "F = 2"
        assert (other.folder / "bench" / "s.toml").is_file()
        assert other.label == f"HEAD~1 ({git(repository, 'rev-parse', 'HEAD~1')[:9]})"
    assert not other.folder.exists()
    assert git(repository, "worktree", "list").count("\n") == 0
    assert (package / "__init__.py").read_text() == "WHEN = 3"


def test_the_folder_goes_after_ctrl_c(repository):
    opened = checked_out("main", repository / "src" / "small")
    folder = opened.__enter__().folder
    assert folder.is_dir()
    with pytest.raises(KeyboardInterrupt):
        opened.gen.throw(KeyboardInterrupt)
    assert not folder.exists()


def test_a_hash_is_told_once(repository):
    commit = git(repository, "rev-parse", "HEAD")
    with checked_out(commit[:12], repository / "src" / "small") as other:
        assert (other.commit, other.label) == (commit, commit[:9])


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nowhere", "got 'nowhere'; allowed: a commit, branch or tag"),
        ("--all", "got '--all'; allowed: a commit"),
        ("HEAD:src", "got 'HEAD:src'; allowed: a commit"),
        ("HEAD~2", "'HEAD~2', which has no src/small"),
    ],
)
def test_a_revision_that_cannot_be_measured_is_a_mistake(repository, name, says):
    with pytest.raises(OutsideDomain, match=f"--against: got.*{says.removeprefix('got ')}"):
        checked_out(name, repository / "src" / "small").__enter__()


def test_a_package_outside_git_and_one_that_is_not_committed(repository, tmp_path):
    written(tmp_path, {"plain/small/__init__.py": ""})
    written(repository, {"env/small/__init__.py": ""})
    for package in (tmp_path / "plain" / "small", repository / "env" / "small"):
        with pytest.raises(
            PipeportError, match="which is not a checkout; allowed: pipeport in a git checkout"
        ):
            checked_out("HEAD", package).__enter__()


def test_a_machine_without_git(repository, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(PipeportError, match=r"no git on this machine.*Install git"):
        checked_out("HEAD", repository / "src" / "small").__enter__()
