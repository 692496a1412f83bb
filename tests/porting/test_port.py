"""`pipeport.port`: statements, calls and refusals, each on a function as people write it."""

from __future__ import annotations

import functools
import gzip
import math
import random

import numpy as np
import pytest
import tensorflow as tf

from pipeport import seeds
from pipeport.errors import NotEquivalent, PortRefused, UnsupportedArgument
from pipeport.porting import _example, port

pytestmark = pytest.mark.both

SHIFT = np.array([1, 2])


def early_return(x):
    for i in range(x[0]):
        if x[i] == 7:
            return i
    return -1


def endless(x):
    i = 0
    while True:
        if x[i] < 0 or i >= len(x) - 1:
            break
        i += 1
    return i, x[:i].sum()


def skips(x):
    out = np.zeros_like(x)
    for i in range(len(x)):
        v = x[i]
        if v % 2:
            continue
        if v > 6:
            break
        out[i] = v
    return out


def nested(x):
    a = x.mean()
    if a > 3:
        y = x - 1 if a > 5 else x + 1
        z = 2.0
    elif 1 < a <= 3 and not x[0] == 2:  # noqa: SIM201 - as people write it
        y, z = x * 3, 0.5
    else:
        y, z = x * 0, 1.5
    return y, z


def numbers(x):
    k = 1 if x[0] > 3 else 2
    m = x[1:] if x[1] > 0 else x[:-1]
    return (
        m * k, abs(-k), max(k, x[1]), min([k, x[0], 9]), round(float(x.mean()), 2), int(x.std()),
        math.sqrt(x[0]), math.floor(x.mean()), [1, 2, 3][x[0] % 3], any([x[0] > 1, x[1] > 4]), x[0] in (2, 3),
    )  # fmt: skip


def writes_in_a_branch(x):
    y = x.copy()
    if x[0] > 2:
        y[:2] = 0
        y += 1
        y[-1] *= 5
    return y


def writes_in_a_loop(x):
    y = np.zeros(4, np.float32)
    for i in range(x[0]):
        y[i % 4] += x[i % 3]
    return y


def rows(x):
    total = 0.0
    for i, (a, b) in enumerate(zip(x, x[::-1], strict=False)):
        if a == b:
            total += i
        else:
            total -= 1
    return total


def swaps(x):
    x[0], x[1] = x[1], x[0]
    a, b = x[0], x[1]
    return x, a - b


def with_inner(x):
    def power(v, p=2):
        return v**p

    one_more = lambda v: power(v) + 1  # noqa: E731 - as people write it
    steps = [one_more, functools.partial(power, p=1), functools.partial(functools.partial(power), p=2)]
    for step in steps:
        x = step(x)
    return one_more(x), power(x, p=3), list(map(functools.partial(power, p=2), [x, x + 1]))


def named_first(x):
    if (n := len(x)) > 3 and x[0] in (2, 3):
        return n
    return 0


def named_in_a_value(x):
    y = (m := x * 2)[0] + m[1]
    return y * n if (n := x.sum()) > 2 else y


def in_place_helper(x):
    x[:2] = 9
    return x


def with_helper(x):
    x = in_place_helper(x)
    return in_place_helper(x - SHIFT[0])


def checks(x):
    assert x.sum() > 0, "nothing there"
    return x


def doubled_first(function):
    @functools.wraps(function)
    def inner(x):
        return function(x * 2)

    return inner


@doubled_first
def decorated(x):
    return np.clip(x - 1, 0, 5)


def limited(x, least=1, most=3):
    return np.clip(x, least, most)


class Crop:
    def __init__(self, size):
        self.size = size

    def first(self, x):
        return x[: self.size]

    def __call__(self, x):
        return self.first(x)[::-1]


def of_functions(x):
    with np.errstate(divide="ignore"):
        total = functools.reduce(lambda a, b: a + b, [x[i] for i in range(3)])
    low, high = sorted([x[1], x[0]])
    first, second = np.stack([x[0], x[1]]).tolist()
    return total, low, high, tuple(map(one_more, [first, second])), sorted({"b": x, "a": x})[0] == "a"


def of_corners(x):
    h, w = len(x), x[0]
    return np.float32([[0, 0], [w - 1, 0], [w - 1, h - 1]]), np.stack([x, x + 1]), np.array([h, w])


def one_more(value):
    return value + 1


def named_whole(x):
    if n := x[0] - 1:
        return n
    (m := x[1])  # noqa: PLW0131 - a statement of its own
    return m


