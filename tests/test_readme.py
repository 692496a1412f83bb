"""The code blocks of README.md and docs/*.md run, generated blocks are fresh, and links lead somewhere."""

from __future__ import annotations

import doctest
import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from pipeport import _releases

pytestmark = pytest.mark.newest_only

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
# Hand-written documents whose blocks run, each by itself. Scripts in bench/ write the others; the programs
# of the rules are scanned by tests/scan; tests/house/test_add_a_pair.py follows the page for contributors.
ELSEWHERE = {"docs/add-a-pair.md", "docs/bodies.md", "docs/claims.md", "docs/rules.md"}
WRITTEN = {f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")} - ELSEWHERE
GUIDES = [f"docs/guides/{page.name}" for page in sorted((ROOT / "docs" / "guides").glob("*.md"))]
PAGES = ["README.md", "SKILL.md", *sorted(WRITTEN), *GUIDES]
BLOCK = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)

# The two commands that take minutes; the tests below look at what they consist of.
BENCH = "python3.11 -m venv .venv && . .venv/bin/activate && pip install '.[all]' && pipeport bench"
TESTS = "python3.11 -m venv .venv && .venv/bin/pip install --quiet nox && .venv/bin/nox"
LONG = (BENCH, TESTS)

# What is added to a verb of `pipeport` here, to keep it short.
SHORTER = {
    "bench": ["--list"],
    "verify": ["--examples", "3"],
    "catalog": [],
    "inspect": ["--seconds", "0.5"],
    "port": [],
    "recipe": [],
    "rewrite": [],
    "run": [],
    "scan": [],
    "trace": ["--rounds", "2", "--seconds", "0.01"],
}


# Pages that work on a project, which is copied into their folder.
PROJECTS = dict.fromkeys(("SKILL.md", "docs/migrate-a-repository.md"), "tests/guide/project")


def shorter(verb: str, arguments: list[str]) -> list[str]:
    """Return what is added to a command here, unless it says that itself."""
    if verb == "bench" and arguments and arguments[-1].endswith(".toml"):  # the page's own suite is short
        return ["--rounds", "2", "--seconds", "0.05"]
    return [] if set(arguments) & set(SHORTER[verb]) else SHORTER[verb]


@dataclass(frozen=True)
class Block:
    language: str
    text: str
    line: int


def blocks(document: str) -> list[Block]:
    return [
        Block(found["language"], found["text"], document[: found.start()].count("\n") + 1)
        for found in BLOCK.finditer(document)
    ]


def generator():
    """Import tools/readme_table.py, which is a script."""
    spec = importlib.util.spec_from_file_location("readme_table", ROOT / "tools" / "readme_table.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# --- execution -------------------------------------------------------------------------------------


def run_shell(text: str, folder: Path, printed: list[str] | None = None) -> list[list[str]]:
    """Run each line in `folder`; return the `pipeport` command lines that ran, add what each printed."""
    ran = []
    for line in text.strip().splitlines():
        if line in LONG:
            continue
        program, verb, *arguments = shlex.split(line)
        assert program == "pipeport", f"neither a pipeport command nor in LONG: {line}"
        # -P: the working directory is not on the path, as for the installed command.
        command = [sys.executable, "-P", "-m", "pipeport", verb, *arguments, *shorter(verb, arguments)]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        found = verb == "verify" and " fails in " in done.stdout
        if verb in ("inspect", "scan"):
            found = "--explain" not in arguments and "no Python found in" not in done.stdout
        assert done.returncode == int(found), f"{line}\n{done.stdout}\n{done.stderr}"
        report = re.search(r"^pipeport: \d+ of .*", done.stderr, flags=re.DOTALL | re.MULTILINE)
        shown = done.stdout + (report.group() if verb == "run" and report else "")
        assert shown.strip(), f"{line} says nothing"
        ran.append([verb, *arguments])
        if printed is not None:
            printed.append(shown)
    return ran


def without_numbers(text: str) -> list[str]:
    """Return the words of a text: numbers differ with the machine and the count of examples.

    So do verdicts on speed, the order of what is sorted by it, and the name of the processor.
    """
    measured = "elem./s" in text  # a report of `pipeport bench`
    text = re.sub(r"^~: .*$", "", text, flags=re.MULTILINE).replace("~", "")
    text = re.sub(r"\bcores? of .+?, TensorFlow", "cores, TensorFlow", text, flags=re.DOTALL)
    text = re.sub(r"\b(?:faster|slower|no difference)\b", "VERDICT", text)
    words = re.sub(r"\d+(,\d{3})*(\.\d+)?(e-?\d+)?", "#", text).split()
    return sorted(words) if measured else words


def write_file(block: Block, folder: Path) -> None:
    """Write a file that its first line names; of a workflow, run the commands of pipeport."""
    name = re.match(r"# ([\w./-]+)\n", block.text)
    assert name, f"line {block.line}: nothing executes {block.language!r} blocks without a file's name"
    path = folder / name[1]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, encoding="utf-8")
    for line in re.findall(r"^ *- run: (pipeport .*)$", block.text, flags=re.MULTILINE):
        run_shell(line, folder)


