"""Kinds of values that a port stands in for, and what Python does with each: the cells of one table."""

from __future__ import annotations

import numpy as np

from pipeport.meanings import names

# How a body makes a value of the kind, of bytes `p`, an array `x` of four and a whole number `k`.
KINDS = {
    "text": "v = p.decode()",
    "bytes": "v = p",
    "words": "v = p.decode().split(',')",
    "path": "v = pathlib.Path(p.decode())",
    "rows": "v = []\nfor i in range(k):\n    v.append(int(x[i]))",
    "chosen text": "v = 'ab' if k > 2 else 'c,d'",
    "chosen tuple": "v = (1, 2) if k > 2 else (3, 4)",
    "chosen function": "v = math.sqrt if k > 2 else abs",
    "chosen None": "v = None if k > 2 else 'ab'",
    "chosen dtype": "v = x if k > 2 else x * 1.5",
    "counted range": "v = range(k)",
    "unread file": "v = np.load(p.decode())",
    "picture": "v = Image.fromarray(x.reshape(2, 2))",
    "int": "v = int(x[0])",
    "float": "v = float(x[0]) / 4",
    "bool": "v = bool(x[0] > 3)",
    "scalar": "v = x[0]",
    "array": "v = x",
    "matrix": "v = x.reshape(2, 2) / 3",
    "truths": "v = x > 3",
    "list": "v = [int(x[0]), int(x[1]), 3]",
    "tuple": "v = (int(x[0]), 'a')",
    "dict": "v = {'a': int(x[0]), 'b': 2}",
    "shape": "v = x.shape",
    "number of a table": "v = TABLE[k]",
}
# What a body may name.
NAMES = """
import collections, copy, functools, itertools, json, math, operator, os, pathlib
import numpy as np
from PIL import Image
TABLE = [3, 5, 7, 9, 11, 13]
def helper(z=0):
    return z
def first(*given):
    return given[0]
"""
_OPERATORS = "+ - * / // % ** @ & | ^ << >> == != < <= > >= in not~in and or"
_OTHERS = ("2", "0.5", "'b'", "None", "[2, 3]", "v", "x")
_EXPRESSIONS = """
-v | +v | ~v | not v | abs(v) | [*v, *v] | len(v) | list(v) | tuple(v) | sorted(v) | list(reversed(v))
list(enumerate(v)) | list(zip(v, v)) | min(v) | max(v) | sum(v) | any(v) | all(v) | bool(v) | int(v)
float(v) | str(v) | bytes(v) | repr(v) | complex(v) | next(iter(v)) | isinstance(v, int)
isinstance(v, str) | isinstance(v, (list, tuple)) | isinstance(v, np.ndarray) | isinstance(v, float)
type(v) is int | type(v) is str | type(v).__name__ | callable(v) | hasattr(v, 'shape')
hasattr(v, 'upper') | hasattr(v, 'append') | getattr(v, 'size', 3) | f'{v}' | f'{v!r}' | f'{v:>6}'
format(v) | round(v) | round(v, 1) | divmod(v, 2) | pow(v, 2) | chr(v) | ord(v) | hex(v) | bin(v)
ascii(v) | sorted(set(v)) | dict(v) | list(map(str, v)) | list(filter(None, v)) | '%s' % v | '%d' % v
'{}'.format(v) | hash(v) == hash(v) | max(v, 2) | min(v, v) | math.sqrt(v) | math.floor(v)
np.asarray(v) | np.array([v, v]) | np.mean(v) | np.size(v) | np.shape(v) | np.stack([v, v])
os.fspath(v) | os.path.join('a', v) | operator.index(v) | copy.copy(v) | copy.deepcopy(v)
len(collections.Counter(v)) | list(itertools.chain(v, v)) | functools.reduce(lambda a, b: b, v)
json.dumps(v) | np.float32(v) | np.uint8(v) | [v, v] | (v, 1) | {'a': v} | {'a': v}['a'] | {v: 1}[v]
{'ab': 3, 'c,d': 4}.get(v, 0) | len({v, v}) | [10, 20, 30][v] | 'abcdefgh'[v] | x[v] | np.arange(12)[v]
[10, 20, 30][:v] | x[:v] | 'abcdefgh'[:v] | v[0] | v[-1] | v[1:] | v[::-1] | v[:2] | v[k - 2] | v['a']
v[...] | v[None] | v[[0, 1]] | [e for e in v] | [e for e in v if e] | list(e for e in v)
(lambda z: z)(v) | helper(v) | helper(z=v) | first(*v) | 1 if v else 2 | v if v else 0 | 1 < v < 5
v == v | v is v | v is None | v is not None | [v] == [v] | v in [v] | v in (1, 2, 'ab') | 1 in v
'a' in v | [v].index(v) | [v, v].count(v) | [0] * v | 'a' * v | [1, 2] + v | np.zeros(v) | np.full(2, v)
np.where(x > 2, v, 0) | [[v]][0][0] | ','.join(v) | 'ab'.replace('a', v) | 'a,b'.split(v) | str([v])
v.foo
""".replace("\n", " | ")
_STATEMENTS = {
    "for": "found = []\nfor e in v:\n    found.append(e)",
    "for, counted": "found = 0\nfor e in v:\n    found += 1",
    "for, enumerated": "found = 0\nfor i, e in enumerate(v):\n    found = found + i",
    "for, added": "found = 0\nfor e in v:\n    found = found + e",
    "if": "found = 1\nif v:\n    found = 2",
    "if not": "found = 1\nif not v:\n    found = 2",
    "assert": "assert v\nfound = 1",
    "a, b =": "a, b = v\nfound = [b, a]",
    "a, *b =": "a, *b = v\nfound = b",
    "+= 1": "w = v\nw += 1\nfound = w",
    "+= v": "w = v\nw += v\nfound = w",
    "*= 2": "w = v\nw *= 2\nfound = w",
    "-= 1": "w = v\nw -= 1\nfound = w",
    "/= 2": "w = v\nw /= 2\nfound = w",
    "|= 2": "w = v\nw |= 2\nfound = w",
    "+= [2, 3]": "w = v\nw += [2, 3]\nfound = w",
    "v[0] =": "v[0] = 9\nfound = v",
    "v[-1] =": "v[-1] = 9\nfound = v",
    "v[0:1] =": "v[0:1] = [9]\nfound = v",
    "v['a'] =": "v['a'] = 9\nfound = v",
    "v[0] +=": "v[0] += 1\nfound = v",
    "del v[0]": "del v[0]\nfound = v",
    "v.foo =": "v.foo = 3\nfound = 1",
    "raise under ==": "if v == 12345:\n    raise ValueError(v)\nfound = 1",
    "with": "with v as w:\n    found = 1",
    "extend": "w = [1]\nw.extend(v)\nfound = w",
    "append": "w = []\nw.append(v)\nfound = w",
    "closure": "def inner():\n    return v\nfound = inner()",
    "dictionary": "d = {}\nd['k'] = v\nfound = d['k']",
    "branches": "if x[1] > 3:\n    w = v\nelse:\n    w = v\nfound = w",
    "a branch": "if x[1] > 3:\n    w = v\nelse:\n    w = 1\nfound = w",
    "a loop": "w = v\nfor i in range(k):\n    w = v\nfound = w",
}
# Arguments of methods: of each method the first three that Python takes.
_GIVEN = (
    "", "1", "0", "'a'", "b'a'", "','", "b','", "v", "'a', 'b'", "b'a', b'b'", "['a', 'b']", "1, 'a'", "1, 2",
    "[1, 2]", "np.float32", "(1, 0)", "(2, 2)", "0, 1", "{97: 98}", "None", "'L'", "(0, 0)", "(0, 0, 1, 1)",
)  # fmt: skip
# These touch files, or show what Python holds in memory.
_APART = names(
    """
    absolute chmod cwd data dump dumps exists expanduser getfield glob group hardlink_to home
    is_block_device is_char_device is_dir is_fifo is_file is_junction is_mount is_socket is_symlink
    iterdir lchmod link_to lstat mkdir newbyteorder open owner read_bytes read_text readlink rename
    replace resolve rglob rmdir samefile save setfield setflags show stat symlink_to tofile touch
    unlink walk write_bytes write_text ctypes base device to_device flags getim get_flattened_data
    load verify draft tell seek thumbnail quantize palette
    """
)


