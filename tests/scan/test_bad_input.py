"""What is not a program of today costs one line, and the run goes on."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import numpy as np
import pytest

from pipeport.errors import UnsupportedArgument
from pipeport.rewrite import rewrite
from pipeport.scan import _files, scan
from pipeport.scan._resolve import Resolver

GOOD = """\
import numpy as np
import tensorflow as tf


def op(x):
    return tf.numpy_function(np.fliplr, [x], tf.uint8)
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "good.py").write_text(GOOD)
    return tmp_path


def scanned(folder):
    """Return the problems; the good file is found in any case."""
    result = scan([str(folder)])
    assert [(one.path, one.line) for one in result.findings] == [(str(folder / "good.py"), 6)]
    return {os.path.relpath(one.path, folder): (one.line, one.reason) for one in result.problems}


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        (b"def f(:\n    tf.numpy_function(f)\n", 1, "is not Python 3"),
        (b"print 'numpy_function'\n", 1, "is not Python 3"),
        (b"# -*- coding: utf-8 -*-\n# numpy_function \xff\xfe\n", None, "is not text"),
        (b"# -*- coding: klingon -*-\n# py_func\n", None, "is not text"),
        (b"x = 'numpy_function'\x00\n", None, "cannot be parsed|is not Python 3"),
        (b"numpy_function = " + b"(" * 500 + b")" * 500, None, "cannot be parsed|is not Python 3"),
        (b"numpy_function = " + b"-" * 100_000 + b"1", None, "cannot be parsed|is not Python 3"),
        (b"#" * (_files.LARGEST + 1), None, "has 4 MiB, more than 4"),
    ],
    ids=["syntax", "python-2", "not-utf-8", "no-such-encoding", "null-byte", "brackets", "signs", "huge"],
)
def test_a_file_that_cannot_be_scanned(folder, content, line, reason):
    (folder / "bad.py").write_bytes(content)
    [(name, (at, why))] = scanned(folder).items()
    assert name == "bad.py"
    assert re.match(reason, why), why
    assert line is None or at == line
    assert "\n" not in why


def test_a_helper_that_cannot_be_scanned_is_told(tmp_path):
    """The verdict rests on it, though nothing in it is a boundary."""
    (tmp_path / "a.py").write_text("from b import f\n" + GOOD.replace("np.fliplr", "f"))
    (tmp_path / "b.py").write_text("def f(x):\n    print x\n")
    result = scan([str(tmp_path)])
    assert [(one.path, one.line) for one in result.problems] == [(str(tmp_path / "b.py"), 2)]
    assert [one.verdict for one in result.findings] == ["unknown"]
    assert [one.becomes for file in rewrite([str(tmp_path)]).files for one in file.changes] == ["drop-in"]


def test_functions_that_call_each_other_are_followed_once(tmp_path, monkeypatch):
    body = """
    if n:
        return other(x, n - 1)
    if x:
        return walk(x, n)
    return walk(n, x)


"""
    text = f"{GOOD}\n\ndef walk(x, n):{body}def other(x, n):{body}"
    text += "y = tf.numpy_function(walk(1, 2), [x], tf.int32)\n"
    (tmp_path / "a.py").write_text(text)
    steps = []
    follow = Resolver._followed

    def followed(self, node, location, env, deep):
        steps.append(node)
        if len(steps) > 1000:
            pytest.fail("followed without an end", pytrace=False)
        return follow(self, node, location, env, deep)

    monkeypatch.setattr(Resolver, "_followed", followed)
    assert [one.verdict for one in scan([str(tmp_path)]).findings] == ["no obstacle found", "unknown"]


def test_another_encoding_is_read(folder):
    text = f"# -*- coding: latin-1 -*-\n# é\n{GOOD}"
    (folder / "old.py").write_bytes(text.encode("latin-1"))
    result = scan([str(folder)])
    assert [(one.line) for one in result.findings] == [6, 8]
    assert not result.problems


@pytest.mark.parametrize("start", [b"\xef\xbb\xbf", b""], ids=["byte-order-mark", "plain"])
@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"], ids=["windows", "old-mac", "unix"])
def test_ends_of_lines(tmp_path, start, end):
    (tmp_path / "a.py").write_bytes(start + GOOD.replace("\n", end).encode())
    [found] = scan([str(tmp_path)]).findings
    assert found.line == 6
    assert found.diff.splitlines()[1:] == [
        "-    return tf.numpy_function(np.fliplr, [x], tf.uint8)",
        "+    return pipeport.numpy_function(np.fliplr, [x], tf.uint8)",
    ]


def test_an_unreadable_file(folder, monkeypatch):
    (folder / "closed.py").write_text(GOOD)
    read = Path.read_bytes

    def refuse(path):
        if path.name == "closed.py":
            raise PermissionError(13, "Permission denied")
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert scanned(folder) == {"closed.py": (None, "cannot be read: Permission denied")}