def run_python(block: Block, namespace: dict, folder: Path, page: str) -> None:
    """Execute a program, an interactive session, or write a module named in the first line."""
    module = re.match(r"# (\w+\.py)\n", block.text)
    if module:
        (folder / module[1]).write_text(block.text, encoding="utf-8")
    elif ">>> " in block.text:
        test = doctest.DocTestParser().get_doctest(block.text, namespace, page, page, block.line)
        runner = doctest.DocTestRunner(verbose=False)
        output: list[str] = []
        runner.run(test, out=output.append, clear_globs=False)
        assert runner.summarize(verbose=False).failed == 0, "".join(output)
    else:
        exec(compile(block.text, f"{page}:{block.line}", "exec"), namespace)
        for name in re.findall(r"^def (test_\w+)\(\):", block.text, flags=re.MULTILINE):
            namespace[name]()


def run_diff(block: Block, namespace: dict, folder: Path) -> None:
    """Execute both sides; both must give equal datasets, of which the new one stays in the namespace."""
    sides = {}
    for mark in "-+":
        lines = [line[1:] for line in block.text.splitlines() if not line or line[0] in (" ", mark)]
        # A file: AutoGraph reads the source of the functions it maps.
        file = folder / f"side_{'old' if mark == '-' else 'new'}.py"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        sides[mark] = dict(namespace)
        exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), sides[mark])
    old, new = sides["-"]["dataset"], sides["+"]["dataset"]
    assert old.element_spec.shape.rank is None, "the old pipeline is said to lose its shape"
    for expected, got in zip(old.as_numpy_iterator(), new.as_numpy_iterator(), strict=True):
        assert got.dtype == expected.dtype
        loose = got.dtype == np.float32  # sums in another order
        np.testing.assert_allclose(got, expected, rtol=1e-5 if loose else 1e-7, atol=1e-5 if loose else 1e-10)
    namespace.update(sides["+"])


def execute(document: str, folder: Path, page: str = "README.md") -> dict:
    """Run the blocks of a document from top to bottom; return the names that they defined."""
    namespace: dict = {"__name__": "readme"}
    known = set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        _execute(document, folder, namespace, page)
    finally:
        sys.path.remove(str(folder))
        for module in {path.stem for path in folder.glob("*.py")} - known:
            sys.modules.pop(module, None)  # another page may have a module of this name
    return namespace


def _execute(document: str, folder: Path, namespace: dict, page: str) -> None:
    printed: list[str] = []
    generated = {found.group() for found in generator().BLOCK.finditer(document)}
    for block in blocks(document):
        if block.language == "python":
            run_python(block, namespace, folder, page)
        elif block.language == "diff":
            run_diff(block, namespace, folder)
        elif block.language == "sh":
            run_shell(block.text, folder, printed)
        elif block.language in ("toml", "yaml"):
            write_file(block, folder)
        else:
            inside = any(block.text in text for text in generated)
            assert block.language == "text", f"line {block.line}: nothing executes {block.language!r} blocks"
            shown = printed and without_numbers(block.text) == without_numbers(printed[-1])
            last = printed[-1] if printed else "nothing"
            assert inside or shown, (
                f"line {block.line}: an output block must be generated, or be "
                f"what the last command prints:\n{last}"
            )


def readme_is_right(names: dict, folder: Path) -> None:
    """A batch keeps its bytes, and a training saw new draws in each of three epochs of one step."""
    assert (names["batch"].dtype.name, names["batch"].shape) == ("uint8", (2, 256, 256, 3))
    assert names["steps"] == 1
    assert len(names["history"].history["loss"]) == 3
    epochs = list(names["train"].repeat().take(3).as_numpy_iterator())
    assert all(np.any(epochs[0][0] != image) for image, _ in epochs[1:])


