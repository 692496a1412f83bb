"""Elements of lists, of tuples and strings too, at places known only at run time."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from tests.porting.modes import every_size, refused_in_graphs

pytestmark = pytest.mark.both


def pairs(x, k):
    rows = [("cat", 2), ("dog", k), ("owl", 7)]
    name, number = rows[k]
    (inner, _), beside = rows[::-1][k], x[k]
    nested = [{"size": (k, "a")}, {"size": (5, "b")}, {"size": (6, "c")}][k]
    return (
        name,
        number,
        inner,
        beside,
        nested["size"][0],
        nested["size"][1],
        {"cat": 1, "dog": 5, "owl": 6}[name],
    )


def rows_are_lists(x, k):
    rows = [[1, 2], [k, 4], [5, 6]]
    corners = [(0, 1), (2, 3), (4, 5)]
    first, second = rows[-k]
    return (
        np.array(rows[k] + [9]),
        np.array(rows[k] * 2),
        np.array(corners[k] + (7,)),
        len(rows[k]),
        first,
        second,
    )


def put_in_order(x, k):
    scores = {"cat": k, "dog": 2, "owl": int(x[0])}
    by_score = sorted(scores.items(), key=lambda one: one[1])
    names = sorted(scores, key=scores.get, reverse=True)
    best = max(scores, key=scores.get)
    return by_score[0][0], by_score[-1][1], "|".join(names), best, scores[best]


def beside_drawn_rounds(x, k):
    total, last = 0, ""
    for at, name in zip(range(k), ["cat", "dog", "owl"], strict=False):
        last = name
        total += at
    return total, last


def written_to_beside_drawn_rounds(x, k):
    for at, one in zip(range(k + int(x[0])), x, strict=False):
        x[::-1] -= one
        x[at] += 1
    return x


BODIES = [pairs, rows_are_lists, put_in_order, beside_drawn_rounds, written_to_beside_drawn_rounds]


@pytest.mark.parametrize("body", BODIES)
def test_elements_at_drawn_places(body):
    for k in (1, 2):
        every_size(body, np.array([3, 1, 2], np.float32), np.int64(k))


def changed(x, k):
    rows = [[1, 2], [3, 4]]
    rows[k].append(5)
    return x, len(rows[k])


def of_several_kinds(x, k):
    return [(1, "a"), [2, "b"]][k][0], x


def test_a_change_of_such_an_element_is_refused():
    specs = tf.TensorSpec([3], tf.float32), tf.TensorSpec([], tf.int64)
    refused_in_graphs(changed, "at a place known only at run time", *specs)
    refused_in_graphs(of_several_kinds, "run-time index into a list", *specs)


def grade(n):
    return "high" if n > 2 else "low"


def place_among_strings_of_the_graph(x, k):
    named = f"n{k}"
    rows = ["cat", named, "dog"]
    listed = list(enumerate([grade(v) for v in [k, 1]]))
    return rows.index(named), rows.index(f"{named[:0]}dog"), rows.count(named), listed[0][1], listed[1][0]


def texts_of_conditions(x, k):
    named = "hi" if k > 1 else "lo"
    flags = dict.fromkeys(["cat", "dog"], 0)
    flags["cat"] += k
    names, grades = np.array(["cat", named]), np.array([grade(v) for v in [3, k, 0]])
    told = str(k > 1), f"{x.max() > 2}_{k == 2}", f"yes: {not k > 1}"
    name = f"n{k}"
    told = *told, name + named, named + name, f"a_{k}".replace("a", "b") + grade(k)
    name += named
    return "|".join(names), "|".join(grades), name, *told, flags["cat"], flags["dog"]


def joined_choices(x, k):
    rows = [grade(v) for v in [3, k, 0, 2]]
    rows += [f"n{k}"]
    by_name = {"cat": grade(k), "dog": "x", "owl": f"n{k}"}
    told = "|".join(by_name.values()), "|".join({"cat": grade(k), "dog": "x"}.values()), "".join(by_name)
    return *told, "|".join(rows), "|".join(grade(v) for v in [k, 1]), ",".join(["a", grade(k)])


def by_a_flag(x, k):
    border = "edge" if k > 1 else None
    named = ["a", "b"][grade(k) == "low"], ("no", "yes")[border is None]
    return [1, 2][border is None], *named, [x, x * 2][grade(k) == "high"]


STRINGS = [place_among_strings_of_the_graph, texts_of_conditions, joined_choices, by_a_flag]


@pytest.mark.parametrize("body", STRINGS)
def test_strings_of_conditions(body):
    for k in (1, 2, 3):
        every_size(body, np.array([3, 1, 2], np.float32), np.int64(k))
