"""The command line answers a user's mistake with one message, and never hides a defect."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from pipeport import __version__, _releases, catalog, cli, errors
from pipeport.cli import EXTRAS, main
from tests import ranges

pytestmark = pytest.mark.newest_only


def invoke(*arguments: str) -> tuple[int, str, str]:
    """Run the command line in this process; return exit code, standard output, standard error."""
    result = CliRunner(env={"COLUMNS": "200"}).invoke(main, arguments)
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def verb(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every verb raise what its argument names."""
    raised = {
        "domain": errors.OutsideDomain("angle: got nan; allowed: finite. Mask it."),
        "finding": errors.NotEquivalent("they differ"),
        "interrupt": KeyboardInterrupt(),
        "extra": ModuleNotFoundError("No module named 'hypothesis'", name="hypothesis.strategies"),
        "own": ModuleNotFoundError("No module named 'pipeport.gone'", name="pipeport.gone"),
        "defect": ZeroDivisionError("division by zero"),
    }

    @click.command("raise")
    @click.argument("name")
    def command(name: str) -> None:
        raise raised[name]

    monkeypatch.setattr(cli.Verbs, "get_command", lambda self, ctx, name: command)


def test_version_names_what_a_report_needs() -> None:
    code, out, _ = invoke("--version")
    assert code == 0
    assert re.match(rf"pipeport {re.escape(__version__)}, Python 3\.\d+\.\d+, tensorflow \S+, numpy \S+", out)


def test_help_lists_every_verb() -> None:
    code, out, _ = invoke("--help")
    assert code == 0
    for name in ("bench", "catalog", "recipe", "verify"):
        assert re.search(rf"^  {name} +\S", out, re.MULTILINE), name


@pytest.mark.parametrize(
    ("given", "meant"), [("catalgo", "catalog"), ("verfy", "verify"), ("recipes", "recipe")]
)
def test_a_mistyped_verb_is_answered_by_the_nearest(given: str, meant: str) -> None:
    code, out, err = invoke(given)
    assert (code, out) == (2, "")
    assert f"Did you mean `pipeport {meant}`?" in err


@pytest.mark.parametrize("given", ["zzz", "_output", "__init__", "os.path"])
def test_what_is_no_verb_is_refused(given: str) -> None:
    code, _, err = invoke(given)
    assert code == 2
    assert f"verb: got {given!r}; allowed: bench, catalog" in err


def test_a_mistyped_pair_is_answered_by_the_nearest() -> None:
    code, out, err = invoke("catalog", "numpy.flipr")
    assert (code, out) == (2, "")
    assert "Nearest: " in err
    assert "numpy.fliplr" in err


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("domain", 2, "Error: angle: got nan; allowed: finite. Mask it."),
        ("finding", 1, "Error: they differ"),
        ("interrupt", 130, "Interrupted."),
        ("extra", 2, 'pip install "pipeport[verify]"'),
    ],
)
@pytest.mark.usefixtures("verb")
def test_foreseen_errors_are_one_message(name: str, code: int, says: str) -> None:
    found, out, err = invoke("any", name)
    assert (found, out) == (code, "")
    assert says in err
    assert "Traceback" not in err


@pytest.mark.parametrize("name", ["defect", "own"])
@pytest.mark.usefixtures("verb")
def test_a_defect_shows_itself_and_asks_for_a_report(name: str) -> None:
    code, _, err = invoke("any", name)
    assert code == 3
    assert "Traceback (most recent call last)" in err
    assert f"Please report the lines above, with: pipeport {__version__}" in err


def test_errors_reach_a_caller_who_asks_for_them() -> None:
    with pytest.raises(errors.NotPorted):
        main(["catalog", "nothing.like.it"], standalone_mode=False)


def test_the_extras_named_in_messages_exist() -> None:
    distributions = {"PIL": "pillow", "cv2": "opencv-python-headless", "skimage": "scikit-image"}
    for package, extra in EXTRAS.items():
        wanted = distributions.get(package, package.replace("_", "-"))
        brought = [requirement.name for requirement in ranges.required(extra)]
        assert wanted in brought, f"{extra} does not bring {package}"


def test_catalog_json_is_the_whole_catalog() -> None:
    code, out, _ = invoke("catalog", "--json")
    assert code == 0
    found = json.loads(out)
    assert found["format"] == 2
    assert [pair["native"] for pair in found["pairs"]] == list(catalog.pairs())