def by_table(x):
    table = np.array([((i / 255.0) ** 0.5) * 255 for i in np.arange(0, 256)]).astype("uint8")
    return table[np.abs(x)]


def drawn_table(x):
    gamma = 1 + x[0] / 10
    table = np.array([((i / 15.0) ** gamma) * 15 for i in np.arange(0, 16)])
    total = 0.0
    for place, weight in enumerate(np.array([0.5, 0.25])):
        total += weight * x[place]
    return table[np.abs(x)], total


two = [lambda x: np.fliplr(x[None]), lambda x: np.flipud(x) * 2]


DATA = [
    np.array(row) for row in ([2, 3, 1, 7], [4, 7, 0, 1, 2], [4, 2, -1, 8, 6], [1, 1, 1, 1], [9, 8, 7])
]  # fmt: skip
FUNCTIONS = [
    early_return, endless, skips, nested, numbers, writes_in_a_branch, writes_in_a_loop, rows, swaps,
    with_inner, named_first, named_in_a_value, with_helper, checks, decorated, Crop(2), Crop(3).first,
    functools.partial(limited, most=4), lambda x: x[..., ::-1] * 3, of_functions, named_whole, of_corners,
    by_table, drawn_table, *two,
]  # fmt: skip


def equal(got, want):
    got, want = tf.nest.flatten(got), tf.nest.flatten(want)
    assert len(got) == len(want)
    for one, other in zip(got, want, strict=True):
        other = np.asarray(other)
        assert one.dtype.as_numpy_dtype == other.dtype
        np.testing.assert_allclose(one.numpy(), other, rtol=1e-6)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: getattr(f, "__name__", type(f).__name__))
def test_equals_the_original(function):
    ported = port(function)
    graph = tf.function(ported, input_signature=[tf.TensorSpec([None], tf.int64)])
    for data in DATA:
        want = function(data.copy())
        equal(ported(data), want)
        equal(graph(data), want)
    assert graph.experimental_get_tracing_count() == 1


def test_numbers_that_are_known_take_no_operations():
    spec = tf.TensorSpec([8], tf.int64)
    graph = tf.function(port(by_table), autograph=False).get_concrete_function(spec).graph.as_graph_def()
    assert sum(len(one.node_def) for one in graph.library.function) + len(graph.node) < 60


def test_the_original_stays_as_it_is():
    before = with_helper.__code__
    port(with_helper)
    assert with_helper.__code__ is before
    assert isinstance(with_helper(np.arange(4)), np.ndarray)


def without_branches(image):
    def halved(rows, by=2):
        return rows // by

    def doubled(rows):
        return rows * 2

    found = [doubled(row) for row in halved(image)]
    return np.stack(found, -1).astype(np.float32)


def with_a_branch_inside(image):
    def halved(rows):
        if rows.mean() > 3:
            rows = rows // 2
        return rows

    return halved(image)


def test_autograph_converts_functions_with_branches_alone(monkeypatch):
    converted = []
    real = tf.autograph.to_graph

    def to_graph(function, **options):
        converted.append(function.__name__)
        return real(function, **options)

    monkeypatch.setattr(tf.autograph, "to_graph", to_graph)
    image = np.arange(12).reshape(3, 4)
    for function in (without_branches, with_a_branch_inside):
        ported = port(function)
        for run in (ported, tf.function(ported)):
            np.testing.assert_array_equal(run(image), function(image))
    assert converted == ["with_a_branch_inside"]


def test_a_line_without_branches_is_named_in_an_error():
    ported = port(lambda image: image[:, :, None] @ np.ones([5, 5]))
    with pytest.raises(Exception) as found:  # noqa: PT011 - whatever is raised, its notes are asked for
        tf.function(ported)(np.ones([2, 3, 4]))
    assert any(f'File "{__file__}", line ' in note for note in found.value.__notes__)


def test_is_a_decorator_of_functions_and_methods():
    @port
    def scale(image):
        """Scale."""
        return image.astype(np.float32) / 255

    assert scale.__doc__ == "Scale."
    assert scale(np.array([51], np.uint8)).dtype == tf.float32

    class Loader:
        factor = 3

        @port
        def prepare(self, x):
            return x * self.factor

    assert Loader().prepare(np.array([2])).numpy().tolist() == [6]


def test_in_a_dataset_with_static_shapes():
    def prepare(image, label):
        image = image.astype(np.float32) / 255
        return {"image": (image - image.mean())[..., np.newaxis]}, label

    data = tf.data.Dataset.from_tensors((np.ones([4, 5], np.uint8), 3)).map(port(prepare))
    assert data.element_spec[0]["image"].shape == [4, 5, 1]
    assert data.element_spec[0]["image"].dtype == tf.float32


