"""Each rule finds what it should, where it should, and is silent otherwise."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pipeport.scan import RULES, scan

FOLDER = Path(__file__).parent / "bugs"
HEAD = (
    "import functools, random\nimport cv2\nimport numpy as np\nimport tensorflow as tf\n"
    "from scipy import ndimage\n"
)
BUGS = [rule for rule in RULES.values() if rule.bug]


def programs(mark):
    """Return the programs of one kind: code, number, text."""
    found = []
    for file in sorted(FOLDER.glob("*.txt")):
        parts = re.split(r"^#### (\w+)\n", file.read_text(), flags=re.MULTILINE)[1:]
        kinds = list(zip(parts[::2], parts[1::2], strict=True))
        assert {kind for kind, _ in kinds} == {"fires", "silent"}, file
        texts = [text for kind, text in kinds if kind == mark]
        found += [
            pytest.param(file.stem, HEAD + text, id=f"{file.stem}-{at}") for at, text in enumerate(texts)
        ]
    return found


def lines_of(code, text, folder):
    (folder / "a.py").write_text(text)
    result = scan([str(folder)])
    assert not result.problems
    return [one.line for one in result.findings if one.code == code]


@pytest.mark.parametrize(("code", "text"), programs("fires"))
def test_it_fires(code, text, tmp_path):
    marked = [number for number, line in enumerate(text.splitlines(), 1) if line.endswith("# bug")]
    assert len(marked) == 1
    assert lines_of(code, text, tmp_path) == marked


@pytest.mark.parametrize(("code", "text"), programs("silent"))
def test_it_is_silent(code, text, tmp_path):
    assert lines_of(code, text, tmp_path) == []


@pytest.mark.parametrize("rule", BUGS, ids=lambda rule: rule.code)
def test_before_and_after(rule, tmp_path):
    """What the page shows: the bug is in the one, and no bug at all in the other."""
    assert len(lines_of(rule.code, rule.before, tmp_path)) == 1
    (tmp_path / "a.py").write_text(rule.after)
    assert [one.code for one in scan([str(tmp_path)]).findings if one.kind == "bug"] == []


def test_every_rule_has_three_of_each():
    assert [rule.code for rule in BUGS] == sorted(file.stem for file in FOLDER.glob("*.txt"))
    for mark in ("fires", "silent"):
        count = [one.values[0] for one in programs(mark)]
        for rule in BUGS:
            assert count.count(rule.code) + 1 >= 3, f"{rule.code} {mark}"  # and the page's own


def test_a_comment_ignores_a_bug(tmp_path):
    text = "import tensorflow as tf\nds = tf.data.Dataset.range(3)\nds.batch(2)"
    assert lines_of("PP107", text, tmp_path) == [3]
    assert lines_of("PP107", f"{text}  # pipeport: ignore[PP107]", tmp_path) == []


def test_a_bug_in_another_file(tmp_path):
    """It is reported there, once, whoever calls the function."""
    (tmp_path / "b.py").write_text("def f(image):\n    image[0] = 0\n    return image\n")
    text = "import tensorflow as tf\nfrom b import f\n"
    (tmp_path / "a.py").write_text(text + "y = tf.numpy_function(f, [x], tf.uint8)\n" * 2)
    found = [one for one in scan([str(tmp_path)]).findings if one.kind == "bug"]
    assert [(one.path, one.line, one.code) for one in found] == [(str(tmp_path / "b.py"), 2, "PP110")]


def test_fixtures_of_boundaries_have_no_other_bugs():
    """In the styles of the survey: what is reported there, and nothing in files without a boundary."""
    found = scan([str(FOLDER.parent / "fixtures")]).findings
    bugs = sorted((Path(one.path).name, one.code) for one in found if one.kind == "bug")
    assert bugs == [
        ("captioning_features.py", "PP101"),
        ("decorator_eager.py", "PP103"),
        ("metric_sklearn.py", "PP114"),
        ("seeded_inside.py", "PP109"),
    ]


@pytest.mark.parametrize(
    ("body", "written"),
    [
        ("cv2.imread(x.decode())", "(None, None, 3))"),
        ("cv2.imread(x.decode(), -1)", "shape), with None"),
        ("np.fliplr(x)", "shape), with None"),
    ],
)
def test_a_shape_is_written_where_the_text_tells_it(body, written, tmp_path):
    call = f"tf.numpy_function(lambda x: {body}, [p], tf.uint8)"
    text = f"{HEAD}ds = tf.data.Dataset.list_files(pattern).map(lambda p: {call})\n"
    (tmp_path / "a.py").write_text(text)
    [found] = [one for one in scan([str(tmp_path)]).findings if one.code == "PP101"]
    assert f"tf.ensure_shape(y, {written}" in found.reason
