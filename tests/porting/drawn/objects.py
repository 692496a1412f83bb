"""Programs of Python's own objects: containers, choices, strings, built-ins, arrays from outside.

Everything is a template. A hole, as `{ints}`, takes an expression of that kind: a name, a literal, or a
template that is filled again; `{!ints}` one that gives the same in each call, since what is known only at
run time would be refused there; `{=ints}` a name that the statement changes.
"""

from __future__ import annotations

import copy
import random
import re
import types
import warnings

import numpy as np

from tests.porting.drawn.programs import OBJECTS, Argument, Program, promoting

_VARIANTS = 3  # of what is drawn, each tried with both calls
_MOST = 1e6

# What lies outside of the body; a program holds what it uses.
OUTSIDE = {
    "TABLE": "TABLE = np.array([3, 1, 4, 1, 5, 9, 2, 6])\n",
    "SHADES": "SHADES = np.arange(256, dtype=np.uint8)[::-1].copy()\n",
    "PALETTE": "PALETTE = np.arange(12, dtype=np.uint8).reshape(4, 3)\n",
    "MEAN": "MEAN = np.array([0.5, 0.25, 1.5])\n",
    "NAMES": 'NAMES = ["cat", "dog", "bird", "owl"]\n',
    "LABELS": 'LABELS = np.array(["cat", "dog", "bird"])\n',
    "IDS": 'IDS = {"cat": 3, "dog": 0, "bird": 7}\n',
    "SIZES": "SIZES = (2, 4, 8)\n",
    "grade": 'def grade(n):\n    return "high" if n > 2 else "low"\n',
    "total": "def total(values, start=0):\n    for v in values:\n        start += v\n    return start\n",
}


def _rows(text):
    """Return templates, which stand between several spaces."""
    return tuple(re.split(r"\s{2,}", text.strip()))


LITERALS = {
    "int": _rows(r"""
        0   1   2   3   7   -1   k   k   len(x)
    """),
    "float": _rows(r"""
        0.5   2.0   -1.25
    """),
    "bool": _rows(r"""
        (k > 1)   (k == 3)   (x.max() > 99)   (2 > 1)
    """),
    "str": _rows(r"""
        "cat"   "dog"   "a_1"   "b_2_3"   "Hi"   ""
    """),
    "ints": _rows(r"""
        [1, 2, 3]   [4, 0, 2, 2]   (1, 5)   [7]   [k, 1]   [3, k, 0]   list(range(k))
    """),
    "floats": _rows(r"""
        [0.5, 1.5]   [2.0, -0.25, 1.0]   [k / 2, 0.5]
    """),
    "strs": _rows(r"""
        ["cat", "dog"]   ["b", "a", "cat"]   ("hi", "lo", "hi")   NAMES
    """),
    "pairs": _rows(r"""
        [("cat", 2), ("dog", 1)]   [("b", 0), ("a", 3), ("c", 3)]
    """),
    "scores": _rows(r"""
        {{"cat": 1, "dog": 2}}   {{"cat": k, "lo": 4}}   {{"a": 0, "b": 5, "hi": 2}}   IDS
    """),
    "named": _rows(r"""
        {{0: "cat", 1: "dog", 2: "owl", 3: "hi"}}
    """),
    "intset": _rows(r"""
        {{1, 2, 3}}   {{0, 5}}
    """),
    "strset": _rows(r"""
        {{"cat", "hi"}}   {{"a", "dog", "lo"}}
    """),
    "array": _rows(r"""
        np.arange(4)   np.zeros(3)   np.array([2, 0, 1])   x   x
    """),
    "number": _rows(r"""
        abs   (lambda n: n * 2)   (lambda n: -n)
    """),
    "text": _rows(r"""
        str.upper   (lambda t: t + '!')   (lambda t: t[::-1])
    """),
    "picture": _rows(r"""
        np.sort   np.flip   np.cumsum   (lambda a: a[::-1])
    """),
    "letter": _rows(r"""
        "a"   "_"   "t"   "1"
    """),
    "index": _rows(r"""
        0   1   -1   2
    """),
    "count": _rows(r"""
        2   3   4
    """),
}

