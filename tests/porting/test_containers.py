"""Python's containers, with members and keys known only at run time."""

# ruff: noqa: B905, C401, C402, C405, C406, C408, C416, C417, C420, SIM118, SIM300, UP031, UP032 - each is its own way into a container
from __future__ import annotations

import collections
import itertools

import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import PipeportError
from pipeport.porting import port
from tests.porting.modes import every_size, refused_in_graphs

X = np.arange(6, dtype=np.float32)


def choice_as_key(x, k):
    m = "hi" if k > 2 else "lo"
    n = "a" if x[0] > 2 else "b"
    table = {"hi": 1, "lo": 2}
    pairs = {("hi", 1): 5, ("lo", 1): 6}
    rows = {"hi": [x, 1], "lo": [x + 1, 2]}
    found = rows[m]
    return (
        (table.get(m, 9), table.get(m), table[m], table.setdefault(m, 7), {"hi": 1}.get(m, 9), {"hi": 1}[m]),
        (m in table, m not in {"hi", "x"}, m in ("hi", "x"), (m, 1) in pairs, (m, 1) in (("hi", 1), (m, 2))),
        (pairs[(m, 1)], pairs.get((m, 1), 0), {("hi", "b"): 4}.get((m, n), 0), table.get((m, 1), 0)),
        (found[0], found[1], len([*found, 3]), len(list(found)), collections.Counter({"hi": 2})[m]),
    )


def choice_as_member(x, k):
    m = "hi" if k > 2 else "lo"
    rows = [m, "q"]
    rows.append(m)
    held = {"a": m}
    return (
        (["hi", "lo", "hi"].count(m), ["lo", "hi"].index(m), ["hi", m].count("hi"), ["x", m].index("hi")),
        ("hi" in ["x", m], m in ["x", m], "h" in m, m in "hi there", rows.count(m), len(rows)),
        ([m] == ["hi"], [m] != ["hi"], [[m], 1] == [["hi"], 1], {"a": m} == {"a": "hi"}, (m, 1) == ["hi", 1]),
        (held["a"], held.get("a"), held.pop("a"), held.setdefault("z", m)),
        x,
    )


def choice_in_text(x, k):
    m = "hi" if k > 2 else "lo"
    n = None if k > 2 else "lo"
    y = n + "_x" if n is not None else "n"
    return (
        (m + "_x", "x_" + m, m * 2, 2 * m, "/".join(["d", m]), f"{m}_x", f"a{m}", "%s_%d" % (m, 3), "%s" % m),
        ("a{}".format(m), "a{b}".format(b=m), m < "k", "k" < m, m >= "hi", "k" >= m, y),
        ("d_hi".endswith(m), "a-hi".replace(m, "u"), x),
    )  # fmt: skip


def numbers(x, k):
    rows = [i % 2 for i in range(k)]
    return (
        (
            k in {1: 2, 3: 4},
            k in {1: 2, 3: 4}.keys(),
            k in {3: 1}.values(),
            k in (1, None, "a", 3),
            k in {1, 3},
        ),
        ((k, 1) in [(3, 1)], (k, 1) in {(3, 1)}, k not in dict(a=1)),
        ([k].count(1), [k].count(3), [k, k].index(3), [4, k, 3].index(3, 1), (k, 2) == (3, 2), [k] == (3,)),
        ({"a": k} == {"a": 3}, {"a": k} != {"b": 3}, [[k, 1], 2] == [[3, 1], 2], (k, 2) == [3, 2]),
        (rows.count(1), rows.count(5), rows.index(1), [(i, k) for i in range(k)].count((1, 3)), x),
    )


def texts(t):
    t = t.decode()
    return (
        (t in {"cat": 1}.keys(), t in {"cat", "b"}, (t, 1) in [("cat", 1)], "cat" in [t, "b"]),
        (["cat", "b", "cat"].count(t), [t, "b"].count("cat"), [t, "b"].count(t), [t, "b"].index("b")),
        ([t] == ["cat"], (t, 1) == ("cat", 1), {"a": t} == {"a": "cat"}, [t] == ("cat",)),
        ({"cat": 1}.get(t, 9), ["cat", "b", "cat"].index(t)),
    )


@pytest.mark.parametrize("body", [choice_as_key, choice_as_member, choice_in_text, numbers])
def test_what_the_graph_knows_in_containers(body):
    every_size(body, X, np.int64(3))


def test_strings_in_containers():
    every_size(texts, b"cat")