def draws_behind_a_condition(x):
    noise = np.zeros(3)
    if x[0] > 2:
        noise = seeds.uniform(seeds.look_up(), [3], "float64").numpy() + 0.0
    later = seeds.uniform(seeds.look_up(), [], "float64").numpy()
    return noise, later


def test_a_draw_behind_a_condition_moves_no_other():
    ported = port(draws_behind_a_condition)

    def seeded(x):
        with seeds.ambient((7, 8)):
            return ported(x)

    graph = tf.function(seeded, input_signature=[tf.TensorSpec([None], tf.int64)])
    found = [run(np.array(data)) for run in (seeded, graph) for data in ([1, 2], [3, 4])]
    assert len({later.numpy() for _, later in found}) == 1
    assert found[0][0].numpy().tolist() == [0, 0, 0] == found[2][0].numpy().tolist()
    assert found[1][0].numpy().tolist() == found[3][0].numpy().tolist() != [0, 0, 0]


def test_rounds_draw_apart_and_alike_eagerly_and_in_a_graph():
    def seeded(x):
        with seeds.ambient((7, 8)):
            return port(drawn_rounds)(x)

    graph = tf.function(seeded, input_signature=[tf.TensorSpec([None], tf.int64)])
    for count in (3, 5):
        eager, traced = seeded(np.array([1, count])).numpy(), graph(np.array([1, count])).numpy()
        assert eager.tolist() == traced.tolist()
        assert len(set(eager[:count].tolist())) == count


def drawn_rounds(x):
    found = np.zeros(5)
    for i in range(x[1]):
        if i != 1 or x[0] == 1:
            found[i] = seeds.uniform(seeds.look_up(), [], "float64")
    return found


# Refusals.


def opens(x):
    with gzip.open("labels.txt") as file:
        return file, x


def reads_the_clock(x):
    import time

    return x + time.time()


def catches(x):
    try:
        return x[3]
    except IndexError:
        return x[0]


class Counting:
    calls = 0

    def __call__(self, x):
        self.calls += 1
        return x


def chooses_a_string_or_a_number(x):
    mode = "a" if x[0] > 2 else 3
    return x if mode == "a" else -x


def shrinks_a_list(x):
    found = [x[0], x[1]]
    for _ in range(x[0]):
        found.pop()
    return np.array(found)


def changes_the_dtype(x):
    y = x
    if x[0] > 2:
        y = x.astype(np.float32)
    return y


def changes_the_rank(x):
    return x[None] if x[0] > 2 else x


def has_no_value(x):
    if x[0] > 2:
        y = {1, 2}
    return len(y)


def raises(x):
    for _ in range(x[0]):
        raise ValueError("too large")
    return x


def names_a_file(x):
    return f"image_{x[0] / 3}.png"


REFUSED_BEFORE = [
    (opens, "gzip.open: It has no native equivalent"),
    (reads_the_clock, "time.time: The clock would be read once"),
    (catches, "`try`: What fails in a graph cannot be caught"),
    (Counting(), "state kept on an object (`self.calls`)"),
]
REFUSED_WHILE_TRACING = [
    (chooses_a_string_or_a_number, "'a' or 3 in two branches"),
    (shrinks_a_list, "list.pop"),
    (changes_the_dtype, "`y` of dtype float32 or int64"),
    (changes_the_rank, "with 2 or 1 axes"),
    (has_no_value, "`y`, which has a value on one way alone"),
    (raises, "`raise` in a run-time loop"),
    (names_a_file, "a float known only at run time"),
]


@pytest.mark.parametrize(("function", "words"), REFUSED_BEFORE, ids=lambda v: getattr(v, "__name__", ""))
def test_refused_before_anything_runs(function, words):
    with pytest.raises(PortRefused) as caught:
        port(function)
    assert words in str(caught.value)
    assert f"{__file__}, line " in str(caught.value)


@pytest.mark.parametrize(
    ("function", "words"), REFUSED_WHILE_TRACING, ids=lambda v: getattr(v, "__name__", "")
)
def test_refused_while_tracing(function, words):
    ported = port(function)
    with pytest.raises((PortRefused, UnsupportedArgument)) as caught:
        tf.function(ported).get_concrete_function(tf.TensorSpec([None], tf.int64))
    assert words in str(caught.value)
    code = function.__code__
    lines = [note for note in caught.value.__notes__ if __file__ in note]
    numbers = [int(note.rsplit(" ", 1)[1]) for note in lines]
    assert numbers
    assert any(code.co_firstlineno < number < code.co_firstlineno + 8 for number in numbers)


