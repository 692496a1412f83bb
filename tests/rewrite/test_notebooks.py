"""The cells of notebooks are rewritten; magics, outputs and everything else stay as they were."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from pipeport.cli import main
from pipeport.rewrite import rewrite, write
from pipeport.scan import scan

pytestmark = pytest.mark.newest_only

CELLS = [
    ("markdown", "# `tf.numpy_function` is slow"),
    ("code", "!pip install numpy\n%matplotlib inline\nimport pickle\nimport numpy as np\n"
             "import tensorflow as tf"),
    ("code", "%%bash\nls $HOME && echo 'tf.numpy_function'"),
    ("code", "files = !ls\nnp.fliplr?\n\n\ndef mirrored(image):\n    %time image = image + 0\n"
             "    return np.fliplr(image)"),
    ("code", "%%time\n# the map\nresult = []\nfor image in np.ones([2, 2, 2, 3], np.uint8):\n"
             "    result.append(tf.numpy_function(mirrored, [image], tf.uint8))"),
    ("code", ""),
    ("code", "x = tf.numpy_function(\n    mirrored,  # NumPy\n    [tf.constant([[1, 2]])],\n"
             "    tf.int32,\n)  # é"),
]  # fmt: skip
AFTER = [
    *CELLS[:1],
    ("code", CELLS[1][1].replace("import tensorflow", "import pipeport\nimport tensorflow")),
    *CELLS[2:4],
    ("code", CELLS[4][1].replace("tf.numpy", "pipeport.numpy")),
    CELLS[5],
    ("code", CELLS[6][1].replace("tf.numpy", "pipeport.numpy")),
]  # fmt: skip


def stored(cells, *, indent=1, as_list=True, end="\n", **form):
    made = []
    for kind, text in cells:
        source = text.splitlines(keepends=True) if as_list else text
        cell = {"cell_type": kind, "metadata": {"b": 1, "a": [2.50, 1e30]}, "source": source}
        if kind == "code":
            cell |= {"execution_count": None, "outputs": [{"text": ["é <b>1</b>\n"]}]}
        made.append(cell)
    book = {
        "cells": made,
        "metadata": {"language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return (json.dumps(book, indent=indent, ensure_ascii=False, **form) + end).encode()


@pytest.mark.parametrize(
    "form",
    [{}, {"as_list": False}, {"indent": 2, "end": ""}, {"indent": None}],
    ids=["jupyter", "strings", "colab", "one-line"],
)
def test_cells_change_and_nothing_else(tmp_path, form):
    path = tmp_path / "a.ipynb"
    path.write_bytes(stored(CELLS, **form))
    result = rewrite([str(path)])
    assert not result.problems
    [file] = result.files
    assert [(one.cell, one.line) for one in file.changes] == [(5, 5), (7, 1)]
    write(file)
    assert path.read_bytes() == stored(AFTER, **form)
    assert not rewrite([str(path)]).files, "it is a fixed point"


def test_a_notebook_in_another_form_is_told(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_bytes(stored(CELLS, separators=(",", " : ")))
    old = path.read_bytes()
    result = CliRunner().invoke(main, ["rewrite", str(path), "--write"])
    assert result.exit_code == 2
    assert "not written as Jupyter does" in result.stderr
    assert path.read_bytes() == old


def test_an_import_without_others_beside_it(tmp_path):
    path = tmp_path / "a.ipynb"
    cells = [
        ("code", "%%bash\nls"),
        ("code", "def f(x):\n    return x"),
        ("code", "import tensorflow as tf\ny = tf.numpy_function(f, [tf.ones(2)], tf.float32)"),
    ]
    path.write_bytes(stored(cells))
    [file] = rewrite([str(path)]).files
    sources = ["".join(cell["source"]) for cell in json.loads(file.new)["cells"]]
    assert sources == [
        "%%bash\nls",
        "import pipeport\ndef f(x):\n    return x",
        "import tensorflow as tf\ny = pipeport.numpy_function(f, [tf.ones(2)], tf.float32)",
    ]


def test_the_report_counts_in_cells(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cells = [*CELLS[:2], ("code", "\ntf.numpy_function(pickle.load, ['a'], tf.uint8)"), *CELLS[3:5]]
    (tmp_path / "a.ipynb").write_bytes(stored(cells))
    result = CliRunner().invoke(main, ["rewrite", "a.ipynb"], env={"COLUMNS": "200"})
    assert result.exit_code == 0
    assert "--- a.ipynb, cell 2\n" in result.output
    assert "+import pipeport\n" in result.output
    assert "\na.ipynb, cell 3, line 2: PP004 numpy_function of pickle.load stays." in result.output
    told = json.loads(CliRunner().invoke(main, ["rewrite", "a.ipynb", "--json"]).output)
    assert [(one["cell"], one["line"]) for one in told["refusals"]] == [(3, 2)]


def test_a_line_that_begins_with_a_sign_may_be_an_expression(tmp_path):
    """Python goes on inside of brackets, behind a backslash and in a text of several lines."""
    cells = [
        ("code", "import tensorflow as tf\ntext = \"\"\"\n%matplotlib inline\n!ls\n\"\"\"\n"
                 "rest = (7\n    % 4)\nmore = 7 \\\n% 4\n%time rest\n"
                 "y = tf.numpy_function(abs, [rest], tf.int32)"),
    ]  # fmt: skip
    path = tmp_path / "a.ipynb"
    path.write_bytes(b"\xef\xbb\xbf" + stored(cells))
    result = rewrite([str(path)])
    assert not result.problems
    [file] = result.files
    assert file.new.startswith(b"\xef\xbb\xbf{")
    [source] = ["".join(cell["source"]) for cell in json.loads(file.new[3:])["cells"]]
    want = cells[0][1].replace("tf.numpy", "pipeport.numpy")
    assert source == f"import pipeport\n{want}"
    assert not scan([str(path)]).problems