_HOLE = re.compile(r"\{\{|\}\}|\{([=!]?\w[\w|]*)\}")
EXPRESSIONS = {
    "int": _rows(r"""
        ({int} + {int})   ({int} - {int})   ({int} * 2)   ({int} // 2)   ({int} % 3)   (-{int})   abs({int})
        len({ints|strs|scores|intset|str|array|pairs})   sum({ints})   max({ints})   min({ints})
        max({int}, {int})   min({int}, {int})   round({float})   round({float} * 2)   int({float})
        {ints}[{index}]   {ints}.count({int})   {ints}.index({int})   {strs}.index({str})
        {strs}.count({str})   {scores}[{str}]   {scores}.get({str}, {int})   {scores}.get({str}, -1)
        {str}.count({!letter})   {str}.find({!letter})   {str}.rfind({!letter})
        len({str}.split({!letter}))   int({str}.split('_')[1])   int({str}[-1])   divmod({int}, 3)[1]
        divmod({int}, 4)[0]   random.choice({ints})   random.randint(0, 3)   random.randrange(3)
        np.random.randint(1, 4)   int({array}[0])   int({array}.max())   {array}[0]   len({array})
        {array}.shape[0]   {array}.size   TABLE[{index}]   int(SHADES[{index}])   TABLE[{int} % 8]
        TABLE.sum()   TABLE.argmax()   SIZES[{index}]   sum(1 for c in {!str} if c == {letter})
        ord({letter})   {number}({int})   max({ints}, key=lambda v: -v)
        min({ints}, key=lambda v: abs(v - {int}))   int({bool})   pow({int}, 2)   sum(v * 2 for v in {ints})
        sum(len(v) for v in {strs})   total({ints})   total({ints}, start={int})   {pairs}[{index}][1]
        dict({!pairs})[{str}]   max({scores}.values())   sum({scores}.values())   len({strs}[{index}])
        np.argmax({ints})   sum(v > 1 for v in {ints})   int({str}.isdigit())   IDS[{str}]
        IDS.get({str}, -1)   NAMES.index({str})   int(np.sum({array}))   ({int} if {int} else {int})
        ({int} or {int})   ({int} if {bool} else {int})   ({int} if {bool} else {int})
        ({int} if {bool} else {int})
    """),
    "float": _rows(r"""
        float({int})   ({int} / 2)   ({float} * 2)   ({float} + {float})   ({float} - {int})   sum({floats})
        max({floats})   abs({float})   {floats}[{index}]   MEAN[{index}]   float(MEAN[{index}])   MEAN.sum()
        random.choice({floats})   random.choice([0.5, 1.5])   np.mean({ints})   (sum({ints}) / len({ints}))
        float({str}.split('_')[1])   round({float}, 1)   min({float}, {float})   random.uniform(0.5, 1.5)
        ({float} if {bool} else {float})   ({float} if {bool} else {float})
        ({float} if {bool} else {float})
    """),
    "bool": _rows(r"""
        ({int} > {int})   ({int} == {int})   ({int} < 2)   ({int} % 2 == 0)   (1 < {int} < 4)
        ({int} > {int})   ({int} == {int})   ({int} < 2)   ({int} % 2 == 0)   (1 < {int} < 4)
        ({int} > {int})   ({int} == {int})   ({int} < 2)   ({int} % 2 == 0)   (1 < {int} < 4)
        ({int} in {ints})   ({int} not in {intset})   ({str} == {str})   ({str} != {str})
        ({str} in {strs})   ({str} in {scores})   ({str} not in {strset})   ({letter} in {str})
        {str}.startswith({!letter})   {str}.endswith({!letter})   {str}.isdigit()   {!str}.isalpha()
        any(v > 1 for v in {ints})   all(v > k for v in {ints})   any({ints})   all({ints})
        ({ints} == {ints})   (not {bool})   ({bool} and {bool})   ({bool} or {bool})
        ({array}.max() > {int})   ({float} > 0.5)   (len({ints|strs|scores|intset|str|array|pairs}) > 2)
        bool({int})   ({!str} < {!str})   ({str} in IDS)   ({int} in TABLE)   ({scores} == {scores})
        (sorted({ints}) == {ints})   isinstance({int}, int)   ({str} in NAMES)
    """),
    "str": _rows(r"""
        ({str} if {bool} else {str})   ({str} if {bool} else {str})   ({str} if {bool} else {str})
        ("hi" if {int} > 2 else "lo")   ("cat" if {int} > 1 else "dog")   random.choice({strs})
        random.choice(NAMES)   {strs}[{index}]   ({str} + {str})   {str}.upper()   {str}.lower()
        {str}.replace({!letter}, 'x')   {str}.replace('cat', 'dog')   '_'.join({strs})   ''.join({strs})
        {str}.split('_')[0]   {str}.split('_')[{index}]   f'{{{int}}}_{{{str}}}'   f'{{{int}:03d}}'
        f'{{{float}:.2f}}'   '{{}}-{{}}'.format({str}, {int})   '%d_%s' % ({int}, {str})   {str}[1:]
        {str}[:2]   {str}[0]   {str}[::-1]   {str}.strip('_')   str({int})   str({!bool})
        max({!strs}, key=len)   min({!strs})   max({!strs})   {named}[{!index}]
        {named}.get({!int}, 'none')   NAMES[{index}]   NAMES[{int} % 4]   grade({int})   {str}.zfill(6)
        chr(97 + {int} % 5)   {str}.partition('_')[2]   {str}.rsplit('_', 1)[0]   ''.join(reversed({!str}))
        ''.join(sorted({!str}))   ''.join(c for c in {!str} if c.isalpha())   {text}({str})
        {pairs}[{index}][0]   max({!scores}, key={!scores}.get)   list({scores})[{index}]
        '_'.join(str(v) for v in {ints})   ({!str} * 2)   ({str} or 'none')   ' '.join(map(str, {ints}))
        sorted({!strs})[0]
    """),
    "ints": _rows(r"""
        ([1, 2, k] if {bool} else [{int}, 0, 4])   ([{int}, 5] if {bool} else [3, {int}])
        [v * 2 for v in {ints}]   [v for v in {!ints} if v > {!int}]   list(range({count}))   sorted({ints})
        sorted({ints}, reverse=True)   {ints}[::-1]   {ints}[1:]   ({ints} + [{int}])
        [{int}, {int}, {int}]   ({int}, {int})   ({ints} * 2)   list({scores}.values())
        list(map(int, {str}.split('_')[1:]))   [len(v) for v in {strs}]
        [v + w for v, w in zip({ints}, {ints})]   [i * v for i, v in enumerate({ints})]   {array}.tolist()
        [int(v) for v in {array}]   list({array})   list(reversed({ints}))   sorted({!intset})
        [{scores}.get(v, -1) for v in {strs}]   [{scores}[v] for v in {strs}]
        random.choice([[3, 1], [2, 5]])   sorted({ints}, key=lambda v: abs(v - {int}))
        [{number}(v) for v in {ints}]   list(map({number}, {ints}))
        [v for row in [{ints}, {ints}] for v in row]   [n for _, n in {pairs}]
        [i for i, v in enumerate({!strs}) if v == {!str}]   [ord(c) - 97 for c in {!str}]
        [max(v, w) for v, w in zip({ints}, {ints})]   list({ints})   tuple({ints})   [0] * {count}
        list(divmod({int}, 3))   [int(c) for c in {!str} if c.isdigit()]   [v % 3 for v in {ints}]
        [int(v > 1) for v in {ints}]   random.sample({ints}, 2)   [IDS.get(v, -1) for v in {strs}]
        TABLE[:{count}].tolist()   [TABLE[v] for v in {ints}]   list(filter(lambda v: v > 1, {!ints}))
        [round(v) for v in {floats}]
    """),
    "floats": _rows(r"""
        [v / 2 for v in {ints}]   [float(v) for v in {ints}]   sorted({floats})   ({floats} + [{float}])
        [{float}, {float}]   MEAN.tolist()   [v * 0.5 for v in {floats}]   [round(v, 1) for v in {floats}]
        list(map(float, {ints}))   ([{float}, 0.5] if {bool} else [1.0, {float}])
    """),
    "strs": _rows(r"""
        (["cat", "dog"] if {bool} else [{str}, "hi"])   {str}.split('_')   [str(v) for v in {ints}]
        sorted({!strs})   list({!str})   [c for c in {!str}]   list({scores})   [v.upper() for v in {strs}]
        {strs}[1:]   ({strs} + [{str}])   [{str}, {str}]   sorted({!strs}, key=len)   list(reversed({strs}))
        sorted({!strset})   [v for v in {!strs} if len(v) > 2]   [v for v in {!strs} if v != {!str}]
        list({named}.values())   [k for k, _ in {pairs}]   sorted({!scores}, key={!scores}.get)
        [f'{{v}}_{{i}}' for i, v in enumerate({strs})]   [NAMES[v % 4] for v in {ints}]
        list(map({text}, {strs}))   list(sorted({scores}))   [v[0] for v in {strs}]   LABELS.tolist()
        [grade(v) for v in {ints}]
    """),
    "pairs": _rows(r"""
        list(zip({strs}, {ints}))   list({scores}.items())   sorted({!pairs}, key=lambda p: p[1])
        sorted({!scores}.items())   [({str}, {int}), ({str}, {int})]   [(v, len(v)) for v in {strs}]
        {pairs}[::-1]   [(v, i) for i, v in enumerate({strs})]   sorted({!pairs}, key=lambda p: -p[1])
    """),
    "scores": _rows(r"""
        dict(zip({!strs}, {ints}))   dict(zip({!strs}, range(3)))   dict(cat={int}, dog={int})
        {{v: i for i, v in enumerate({!strs})}}   {{v: len(v) for v in {!strs}}}   dict({scores})
        {{**{scores}, 'hi': {int}}}   dict.fromkeys({!strs}, 0)   {scores}.copy()   dict({!pairs})
        {{'cat': {int}, 'lo': {int}}}   dict(sorted({!scores}.items(), key=lambda p: p[1]))
        {{{!str}: {int}, 'hi': 1}}   {{v: n + 1 for v, n in {scores}.items()}}
        {{v: {strs}.count(v) for v in {!strs}}}
        ({{"cat": 1, "dog": 2}} if {bool} else {{"cat": {int}, "dog": 5}})
    """),
    "named": _rows(r"""
        dict(enumerate({strs}))   {{n: v for v, n in {!scores}.items()}}   dict(zip(range(4), NAMES))
        dict(zip({!ints}, {strs}))
    """),
    "intset": _rows(r"""
        set({!ints})   {{v % 2 for v in {!ints}}}   ({intset} | {intset})   ({intset} & {intset})
        ({intset} - {intset})   {{{!int}, {!int}}}   set({!scores}.values())   set(range({!count}))
    """),
    "strset": _rows(r"""
        set({!strs})   ({strset} | {strset})   ({strset} - {strset})   set({scores})   {{{!str}, 'hi'}}
        set({!str})   ({strset} & set(NAMES))
    """),
    "array": _rows(r"""
        x   x   x   x   x   x   np.array({ints})   ({array} + {int})   ({array} * {int})   {array}[::-1]
        {array}[1:]   {array}[:{count}]   TABLE[{array} % 4]   SHADES[x]   PALETTE[{index}]
        np.zeros({count})   np.full({count}, {int})   np.where({array} > {int}, 1, 0)
        {array}.astype(np.int32)   {array}.astype(np.float32)   np.clip({array}, 0, {int})
        ({array} if {bool} else {array})   np.eye(4)[{index}]   np.array([{float}, {float}])
        np.asarray({ints}, np.float32)   {picture}({array})   sum([{array}, {array}])
        TABLE.astype(np.float32)   MEAN.copy()   np.concatenate([{array}, {array}])   TABLE[{ints}]
        np.stack([{int}, {int}])   np.array([v * 2 for v in {array}])   np.array({floats})
        (np.array({strs}) == {str})   np.isin({array}, {ints})   np.array([{scores}[v] for v in {strs}])
        TABLE[{count}:]   MEAN * {float}   np.sort({array})   np.random.permutation({count})
        np.array(sorted({array}))   np.repeat({array}, {count})
    """),
    "number": _rows(r"""
        (abs if {bool} else int)   random.choice([abs, int])   (lambda n: n + {int})
        (lambda n, m={int}: n * m)
    """),
    "text": _rows(r"""
        (str.upper if {bool} else str.lower)   random.choice([str.upper, str.lower])
        (lambda t: t.replace('a', 'o'))
    """),
    "picture": _rows(r"""
        (np.sort if {bool} else np.flip)   random.choice([np.sort, np.flip])   (lambda a: a + {int})
        (np.cumsum if {bool} else np.sort)
    """),
    "letter": _rows(r"""
        {str}[0]
    """),
    "index": _rows(r"""
        k   ({int} % 3)   ({int} % 2)   random.randrange(2)   -1   (k - 1)
    """),
    "count": _rows(r"""
        k   ({int} % 3 + 1)   len({ints})
    """),
}