def flips_are_reproducible(names: dict, folder: Path) -> None:
    for dataset in (names["flipped"], names["mapped"]):
        first, again = list(dataset.as_numpy_iterator()), list(dataset.as_numpy_iterator())
        for one, other in zip(first, again, strict=True):
            np.testing.assert_array_equal(one[0], other[0])
            np.testing.assert_array_equal(one[0][..., 0], one[1])


def project_is_migrated(names: dict, folder: Path) -> None:
    """Boundaries of the dataset and of the notebook are ports or drop-ins, the rest is as it was."""
    before = ROOT / PROJECTS["docs/migrate-a-repository.md"]
    files = {path.relative_to(before) for path in before.rglob("*.*") if "__pycache__" not in path.parts}
    changed = {str(file) for file in files if (folder / file).read_bytes() != (before / file).read_bytes()}
    assert changed == {"explore.ipynb", "flowers/prepare.py", "train.py"}
    for file in changed:
        assert "tf.numpy_function" not in (folder / file).read_text(encoding="utf-8")
        assert "tf.py_function" not in (folder / file).read_text(encoding="utf-8")
    new = {path.name for path in folder.iterdir() if path.name != "__pycache__"}
    assert new == {path.name for path in before.iterdir() if path.name != "__pycache__"} | {
        "pyproject.toml",
        "report.json",
        "speed.py",
        "speed.toml",
    }


def skill_migrates(names: dict, folder: Path) -> None:
    """What the skill's commands write is what the guide's write, but for the notebook."""
    written = (folder / "train.py").read_text(encoding="utf-8")
    assert "pipeport.port(letterbox, Tout=tf.uint8)" in written
    assert "tf.numpy_function" not in written
    assert "tf.numpy_function" not in (folder / "flowers" / "prepare.py").read_text(encoding="utf-8")
    assert len(list(names["seeded"])) == len(list(names["images"]))


# What is looked at after a page has run.
LOOK = {
    "README.md": readme_is_right,
    "SKILL.md": skill_migrates,
    "docs/migrate-a-repository.md": project_is_migrated,
    "docs/randomness.md": flips_are_reproducible,
}


@pytest.mark.parametrize("page", PAGES)
def test_blocks_run(page, tmp_path):
    pytest.importorskip("skimage")
    if page in PROJECTS:
        shutil.copytree(ROOT / PROJECTS[page], tmp_path, dirs_exist_ok=True)
    names = execute((ROOT / page).read_text(encoding="utf-8"), tmp_path, page)
    LOOK.get(page, lambda names, folder: None)(names, tmp_path)


def test_pages_show_every_verb():
    assert {line.split()[1] for line in pipeport_lines()} == set(SHORTER)


def test_the_readme_is_short():
    assert len(README.encode()) <= 12_000


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ("```toml\nx = 1\n```\n", "nothing executes"),
        ("```\nx = 1\n```\n", "nothing executes"),
        ("```text\nsomething typed by hand\n```\n", "must be generated"),
        ("```sh\npipeport recipe\n```\n```text\nsomething else\n```\n", "what the last command prints"),
        ("```sh\nrm -r build\n```\n", "neither a pipeport command"),
        ("```sh\npipeport recipe nonsense\n```\n", "recipe: got 'nonsense'"),
        ("```python\n>>> 1 + 1\n3\n```\n", "Got:"),
        ("```python\nassert 1 == 2, 'wrong'\n```\n", "wrong"),
        ("```python\ndef test_x():\n    assert 1 == 2, 'wrong'\n```\n", "wrong"),
    ],
)
def test_a_wrong_block_fails(document, reason, tmp_path):
    with pytest.raises(AssertionError, match=re.escape(reason)):
        execute(document, tmp_path)


# --- the two long commands -------------------------------------------------------------------------


def shell_lines(page: str) -> list[str]:
    document = (ROOT / page).read_text(encoding="utf-8")
    return [line for block in blocks(document) if block.language == "sh" for line in block.text.splitlines()]


def pipeport_lines() -> list[str]:
    return [line for page in PAGES for line in shell_lines(page) if line.startswith("pipeport ")]


def test_long_commands_are_in_the_readme():
    assert [line for line in shell_lines("README.md") if not line.startswith("pipeport ")] == list(LONG)


