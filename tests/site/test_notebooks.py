"""Guides as notebooks: their cells run, and print what they show."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from docs.site import notebooks, pages

pytestmark = pytest.mark.newest_only


def run_cell(source: str, names: dict[str, Any], folder: Path) -> str:
    """Run a cell as Jupyter does, and return what it prints and the value of its last line."""
    if source.startswith("%%writefile "):
        name, _, text = source.removeprefix("%%writefile ").partition("\n")
        (folder / name).write_text(text, encoding="utf-8")
        return ""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
            if value is not None:
                print(repr(value))
    return printed.getvalue()


def run(found: dict[str, Any], folder: Path) -> int:
    """Run all cells; return how many were compared with what they show."""
    names: dict[str, Any] = {"__name__": "__main__"}
    compared = 0
    for cell in found["cells"]:
        if cell["cell_type"] == "code":
            printed = run_cell(cell["source"], names, folder)
            for shown in cell["outputs"]:
                assert printed == shown["text"], cell["source"]
                compared += 1
    return compared


@pytest.mark.parametrize("guide", notebooks.GUIDES)
def test_a_guide_runs_as_a_notebook(guide: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("skimage")
    monkeypatch.syspath_prepend(tmp_path)
    known = set(sys.modules)
    page = (pages.ROOT / guide).read_text(encoding="utf-8")
    found = json.loads(json.dumps(notebooks.notebook(page)))
    compared = run(found, tmp_path)
    for module in {path.stem for path in tmp_path.glob("*.py")} - known:
        sys.modules.pop(module, None)
    assert compared == sum(bool(one["outputs"]) for one in found["cells"] if one["cell_type"] == "code")
    assert ("```" in page) is not any("```" in cell["source"] for cell in found["cells"])
    assert f"{{download}}`a notebook <{Path(guide).stem}.ipynb>`" in pages.page(Path(guide), page, {})


PAGE = """# A page

See [another](other.md) and [the web](https://example.org/x).

```python
# halves.py
def half(x):
    return x / 2
```

```python
>>> from halves import half
>>> half(3)
1.5
>>> print(half(1))
0.5
```

The end.
"""


def test_the_cells_of_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    found = notebooks.notebook(PAGE)
    assert [(cell["cell_type"], cell["source"]) for cell in found["cells"]] == [
        ("markdown", "# A page\n\nSee another and [the web](https://example.org/x)."),
        ("code", "%%writefile halves.py\ndef half(x):\n    return x / 2"),
        ("code", "from halves import half\nhalf(3)"),
        ("code", "print(half(1))"),
        ("markdown", "The end."),
    ]
    assert run(found, tmp_path) == 2
    sys.modules.pop("halves")


def test_another_output_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="1 \\+ 1"):
        run(notebooks.notebook("```python\n>>> 1 + 1\n3\n```\n"), tmp_path)


def test_a_page_with_other_blocks_is_refused() -> None:
    with pytest.raises(ValueError, match="got a block of sh"):
        notebooks.notebook("```sh\npipeport scan .\n```\n")