# Of changes to what names hold.
CHANGES = _rows(r"""
    {=ints}.append({int})   {=ints} += [{int}]   {=ints} += {ints}   {=ints}[{index}] = {int}
    {=ints}[{index}] += {int}   {=ints}.insert({!index}, {int})   {=ints}.pop()   {=ints}.sort()
    {=ints}.reverse()   {=ints}.extend({ints})   {=ints}.remove({int})
    {=ints}[0], {=ints}[1] = {int}, {int}   {=strs}.append({str})   {=strs} += [{str}]
    {=strs}[{index}] = {str}   {=strs}.extend({strs})   {=strs}.sort(key=len)   {=strs}.pop(0)
    {=ints}[{index}] -= 1   {=scores}[{!str}] = {int}   {=scores}[{str}] += {int}
    {=scores}[{!str}] = {scores}.get({str}, 0) + 1   {=scores}.update({scores})   {=scores}.pop({!str}, 0)
    {=scores}.setdefault({!str}, {int})   del {=scores}[{!str}]   {=scores}.update(hi={int})
    {=named}[{!int}] = {str}   {=intset}.add({!int})   {=intset} |= {intset}   {=intset}.discard({!int})
    {=strset}.add({!str})   {=strset}.update({!strs})   {=pairs}.append(({str}, {int}))
    {=floats}.append({float})   {=int} += {int}   {=int} -= {int}   {=int} *= 2   {=int} += {int}
    {=int} -= {int}   {=int} *= 2   {=str} += {str}   {=float} += {float}   {=float} *= 0.5
    {=array}[{index}] = {int}   {=array} += 1   {=array}[{array} > {int}] = 0   {=array}[:{count}] = 1
""")
# Of them what a drawn condition or loop may do; the others are mostly refused there.
_INSIDE = tuple(
    one for one in CHANGES if re.search(r"^\{=\w+\}(\[.*\])? .?= |append", one) and "] += [" not in one
)