def inputs(kind: str, folder: str) -> list[tuple[bytes, np.ndarray, np.int64]]:
    """Two elements of a dataset that show a kind."""
    first, second = np.array([3, 7, 1, 5], np.uint8), np.array([6, 0, 200, 4], np.uint8)
    texts = {"path": (b"a/b.png", b"c.tar.gz"), "unread file": (f"{folder}/some.npy".encode(),) * 2}
    one, other = texts.get(kind, (b"a,b", b"ab"))
    return [(one, first, np.int64(2)), (other, second, np.int64(4))]


def value(kind: str, folder: str, number: int = 0) -> dict:
    """Python's value of a kind, as `v`, among the names of a body."""
    space: dict = {}
    exec(NAMES, space)
    space.update(zip("pxk", inputs(kind, folder)[number], strict=True))
    space["x"] = space["x"].copy()
    exec(KINDS[kind], space)
    return space


def cells(kind: str, folder: str) -> dict[str, str]:
    """The code of each cell of a kind, by its name; `found` is what the cell gives."""
    operators = [one.replace("~", " ") for one in _OPERATORS.split()]
    found = [f"v {one} {other}" for one in operators for other in _OTHERS]
    found += [f"{other} {one} v" for one in operators for other in _OTHERS if other not in ("v", "None")]
    found += [one.strip() for one in _EXPRESSIONS.split("|") if one.strip() and one.strip() != "v"]
    found = [one for one in found if _compiles(one)]
    kinds = {type(value(kind, folder, number)["v"]) for number in range(2)}
    for one in sorted(kinds, key=lambda one: one.__name__):
        for name in (name for name in dir(one) if not name.startswith("_") and name not in _APART):
            method = callable(getattr(one, name, None))
            found += _calls(kind, folder, name) if method else [f"v.{name}"]
    if kind == "picture":  # its text holds its address
        found = [
            one for one in found if not any(part in one for part in ("str(", "{v", "%s", ".format(", "repr("))
        ]
    return {one: f"found = {one}" for one in dict.fromkeys(found)} | _STATEMENTS


def _compiles(code: str) -> bool:
    try:
        compile(code, "", "eval")
    except SyntaxError:
        return False
    return True


def _calls(kind: str, folder: str, name: str) -> list[str]:
    taken = []
    for given in _GIVEN:
        try:
            exec(f"v.{name}({given})", value(kind, folder))
        except Exception:
            continue
        taken.append(f"v.{name}({given})")
    return taken[:3] or [f"v.{name}()"]