def test_a_link_that_leads_nowhere_and_a_loop_of_links(folder):
    (folder / "gone.py").symlink_to(folder / "nowhere.py")
    (folder / "again").symlink_to(folder, target_is_directory=True)
    assert scanned(folder) == {"gone.py": (None, "is not a file")}


def test_a_folder_that_is_called_like_a_file_and_a_pipe(folder):
    (folder / "folder.py").mkdir()
    os.mkfifo(folder / "pipe.py")
    assert scanned(folder) == {"pipe.py": (None, "is not a file")}


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"cells": [1]}', '{"cells": 3}', "{", "null"])
def test_a_notebook_that_is_none(folder, content):
    (folder / "empty.ipynb").write_text(content + " " * bool(content))
    (folder / "words.ipynb").write_text(content + "numpy_function")
    problems = scanned(folder)
    assert problems.pop("words.ipynb") == (None, "is not a notebook")
    assert not problems, "what does not speak of boundaries is not opened"


def test_folders_of_installed_packages_are_left_out_unless_named(folder):
    for name in ("site-packages", ".hidden", "node_modules", "env"):
        (folder / name).mkdir()
        (folder / name / "a.py").write_text(GOOD)
    (folder / "env" / "pyvenv.cfg").touch()
    assert scanned(folder) == {}
    assert len(scan([str(folder / "site-packages")]).findings) == 1


def test_a_path_that_does_not_exist(tmp_path):
    with pytest.raises(UnsupportedArgument, match=r"PATH: got .*; allowed: paths that exist"):
        scan([str(tmp_path / "nowhere")])


def test_a_file_is_scanned_once(folder):
    result = scan([str(folder), str(folder / "good.py"), str(folder)])
    assert (result.files, len(result.findings)) == (1, 1)


def test_names_that_lead_in_circles(tmp_path):
    (tmp_path / "a.py").write_text(
        "import tensorflow as tf\nfrom b import f\ng = f\nf = g\nh = lambda: h\nclass A(A): pass\n"
        "tf.numpy_function(f, [1], tf.int32)\ntf.numpy_function(h()(), [1], tf.int32)\n"
        "tf.numpy_function(A().x, [1], tf.int32)\n"
    )
    (tmp_path / "b.py").write_text("from a import f\n")
    assert [one.verdict for one in scan([str(tmp_path)]).findings] == [
        "unknown",
        "no obstacle found",
        "unknown",
    ]


def test_names_that_lead_to_many_others(tmp_path):
    """Each name has two values that depend on two others: followed one by one, 2 ** 40 ways."""
    lines = ["import tensorflow as tf", "if tf:", "    a0 = b0 = len", "else:", "    a0 = b0 = max"]
    for number in range(1, 40):
        lines += ["if tf:", f"    a{number} = b{number} = a{number - 1}", "else:"]
        lines += [f"    a{number} = b{number} = b{number - 1}"]
    lines += ["tf.numpy_function(a39, [1], tf.int32)"]
    (tmp_path / "a.py").write_text("\n".join(lines))
    [found] = scan([str(tmp_path)]).findings
    assert (found.line, found.verdict) == (len(lines), "unknown")


def test_installed_packages():
    """Any file at all is scanned, and rewritten or left: every thirtieth of what is installed here."""
    folder = Path(np.__file__).parents[1]
    files = sorted(path for path in folder.rglob("*.py") if path.is_file())[::30]
    assert len(files) >= 200
    result = scan([str(path) for path in files], processes=1)
    assert result.files == len(files)
    assert {one.path for one in result.problems} <= {str(path) for path in files}
    pytest.importorskip("libcst")
    rewritten = rewrite([str(path) for path in files])
    assert rewritten.count == len(files)
    assert not [one for one in rewritten.files if one.changes and one.old == one.new]


def test_several_processes_find_the_same(folder):
    for number in range(130):
        (folder / f"copy{number}.py").write_text(GOOD)
    (folder / "bad.py").write_text("def numpy_function(:\n")
    one, two = (scan([str(folder)], processes=count) for count in (1, 2))
    assert one == two
    assert len(one.findings) == 131


def notebook(*cells):
    return json.dumps({"cells": [{"cell_type": kind, "source": source} for kind, source in cells]})


def test_a_notebook(tmp_path):
    path = tmp_path / "train.ipynb"
    path.write_text(
        notebook(
            ("markdown", "numpy_function"),
            ("code", "%matplotlib inline\n!pip install x\nimport tensorflow as tf\nimport numpy as np"),
            ("code", ["%%bash\n", "ls (\n"]),
            ("code", ["files = !ls\n", "def f(x):\n", "    return np.flip(x, 0)\n"]),
            ("code", "%%time\ntf.Tensor?\nif True:\n    %timeit f(1)\nop = tf.py_function(f, [1], tf.int32)"),
        )
    )
    result = scan([str(path)])
    [found] = result.findings
    assert not result.problems
    assert (found.cell, found.line, found.function, found.body) == (5, 5, "f", (str(path), 2))
    assert found.reason_at == (str(path), 3)
    assert "+op = pipeport.py_function(f, [1], tf.int32)" in found.diff.splitlines()