# That give names in one statement.
UNPACKED = _rows(r"""
    {new}, {new} = divmod({int}, 3)   {new}, {new} = {int}, {str}   {new}, {new} = {ints}[:2]
    {new}, {new} = map(int, {str}.split("_")[1:])
    {new}, {new} = map(int, {str}.split("_"))   {new}, {new} = {strs}[:2]
    {new}, {new} = {str}.split("_")   ({new}, {new}), {new} = {pairs}[{index}], {int}
    {new}, {new} = {pairs}[{index}]   {new}, *{new} = {!ints}   {new}, *{new} = {!strs}
    {new} = {=ints}.pop()   {new} = {=ints}.pop(0)   {new} = {=scores}.pop({!str}, 0)
    {new} = {=scores}.setdefault({!str}, {int})   {new}, _, {new} = {str}.partition("_")
    {new} = {new} = {int}   {new}, {new} = min({ints}), max({ints})   {new} = {=strs}   {new} = {=ints}
    {new} = {=scores}   {new}, {new}, {new} = {str}.split("_")   {new}, {new}, {new} = {ints}
    {new}, {new} = zip(*{pairs})
""")

LOOPS = _rows(r"""
    for i in range({!count}):   for i in range({count}):   for v in {ints}:   for w in {strs}:
    for i, v in enumerate({ints}):   for i, w in enumerate({strs}):   for v, w in zip({ints}, {strs}):
    for w, v in {scores}.items():   for w in {scores}:   for w in {str}:   for w, v in {pairs}:
    for v in reversed({ints}):   for v in sorted({!intset}):   for v in {array}:
    for i in range({int}, {int}):   for w in sorted({!strs}):   for i in range(len({ints})):
    for i in range(random.randint(1, 3)):
""")


