"""Every verb is usable in a terminal of 80 columns: nothing is wider, and no word is cut."""

from __future__ import annotations

import dataclasses
import io
import re
import sys

import click
import pytest
from click.testing import CliRunner

from pipeport import _describe, _releases, catalog, recipes_index
from pipeport.bench._case import Case
from pipeport.cli import _bench_output, _output, _trace, _verify_output, main
from pipeport.verify import CaseRecord, DtypeRecord, Report
from tests.bench import builders

pytestmark = pytest.mark.newest_only

COLUMNS = 80
VERBS = main.list_commands(click.Context(main))
# The longest name of the catalog, and one of middling length with the longest words in its rows.
LONGEST = max(catalog.pairs(), key=len)
LONG = "pipeport.skimage.transform.downscale_local_mean"


def shown(*arguments: str) -> str:
    result = CliRunner().invoke(main, arguments, env={"COLUMNS": str(COLUMNS)}, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def too_wide(text: str) -> list[str]:
    return [line for line in text.splitlines() if len(line.rstrip()) > COLUMNS]


def cut(text: str, *words: str) -> list[str]:
    """Return the words that a text lacks: an ellipsis or a line break stands inside them."""
    return [word for word in words if word not in text]


def test_a_wide_line_would_be_noticed() -> None:
    assert too_wide("x" * (COLUMNS + 1) + "\n" + "y" * COLUMNS) == ["x" * (COLUMNS + 1)]
    assert cut("numpy.fli\nplr", "numpy.fliplr") == ["numpy.fliplr"]


def test_the_verbs_are_all_here() -> None:
    assert set(VERBS) >= {"bench", "catalog", "recipe", "verify"}


@pytest.mark.parametrize("verb", VERBS)
def test_help(verb: str) -> None:
    text = shown(verb, "--help")
    assert not too_wide(text)
    assert "..." not in text.replace("[...", "").replace("]...", "").replace('"..."', ""), "cut off"
    options = [x for x in main.get_command(click.Context(main), verb).params if isinstance(x, click.Option)]
    assert options
    assert not [option.name for option in options if not option.help], "says nothing"


def test_the_first_help_shows_every_verb_with_its_whole_sentence() -> None:
    text = shown("--help")
    assert not too_wide(text)
    flat = re.sub(r"\s+", " ", text)
    for verb in VERBS:
        sentence = main.get_command(click.Context(main), verb).help.split("\n\n")[0].rstrip(".")
        assert re.sub(r"\s+", " ", sentence) in flat


def test_the_catalog() -> None:
    text = shown("catalog")
    assert not too_wide(text)
    names = [catalog.short(contract) for contract in catalog.pairs().values()]
    lines = {line.split()[0]: line for line in text.splitlines() if line}
    assert not [name for name in names if name not in lines]
    for library in {name.split(".")[1] for name in catalog.pairs()}:
        count = sum(name.split(".")[1] == library for name in catalog.pairs())
        assert f"\n{library}: {count} pairs\n" in text


@pytest.fixture(scope="module")
def entries() -> dict[str, str]:
    """What is printed for every pair."""
    return {name: shown("catalog", name) for name in catalog.pairs()}


def test_every_entry_fits(entries: dict[str, str]) -> None:
    assert {name: wide for name, text in entries.items() if (wide := too_wide(text))} == {}


def test_entries_newer_than_the_release_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    release = dataclasses.replace(_releases.newest(), proofs={}, figures={})
    monkeypatch.setattr(_releases, "newest", lambda: release)
    for name in (LONG, LONGEST):
        text, short = shown("catalog", name), catalog.short(catalog.find(name))
        assert not too_wide(text)
        assert "\nNot in a release yet: run\n  pipeport verify " in text
        assert text.endswith(f"\n  pipeport verify {short}\n  pipeport bench {short}\n")


def test_every_entry_is_whole(entries: dict[str, str]) -> None:
    for name, contract in catalog.pairs().items():
        entry, flat = _describe.entry(contract), re.sub(r"\s+", " ", entries[name])
        for parameter in entry["parameters"]:
            assert re.search(rf"\b{parameter['name']}\b", flat), (name, parameter)
            assert not cut(flat, parameter["supported"], parameter["drawn"], parameter["given_as"]), name
        said = [*entry["differences"], *(limit["reason"] for limit in entry["cannot_serve"])]
        said += [entry["agreement"], entry["summary"], entry["reference"], *entry["aliases"]]
        assert not cut(flat, *(re.sub(r"\s+", " ", text) for text in said)), name
        assert not cut(entries[name], entry["reference"], *entry["aliases"]), name


def test_the_line_to_paste_imports(entries: dict[str, str]) -> None:
    for name in ("pipeport.numpy.rot90", LONGEST):
        lines = re.search(r"^  from [^(\n]+(?:\([^)]*\)|$)", entries[name], re.MULTILINE)[0]
        brought: dict[str, object] = {}
        exec("\n".join(line[2:] for line in lines.splitlines()), brought)
        assert brought[name.rpartition(".")[2]] is catalog.find(name).function


def test_recipes() -> None:
    listed = shown("recipe")
    assert not too_wide(listed)
    recipes = recipes_index.recipes()
    assert not cut(listed, *(recipe.name for recipe in recipes))
    for recipe in recipes:
        assert not too_wide(shown("recipe", recipe.name)), recipe.name


def test_the_width_of_a_terminal_counts() -> None:
    narrow = CliRunner().invoke(main, ["catalog", "numpy.rot90"], env={"COLUMNS": "60"}).stdout
    assert max(map(len, narrow.splitlines())) <= 60
    piped = CliRunner().invoke(main, ["catalog", "numpy.rot90"], env={"COLUMNS": None}).stdout
    assert piped == shown("catalog", "numpy.rot90")


def test_the_tables_of_bench(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    found = [
        builders.case_result(
            Case(pair=pair, dtype=dtype), reference=(100, 101, 99), native=(1234, 1236, 1230)
        )
        for pair in ("pipeport.numpy.fliplr", LONG, LONGEST)
        for dtype in ("uint8", "float32")
    ]
    _bench_output.show(builders.report(*found))
    text = capsys.readouterr().out
    assert not too_wide(text)
    assert not cut(text, "numpy.fliplr", "downscale_local_mean", LONGEST.rpartition(".")[2], "float32")


@pytest.mark.parametrize("pairs", [("pipeport.numpy.fliplr",), ("pipeport.numpy.fliplr", LONG, LONGEST)])
def test_the_tables_of_verify(
    pairs: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    dtypes = tuple(DtypeRecord(name, 40, 3, 0.123, 1.2e-7) for name in ("float32", "float64", "uint16"))
    cases = [
        CaseRecord(pair, engine, "passed", 120, 120, dtypes) for pair in pairs for engine in ("eager", "xla")
    ]
    why = "needs the addons environment, which is not the one this was run in"
    cases.append(CaseRecord(pairs[-1], "batched", "not run", note=why))
    assert _verify_output.show(Report(tuple(cases)), as_json=False) == 0
    text = capsys.readouterr().out
    assert not too_wide(text)
    assert not cut(text, *(pair.rpartition(".")[2] for pair in pairs))
    assert not cut(re.sub(r"\s+", " ", text), why)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("where", ["terminal", "notebook", "file"])
def test_progress_moves_in_a_terminal_alone(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO() if where == "file" else Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("FORCE_COLOR", "1")  # as Jupyter sets it
    monkeypatch.setenv("TERM", "xterm-color")
    monkeypatch.delenv("JPY_PARENT_PID", raising=False)
    if where == "notebook":
        monkeypatch.setenv("JPY_PARENT_PID", "1")
    with _output.counted("reading") as tell:
        tell(1, 2)
    with _trace.progress("f") as step:
        step("first")
    case = CaseRecord("numpy.flip", "eager", "passed", 1, 1)
    _verify_output.run(lambda progress: iter([case]), 1, as_json=True)
    assert ("\x1b[2K" in stream.getvalue()) == (where == "terminal")
    assert bool(stream.getvalue()) == (where == "terminal")
