"""What is left out: by comments, by pyproject.toml, by options."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from pipeport.cli import main
from pipeport.errors import UnsupportedArgument, WrongType
from pipeport.scan import RULES, scan, settings
from pipeport.scan._settings import ignored

ROOT = Path(__file__).resolve().parents[2]
GOOD = "import numpy as np\nimport tensorflow as tf\n\ny = tf.numpy_function(np.fliplr, [x], tf.uint8)\n"
YIELDS = GOOD.replace("np.fliplr", "lambda x: (yield x)")


def run(*arguments):
    return CliRunner().invoke(main, ["scan", *map(str, arguments)], env={"COLUMNS": "80"})


def codes(folder, **options):
    found = scan([str(folder)], settings=settings([str(folder)], **options))
    return [(Path(one.path).name, one.code) for one in found.findings]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "load.py").write_text(YIELDS)
    return tmp_path


@pytest.mark.parametrize(
    ("comment", "left"),
    [
        ("# pipeport: ignore", 0),
        ("#pipeport:ignore[PP001]", 0),
        ("# fine  # pipeport: ignore[PP002, PP001]", 0),
        ("# pipeport: ignore[PP0]", 0),
        ("# pipeport: ignore[PP002]", 1),
        ("# pipeport: ignored", 1),
        ("# ignore[PP001]", 1),
        ("", 1),
    ],
)
def test_a_comment(tmp_path, comment, left):
    (tmp_path / "a.py").write_text(GOOD.rstrip() + f"  {comment}\n")
    result = scan([str(tmp_path)])
    assert (len(result.findings), result.problems) == (left, ())


@pytest.mark.parametrize("at", range(6))
def test_a_comment_on_any_line_of_the_call_and_on_no_other(tmp_path, at):
    head = "import numpy as np, tensorflow as tf"
    lines = [head, "y = tf.numpy_function(", "    np.fliplr, [x],", "    tf.uint8,", ")", "z = 1"]
    lines[at] += "  # pipeport: ignore[PP001]"
    (tmp_path / "a.py").write_text("\n".join(lines))
    assert len(scan([str(tmp_path)]).findings) == (at in (0, 5))


def test_a_comment_at_a_decorator_and_at_a_helper(tmp_path):
    mark = "  # pipeport: ignore[PP001]"
    text = (
        "import numpy as np, tensorflow as tf\n"
        "@tf.numpy_function(Tout=tf.uint8){0}\n"
        "def f(x):\n    return np.fliplr(x)\n"
        "def call(g, x):\n    return tf.numpy_function(g, [x], tf.uint8)  # pipeport: ignore\n"
        "y = call(np.flipud, x){0}\n"
    )
    (tmp_path / "a.py").write_text(text.format(""))
    assert [one.line for one in scan([str(tmp_path)]).findings] == [2, 7]
    (tmp_path / "a.py").write_text(text.format(mark))
    assert not scan([str(tmp_path)]).findings


def test_a_comment_with_a_code_that_does_not_exist(tmp_path):
    (tmp_path / "a.py").write_text(GOOD.rstrip() + "  # pipeport: ignore[PP999]\n")
    result = run(tmp_path)
    assert result.exit_code == 2
    assert "'PP999'" in result.stderr
    assert "1 finding" in result.stdout
    with pytest.raises(UnsupportedArgument, match="PP999"):
        ignored(["# pipeport: ignore[PP999]"], 1, 1)


@pytest.mark.parametrize(
    ("table", "found"),
    [
        ("", [("good.py", "PP001"), ("load.py", "PP002")]),
        ('ignore = ["PP002"]', [("good.py", "PP001")]),
        ('select = ["PP002"]', [("load.py", "PP002")]),
        ('select = ["PP0"]\nignore = ["PP001"]', [("load.py", "PP002")]),
        ('exclude = ["inner"]', [("good.py", "PP001")]),
        ('exclude = ["inner/"]', [("good.py", "PP001")]),
        ('exclude = ["*/load.py"]', [("good.py", "PP001")]),
        ('exclude = ["load.py"]', [("good.py", "PP001"), ("load.py", "PP002")]),
        ('exclude = ["*.py"]', []),
    ],
)
def test_a_table(folder, table, found):
    (folder / "pyproject.toml").write_text(f"[tool.pipeport.scan]\n{table}\n")
    assert codes(folder) == found
    inside = [one for one in found if one[0] == "load.py"]
    assert codes(folder / "inner") == inside, "the table of a folder above"
    assert codes(folder / "inner" / "load.py") == inside, "a file that is named"


def test_options_take_the_place_of_keys(folder):
    (folder / "pyproject.toml").write_text('[tool.pipeport.scan]\nignore = ["PP002"]\n')
    assert codes(folder, ignore=["PP001"]) == [("load.py", "PP002")]
    assert [run(*options, folder).exit_code for options in ([], ["--ignore", "PP0"])] == [1, 0]
    data = json.loads(run("--json", "--ignore", "PP003", "--select", "PP001,PP002", folder).output)
    assert [one["code"] for one in data["findings"]] == ["PP001", "PP002"]


def test_the_nearest_table_counts(folder):
    (folder / "pyproject.toml").write_text('[tool.pipeport.scan]\nignore = ["PP002"]\n')
    (folder / "inner" / "pyproject.toml").write_text("[tool.other]\n")
    assert codes(folder / "inner") == []
    (folder / "inner" / "pyproject.toml").write_text("[tool.pipeport.scan]\n")
    assert codes(folder / "inner") == [("load.py", "PP002")]


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("[tool.pipeport.scan\n", UnsupportedArgument, "TOML"),
        (
            "[tool.pipeport.scan]\nomit = []\n",
            UnsupportedArgument,
            "omit; allowed: exclude, select, ignore",
        ),
        ("[tool.pipeport]\nscan = 1\n", UnsupportedArgument, "got 1; allowed"),
        ('[tool.pipeport.scan]\nignore = "PP001"\n', WrongType, "got 'PP001'; allowed: a list"),
        ("[tool.pipeport.scan]\nexclude = [1]\n", WrongType, "a list of strings"),
        ('[tool.pipeport.scan]\nselect = ["X1"]\n', UnsupportedArgument, "'X1'"),
        ('[tool.pipeport.scan]\nselect = [""]\n', UnsupportedArgument, "select: got ''"),
    ],
)
def test_a_table_that_is_wrong(folder, text, error, words):
    (folder / "pyproject.toml").write_text(text)
    with pytest.raises(error, match=re.escape(words)):
        settings([str(folder)])
    assert run(folder).exit_code == 2


@pytest.mark.parametrize("option", ["--select", "--ignore", "--explain"])
def test_an_option_with_a_code_that_does_not_exist(folder, option):
    result = run(option, "PP9", folder)
    assert result.exit_code == 2
    assert "'PP9'" in result.stderr


def test_no_path_and_two_forms(folder):
    assert "Missing argument 'PATH'" in run().stderr
    assert "exclude each other" in run("--json", "--sarif", folder).stderr


@pytest.mark.parametrize("code", RULES)
def test_each_code_is_explained(code):
    result = run("--explain", code)
    assert result.exit_code == 0
    assert result.output.startswith(f"## {code}: {RULES[code].title}\n\n{RULES[code].why}\n")


def test_the_hook_runs(folder, monkeypatch):
    """pre-commit adds the names of the files."""
    [hook] = re.split(r"^- ", (ROOT / ".pre-commit-hooks.yaml").read_text(), flags=re.MULTILINE)[1:]
    keys = dict(line.strip().split(": ", 1) for line in hook.strip().splitlines())
    assert keys["language"] == "python"
    assert keys["types_or"] == "[python, pyi, jupyter]"
    program, *arguments = keys["entry"].split()
    assert program == "pipeport"
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(main, [*arguments, "good.py", "inner/load.py"])
    assert result.exit_code == 1
    assert "2 findings" in result.output
