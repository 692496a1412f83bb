"""Bodies that write through views, and what they take their views by."""

from __future__ import annotations

import types

import numpy as np


def fill(part):
    part[:] = 7


def fill_and_add(part, v):
    part[0] = v
    part += 1


def slicefill(x, k):
    x = np.array(x)
    r = x[1:3]
    r[:] = 0
    return x


def rows_in_place(x, k):
    x = np.array(x)
    for row in x:
        row += 1
    return x


def first_of_reshaped(x, k):
    x = np.array(x)
    x.reshape(-1)[0] = 9
    return x


def clip_into_a_slice(x, k):
    x = np.array(x)
    np.clip(x[:2], 3, 5, out=x[:2])
    return x


def slice_for_a_helper(x, k):
    x = np.array(x)
    fill(x[1:])
    return x


def slice_for_a_helper_with_a_draw(x, k):
    x = np.array(x)
    fill_and_add(x[1:3], k)
    return x


def view_read_after_a_write(x, k):
    x = np.array(x)
    z = x[0]
    x[0, 0] = 77
    return z


def reversed_in_a_loop(x, k):
    x = np.array(x)
    y = x[::-1]
    for _ in range(k):
        y[0] += 1
    return x


def reversed_in_a_loop_and_read(x, k):
    x = np.array(x)
    y = x[::-1]
    for _ in range(k):
        y[0] += 1
    return (x, y)


def negative_steps(x, k):
    x = np.array(x)
    x[::-2, ::-1][1:] = 5
    return x


def empty_view(x, k):
    x = np.array(x)
    r = x[3:3]
    r[:] = 5
    r += 1
    return (x, r)


def transposed(x, k):
    x = np.array(x)
    x.T[0] = 5
    return x


def transposed_then_cut(x, k):
    x = np.array(x)
    y = x.T[1:3, ::-1]
    y[0, 1] = 8
    y *= 2
    return (x, y)


def transpose(x, k):
    x = np.array(x).reshape(3, 2, 4)
    y = np.transpose(x, (2, 0, 1))
    y[0] = 5
    y.transpose(1, 2, 0)[0] += 3
    return (x, y)


def swapaxes(x, k):
    x = np.array(x)
    x.swapaxes(0, 1)[2] = 5
    np.swapaxes(x, 0, 1)[1] += 2
    return x


def squeeze(x, k):
    x = np.array(x)[None]
    y = np.squeeze(x, 0)
    y[0] = 5
    x.squeeze(0)[1] += 2
    return x


def expand_dims(x, k):
    x = np.array(x)
    y = np.expand_dims(x, 0)
    y[0, 1] = 5
    x[:, None][2] += 4
    return x


def flip(x, k):
    x = np.array(x)
    np.flip(x, 0)[0] = 5
    np.fliplr(x)[1] += 2
    np.flipud(x)[2] *= 3
    return x


def asarray(x, k):
    x = np.array(x)
    y = np.asarray(x)
    y[0] = 5
    return x


def moveaxis(x, k):
    x = np.array(x)
    np.moveaxis(x, 0, 1)[0] = 5
    np.rollaxis(x, 1)[1] += 5
    return x


def rows_of_two(x, k):
    x = np.array(x)
    for a, b in zip(x, x[::-1], strict=True):
        a += b
    return x


def rows_by_number(x, k):
    x = np.array(x)
    for i, row in enumerate(x):
        row[:] = i
    return x


def rows_of_planes(x, k):
    x = np.array(x).reshape(3, 2, 4)
    for plane in x:
        for row in plane:
            row *= 2
    return x


def ravel(x, k):
    x = np.array(x)
    x.ravel()[3] = 9
    np.ravel(x)[5] = 8
    return x


def reshape_of_transposed_product(x, k):
    x = np.array(x)
    y = x.T * 2
    z = y.reshape(-1)
    z[0] = 99
    return (y, z)


def reshape_of_product_turned_back(x, k):
    x = np.array(x)
    y = x.T * 2
    w = y.T.reshape(-1)
    w[0] = 99
    return (y, w)


def reshape_of_transposed(x, k):
    x = np.array(x)
    z = x.T.reshape(-1)
    z[0] = 99
    return (x, z)


def reshape_of_transposed_copy(x, k):
    x = np.array(x)
    y = x.T.copy()
    z = y.reshape(-1)
    z[0] = 99
    w = y[1:]
    w[0] = 3
    return (y, z)


def reshape_of_transposed_array(x, k):
    x = np.array(x)
    y = np.array(x.T)
    z = y.reshape(-1)
    z[0] = 99
    return (y, z)


