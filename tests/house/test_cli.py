"""The command line answers a user's mistake with one message, and never hides a defect."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from pipeport import __version__, _reach, catalog, cli, errors
from pipeport.cli import EXTRAS, main
from tests.house import overlay


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
    project = tomllib.loads((overlay.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    distributions = {"PIL": "pillow", "cv2": "opencv-python-headless", "skimage": "scikit-image"}
    for package, extra in EXTRAS.items():
        wanted = distributions.get(package, package.replace("_", "-"))
        brought = [re.match(r"[\w-]+", line)[0] for line in project["optional-dependencies"][extra]]
        assert wanted in brought, f"{extra} does not bring {package}"


def test_catalog_json_is_the_whole_catalog() -> None:
    code, out, _ = invoke("catalog", "--json")
    assert code == 0
    found = json.loads(out)
    assert found["format"] == 1
    assert [pair["native"] for pair in found["pairs"]] == list(catalog.pairs())


FIGURE = {
    "case": "uint8 256 px",
    "against": "numpy_function + numpy.fliplr",
    "ratio": 5.25,
    "low": 5.0,
    "high": 5.5,
    "verdict": "faster",
    "rounds": 6,
    "commit": "abc1234",
    "code": "of another time",
}
RATIOS = {
    "format": 2,
    "machine": {"cpu": "a test's CPU", "cores": 2},
    "ratios": {
        "pipeport.numpy.fliplr": [
            FIGURE,
            FIGURE
            | {"case": "float32 256 px", "ratio": 0.514, "low": 0.5, "high": 0.52, "verdict": "slower"},
            FIGURE | {"against": "tf.image.flip_left_right", "ratio": 0.25, "verdict": "slower"},
        ]
    },
}


@pytest.fixture
def ratios(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the catalog read measured ratios from a file of this test."""
    from pipeport import _describe

    file = tmp_path / "last_ratios.json"
    monkeypatch.setattr(_describe, "RATIOS", file)
    return file


def test_catalog_prints_the_last_measured_ratios(ratios: Path) -> None:
    assert "No ratios are recorded" in invoke("catalog")[1]
    ratios.write_text(json.dumps(RATIOS), encoding="utf-8")
    # Worst and best against the function that is replaced; the stock op is another question.
    assert re.search(r"^numpy\.fliplr +exact +0\.51x-5\.2x$", invoke("catalog")[1], re.MULTILINE)
    out = invoke("catalog", "numpy.fliplr")[1]
    assert re.search(r"^    uint8 256 px +5\.25x .*5\.00 to 5\.50.*, faster †$", out, re.MULTILINE)
    assert "a test's CPU" in out
    assert "commit abc1234" in out
    found = json.loads(invoke("catalog", "numpy.fliplr", "--json")[1])
    assert (found["machine"], found["commit"]) == (RATIOS["machine"], "abc1234")
    assert found["pairs"][0]["ratios"] == RATIOS["ratios"]["pipeport.numpy.fliplr"]


def test_catalog_marks_figures_of_earlier_code_only(ratios: Path) -> None:
    code = _reach.code_of("pipeport.numpy.fliplr")
    now = {"pipeport.numpy.fliplr": [FIGURE | {"code": code}]}
    ratios.write_text(json.dumps(RATIOS | {"ratios": now}), encoding="utf-8")
    assert "†" not in invoke("catalog", "numpy.fliplr")[1]
    ratios.write_text(json.dumps(RATIOS), encoding="utf-8")
    assert "† measured on an earlier version of this code" in invoke("catalog", "numpy.fliplr")[1]


def test_ratios_of_another_format_are_refused(ratios: Path) -> None:
    ratios.write_text(json.dumps(RATIOS | {"format": 99}), encoding="utf-8")
    code, _, err = invoke("catalog")
    assert code == 2
    assert "got format 99" in err