def test_all_refusals_come_at_once():
    def several(x):
        y = np.linalg.qr(x)
        return np.apply_along_axis(sum, 0, y), eval("1")

    with pytest.raises(PortRefused) as caught:
        port(several)
    text = str(caught.value)
    assert "numpy.linalg.qr" in text
    assert "numpy.apply_along_axis" in text
    assert "`eval`" in text


def test_an_assertion_fails_when_the_graph_runs():
    graph = tf.function(port(checks))
    with pytest.raises(tf.errors.InvalidArgumentError, match="nothing there"):
        graph(np.array([-1, 0]))


def test_report():
    rows = port(with_helper).report()
    found = {(row.kind, row.name.rpartition(".")[2]) for row in rows}
    assert ("own function", "in_place_helper") in found
    assert all(row.file == __file__ for row in rows)


def lists_in_branches(x):
    parts = [x, x * 2]
    if x[0] > 2:
        parts = [x + 1, parts[0]]
    first, second = parts
    found = {"a": first}
    if x[1] > 4:
        found = {"a": second}
    return found["a"], second


def test_lists_and_dictionaries_in_branches():
    graph = tf.function(port(lists_in_branches), input_signature=[tf.TensorSpec([None], tf.int64)])
    for data in DATA:
        equal(graph(data), lists_in_branches(data.copy()))


def cropped(image):
    top = np.random.randint(low=0, high=image.shape[0] - 32 + 1, dtype=np.int64)
    left = random.randint(a=0, b=image.shape[1] - 32)
    beyond = np.random.randint(0, image.shape[0])
    return image[top : top + 32, left : left + 32], image[beyond : beyond + 32], image[top : top + 32, 0]


def test_a_crop_at_a_drawn_place_keeps_its_size_where_it_must_lie_inside():
    images = tf.data.Dataset.from_tensors(np.zeros([48, 64, 3], np.uint8))
    spec = images.apply(seeds.seeded_map(port(cropped), 42)).element_spec
    assert [one.shape.as_list() for one in spec] == [[32, 32, 3], [None, 64, 3], [32, 3]]


def shown(x):
    print(1.0, [2.5, "a"], x.sum(), sep=" | ")
    return x


def thresholded(image):
    return (np.exp(image / 7) > np.exp(image[0, 0] / 7)).astype(np.uint8) * np.uint8(255)


def test_an_example_says_which_tolerance_would_pass(monkeypatch):
    image = np.arange(100, dtype=np.float64).reshape(10, 10)
    port(thresholded, example=image)
    monkeypatch.setattr(_example, "sides", lambda _: (thresholded, lambda x: thresholded(x + (x == 0))))
    with pytest.raises(NotEquivalent, match=r"255 apart, on 1 % of them.*levels:255@0\.01` passes"):
        port(thresholded, example=image)


def test_numbers_are_printed_as_python_prints_them(capfd):
    tf.function(port(shown), autograph=False)(np.array([1, 2]))
    assert capfd.readouterr().out == "1.0 | [2.5, 'a'] | 3\n"


def test_what_is_handed_to_a_boundary_stays_python():
    def with_boundary(x):
        y = tf.numpy_function(lambda v: np.apply_along_axis(sum, 0, v), [x], tf.int64)
        return tf.ensure_shape(y, []) + 1

    graph = tf.function(port(with_boundary), input_signature=[tf.TensorSpec([None], tf.int64)])
    assert graph(np.array([1, 2, 3])).numpy() == 7


def test_methods_are_called_through_their_class():
    def halved(image):
        return np.ndarray.astype(image, np.float32).sum() / np.ndarray.mean(image, axis=0)

    image = np.arange(1, 7, dtype=np.uint8).reshape(2, 3)
    ported = port(halved)
    for run in (ported, tf.function(ported), tf.function(ported, jit_compile=True)):
        np.testing.assert_array_equal(run(image), halved(image))
    assert tf.function(port(lambda path: str.upper(path.decode())))(tf.constant(b"a.png")) == b"A.PNG"


def test_methods_that_write_are_not_called_through_their_class():
    def ordered(image):
        np.ndarray.sort(image)
        return image

    with pytest.raises(PortRefused, match=r"ndarray\.sort"):
        port(ordered)


def test_its_text_names_the_function_and_its_calls():
    assert repr(port(limited)).startswith("<port of tests.porting.test_port.limited: ")
