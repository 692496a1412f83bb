"""`pipeport scan --run` imports modules in a child process, and says of each function whether it ports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from pipeport.cli import main
from pipeport.rewrite import trials
from pipeport.scan import scan

pytestmark = pytest.mark.newest_only

HEAD = "import numpy as np\nimport tensorflow as tf\n\n\n"
OP = "def op(x):\n    return tf.numpy_function(np.flip, [x], tf.uint8)\n\n\n"
FILES = {
    "plain.py": """
print("what a module prints is not an answer")


def mirrored(image):
    return np.fliplr(image)


def loud(image):
    return np.clip(image * np.random.uniform(0.5, 1.5), 0, 255).astype(np.uint8)


def spread(image):
    return np.flip(image).nonsense


class Shifter:
    def __init__(self, by):
        self.by = by

    def shifted(self, image):
        return np.roll(image, self.by)


shifter = Shifter(2)


def op(image, label):
    image = tf.numpy_function(mirrored, [image], tf.uint8)
    image = tf.numpy_function(loud, [image], tf.uint8)
    image = tf.numpy_function(spread, [image], tf.float32)
    image = tf.numpy_function(shifter.shifted, [image], tf.float32)
    image = tf.numpy_function(lambda x: x[::-1], [tf.cast(image, tf.int16)], tf.int16)
    image = tf.numpy_function(np.flipud, [image], tf.int16)
    return image, tf.numpy_function(lambda y: y.nonsense, [label], tf.int64)
""",
    "lists.py": """
def rows(image):
    return np.stack([image[k] for k in range(image.shape[0])])


def op(image):
    return tf.numpy_function(rows, [image], tf.uint8)


def make():
    return tf.data.Dataset.from_tensors(np.zeros([3, 4], np.uint8)).map(op)
""",
    "absent.py": """
import a_module_that_is_not_here


def op(image):
    return tf.numpy_function(helper, [image], tf.uint8), tf.numpy_function(helper, [image], tf.uint8)


def helper(image):
    return image
""",
    "leaving.py": OP + "__import__('os')._exit(7)\n",
    "exiting.py": OP + "raise SystemExit('bye')\n",
    "asking.py": OP + "input('Train? ')\n",
    "hanging.py": OP + "__import__('time').sleep(1e6)\n",
    "reading.py": """
def tokens(text):
    return tokenizer.encode(text)


def op(text):
    return tf.numpy_function(tokens, [text], tf.int64)
""",
    "refused.py": """
def shown(image):
    exec("image += 1")
    return image


def op(image):
    return tf.numpy_function(shown, [image], tf.uint8)
""",
}


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    for name, text in FILES.items():
        (folder / name).write_text(HEAD + text)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        arguments = [
            "scan",
            ".",
            "--run",
            "--json",
            "--select",
            "PP0",
            "--timeout",
            "20",
            "--dataset",
            "lists:make",
        ]
        done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 1, done.output
    found = {}
    for one in json.loads(done.stdout)["findings"]:
        found.setdefault(Path(one["path"]).name, []).append((one["function"], one["run"]))
    return found


def test_what_ports_and_what_was_assumed(answers):
    image = "image: uint8[None,None,3]"
    named = dict(answers["plain.py"][:4])
    assert named["mirrored"] == {"ports": True, "reason": None, "assumed": image}
    assert named["loud"]["ports"] is True
    assert named["Shifter.shifted"]["ports"] is True
    assert named["spread"]["ports"] is False
    assert named["spread"]["assumed"] == image


def test_what_is_defined_inside_is_found_by_tracing_what_is_around_it(answers):
    [(_, first), (library, flip), (_, last)] = answers["plain.py"][4:]
    assert first["ports"] is True
    assert first["assumed"].startswith("x: int16[")
    assert (library, flip["ports"]) == ("numpy.flipud", True)
    assert last["ports"] is False


def test_a_reason_does_not_end_at_its_colon(answers):
    [(_, one)] = answers["refused.py"]
    assert one["ports"] is False
    assert one["reason"].startswith("refused.shown cannot be ported: ")
    assert "refused.py, line 7" in one["reason"]


def test_a_dataset_says_what_is_handed_over(answers):
    assert answers["lists.py"] == [("rows", {"ports": True, "reason": None, "assumed": "image: uint8[3,4]"})]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("absent.py", "its module cannot be imported: ModuleNotFoundError: No module named 'a_module_that"),
        ("leaving.py", "importing its module ended Python with exit code 7"),
        ("exiting.py", "its module cannot be imported: SystemExit: bye"),
        ("asking.py", "its module cannot be imported: EOFError"),
        ("hanging.py", "importing its module took longer than 20 s"),
        ("reading.py", "its verdict says why"),
    ],
)
def test_what_cannot_be_imported_costs_a_line(answers, name, reason):
    for _, one in answers[name]:
        assert one["ports"] is None
        assert one["reason"].startswith(reason)


def test_nearly_all_fixtures_without_an_obstacle_port():
    """Text cannot prove that a body traces, but it should be wrong about one in twenty at most."""
    found = scan([str(Path(__file__).parent / "fixtures")]).findings
    tried = [one for one in trials([one for one in found if one.code == "PP001"]) if one.trial]
    told = [one for one in tried if one.trial.ports is not None]
    wrong = [(one.path, one.line, one.trial) for one in told if not one.trial.ports]
    untold = [(one.path, one.line, one.trial) for one in tried if one.trial.ports is None]
    assert len(told) >= 20, untold
    assert len(wrong) <= len(told) / 20, wrong


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--dataset", "train:make"], "belong to --run"),
        (["--run", "--dataset", "train"], "my_module:augment"),
        (["--run", "--timeout", "0"], "Invalid value for '--timeout'"),
    ],
)
def test_a_mistake_in_the_call(options, said, tmp_path):
    (tmp_path / "a.py").write_text("")
    done = CliRunner().invoke(main, ["scan", str(tmp_path), *options], env={"COLUMNS": "200"})
    assert done.exit_code == 2
    assert said in done.output


def test_a_dataset_that_cannot_be_made(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(
        HEAD + "def op(x):\n    return tf.numpy_function(np.flip, [x], tf.uint8)\n"
    )
    done = CliRunner().invoke(main, ["scan", ".", "--run", "--dataset", "a:none"])
    assert done.exit_code == 2
    assert "a has no 'none'" in done.output