def figure(case: str, ratio: float, against: str = "numpy_function + numpy.fliplr") -> dict[str, object]:
    verdict = "faster" if ratio > 1 else "slower"
    interval = {"low": ratio - 0.01, "high": ratio + 0.01, "verdict": verdict, "rounds": 6}
    return {"native": "pipeport.numpy.fliplr", "case": case, "against": against, "ratio": ratio, **interval}


RELEASE = {
    "format": _releases.FORMAT,
    "version": "0.9.0",
    "date": "1 May 2027",
    "machine": "a test's CPU",
    "versions": {"main": {"tensorflow": "2.30.0"}, "addons": {"tensorflow": "2.15.1"}},
    "proofs": [{"native": "pipeport.numpy.fliplr", "eager": 200, "graph": 100, "xla": 100}],
    "figures": [
        figure("uint8 256 px", 5.25),
        figure("float32 256 px", 0.514),
        figure("uint8 256 px", 0.25, "tf.image.flip_left_right"),
    ],
    "programs": [],
}


@pytest.fixture
def releases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder from which the catalog reads releases in this test: empty."""
    monkeypatch.setattr(_releases, "FOLDER", tmp_path)
    return tmp_path


def test_catalog_prints_what_the_newest_release_says(releases: Path) -> None:
    assert "No ratios are recorded" in invoke("catalog")[1]
    (releases / "0.9.0.json").write_text(json.dumps(RELEASE), encoding="utf-8")
    (releases / "0.10.0.json").write_text(json.dumps(RELEASE | {"version": "0.10.0"}), encoding="utf-8")
    # Worst and best against the function that is replaced; the stock op is another question.
    assert re.search(r"^numpy\.fliplr +exact +0\.51x-5\.2x$", invoke("catalog")[1], re.MULTILINE)
    out = invoke("catalog", "numpy.fliplr")[1]
    assert re.search(r"^  proof +200 examples in eager; 100 examples in graph, xla$", out, re.MULTILINE)
    assert re.search(r"^    uint8 256 px +5\.25x .*5\.24 to 5\.26.*, faster$", out, re.MULTILINE)
    flat = " ".join(out.split())
    assert "release 0.10.0, TensorFlow 2.30.0, a test's CPU, 1 May 2027." in flat
    assert flat.count("0.10.0") == 1
    found = json.loads(invoke("catalog", "numpy.fliplr", "--json")[1])
    assert (found["release"]["version"], found["release"]["machine"]) == ("0.10.0", "a test's CPU")
    assert [case["ratio"] for case in found["pairs"][0]["ratios"]] == [5.25, 0.514, 0.25]


def test_catalog_says_what_to_run_for_a_pair_that_is_newer_than_the_release(releases: Path) -> None:
    (releases / "0.9.0.json").write_text(json.dumps(RELEASE), encoding="utf-8")
    out = invoke("catalog", "numpy.flipud")[1]
    assert out.endswith(
        "\nNot in a release yet: run\n  pipeport verify numpy.flipud\n  pipeport bench numpy.flipud\n"
    )
    assert not re.search("^  proof ", out, re.MULTILINE)
    listed = invoke("catalog", "numpy.flip*")[1]
    assert re.search(r"^numpy\.flipud +exact +new$", listed, re.MULTILINE)
    assert "new: not in a release yet: run pipeport verify NAME, pipeport bench NAME" in " ".join(
        listed.split()
    )
    assert "not in a release yet" not in invoke("catalog", "numpy.fliplr")[1]
    found = json.loads(invoke("catalog", "numpy.flip*", "--json")[1])
    assert {pair["short"] for pair in found["pairs"] if pair["released"]} == {"numpy.fliplr"}


def test_a_release_of_another_format_is_refused(releases: Path) -> None:
    (releases / "0.9.0.json").write_text(json.dumps(RELEASE | {"format": 99}), encoding="utf-8")
    code, _, err = invoke("catalog")
    assert code == 2
    assert "got format 99" in err


def test_catalog_answers_for_what_is_exported_without_a_pair() -> None:
    code, out, _ = invoke("catalog", "albumentations.Compose")
    assert code == 0
    assert out.startswith("Compose(transforms, bbox_params=None,")
    assert "  from pipeport.albumentations import Compose\n" in out
    assert "No pair of its own" in out