class _Random:
    """Stands for `random` while a program is tried: the first, second or third possibility."""

    def __init__(self, variant):
        self._variant = variant

    def choice(self, values):
        return values[self._variant % len(values)]

    def randint(self, low, high):
        return low + self._variant % (high + 1 - low)

    def randrange(self, count):
        return self._variant % count

    def uniform(self, low, high):
        return low + (high - low) * (0.3, 0.9, 0.45)[self._variant]

    def sample(self, values, count):
        if count > len(values):
            raise ValueError
        return [*values[self._variant % len(values) :], *values][:count]


class _Numbers(types.SimpleNamespace):
    """Stands for `numpy` while a program is tried."""

    def __init__(self, variant):
        own = _Random(variant)
        draws = types.SimpleNamespace(
            randint=lambda low, high: low + variant % (high - low),
            permutation=lambda count: np.array(own.sample(list(range(count)), count)),
        )
        super().__init__(**{**vars(np), "random": draws})


class _Rounds:
    """Ends a program that is tried where a loop does not, or what it grows is large."""

    def __init__(self, space):
        self._space = space
        self._left = 60

    def __call__(self):
        self._left -= 1
        if self._left < 0 or any(
            len(one) > 1000 for one in self._space.values() if isinstance(one, (list, str))
        ):
            raise OverflowError


