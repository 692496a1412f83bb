# ruff: noqa: SIM108 - statements are what is tested
"""Bodies that write through views in branches and loops, some where sharing is known only at run time."""

from __future__ import annotations

import types

import numpy as np

from tests.porting.views_kinds import fill, fill_and_add


def branch_view(x, k):
    x = np.array(x)
    r = x[1:3]
    if k > 2:
        r[:] = 0
    return (x, r)


def branch_base(x, k):
    x = np.array(x)
    r = x[1:3]
    if k > 2:
        x[1] = 0
    else:
        x += 1
    return (x, r)


def branch_inside(x, k):
    x = np.array(x)
    if k > 2:
        r = x[1:3]
        r[0] = 0
        r.T[0] = 5
    return x


def branch_helper(x, k):
    x = np.array(x)
    if k > 2:
        fill(x[1:])
    else:
        fill_and_add(x.T, k)
    return x


def branch_list(x, k):
    x = np.array(x)
    parts = [x[:2], x[2:]]
    if k > 2:
        for p in parts:
            p += 1
    return (x, parts[0])


def branch_closure(x, k):
    x = np.array(x)
    v = x[::-1]

    def put(i):
        v[i] = 5

    if k > 2:
        put(0)
    return (x, v)


def branch_nested(x, k):
    x = np.array(x)
    v = x[::-1]
    if k > 2:
        if k > 3:
            v[0] = 5
        else:
            x[0] = 6
    return (x, v)


def loop_view(x, k):
    x = np.array(x)
    v = x.T
    for i in range(k):
        v[0, i] = i
        v[1] += x[i, 0]
    return (x, v)


def loop_inside(x, k):
    x = np.array(x)
    for i in range(k):
        r = x[i]
        r[1:] = i
        x[i + 1][0] += 3
    return x


def loop_inside_aug(x, k):
    x = np.array(x)
    for i in range(k):
        x[i][1:3] += i
    return x


def loop_while(x, k):
    x = np.array(x)
    r = x[2:4]
    i = k
    while i > 0:
        r += 1
        i = i - 1
        if r[0, 0] > 100:
            r[:] = 0
    return x


def loop_list(x, k):
    x = np.array(x)
    parts = [x[:2], x[2:]]
    for q in range(k):
        for p in parts:
            p[0] += q
    return x


def loop_helper(x, k):
    x = np.array(x)
    for q in range(k):
        fill_and_add(x[q : q + 2], q)
    return x


def loop_rows_drawn(x, k):
    x = np.array(x)
    for row in x[:k]:
        row += 1
    return x


def loop_break(x, k):
    x = np.array(x)
    v = x[:, ::-1]
    for i in range(6):
        if i >= k:
            break
        v[i, 0] = -1
    return x


def drawn_slice(x, k):
    x = np.array(x)
    r = x[k : k + 2]
    r[:] = 0
    r[0] += 1
    return (x, r)


def drawn_index(x, k):
    x = np.array(x)
    r = x[k]
    r[:] = 0
    x[k, 0] = 4
    return (x, r)


def drawn_neg(x, k):
    x = np.array(x)
    r = x[k::-1]
    r[0] = 0
    return x


def same_both(x, k):
    x = np.array(x)
    if k > 2:
        y = x
    else:
        y = x
    y[0] = 4
    return (x, y)


def new_both(x, k):
    x = np.array(x)
    if k > 2:
        y = x * 2
    else:
        y = x.copy()
    y[0] = 4
    return (x, y)


def two_args(x, k):
    y = np.array(x)
    z = y
    z[0] = 1
    w = y + 0
    w[1] = 2
    return (y, z, w)


def fancy_copy(x, k):
    x = np.array(x)
    y = x[[0, 1]]
    y[0] = 9
    z = x[x > 3]
    z[0] = 1
    return (x, y)


def write_arg(x, k):
    x[0] = 9
    x.T[0] = 1
    return x


def choice_read(x, k):
    x = np.array(x)
    y = x if k > 2 else x.copy()
    return x + y


def new_in_a_branch(x, k):
    x = np.array(x)
    y = x[::-1]
    if k > 2:
        y = y + 0
    y[0] = 99
    return x


def choice_written(x, k):
    x = np.array(x)
    y = x if k > 2 else x.copy()
    y[0] = 99
    return x


def choice_written_and_read(x, k):
    x = np.array(x)
    y = x if k > 2 else x.copy()
    y[0] = 99
    return y


def choice_read_after_a_write(x, k):
    x = np.array(x)
    y = x if k > 2 else x.copy()
    x[0] = 99
    return y


def choice_of_two(x, k):
    a = np.array(x)
    b = a + 1
    y = a if k > 2 else b
    y[0] = 99
    return (a, b)


def choice_of_views(x, k):
    x = np.array(x)
    y = x[:2] if k > 2 else x[2:4]
    y[0] = 99
    return x


def choice_of_steps(x, k):
    x = np.array(x)
    if k > 2:
        y = x[::-1]
    else:
        y = x[:]
    y[0] = 99
    return (x, y)


def choice_by_a_helper(x, k):
    x = np.array(x)

    def pick():
        return x if k > 2 else x + 0

    y = pick()
    y += 1
    return x


def list_and_a_drawn_range(x, k):
    x = np.array(x)
    parts = [x[:2], x[2:4], x[4:]]
    for part, place in zip(parts, range(k), strict=False):
        part += place + 1
    for row, _ in zip(x, range(k), strict=False):
        row[0] = -1
    return x


def picked_in_a_loop(x, k):
    x = np.array(x)
    parts = [x[:2], x[2:4], x[4:]]
    for place in range(k):
        parts[place % 3][0] += place
    return x


def branch_in_a_loop(x, k):
    x = np.array(x)
    left = x[:, :2]
    for place in range(k):
        if place > 1:
            left[place] = 5
        else:
            x[place] *= 2
    return x, left


def loop_in_a_branch(x, k):
    x = np.array(x)
    turned = x.T
    if k > 2:
        for place in range(k):
            turned[place % 4] += x[0, 0] + place
    return x, turned


def loop_in_a_loop(x, k):
    x = np.array(x)
    for place in range(k):
        row = x[place]
        for other in range(place):
            row[other] = -1
    return x


def view_of_a_branch_read_later(x, k):
    x = np.array(x)
    if k > 2:
        part = x[1:3]
    else:
        part = x[2:4]
    x[2] = 9
    return part


def chosen_by_an_expression(x, k):
    x = np.array(x)
    (x if k > 2 else x.copy())[0] = 9
    return x


SERVED = [
    one for one in list(vars().values()) if isinstance(one, types.FunctionType) and one.__module__ == __name__
]