def reshape_of_slices(x, k):
    x = np.array(x)
    z = x[1:3].reshape(-1)
    z[0] = 99
    v = x[:, 1:3].reshape(-1)
    v[0] = 55
    return (x, z, v)


def reshape_that_splits(x, k):
    x = np.array(x)
    z = x[:, 1:3].reshape(x.shape[0], 2, 1)
    z[0] = 99
    return (x, z)


def reshape_of_zeros_like_transposed(x, k):
    x = np.array(x)
    y = np.zeros_like(x.T)
    z = y.reshape(-1)
    z[0] = 99
    return (y, z)


def reshape_of_cast_transposed(x, k):
    x = np.array(x)
    y = x.T.astype(np.float64)
    z = y.reshape(-1)
    z[0] = 99
    return (y, z)


def items_of_items(x, k):
    x = np.array(x)
    x[1][2] = 4
    x[2][1:3][0] = k
    return x


def slices_of_items(x, k):
    g = np.array(x[:2, :2])
    out = np.zeros((3, 6, 4), np.float32)
    for i in range(3):
        out[i][i : i + 2, 1:3] = g
    return out


def drawn_slices_of_items(x, k):
    g = np.array(x[:2, :2])
    out = np.zeros((3, 8, 4), np.float32)
    for i in range(3):
        out[i][k : k + 2, 1:3] = g
    return out


def maximum_into_items(x, k):
    out = np.zeros((3, *x.shape), np.float32)
    for i in range(3):
        np.maximum(out[i], x * i, out=out[i])
    return out


def maximum_into_items_in_a_loop(x, k):
    out = np.zeros((5, *x.shape), np.float32)
    for i in range(k):
        np.maximum(out[i], x * i, out=out[i])
    return out


def parts_in_a_list(x, k):
    x = np.array(x)
    parts = [x[:2], x[2:]]
    for p in parts:
        p += 1
        p[0] = 3
    return x


def parts_of_split(x, k):
    x = np.array(x)
    for p in np.split(x, 2):
        p[0] = 3
    for i, p in enumerate(np.hsplit(x, 2)):
        p += i
    return x


def scalar_rebound(x, k):
    s = x.sum()
    t = s
    s /= 8
    m = x[0, 0]
    n = m
    m += 5
    return (s, t, m, n, x)


def diagonal_filled(x, k):
    x = np.array(x)
    np.fill_diagonal(x, 3)
    np.fill_diagonal(x[1:], k)
    return x


def copyto(x, k):
    x = np.array(x)
    np.copyto(x[1:3], 5)
    np.copyto(x[3], x[0])
    np.copyto(x, 1, where=x > 15)
    return x


def putmask(x, k):
    x = np.array(x)
    np.putmask(x, x > 10, 0)
    np.putmask(x[:3], x[:3] < 5, k)
    return x


def add_at(x, k):
    x = np.array(x)
    np.add.at(x, [0, 0, 1], 2)
    np.subtract.at(x[1:], ([0, 0], [1, 1]), k)
    return x


def add_at_siblings(x, k):
    x = np.array(x)
    np.multiply.at(x, [0, 2], 2)
    np.maximum.at(x, [1, 1], 9)
    np.minimum.at(x.T, [0], 3)
    return x


def place_put(x, k):
    x = np.array(x)
    np.place(x, x > 10, [1, 2])
    np.put(x, [0, 5], 44)
    return x


def put_along_axis(x, k):
    x = np.array(x)
    np.put_along_axis(x[1:3], np.array([[0, 3], [-1, 0]]), k, axis=1)
    np.put_along_axis(x.T, x.T[:, :1].astype(int) % 2 + 4, [[-1.0]], 1)
    np.put_along_axis(x[4], np.array([1, 1, 2]), [7, 8, 9], None)
    np.put_along_axis(x, np.array([[0, 5]]).T, x[:2] * 2, 0)
    return x


def written_windows(x, k):
    x = np.array(x)
    rows = np.lib.stride_tricks.as_strided(x[1:3], (2, 3), (3 * x.itemsize, x.itemsize))
    rows[0] = k
    rows[:, 1:] += 100
    x[2] -= rows[1, 1]
    return (x, rows)


def filled_by_its_method(x, k):
    x = np.array(x)
    x[1:3].fill(4)
    x[0].fill(k)
    return x


def sort_view(x, k):
    x = np.array(x)
    x[1:3, ::-1].sort()
    x[:, 0].sort()
    return x


def out_views(x, k):
    x = np.array(x)
    np.add(x[0], 1, out=x[-1])
    np.multiply(x.T, 2, out=x.T)
    return x


def overlapping(x, k):
    x = np.array(x)
    x[1:] += x[:-1]
    x[:] = x[::-1]
    return x


def swap_rows(x, k):
    x = np.array(x)
    x[0], x[1] = (x[1], x[0])
    return x