def test_bench_command():
    """It installs an extra that exists, and the verb finds cases to measure."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extra = re.search(r"'\.\[(\w+)\]'", BENCH)[1]
    assert extra in project["optional-dependencies"]
    assert "pipeport" in project["scripts"]
    assert BENCH.endswith(" pipeport bench")


# What a verb needs beyond the package itself.
NEEDS = {"bench": {"bench"}, "verify": {"verify"}}


def extras_within(name: str, extras: dict[str, list[str]]) -> set[str]:
    """Return an extra and those it consists of."""
    inner = [re.fullmatch(r"pipeport\[([\w,]+)\]", requirement) for requirement in extras[name]]
    parts = [part for found in inner if found for part in found[1].split(",")]
    return {name}.union(*(extras_within(part, extras) for part in parts))


def test_the_first_command_installs_what_the_others_need():
    """It also activates the environment, so that `pipeport` is found by the later lines."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert shell_lines("README.md")[0] == BENCH
    assert ". .venv/bin/activate && " in BENCH
    installed = extras_within(re.search(r"'\.\[(\w+)\]'", BENCH)[1], project["optional-dependencies"])
    verbs = {line.split()[1] for line in pipeport_lines()} | {"bench"}
    assert "verify" in verbs
    assert set().union(*(NEEDS.get(verb, set()) for verb in verbs)) <= installed
    assert not NEEDS["verify"] <= extras_within("bench", project["optional-dependencies"])


def test_bench_measures_something(tmp_path):
    pytest.importorskip("skimage")
    assert run_shell("pipeport bench", tmp_path) == [["bench"]]


def test_test_command_is_that_of_ci():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert TESTS in script


# --- generated blocks ------------------------------------------------------------------------------


def test_generated_blocks_are_fresh():
    stale = [str(document.relative_to(ROOT)) for document, _text in generator().stale()]
    assert not stale, f"stale: {stale}; run `python tools/readme_table.py`"


def test_a_stale_block_is_noticed(tmp_path):
    script = generator()
    document = tmp_path / "README.md"
    (tmp_path / "before.py").write_text("x = 1\n")
    document.write_text("<!-- generated: code before.py -->\n```python\nx = 2\n```\n<!-- end -->\n")
    assert "x = 1" in script.refreshed(document)
    assert "x = 2" not in script.refreshed(document)


@pytest.mark.parametrize("mark", ["nonsense", "code before.py missing"])
def test_an_impossible_block_is_refused(mark, tmp_path):
    document = tmp_path / "README.md"
    (tmp_path / "before.py").write_text("x = 1\n")
    document.write_text(f"<!-- generated: {mark} -->\n<!-- end -->\n")
    with pytest.raises(SystemExit):
        generator().refreshed(document)


def test_no_figure_is_typed_by_hand():
    """A ratio such as 4.2x stands in generated blocks and in what commands print."""
    for document in generator().documents():
        prose = generator().BLOCK.sub("", document.read_text(encoding="utf-8"))
        prose = BLOCK.sub(lambda found: "" if found["language"] == "text" else found.group(), prose)
        assert not re.findall(r"\b\d+(?:\.\d+)?\s?x\b(?! \d)", prose), document


def release(figures: dict, **more):
    """Return a release with these cases: dtype and size, against, ratio."""

    def case(case, against, ratio):
        verdict = "faster" if ratio > 1 else "slower"
        interval = {"low": ratio - 0.1, "high": ratio + 0.1, "rounds": 3, "verdict": verdict}
        return {"case": case, "against": against, "ratio": ratio, **interval}

    found = {native: [case(*row) for row in rows] for native, rows in figures.items()}
    about = {"version": "0.9.0", "machine": "abacus", "date": "1 May 2027", "proofs": {}, "programs": {}}
    versions = {"main": {"tensorflow": "2.30.0"}, "addons": {"tensorflow": "2.15.1"}}
    return _releases.Release(**(about | {"versions": versions, "figures": found} | more))


ORIGIN = "Release 0.9.0, TensorFlow 2.30.0, abacus, 1 May 2027."


@pytest.fixture
def script(monkeypatch):
    """The generator, with a release of four cases."""
    plain, flip = "256x256", "numpy_function + numpy.flip"
    found = release(
        {
            "pipeport.numpy.flip": [
                (f"float32, {plain}", flip, 4.0),
                (f"uint8, {plain}", flip, 2.0),
                (f"uint8, {plain}", "numpy_function + cv2.flip", 0.5),
                ("uint8, 64x64", flip, 9.0),
            ],
            "pipeport.numpy.pad": [(f"uint8, {plain}", "numpy_function + numpy.pad", 8.0)],
            # Measured beside another TensorFlow, so in none of the tables of both.
            "pipeport.tensorflow_addons.image.rotate": [(f"uint8, {plain}", "before", 0.1)],
        }
    )
    monkeypatch.setattr(_releases, "newest", lambda: found)
    return generator()


