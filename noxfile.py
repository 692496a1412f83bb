"""Every chore of the project. `nox` runs all that continuous integration demands; `nox -l` lists them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nox

nox.needs_version = ">=2025.2"
nox.options.default_venv_backend = "virtualenv"
nox.options.reuse_venv = "yes"
nox.options.sessions = ["check"]

PROJECT = nox.project.load_toml("pyproject.toml")
PYTHON = "3.11"
# Those for which TensorFlow has wheels, the newest first.
NEWER = ("3.13", "3.12")
# Two processes, each with a run of neighbouring tests, so that most modules set up their fixtures once.
WORKERS = ("-n", "2", "--dist", "worksteal")
# What is derived from each pair's contract.
OF_PAIRS = ("tests/verify/test_every_pair.py", "tests/catalog")
# Programs that are held under other versions of XLA, and where they are written.
PROGRAMS = """
    cv2.warpAffine cv2.warpPerspective cv2.remap cv2.resize cv2.GaussianBlur cv2.medianBlur
    cv2.cvtColor cv2.morphologyEx cv2.equalizeHist scipy.ndimage.rotate
    scipy.ndimage.affine_transform scipy.ndimage.zoom scipy.ndimage.gaussian_filter
    skimage.transform.rotate skimage.transform.warp skimage.transform.resize skimage.transform.swirl
    skimage.filters.gaussian skimage.color.rgb2hsv skimage.color.rgb2lab PIL.Image.rotate
    PIL.Image.resize numpy.fliplr numpy.mean numpy.std numpy.exp numpy.percentile numpy.round
    tensorflow_addons.image.rotate tensorflow_addons.image.transform travelling
""".split()  # noqa: SIM905
TRAVELLING = "build/elsewhere"
# The pages of `nox -s docs`.
SITE = "build/docs/html"
ENVIRONMENT = {
    "TF_CPP_MIN_LOG_LEVEL": "3",
    # The same examples on every run; HYPOTHESIS_PROFILE=nightly draws many new ones.
    "HYPOTHESIS_PROFILE": os.environ.get("HYPOTHESIS_PROFILE", "ci"),
}


def group(name: str) -> tuple[str, ...]:
    """Return the requirements of a dependency group; pip itself reads them only from 25.1 on."""
    return nox.project.dependency_groups(PROJECT, name)


def install(session: nox.Session, extra: str, *others: str) -> None:
    """Install an extra with what tests need; print each version outside of a stated range, and end there."""
    session.install("-e", f".[{extra}]", *group("test"), *others)
    session.run("python", "-m", "tests.ranges", env=ENVIRONMENT)


def run(session: nox.Session, arguments: tuple[str, ...], environment: dict[str, str]) -> None:
    """Run pytest with the arguments of the command line, else with these; `-- python ...` runs Python."""
    given = session.posargs
    others = tuple(f"--ignore={one}" for one in OF_PAIRS)
    if "python" in given[:1]:
        session.run(*given, env=environment)
    elif given == ["--write-slow"]:
        session.run("pytest", *arguments, *others, *given, env=environment)
    elif given:
        session.run("pytest", *given, env=environment)
    elif os.environ.get("PIPEPORT_PROVE"):
        # What XLA has compiled stays in memory: a run of its own for the pairs needs half of it.
        _run_all(session, [(*arguments, *others), (*arguments, *OF_PAIRS)], environment)
    else:
        session.run("pytest", *arguments, env=environment)


def _run_all(session: nox.Session, runs: list[tuple[str, ...]], environment: dict[str, str]) -> None:
    """Run pytest with each of several arguments, and fail afterwards if one has failed."""
    failed = []
    for arguments in runs:
        try:
            session.run("pytest", *arguments, env=environment)
        except nox.command.CommandFailed:
            failed.append(arguments)
    if failed:
        session.error(f"{len(failed)} of {len(runs)} runs failed")


def newest_python(otherwise: str = NEWER[0]) -> str:
    """Return the newest Python that is here: pyenv's, which nox does not find, else one on the path."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in NEWER:
        if found := list(kept.glob(f"{version}.*/bin/python")):
            return str(max(found, key=lambda file: int(file.parts[-3].rpartition(".")[2])))
        if shutil.which(f"python{version}"):
            return version
    return otherwise


def _state() -> str:
    """Return the commit that is checked out; nothing where files differ from it, and outside of git."""
    commands = (("rev-parse", "HEAD"), ("status", "--porcelain"))
    commit, changes = (
        subprocess.run(("git", *one), check=False, capture_output=True, text=True) for one in commands
    )
    return "" if commit.returncode or changes.stdout else commit.stdout.strip()


@nox.session(venv_backend="none")
def check(session: nox.Session) -> None:
    """Style and types beside the tests of both environments: what continuous integration demands."""
    before = _state()
    again = (sys.executable, "-m", "nox", *{"-R", "--no-install"}.intersection(sys.argv), "-s")
    with ThreadPoolExecutor(1) as beside:
        texts = beside.submit(session.run, *again, "lint", "types", external=True, silent=True)
        session.run(*again, "tests", "addons", external=True)
        session.log(texts.result())
    if before and before == _state() and not os.environ.get("PIPEPORT_PROVE"):
        session.run("git", "update-ref", "refs/nox/green", before, external=True)


@nox.session(venv_backend="none")
def all(session: nox.Session) -> None:  # noqa: A001 - `nox -s all`
    """Run everything that `nox` runs a part of."""
    os.environ["PIPEPORT_PROVE"] = "all"
    for name in ("check", "elsewhere"):
        session.notify(name)