def items_of_a_view(x, k):
    x = np.array(x)
    r = x[1:3]
    r[0] += 1
    r[0, 1:3] *= 2
    x[2] -= r[0]
    return (x, r)


def bytes_wrap(x, k):
    x = x.astype(np.uint8)
    a = x[:, 1:3]
    a += 250
    a[a > 100] = 1
    return x


def masked_view(x, k):
    x = np.array(x)
    r = x[1:4]
    r[r > 9] = 0
    r[[0, 2]] = 5
    return x


def arrays_in_a_dict(x, k):
    b = {"a": np.array(x)}
    b["v"] = b["a"][1:]
    b["v"][0] = 3
    b["a"][2] += 1
    return (b["a"], b["v"])


def closure(x, k):
    x = np.array(x)

    def put(i, v):
        x[i][1:] = v

    put(0, 5)
    put(1, k)
    return x


def real_and_imaginary_parts(x, k):
    z = x + 1j * x
    z.real[0] = 5
    z.imag[1:3] += k
    np.real(z)[2] = 1
    return z.real, z.imag


def rows_in_a_list(x, k):
    x = np.array(x)
    rows = list(x[:3]) if x.shape[0] is None else [x[0], x[1]]
    rows[1][:] = 8
    x[0, 0] = 9
    return x, rows[0]


def rows_from_the_last(x, k):
    x = np.array(x)
    for place, row in zip(range(3), reversed(x), strict=False):
        row += place
    return x


def sums_so_far(x, k):
    x = np.array(x)[:, 0]
    for place, one in enumerate(x):
        if place:
            x[place] = one + x[place - 1]
    for one in x:
        x[-1] += one
    return x


def array_without_axes(x, k):
    total = np.array(3.0)
    same = total
    same += 1
    total[...] = total * 2
    cell = x[1, 2, ...]
    x = np.array(x)
    corner = x[0, 0, ...]
    corner += 5
    return total, same, x, cell


def diagonal_read_later(x, k):
    x = np.array(x)
    one, other, third = np.diagonal(x), x.diagonal(), np.diag(x)
    x[1, 1] = 99
    return one, other, third


def contiguous(x, k):
    x = np.array(x)
    np.ascontiguousarray(x)[0] = 9
    y = x[1:3]
    np.ascontiguousarray(y)[0] = 6
    return x


def broadcast_read_later(x, k):
    x = np.array(x)
    wide = np.broadcast_to(x[0], (3, 4))
    x[0, 1] = 5
    return wide


def turned(x, k):
    x = np.array(x)
    np.rot90(x)[0] = 5
    np.rot90(x, 2)[1, 2:] += 3
    np.rollaxis(x, 1)[2] = 1
    return x


def atleast(x, k):
    x = np.array(x)
    np.atleast_3d(x)[0] = 5
    np.atleast_2d(x[1])[0, 2:] = 4
    return x


def cast_or_not(x, k):
    x = np.array(x)
    x.astype(np.float32, copy=False)[0] = 5
    x.astype(np.float64, copy=False)[1] = 6
    np.asarray(x, np.float32)[2] = 7
    return x


def one_for_two_parameters(x, k):
    def mix(a, b):
        a[0] = 5
        b[1] = a[0] + 1
        return a

    x = np.array(x)
    y = mix(x, x)
    y[2] = 3
    return x


def view_from_a_helper(x, k):
    def middle(a):
        return a[1:-1, ::2]

    x = np.array(x)
    part = middle(x)
    part *= -1
    middle(x.T)[0] = k
    return x, part


def reductions_keep_nothing(x, k):
    x = np.array(x)
    total = x.sum(0)
    total[0] = 5
    top = x.max(axis=1, keepdims=True)
    top += 1
    both = np.concatenate([x[:1], x[1:]])
    both[0] = 3
    return x, total, top, both


def written_twice_over(x, k):
    x = np.array(x)
    y = x[1:5]
    z = y[::-1]
    w = z[:, 1:3].T
    w[0] = np.array([9, 8, 7, 6], np.float32)
    y[0] = 1
    z += w[1:2].T
    return x, y, z, w


def whole_columns(x, k):
    x = np.array(x)
    for column in x.T:
        column -= column[0]
    x[..., -1][1:] = 5
    x[:, k % 4][0] = 3
    return x


def chosen_part_of_a_list(x, k):
    x = np.array(x)
    parts = [x[:2], x[2:4], x[4:]]
    part = parts[k % 3]
    part[0] = 9
    part += 1
    return x, part


SERVED = [
    one
    for one in list(vars().values())
    if isinstance(one, types.FunctionType) and not one.__name__.startswith("fill")
]
