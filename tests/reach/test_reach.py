"""The hash of what a function reaches: it follows what is computed, and nothing else."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from pipeport._reach import code_of, reached

pytestmark = pytest.mark.newest_only

BEFORE = {
    "a": '''
        """A native."""
        import numpy as np
        from shop import b
        from shop.c import SIZE as size
        from shop.contract import Difference, replaces

        def _help(x):
            return x + 1

        def unrelated(x):
            return x

        @replaces("numpy.f", stock="tf.f", differences=(Difference("They differ.", _help, _help),))
        def native(x: int, step=size) -> int:
            """Do it."""
            if x < 0:
                raise ValueError("x: got less than nothing")
            return b.double(_help(x)) + np.float32(step)
        ''',
    "b": """
        def double(x):
            # twice
            return 2 * x

        def triple(x):
            return 3 * x
        """,
    "c": "SIZE = 3\nOTHER = 4\n",
    "contract": "def replaces(name, **rest): return lambda f: f\ndef Difference(*a): return a\n",
}


def package(folder: Path, **changed: str) -> Path:
    root = folder / "shop"
    root.mkdir(parents=True)
    for name, text in {**BEFORE, "__init__": "", **changed}.items():
        (root / f"{name}.py").write_text(textwrap.dedent(text))
    return root


@pytest.fixture
def hash_of(tmp_path):
    def compute(name="shop.a.native", **changed):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        return code_of(name, root=package(folder, **changed))

    return compute


def edited(module, old, new):
    assert old in BEFORE[module]
    return {module: BEFORE[module].replace(old, new)}


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("a", "Do it.", "Do it well."),
        ("a", '"""A native."""', '"""One native."""'),
        ("b", "# twice", "# two times"),
        ("b", "return 3 * x", "return 4 * x"),
        ("c", "OTHER = 4", "OTHER = 5"),
        ("a", "def unrelated(x):", "def unrelated(y, x):"),
        ("a", "x: int", "x: float"),
        ("a", "import numpy as np", "import numpy as np, os"),
        ("a", "got less than nothing", "below zero"),
        ("a", 'stock="tf.f"', 'stock="tf.g"'),
        ("a", "They differ.", "These differ."),
        ("contract", "return a", "return [*a]"),
    ],
)
def test_what_computes_nothing_else_does_not_count(hash_of, module, old, new):
    assert hash_of(**edited(module, old, new)) == hash_of()


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("b", "return 2 * x", "return x * 2"),
        ("c", "SIZE = 3", "SIZE = 5"),
        ("a", "x + 1", "x + 2"),
        ("a", "b.double(", "b.triple("),
        ("a", "x < 0", "x <= 0"),
        ("a", "ValueError", "TypeError"),
        ("a", '"numpy.f"', '"numpy.g"'),
        ("a", "np.float32", "np.float64"),
        ("a", "_help, _help", "_help, unrelated"),
        ("c", "SIZE = 3", "SIZE = 3\nSIZE += 1"),
        ("c", "SIZE = 3", "TABLE = [3]\nSIZE = 3\nTABLE.append(4)"),
    ],
)
def test_what_is_reached_counts(hash_of, module, old, new):
    assert hash_of(**edited(module, old, new)) != hash_of()


def test_renamed_and_moved_functions_give_the_same_hash(hash_of):
    renamed = {
        "a": BEFORE["a"]
        .replace("b.double", "twice")
        .replace("from shop import b", "from shop.d import twice")
        .replace("_help", "_add"),
        "d": "def twice(x):\n    return 2 * x\n",
    }
    assert hash_of(**renamed) == hash_of()
    assert hash_of("shop.a.other", a=BEFORE["a"].replace("def native", "def other")) == hash_of()


@pytest.mark.parametrize(
    ("body", "counts"),
    [
        ("def f(x, double):\n    return double(x)", False),
        ("def f(x):\n    double = abs\n    return double(x)", False),
        ("def f(x):\n    return [double for double in x]", False),
        ("def f(x):\n    return [double for x in x]", True),
        ("def f(x):\n    return [double for double in double(x)]", True),
        ("def f(x):\n    return (lambda double: double)(x)", False),
        ("def f(x):\n    def inner():\n        return double(x)\n    return inner()", True),
        ("def f(x):\n    global double\n    double = 3", True),
        ("class f:\n    double = 3\n    def g(self):\n        return double(self)", True),
        ("def f(x):\n    from shop.b import double as again\n    return again(x)", True),
        ("def f(x):\n    import shop.b\n    return shop.b.double(x)", True),
        ("def f(x):\n    try:\n        pass\n    except ValueError as double:\n        return double", False),
        ("def f(x):\n    return 'shop.b.double'", True),
        ("def f(x):\n    return 'the double'", False),
        ("def f(x):\n    return 'shop.b'", True),
        ("def f(x):\n    return 'shop'", False),
        ("def f(x, y=double):\n    return y(x)", True),
        ("f = double", True),
        ("def f(x, m=b):\n    return m", True),
    ],
)
def test_names_are_those_python_would_find(tmp_path, body, counts):
    text = f"from shop import b\nfrom shop.b import double\n{body}\n"
    found = [(d.module, d.name) for d in reached("shop.a.f", root=package(tmp_path, a=text))]
    assert (("shop.b", "double") in found) == counts


def test_functions_that_call_each_other(hash_of):
    text = "def f(x):\n    return {}(x)\ndef {}(x):\n    return f(x) + {}\n"
    one = hash_of("shop.a.f", a=text.format("g", "g", 1))
    assert one == hash_of("shop.a.f", a=text.format("h", "h", 1))
    assert one != hash_of("shop.a.f", a=text.format("g", "g", 2))


def test_a_name_that_is_not_there(tmp_path):
    with pytest.raises(LookupError, match=r"shop\.a\.absent"):
        code_of("shop.a.absent", root=package(tmp_path))


def test_texts_are_never_taken_for_references(tmp_path):
    text = "def f(x):\n    return '\\0shop.b\\1double\\0'\n"
    assert [d.name for d in reached("shop.a.f", root=package(tmp_path, a=text))] == ["f"]


def test_its_own_code_has_a_hash_too():
    assert "tokens" in [d.name for d in reached("pipeport._reach.code_of")]


def test_the_version_of_the_package_does_not_count(hash_of):
    reads = BEFORE["a"].replace("import numpy as np", "import numpy as np, shop")
    reads = reads.replace("return x + 1", "return x + len(shop.__version__)")
    one, other = (
        hash_of(a=reads, __init__=f'__version__ = "{version}"\n') for version in ("0.2.0.dev0", "0.2.0")
    )
    assert one == other