@nox.session(python=PYTHON)
def lint(session: nox.Session) -> None:
    """Style, layers, docstrings, spelling."""
    session.install("-e", ".", "--no-deps")
    session.install(*group("lint"))
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("lint-imports")
    session.run("numpydoc", "lint", *sorted(map(str, Path("pipeport").rglob("*.py"))))
    session.run("typos")
    session.run("python", "tools/new_pair.py", "--unfinished")


@nox.session(python=PYTHON)
def types(session: nox.Session) -> None:
    """mypy, strict on the package. Tensors and references are Any, so neither need be installed."""
    session.install("-e", ".", "--no-deps")
    session.install("click", "numpy", "rich", *group("types"))
    session.run("mypy")


@nox.session(python=PYTHON)
def tests(session: nox.Session) -> None:
    """Run the tests with the newest TensorFlow. Arguments go to pytest: nox -s tests -- tests/house."""
    install(session, "all", *group("lint"))
    run(session, WORKERS, ENVIRONMENT)


@nox.session(python=PYTHON)
def addons(session: nox.Session) -> None:
    """Run the tests that depend on TensorFlow or a reference with TensorFlow 2.15 and its Addons."""
    install(session, "addons")
    # OpenCV 4.11 is installed here: its results are the reference, so the natives give them too.
    environment = {**ENVIRONMENT, "PIPEPORT_OPENCV": "4"}
    marker = "not newest_only" if os.environ.get("PIPEPORT_PROVE") else "both"
    run(session, (*WORKERS, "-m", marker), environment)


@nox.session(python=newest_python())
def newest(session: nox.Session) -> None:
    """Run the tests on the newest Python that TensorFlow serves, with the newest packages."""
    install(session, "all", *group("lint"), "--upgrade", "--upgrade-strategy", "eager")
    run(session, WORKERS, ENVIRONMENT)


@nox.session(venv_backend="none")
def changed(session: nox.Session) -> None:
    """Prove every pair that changed, in both environments; no sample of the others."""
    os.environ["PIPEPORT_PROVE"] = "changed"
    for name in ("tests", "addons"):
        session.notify(name, session.posargs or (*WORKERS, *OF_PAIRS))


@nox.session(venv_backend="none")
def nightly(session: nox.Session) -> None:
    """Prove a slice of the catalog with new seeds, another each day: nox -s nightly -- --minutes 20."""
    session.notify("tests", ("python", "-m", "tests.nightly", *session.posargs))
    session.notify("elsewhere")


@nox.session(venv_backend="none")
def elsewhere(session: nox.Session) -> None:
    """Run programs of natives under the XLA of the newest jaxlib: nox -s elsewhere -- --write."""
    export = ("python", "-m", "pipeport", "bench", "--export", TRAVELLING, "--size", "64", "--elements", "8")
    session.notify("tests", (*export, *PROGRAMS))
    session.notify("jaxlib", session.posargs)


@nox.session(python=newest_python(PYTHON))
def jaxlib(session: nox.Session) -> None:
    """Run what `elsewhere` has exported, on four instruction sets."""
    session.install("--upgrade", "jax", "numpy")
    session.run("python", "bench/elsewhere.py", TRAVELLING, *session.posargs)


@nox.session(venv_backend="none")
def new(session: nox.Session) -> None:
    """Write the files of a new pair from its reference: nox -s new -- cv2.dct."""
    session.notify("tests", ("python", "tools/new_pair.py", *session.posargs))


@nox.session(venv_backend="none")
def generate(session: nox.Session) -> None:
    """Write the tables of the documents and the stubs, from the code and the newest release."""
    session.notify("tests", ("python", "tools/readme_table.py", *session.posargs))


@nox.session(venv_backend="none")
def release(session: nox.Session) -> None:
    """Prove and measure everything of a release, over several runs: nox -s release -- --minutes 60."""
    for name in ("addons", "tests"):
        session.notify(name, ("python", "-m", "bench.release", *session.posargs))


@nox.session(python=PYTHON)
def wheel(session: nox.Session) -> None:
    """Build the wheel and the source archive into dist/."""
    session.install("build")
    session.run("python", "-m", "build")


@nox.session(python=PYTHON)
def docs(session: nox.Session) -> None:
    """Build the site into build/docs/html, and check it; `-- --browser` opens it in Chromium, too."""
    session.install("-e", ".", "--no-deps")
    session.install("click", "numpy", "rich", *group("docs"))
    session.run("python", "-m", "docs.site.pages")
    places = ("-c", "docs/site", "-d", "build/docs/doctrees", "build/docs/source", SITE)
    session.run("sphinx-build", "-q", "-n", "-W", "--keep-going", "-j", "auto", "-b", "html", *places)
    session.run("python", "-m", "docs.site.check", SITE, *session.posargs)


@nox.session(venv_backend="none")
def pictures(session: nox.Session) -> None:
    """Draw the pictures of the site that have changed, then build it."""
    session.notify("tests", ("python", "-m", "docs.site.gallery", *session.posargs))
    session.notify("docs", ())


@nox.session(python=PYTHON)
@nox.parametrize("extra", ["all", "addons"])
def warps(session: nox.Session, extra: str) -> None:
    """Draw five hundred structured geometries of every warp, 9 to 520 px, in graphs and datasets."""
    install(session, extra)
    environment = {**ENVIRONMENT, "PIPEPORT_GEOMETRIES": "500"}
    if extra == "addons":
        environment["PIPEPORT_OPENCV"] = "4"
    session.run("pytest", *(session.posargs or (*WORKERS, "tests/warps/test_real_sizes.py")), env=environment)


@nox.session(python=PYTHON)
def bodies(session: nox.Session) -> None:
    """Draw bodies, run each by NumPy and by its port: nox -s bodies -- --minutes 30 --json."""
    install(session, "all")
    session.run("python", "-m", "tests.porting.drawn", *session.posargs, env=ENVIRONMENT)