def _bounded(lines):
    """Return lines in which each round of a loop is counted."""
    found = []
    for line in lines:
        found.append(line)
        if head := re.match(r" *(?=(for|while) )", line):
            found.append(f"{head.group()}    _round()")
    return found


_PLACES = {variant: {"random": _Random(variant), "np": _Numbers(variant)} for variant in range(_VARIANTS)}


def _all_of(kinds, least=1):
    return lambda value: (
        type(value) in (list, tuple) and len(value) >= least and all(_IS[kinds](one) for one in value)
    )


def _is_dict(key, value):
    return lambda given: (
        type(given) is dict
        and bool(given)
        and all(_IS[key](one) and _IS[value](other) for one, other in given.items())
    )


def _is_int(value):
    # Which of Python's numbers and NumPy's of another dtype is the largest decides on the dtype.
    return isinstance(value, (int, np.int64)) and not isinstance(value, bool)


def _is_pair(value):
    return type(value) is tuple and len(value) == 2 and isinstance(value[0], str) and _is_int(value[1])


_IS = {
    "int": _is_int,
    "float": lambda value: isinstance(value, float),
    "bool": lambda value: isinstance(value, (bool, np.bool_)),
    "str": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "biuf",
    "intset": lambda value: type(value) is set and all(map(_is_int, value)),
    "strset": lambda value: type(value) is set and all(map(_IS["str"], value)),
    "scores": _is_dict("str", "int"),
    "named": _is_dict("int", "str"),
    "ints": _all_of("int"),
    "floats": _all_of("float"),
    "strs": _all_of("str"),
    "pairs": _all_of("pair"),
    "pair": _is_pair,
    "number": callable,
    "text": callable,
    "picture": callable,
    "letter": lambda value: isinstance(value, str) and len(value) == 1,
    "index": _is_int,
    "count": lambda value: _is_int(value) and 0 < value < 6,
}
# How each kind is given back; what is in none of these is not.
_GIVEN = {
    **dict.fromkeys(("int", "float", "bool", "str", "array"), ("{}",)),
    "ints": ("np.array({})", "len({})"),
    "floats": ("np.array({})",),
    "strs": ("np.array({})", "'|'.join({})"),
    "pairs": ("np.array([n for _, n in {}])", "'|'.join(w for w, _ in {})"),
    "scores": ("np.array(list({}.values()))", "'|'.join({})"),
    "named": ("'|'.join({}.values())", "np.array(list({}))"),
    "intset": ("np.array(sorted({}))", "len({})"),
    "strset": ("'|'.join(sorted({}))", "len({})"),
}


def _is_small(value):
    if isinstance(value, dict):
        return len(value) <= 12 and all(map(_is_small, (*value, *value.values())))
    if isinstance(value, (list, tuple, set)):
        return len(value) <= 12 and all(map(_is_small, value))
    if isinstance(value, (str, bytes)):
        return len(value) <= 40
    if isinstance(value, np.ndarray):
        return (
            0 < value.size <= 100
            and value.dtype.kind in "biufUSO"
            and (value.dtype.kind in "USO" or _is_finite(value))
        )
    return callable(value) or _is_finite(value)


def _is_finite(value):
    return bool(np.all(np.isfinite(value)) and np.all(np.abs(value) < _MOST))


def _is_settled(values):
    """Say whether containers have the same keys or length in each call; others are mostly refused."""
    first = values[0]
    if isinstance(first, (dict, set)):
        return all(list(one) == list(first) for one in values)
    return not isinstance(first, (list, tuple)) or all(len(one) == len(first) for one in values)


def _is_known(values):
    return all(callable(one) or repr(one) == repr(values[0]) for one in values)