def test_ratio_table_keeps_what_is_slower(script):
    lines = script.ratios(ROOT / "README.md").splitlines()
    row = "| `numpy.flip` | uint8, 256x256 | numpy_function + cv2.flip | 0.50x (75 %: 0.40 to 0.60), slower |"
    assert lines[2:] == [row, "", f"5 measured: 4 faster, 1 slower, 0 no different. {ORIGIN}"]


def test_libraries_are_summed_up_by_their_own_reference(script):
    lines = script.libraries(ROOT / "README.md").splitlines()
    assert lines[2] == "| numpy | 2 | 4.00x | 4.00x | 2.00x `numpy.flip` | 8.00x `numpy.pad` |"
    assert len(lines) == 5
    assert lines[-1].startswith(ORIGIN)


def test_figures_of_another_environment_name_its_tensorflow(script):
    text = script.measured(ROOT, "pipeport.tensorflow_addons.image.rotate")
    assert text.splitlines()[2:] == [
        "| uint8, 256x256 | before | 0.10x (75 %: 0.00 to 0.20), slower |",
        "",
        "Release 0.9.0, TensorFlow 2.15.1, abacus, 1 May 2027. Here: `python bench/addons.py rotate`.",
    ]


def test_recipes_and_natives_are_measured_by_commands_that_exist(script):
    text = script.measured(ROOT, "recipes/rotation", "pipeport.numpy.flip")
    ends = f"{ORIGIN} Here: `pipeport bench --suite recipes rotation`, `pipeport bench numpy.flip`.\n"
    assert text.endswith(ends)
    assert text.count("| case | native against |") == 1, "what was not measured has no table"


def test_trainings_stand_beside_what_they_took_before(monkeypatch):
    def row(side, ratio, seconds):
        figure = {"ratio": ratio, "low": ratio, "high": ratio, "rounds": 1, "verdict": "no difference"}
        times = {"seconds": [9.0, seconds], "first_batch_s": [2.0, 3.0], "processor_s": [12.0, 7.0]}
        about = {"name": "speech", "case": "five files", "side": side, "against": "before", "memory": 1.5}
        return about | times | figure

    rows = [row("after", 3.0, 3.0), row("run", 1.5, 6.0), row("run again", 2.0, 4.5)]
    monkeypatch.setattr(_releases, "newest", lambda: release({}, programs={"pipelines": rows}))
    script = generator()
    lines = script.trainings(ROOT, "pipelines").splitlines()
    assert lines[0] == "| reads and returns | ported | by `pipeport run` | by a later `pipeport run` |"
    assert [cell[:5] for cell in lines[2].split(" | ")[1:]] == ["3.00x", "1.50x", "2.00x"]
    assert lines[3] == "| geometric mean | 3.00x | 1.50x | 2.00x |"
    took = lines[7].strip("| ").split(" | ")
    assert took[:5] == ["`speech`", "9.0 s", "3.0 s", "6.0 s", "4.5 s"]
    assert took[-3:] == ["1.50x"] * 3
    assert lines[-1] == f"{ORIGIN} Here: `pipeport bench --suite pipelines`."
    assert "| five files | 3.00x | 1.50x | 2.00x |" in script.pipelines(ROOT)
    rows[1]["verdict"] = "faster"
    assert "| five files | 3.00x | 1.50x, faster | 2.00x |" in script.pipelines(ROOT)


def test_before_a_release_has_measured_trainings_readers_of_files_stand_there(monkeypatch):
    script = generator()
    without = replace(_releases.newest(), programs={"reading": _releases.newest().programs["reading"]})
    monkeypatch.setattr(_releases, "newest", lambda: without)
    assert "JPEG files" in script.pipelines(ROOT)
    assert script.trainings(ROOT, "pipelines").startswith("No release has measured them yet.")


@pytest.fixture
def pitfalls(monkeypatch):
    """A generator with figures of one recipe, which it times."""
    script = generator()
    name = "retracing-by-shapes"
    seconds = {"all sentences": {"before.py": [2.0, 2.0, 2.4], "after.py": [0.05, 0.04, 0.05]}}
    found = {
        "machine": {"CPU": "abacus"},
        "recipes": {name: {"counts": {"traces": [30, 2]}, "claims": {"nodes": 5}}},
        "times": {name: seconds},
    }
    monkeypatch.setattr(script, "_pitfalls", lambda: found)
    return script, name, found