def test_a_choice_that_is_no_key_stops_the_graph():
    def missing(k):
        return {"hi": 1}["hi" if k > 2 else "lo"]

    graph = tf.function(port(missing), autograph=False)
    assert graph(tf.constant(3)) == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"test_containers.py, line \d+: KeyError"):
        graph(tf.constant(2))


def of_numbers(x, k):
    sizes = {x.shape[0]: 2, k: 1}
    members = {k, 3}
    members.add(k)
    counted = frozenset([k, 3]), set([k, 3]), {i for i in [k, 3]}
    return (
        sizes[6],
        sizes[3],
        len(members),
        [len(one) for one in counted],
        {x.shape: 2}[(6,)],
        dict([(k, 1)])[3],
    )


def test_known_numbers_are_members_and_keys():
    right = of_numbers(X, np.int64(3))
    for ours, theirs in zip(port(of_numbers)(X, np.int64(3)), right, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    known = tf.function(lambda x: port(of_numbers)(x, 3), autograph=False)
    for ours, theirs in zip(known(X), right, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def written(k):
    table = {"hi": 1, "lo": 2}
    table["hi" if k > 2 else "lo"] = 50
    return table["hi"]


def increased(k):
    table = {"hi": 1, "lo": 2}
    table["hi" if k > 2 else "lo"] += 1
    return table["hi"]


def appended(k):
    rows = {"hi": [], "lo": []}
    rows["hi" if k > 2 else "lo"].append(3)
    return len(rows["hi"])


def appended_later(k):
    rows = {"hi": [[1]], "lo": [[2]]}
    row = rows.get("hi" if k > 2 else "lo")
    row[0].append(3)
    return len(rows["hi"][0])


def appended_at_a_number(k):
    rows = [[1], [2], [3], [4]]
    rows[k].append(3)
    return len(rows[3])


def element_written(k):
    rows = {"hi": [1], "lo": [2]}
    rows["hi" if k > 2 else "lo"][0] = 3
    return rows["hi"][0]


def grown(k):
    rows = {"hi": [1], "lo": [2]}
    row = rows["hi" if k > 2 else "lo"]
    row += [3]
    return len(rows["hi"])


def missing_key_set(k):
    return {"hi": 1}.setdefault("hi" if k > 2 else "lo", 7)


def popped(k):
    return {"hi": 1, "lo": 2}.pop("hi" if k > 2 else "lo")


def new_key(k):
    m = "hi" if k > 2 else "lo"
    return {m: 5}["hi"]


def new_member(k):
    m = "hi" if k > 2 else "lo"
    return len({m, "hi"})


def comprehended(k):
    m = "hi" if k > 2 else "lo"
    return {one: 1 for one in [m]}["hi"]


def by_name(k):
    m = "hi" if k > 2 else "lo"
    return dict(**{m: 3})["hi"]


def added(k):
    members = {"hi"}
    members.add("hi" if k > 2 else "lo")
    return len(members)


def shown(k):
    m = "hi" if k > 2 else "lo"
    return f"{[m]}"


def number_as_member(k):
    return len({k, 3})


def number_as_key(k):
    return {k: 1}[3]


def number_set(k):
    return {3: 1}.setdefault(k, 0)


CHANGES = [
    written, increased, appended, appended_later, appended_at_a_number, element_written,
    grown, missing_key_set, popped, new_key, new_member, comprehended,
    by_name, added, shown, number_as_member, number_as_key,
    number_set,
]  # fmt: skip


@pytest.mark.parametrize("body", CHANGES)
def test_what_would_be_lost_is_refused(body):
    refused_in_graphs(body, "known only at run time|the graph decides|when the graph runs|under a run-time",
                      tf.TensorSpec([], tf.int64))  # fmt: skip


def size_as_key(x):
    return {x.shape: 2}[(6,)]


def string_changed(t):
    rows = {b"cat": [1]}
    rows[t].append(3)
    return len(rows[b"cat"])


def test_unknown_sizes_and_strings_as_keys_are_refused():
    with pytest.raises(ValueError, match="a key of Python"):
        tf.function(port(size_as_key), autograph=False).get_concrete_function(
            tf.TensorSpec([None], tf.float32)
        )
    refused_in_graphs(
        string_changed, "a list at a place known only at run time", tf.TensorSpec([], tf.string)
    )


NAMES = ["cat", "dog", "cow"]


def made_of_iterators(x, k):
    table, places = dict(zip(NAMES, range(3))), dict(enumerate("ab"))
    scaled = dict((name, size * k) for name, size in zip("ab", (1, 2)))
    updated, members, rows = {}, {1}, [0]
    updated.update(zip("ab", (1, k)))
    members.update(map(abs, [-2, 1]))
    rows.extend(map(abs, [-1, -2]))
    rows += (q * k for q in (1, 2))
    a, b = map(lambda q: q * 2, (1, k))
    (c, d), _ = zip(*[(1, 2), (k, 3)])
    return (
        (
            table.get("dog", -1),
            table.get("z", -1),
            len(table),
            places[1],
            scaled["b"],
            updated["b"],
            sum(members),
        ),
        (len(set(q for q in (1, 1, 2))), sum(set([1, 2, 2])), len(frozenset(map(abs, [-1, 1])))),
        (
            sum(rows),
            a,
            b,
            c,
            d,
            sorted(map(lambda q: -q, x))[0],
            max(map(lambda q: -q, x)),
            min(-q for q in x),
        ),
        ("-".join(map(str, [1, 2])), "-".join(str(q) for q in [1, k]), any(map(lambda q: q > 4, x))),
        (
            np.array(list(map(lambda q: -q, x))),
            np.stack(tuple(map(lambda q: q * x, (1, 2)))),
            3 in map(abs, [-3]),
        ),
        (collections.Counter(map(abs, [-1, 1, 2]))[1], collections.OrderedDict(zip("ab", [1, k]))["b"]),
        (len(collections.deque(map(abs, [1, 2]), 1)), [*map(lambda q: q * k, (1, 2))][1], bool(map(abs, []))),
    )


def read_twice(x, k):
    values = [1, 2, 3]
    found = [x[0]]
    for one in (
        map(lambda q: q * k, values), filter(None, values), (q * k for q in values), zip(values, values),
        enumerate(values), reversed(values), itertools.product(values, values),
        itertools.chain(values, values),
    ):  # fmt: skip
        found += [len(list(one)), len(list(one))]
    mapped = map(lambda q: q + k, values)
    for q in mapped:
        k = k + q
    for q in mapped:
        k = k + 100 * q
    return (*found, k)


def test_iterators_fill_every_container_once():
    every_size(made_of_iterators, X, np.int64(3))
    every_size(read_twice, X, np.int64(3))


def mapped_twice(x):
    rows = map(lambda q: q + 1, x)
    return sum(rows), sum(rows)


def counted_twice(x):
    rows = enumerate(x)
    return len([q for _, q in rows]), len([q for _, q in rows])


def flipped_twice(x):
    rows = reversed(x)
    return sum(rows), sum(rows)


def generated_twice(x):
    rows = (q * 2 for q in x)
    return sum(rows), sum(rows)


@pytest.mark.parametrize("body", [mapped_twice, counted_twice, flipped_twice, generated_twice])
def test_an_iterator_of_unknown_length_is_read_once(body):
    sized = tf.function(port(body), autograph=False)(X)
    for ours, theirs in zip(tf.nest.flatten(sized), tf.nest.flatten(body(X)), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    with pytest.raises(PipeportError, match="iterator: got a reading: a second one"):
        tf.function(port(body), autograph=False).get_concrete_function(tf.TensorSpec([None], tf.float32))


def read_in_a_branch(k):
    rows = map(abs, [-1, 2])
    if k > 2:
        k = k + sum(rows)
    return k + sum(rows)


def read_in_a_loop(k):
    rows, total = zip([1, 2], [3, 4]), 0
    for _ in range(k):
        for a, b in rows:
            total = total + a * b
    return total


@pytest.mark.parametrize("body", [read_in_a_branch, read_in_a_loop])
def test_an_iterator_is_read_where_it_is_made(body):
    assert port(body)(np.int64(3)) == body(3)
    refused_in_graphs(body, "iterator: got a reading: one under a run-time", tf.TensorSpec([], tf.int64))


OBJECTS = np.array(["b", "cat", 3, None], dtype=object)
BYTES = np.array([b"b", b"cat"], dtype=object)
TABLE = np.array([["b", "cat"]], dtype=object)
LABELS = np.array(["b", "cat"])


def found_in_objects(t):
    s = t.decode()
    m = "cat" if len(s) > 2 else "b"
    return (
        (OBJECTS == s, s != OBJECTS, OBJECTS == t, BYTES == t, BYTES == s, TABLE == s, LABELS == s),
        OBJECTS == m,
        (np.argmax(OBJECTS == s), np.where(BYTES == t, 1, 0), (s == TABLE).astype(np.float32)),
        (s in TABLE, m in TABLE),
        np.flatnonzero(OBJECTS == s),
    )


def test_arrays_of_objects_compare_with_strings():
    every_size(found_in_objects, b"cat")