def _form(value):
    """Return what a name must keep under a condition: its class, dtype and number of axes."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape
    if isinstance(value, (list, tuple)):
        return type(value), frozenset(map(_form, value))
    return type(value)


class _Draft:
    """A program that grows by statements which Python can run."""

    def __init__(self, choice):
        self.choice = choice
        self.arguments = {}
        self.lines = []
        self.spaces = []
        self.depth = 0
        self.names = iter("abcdefghjlmopqr")

    def pick(self, rows):
        return self.choice.choice(rows)

    def chance(self, one_in):
        return self.choice.randrange(one_in) == 0

    # -- what Python says

    def run(self, lines):
        """Return the names after the lines, for each call and each draw; None where one of them fails."""
        code, spaces = "\n".join(_bounded(lines)), []
        for call in (0, 1):
            for variant in range(_VARIANTS):
                space = dict(_PLACES[variant])
                for text in OUTSIDE.values():
                    exec(text, space)
                space["_round"] = _Rounds(space)
                kept, outside = set(space), repr([space[name] for name in OUTSIDE])
                space.update({name: one.of(call) for name, one in self.arguments.items()})
                try:
                    exec(code, space)
                except Exception:
                    return None
                if repr([space[name] for name in OUTSIDE]) != outside:
                    return None
                found = {name: value for name, value in space.items() if name not in kept}
                if not all(map(_is_small, found.values())):
                    return None
                spaces.append(found)
        return spaces

    def values(self, text):
        """Return what an expression gives, for each call and each draw; None where one of them fails."""
        found = []
        for place, space in enumerate(self.spaces):
            names = {**_OUTSIDE_VALUES, **_PLACES[place % _VARIANTS], **space}
            try:
                found.append(eval(text, copy.copy(names)))
            except Exception:
                return None
        return found if all(map(_is_small, found)) else None

    def is_of(self, kind, values):
        return values is not None and all(_IS[kind](one) for one in values)

    def of(self, kind, own=False):
        """Return names of a kind; `own` ones may be changed."""
        return [
            name
            for name in self.spaces[0]
            if (not own or name not in self.arguments or kind not in ("array",))
            and self.is_of(kind, [space.get(name) for space in self.spaces])
        ]

    # -- expressions

    def filled(self, template, depth):
        """Return a template with its holes filled, or None."""
        changed = {}

        def hole(found):
            kind = found.group(1)
            if kind is None:
                return found.group()[0]
            if kind == "new":
                return next(self.names)
            if kind.startswith("="):
                if kind not in changed:
                    changed[kind] = self.pick(self.of(kind[1:], own=True))
                return changed[kind]
            known = kind.startswith("!")
            return self.expression(self.pick(kind.removeprefix("!").split("|")), depth, known=known)

        try:
            return _HOLE.sub(hole, template)
        except (IndexError, StopIteration):
            return None

    def expression(self, kind, depth, *, known=False):
        """Return an expression of a kind; `known` ones give the same in each call, mostly."""
        fit = _is_known if known else _is_settled
        often = not self.chance(30)
        names = [
            name for name in self.of(kind) if not often or fit([space.get(name) for space in self.spaces])
        ]
        if names and (depth <= 0 or self.choice.random() < 0.55):
            return self.pick((*names, *names[-2:]))
        for _ in range(6 if depth > 0 and kind in EXPRESSIONS else 0):
            text = self.filled(self.pick(EXPRESSIONS[kind]), depth - 1)
            values = None if text is None else self.values(text)
            if self.is_of(kind, values) and (fit(values) or not often):
                return text
        rows = [self.filled(one, 0) for one in LITERALS[kind]]
        return self.pick([one for one in rows if (values := self.values(one)) and fit(values)])

    # -- statements: each returns lines, or nothing

    def try_lines(self, lines):
        spaces = None if any(line is None for line in lines) else self.run([*self.lines, *lines])
        if spaces is None:
            return []
        self.lines, self.spaces = [*self.lines, *lines], spaces
        return lines

    def assigned(self):
        kind = self.pick(_ASSIGNED)
        text = self.expression(kind, 2)
        old = [name for name in self.of(kind) if name not in self.arguments]
        if old and (self.depth or self.chance(4)):
            return self.try_lines([f"{self.pick(old)} = {text}"])
        return [] if self.depth else self.try_lines([f"{next(self.names)} = {text}"])

    def changed(self):
        rows = _INSIDE if self.depth and not self.chance(8) else CHANGES
        return self.try_lines([self.filled(self.pick(rows), 1)])

    def unpacked(self):
        return [] if self.depth else self.try_lines([self.filled(self.pick(UNPACKED), 1)])

    def branch(self):
        condition = self.expression("bool", 2)
        if self.depth > 1 or condition in LITERALS["bool"]:
            return []
        blocks = [self.block()]
        if self.chance(2):
            blocks.append(self.block())
        if not all(blocks):
            return []
        lines = [f"if {condition}:", *_indented(blocks[0])]
        if len(blocks) == 2:
            lines += ["else:", *_indented(blocks[1])]
        return self.try_lines(lines)

    def loop(self):
        if self.depth > 1 or (head := self.filled(self.pick(LOOPS), 1)) is None:
            return []
        target, _, values = head.removeprefix("for ").removesuffix(":").partition(" in ")
        block = self.block([f"{target} = next(iter({values}))"])
        return self.try_lines([head, *_indented(block)]) if block else []

    def counted(self):
        """Draw a loop that counts until a number is reached."""
        names = [name for name in self.of("int") if name not in self.arguments]
        if self.depth > 1 or not names or not (block := self.block()):
            return []
        name = self.pick(names)
        return self.try_lines(
            [f"while {name} < {self.expression('count', 1)}:", *_indented([*block, f"{name} += 1"])]
        )

    def block(self, starts=()):
        """Draw the statements of a block; they are tried as if they stood alone, and then forgotten."""
        kept = self.lines, self.spaces
        self.depth += 1
        lines = []
        if not starts or self.try_lines(list(starts)):
            for _ in range(self.pick((1, 1, 2))):
                lines += self.pick(_STATEMENTS)(self)
        self.depth -= 1
        after = self.spaces
        self.lines, self.spaces = kept
        moved = any(
            _form(value) != _form(now[name])
            for before, now in zip(kept[1], after, strict=True)
            for name, value in before.items()
            if name in now
        )
        return [] if moved and not self.chance(6) else lines  # mostly refused


_OUTSIDE_VALUES = {"np": np}
for _text in OUTSIDE.values():
    exec(_text, _OUTSIDE_VALUES)
_ASSIGNED = (
    *("int", "str", "ints", "strs", "scores") * 3, *("bool", "array") * 2,
    "float", "floats", "pairs", "named", "intset", "strset", "number", "text", "picture",
)  # fmt: skip
_STATEMENTS = (
    *(_Draft.assigned,) * 6,
    *(_Draft.changed,) * 4,
    *(_Draft.unpacked,) * 2,
    *(_Draft.branch,) * 2,
    *(_Draft.loop,) * 2,
    _Draft.counted,
)


def _indented(lines):
    return [f"    {line}" for line in lines]


_STRINGS = (
    (b"cat_2_7", b"dog_3_1"),
    (b"3_4", b"5_0"),
    (b"dog_2", b"bird"),
    (b"hi", b"cat_1"),
    (b"a_1_2", b"b_3"),
    (b"owl_5", b"cat_0"),
)


def program(number, seed=0):
    """Draw a program.

    Parameters
    ----------
    number : int
        Which one.
    seed : int, default 0
        Another one gives other programs.

    Returns
    -------
    Program
        The same for the same arguments.
    """
    draft = _Draft(random.Random(f"objects, {seed}, {number}"))
    draft.arguments["x"] = Argument(
        draft.pick(("uint8", "int64", "int64", "float32")), (draft.pick((3, 4, 6)),)
    )
    draft.arguments["k"] = Argument("int64", (), draft.pick(((1, 3), (3, 1), (2, 3))))
    texts = draft.pick(((), "s", "s", "st"))
    draft.arguments.update({name: Argument("bytes", (), draft.pick(_STRINGS)) for name in texts})
    if draft.chance(3):
        draft.arguments["u"] = Argument("float64", (), (0.75, 2.5))
    with promoting(), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        draft.spaces = draft.run([])
        draft.try_lines([f"{name} = {name}.decode()" for name in texts])
        first, count = len(draft.lines), draft.pick((2, 3, 4, 5, 6))
        for _ in range(8 * count):
            if len(draft.lines) - first < count:
                draft.pick(_STATEMENTS)(draft)
        results = _results(draft)
    body = [
        f"def body({', '.join(draft.arguments)}):",
        *_indented(draft.lines),
        f"    return {', '.join(results)}",
    ]
    text = "\n".join(body) + "\n"
    outside = [one for name, one in OUTSIDE.items() if re.search(rf"\b{name}\b", text)]
    return Program("\n\n".join([*outside, text]), draft.arguments, compiles=False, part=OBJECTS)


def _results(draft):
    """Draw what is given back: the latest names."""
    found = []
    for name in reversed(draft.spaces[0]):
        kind = next(
            (kind for kind in _GIVEN if draft.is_of(kind, [space.get(name) for space in draft.spaces])), None
        )
        text = None if kind is None else draft.pick(_GIVEN[kind]).format(name)
        if text is not None and draft.values(text) is not None:
            found.append(text)
    return found[:5]