def test_counts_and_times_share_a_table(pitfalls):
    script, name, _ = pitfalls
    lines = script.counted(ROOT, name).splitlines()
    assert lines[:4] == [
        "|  | before.py | after.py | before / after |",
        "| --- | --- | --- | --- |",
        "| traces | 30 | 2 |  |",
        "| all sentences | 2 s | 50 ms | 40.00x (75 %: 40.00 to 50.00), faster |",
    ]
    assert "Times: medians, on CPU abacus, in 3 rounds." in lines[-1]


def test_a_recipe_that_was_counted_and_not_timed(pitfalls):
    script, name, found = pitfalls
    found["times"].clear()
    text = script.counted(ROOT, name)
    assert "| traces | 30 | 2 |\n" in text
    assert f"Not timed yet: run `python bench/pitfalls.py {name}`." in text
    assert script.claims(ROOT, name) == "| of what | found |\n| --- | --- |\n| nodes | 5 |\n"
    found["recipes"].clear()
    for text in (script.counted(ROOT, name), script.claims(ROOT, name)):
        assert text == f"Not counted yet: run `python bench/pitfalls.py --counts {name}`.\n"


@pytest.mark.parametrize(
    ("seconds", "text"), [(12.3456, "12.3 s"), (1.0, "1 s"), (0.0456, "45.6 ms"), (7e-6, "7 µs")]
)
def test_a_duration_in_three_digits(seconds, text):
    assert generator()._duration(seconds) == text


def test_recipes_are_listed_by_symptom():
    lines = generator().recipes(ROOT / "README.md").splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        f"- {group}" for group in generator().recipes_index.GROUPS
    ]
    assert "[Rotation](recipes/rotation/README.md)" in lines[0]
    assert "[Rotation](../recipes/rotation/README.md)" in generator().recipes(ROOT / "docs" / "x.md")


# --- prose -----------------------------------------------------------------------------------------


def anchors(text: str) -> set[str]:
    """Return the anchors of the headings outside of code blocks."""
    headings = re.findall(r"^#+ (.+)$", BLOCK.sub("", text), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def broken_links(document: Path) -> list[str]:
    """Return the relative links to a file or a heading that does not exist."""
    broken = []
    text = BLOCK.sub("", document.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        path = document.parent / file if file else document
        if not path.exists() or (anchor and anchor not in anchors(path.read_text(encoding="utf-8"))):
            broken.append(target)
    return broken


def test_links_lead_somewhere():
    everything = {*generator().documents(), *ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")}
    found = {str(document.relative_to(ROOT)): broken_links(document) for document in everything}
    assert not {name: targets for name, targets in found.items() if targets}


def test_a_broken_link_is_noticed(tmp_path):
    (tmp_path / "other.md").write_text("# A heading: one\n```sh\n# no heading\n```\n")
    page = tmp_path / "page.md"
    right = "[a](other.md), [b](other.md#a-heading-one), [c](https://example.org/x), [d](#here)\n\n## Here\n"
    page.write_text(right + "[e](missing.md), [f](other.md#no-heading), [g](#there)\n")
    assert broken_links(page) == ["missing.md", "other.md#no-heading", "#there"]


def test_every_page_is_linked_from_the_readme():
    unlinked = [page for page in WRITTEN if f"]({page})" not in README]
    assert not unlinked


def test_names_of_the_comparison_exist():
    """Those of TensorFlow, Keras and the catalog; pipeport's stand in the second column."""
    import tensorflow as tf

    from pipeport import catalog

    page = (ROOT / "docs" / "guides" / "comparison.md").read_text(encoding="utf-8")
    table = page.split("## Name by name")[1].split("\n\n")[1]
    rows = [[re.findall(r"`([\w.]+)`", cell) for cell in row.split("|")[2:5]] for row in table.splitlines()]
    ours, *others = ([name for row in rows[2:] for name in row[column]] for column in range(3))
    assert min(len(ours), *map(len, others)) > 10
    assert [name for name in ours if not catalog.matching(name)] == []
    for names, module in zip(others, (tf.image, tf.keras.layers), strict=True):
        assert [name for name in names if not hasattr(module, name) and name != "tf.signal"] == []


def test_every_guide_is_linked_from_the_first_guide():
    first = (ROOT / "docs" / "guides" / "index.md").read_text(encoding="utf-8")
    pages = [Path(page).name for page in GUIDES if not page.endswith("/index.md")]
    assert len(pages) > 3
    assert [page for page in pages if f"]({page})" not in first] == []
