"""Small programs with tf.functions: faulty ones, what is said of them, the same ones mended, and sound ones.

Each program is run as a whole while it is watched. `TROUBLED` holds (program, kind of the finding, part of
its message, mended program or None); `SOUND` holds programs of which nothing may be said.
"""

from __future__ import annotations

import contextlib
import itertools
import random
import time
from datetime import datetime
from random import uniform
from time import perf_counter

import numpy as np
import tensorflow as tf

TABLE = np.arange(10_000, dtype=np.float32).reshape(100, 100)
COUNTS = {"calls": 0, "errors": 0}
SMALL = np.ones((3, 3), np.float32)
TROUBLED = []
SOUND = []
traced = 0


def troubled(kind, part, mended=None):
    def keep(program):
        TROUBLED.append((program, kind, part, mended))
        return program

    return keep


def sound(program):
    SOUND.append(program)
    return program


# Retraces -----------------------------------------------------------------------------------------------


def power_of_tensors():
    @tf.function
    def power(x, n):
        return x * n

    for n in (10, 20, 30):
        power(tf.constant(2), tf.constant(n))


@troubled("retrace", "argument `n` is a Python int, 10 then 20, 30", power_of_tensors)
def power_of_ints():
    @tf.function
    def power(x, n):
        return x * n

    for n in (10, 20, 30):
        power(tf.constant(2), n)


@troubled("retrace", "argument `rate` is a Python float, 0.0 then 0.1, 0.2, 0.3, 0.4 and 5 more")
def float_by_keyword():
    @tf.function
    def scale(x, *, rate):
        return x * rate

    for step in range(10):
        scale(tf.constant(2.0), rate=step / 10)


def batches_of_any_size():
    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
    def total(batch):
        return tf.reduce_sum(batch)

    for batch in tf.data.Dataset.from_tensor_slices(np.ones((7, 3), np.float32)).batch(3):
        total(batch)


@troubled(
    "retrace", "argument `batch` differs in shape: float32(3, 3) then float32(1, 3)", batches_of_any_size
)
def smaller_last_batch():
    @tf.function
    def total(batch):
        return tf.reduce_sum(batch)

    for batch in tf.data.Dataset.from_tensor_slices(np.ones((7, 3), np.float32)).batch(3):
        total(batch)


@troubled("retrace", "argument `x` differs in its number of axes: float32(3) then float32(3, 1)")
def other_rank():
    total = tf.function(lambda x: tf.reduce_sum(x) + 1)
    total(tf.ones(3))
    total(tf.ones([3, 1]))


def one_dtype():
    @tf.function
    def total(x):
        return tf.reduce_sum(x)

    total(tf.ones(3))
    total(tf.cast(np.ones(3), tf.float32))


@troubled("retrace", "argument `x` differs in dtype: float32 then float64", one_dtype)
def numpy_is_float64():
    @tf.function
    def total(x):
        return tf.reduce_sum(x)

    total(tf.ones(3))
    total(np.ones(3))


@troubled("retrace", "argument `n` is a Python int then a tensor int32()")
def int_then_tensor():
    @tf.function
    def add(x, n):
        return x + n

    add(tf.constant(1), 2)
    add(tf.constant(1), tf.constant(2))


@troubled("retrace", "argument `steps` is a Python range, range(0, 2) then range(0, 3)")
def ranges():
    @tf.function
    def add(x, steps):
        return x + len(steps)

    for count in (2, 3):
        add(tf.constant(1), range(count))


class Pair(tf.experimental.ExtensionType):
    image: tf.Tensor
    scale: int


@troubled("retrace", "argument `pair` differs in its type: Pair.Spec(")
def extension_type_with_a_number():
    @tf.function
    def scaled(pair):
        return pair.image * pair.scale

    for scale in (2, 3):
        scaled(Pair(tf.constant(1), scale))


@troubled("retrace", "argument `name` is a Python str, 'a' then 'b', 'c', 'd'")
def many_texts():
    @tf.function
    def named(x, name):
        return tf.identity(x, name)

    for name in "abcd":
        named(tf.constant(1), name)


def one_lambda():
    @tf.function
    def apply(f, x):
        return f(x)

    double = lambda x: 2 * x  # noqa: E731 - what the program is about
    for _ in range(3):
        apply(double, tf.constant(1))


@troubled("retrace", "argument `f` is a new function object: a lambda of programs.py:", one_lambda)
def lambda_made_in_a_loop():
    @tf.function
    def apply(f, x):
        return f(x)

    for _ in range(3):
        apply(lambda x: 2 * x, tf.constant(1))


class Scaler:
    def __init__(self, factor=2):
        self.factor = factor

    def scale(self, x):
        return x * self.factor


def one_method():
    @tf.function
    def apply(f, x):
        return f(x)

    scale = Scaler().scale
    for _ in range(3):
        apply(scale, tf.constant(1))


@troubled("retrace", "argument `f` is a new function object: the method `Scaler.scale`", one_method)
def method_looked_up_each_time():
    @tf.function
    def apply(f, x):
        return f(x)

    scaler = Scaler()
    for _ in range(3):
        apply(scaler.scale, tf.constant(1))


@troubled("retrace", "argument `scaler` is a new object, compared by identity: an object of Scaler")
def fresh_object():
    @tf.function
    def apply(scaler, x):
        return scaler.scale(x)

    for factor in (2, 3, 4):
        apply(Scaler(factor), tf.constant(1))


def same_keys():
    @tf.function
    def total(batch):
        return tf.add_n([tf.reduce_sum(part) for part in batch.values()])

    for size in (2, 0):
        total({"image": tf.ones(2), "mask": tf.ones([size])[:2] if size else tf.zeros(2)})


@troubled(
    "retrace",
    "argument `batch` differs in structure: a dictionary with the keys ['image', 'mask'] then"
    " a dictionary with the keys ['image']",
    same_keys,
)
def changing_keys():
    @tf.function
    def total(batch):
        return tf.add_n([tf.reduce_sum(part) for part in batch.values()])

    total({"image": tf.ones(2), "mask": tf.ones(2)})
    total({"image": tf.ones(2)})


@troubled("retrace", "argument `batch['mask']` differs in dtype: float32 then uint8")
def nested_dtype():
    @tf.function
    def total(batch):
        return tf.cast(batch["mask"], tf.int32)

    total({"image": tf.ones(2), "mask": tf.ones(2)})
    total({"image": tf.ones(2), "mask": tf.ones(2, tf.uint8)})


@troubled("retrace", "argument `mask` differs in structure: not given then float32(2)")
def sometimes_given():
    @tf.function
    def total(image, **rest):
        return tf.add_n([image, *rest.values()])

    total(tf.ones(2))
    total(tf.ones(2), mask=tf.ones(2))


@troubled("retrace", "argument `element` differs in its type: RaggedTensorSpec(")
def elements_of_changing_structure():
    @tf.function
    def total(element):
        return tf.reduce_sum(element)

    total(tf.ragged.constant([[1, 2], [3]]))
    total(tf.ragged.constant([[1, 2], [3]], dtype=tf.int64))


@troubled("made again", "4 tf.functions were made of it, of the same function")
def made_in_a_loop():
    def double(x):
        return 2 * x

    for _ in range(4):
        tf.function(double)(tf.constant(1))


def closures_get_a_tensor():
    times = tf.function(lambda x, n: x * n)
    for n in range(4):
        times(tf.constant(1), tf.constant(n))


@troubled(
    "made again", "4 tf.functions were made of it, each with other enclosed values", closures_get_a_tensor
)
def closures_made_in_a_loop():
    def times(n):
        return tf.function(lambda x: x * n)

    for n in range(4):
        times(n)(tf.constant(1))


class Model:
    def __init__(self):
        self.weight = tf.Variable(2.0)

    @tf.function
    def step(self, x):
        return self.weight * x


@troubled("made again", "one for each new object whose method it is")
def fresh_models():
    for _ in range(4):
        model = Model()
        model.step(tf.constant(1.0))


# Graphs -------------------------------------------------------------------------------------------------


def powers_in_the_graph():
    @tf.function
    def powers(x, n):
        for _ in tf.range(n):
            x = x * 2
        return x

    for n in (10, 20, 40):
        powers(tf.constant(1.0), tf.constant(n))


@troubled("graph growth", "where `n` is 20, and ", powers_in_the_graph)
def powers_unrolled():
    @tf.function
    def powers(x, n):
        for _ in range(n):
            x = x * 2
        return x

    for n in (10, 20, 40):
        powers(tf.constant(1.0), n)


@troubled("graph growth", "a list of 30: a loop over Python data is unrolled")
def longer_lists():
    @tf.function
    def total(parts):
        result = tf.constant(0.0)
        for part in parts:
            result += tf.reduce_sum(part) * 2
        return result

    for count in (3, 30):
        total([tf.ones(2)] * count)


@troubled("unrolled loop", "a Python loop put AddV2 into the graph 100 times")
def loop_over_a_list():
    numbers = [float(number) for number in range(100)]

    @tf.function
    def total(x):
        for number in numbers:
            x += number
        return x

    total(tf.constant(0.0))


def one_constant():
    table = tf.constant(TABLE)

    @tf.function
    def look(x):
        return x * table

    look(tf.constant(1.0))
    look(tf.constant(2.0))


@troubled(
    "constant",
    "the NumPy array `TABLE` float32[100, 100] is a constant of the graph, 40,000 bytes; later",
    one_constant,
)
def numpy_of_the_module():
    @tf.function
    def look(x):
        return x * TABLE

    look(tf.constant(1.0))
    look(tf.constant(2.0))


@troubled(
    "constant",
    "the NumPy array `table` float64[2500] is a constant of the graph, 20,000 bytes, in 2 copies: 40,000",
)
def numpy_enclosed_twice():
    table = np.linspace(0, 1, 2500)

    @tf.function
    def look(x):
        return tf.cast(x, tf.float64) + table

    look(tf.constant(1.0))
    look(tf.constant(1))


# Side effects -------------------------------------------------------------------------------------------


def printed_in_the_graph():
    @tf.function
    def step(x):
        tf.print("step", x)
        return x + 1

    for number in range(3):
        step(tf.constant(number))


@troubled(
    "side effect",
    "'step 7' was printed, only while tracing (once); the graph ran 3 times",
    printed_in_the_graph,
)
def printed_while_tracing():
    @tf.function
    def step(x):
        print("step", 7)
        return x + 1

    for number in range(3):
        step(tf.constant(number))


@troubled("side effect", "'inner' was printed, only while tracing (once); the graph ran 3 times")
def printed_by_an_inner_function():
    @tf.function
    def inner(x):
        print("inner")
        return x + 1

    @tf.function
    def outer(x):
        return inner(x)

    for number in range(3):
        outer(tf.constant(number))


@troubled(
    "side effect", "'an element' was printed, only while tracing (once); the graph ran for each element"
)
def printed_in_a_dataset():
    def add(x):
        print("an element")
        return x + 1

    list(tf.data.Dataset.range(3).map(add))


@troubled("side effect", "the list `history` went from 0 to 1 items")
def appended():
    history = []

    @tf.function
    def step(x):
        history.append(x)
        return x + 1

    for number in range(3):
        step(tf.constant(number))


@troubled("side effect", "`traced` changed from ")
def counted_in_the_module():
    @tf.function
    def step(x):
        global traced  # noqa: PLW0603 - what the program is about
        traced += 1
        return x + 1

    for number in range(3):
        step(tf.constant(number))


def counted_by_a_variable():
    count = tf.Variable(0)

    @tf.function
    def step(x):
        count.assign_add(1)
        return x + 1

    for number in range(3):
        step(tf.constant(number))
    assert count.numpy() == 3


@troubled("side effect", "`count` changed from 0 to 1", counted_by_a_variable)
def counted_by_an_enclosed_name():
    count = 0

    @tf.function
    def step(x):
        nonlocal count
        count += 1
        return x + 1

    for number in range(3):
        step(tf.constant(number))


class Counter:
    def __init__(self):
        self.count = 0
        self.last = None
        self.weight = None

    @tf.function
    def step(self, x):
        self.count += 1
        return x + self.count

    @tf.function
    def keep(self, x):
        self.last = x
        return x + 1

    @tf.function
    def lazily(self, x):
        if self.weight is None:
            self.weight = tf.Variable(3)
        return x * self.weight


@troubled("side effect", "`self.count` changed from 0 to 1")
def counted_by_an_attribute():
    counter = Counter()
    for number in range(3):
        counter.step(tf.constant(number))


@troubled("side effect", "a tensor of the graph was kept in `self.last`")
def kept_a_tensor():
    counter = Counter()
    for number in range(3):
        counter.keep(tf.constant(number))


def _count_calls():
    COUNTS["calls"] += 1


@troubled("side effect", "`COUNTS['calls']` changed")
def counted_by_a_helper():
    @tf.function
    def step(x):
        _count_calls()
        return x + 1

    for number in range(3):
        step(tf.constant(number))


class Queue:
    def __init__(self):
        self.value = 0
        self.last = None


@troubled("side effect", "`queue.value` changed from 0 to 1")
def counted_in_an_argument():
    @tf.function
    def step(x, queue):
        queue.value += 1
        return x + 1

    queue = Queue()
    for number in range(3):
        step(tf.constant(number), queue)


@troubled("side effect", "a tensor of the graph was kept in `queue.last`")
def kept_in_an_argument():
    @tf.function
    def step(x, queue):
        queue.last = x * 2
        return x + 1

    queue = Queue()
    for number in range(3):
        step(tf.constant(number), queue)


@troubled("side effect", "a tensor of the graph was kept in `first.last`")
def kept_by_a_helper_in_an_argument():
    def keep(queue, x):
        queue.last = x * 2

    @tf.function
    def step(x, first):
        keep(first, x)
        return x + 1

    queue = Queue()
    for number in range(3):
        step(tf.constant(number), queue)


@troubled("side effect", "a tensor of the graph was kept in `queues[0].last`")
def kept_in_an_element_of_an_argument():
    @tf.function
    def step(x, queues):
        queues[0].last = x * 2
        return x + 1

    queues = [Queue()]
    for number in range(3):
        step(tf.constant(number), queues)


@troubled("side effect", "a tensor of the graph was kept in `queue.last`")
def kept_in_a_dictionary_of_an_argument():
    @tf.function
    def step(x, queue):
        queue.last = {"doubled": x * 2}
        return x + 1

    queue = Queue()
    for number in range(3):
        step(tf.constant(number), queue)


def time_of_each_call():
    @tf.function
    def step(x):
        return tf.cast(x, tf.float64) + tf.timestamp()

    for number in range(3):
        step(tf.constant(number))


@troubled("side effect", "the clock was read by `time.time()`", time_of_each_call)
def time_of_the_trace():
    @tf.function
    def step(x):
        return tf.cast(x, tf.float64) + time.time()

    for number in range(3):
        step(tf.constant(number))


@troubled("side effect", "the clock was read by `datetime.now()`")
def hour_of_the_trace_by_a_method():
    class Clock:
        def hour(self):
            return datetime.now().hour

        @tf.function
        def step(self, x):
            return x + self.hour()

    clock = Clock()
    for number in range(3):
        clock.step(tf.constant(number))


@troubled("side effect", "the clock was read by `perf_counter()`")
def time_of_the_trace_in_a_dataset():
    list(tf.data.Dataset.range(3).map(lambda x: (x, perf_counter())))


@sound
def clocks_that_no_trace_reads():
    def elapsed(x):
        return np.float64(time.time()) + x

    @tf.function
    def step(x, log=False):
        if log:
            print(time.time())
        return tf.numpy_function(elapsed, [tf.cast(x, tf.float64)], tf.float64)

    for number in range(3):
        step(tf.constant(number))


@sound
def time_of_the_only_call():
    @tf.function
    def step(x):
        return tf.cast(x, tf.float64) + time.time()

    step(tf.constant(1))


@troubled("failed trace", "should not modify its Python input arguments")
def appended_to_an_argument():
    @tf.function
    def step(x, found):
        found.append(x * 2)
        return x + 1

    with contextlib.suppress(ValueError):
        step(tf.constant(1), [])


def drawn_by_tensorflow_in_a_dataset():
    def noisy(x):
        return tf.cast(x, tf.float64) + tf.random.uniform([], dtype=tf.float64)

    list(tf.data.Dataset.range(3).map(noisy))


@troubled("side effect", "random numbers were drawn from `np.random`", drawn_by_tensorflow_in_a_dataset)
def drawn_once_in_a_dataset():
    def noisy(x):
        return tf.cast(x, tf.float64) + np.random.uniform()

    list(tf.data.Dataset.range(3).map(noisy))


class Rated:
    def __init__(self, rate):
        self.rate = rate
        self.training = True

    @tf.function
    def step(self, x):
        return x * self.rate if self.training else x


def rate_of_a_variable():
    rated = Rated(tf.Variable(2.0))
    rated.step(tf.constant(1.0))
    rated.rate.assign(3.0)
    assert rated.step(tf.constant(1.0)).numpy() == 3


@troubled(
    "stale value",
    "`self.rate` was 2.0 while tracing and is 3.0 now: the graph goes on with 2.0",
    rate_of_a_variable,
)
def rate_changed_between_calls():
    rated = Rated(2.0)
    rated.step(tf.constant(1.0))
    rated.rate = 3.0
    assert rated.step(tf.constant(1.0)).numpy() == 2


@troubled("stale value", "`self.training` was True while tracing and is False now")
def flag_changed_between_calls():
    rated = Rated(2.0)
    rated.step(tf.constant(1.0))
    rated.training = False
    rated.step(tf.constant(1.0))


@troubled("failed trace", "tracing failed: ValueError: no such mode: fast")
def fails_while_tracing():
    @tf.function
    def step(x, mode):
        if mode != "slow":
            raise ValueError(f"no such mode: {mode}")
        return x

    step(tf.constant(1), "slow")
    with contextlib.suppress(ValueError):
        step(tf.constant(1), "fast")


class Noted(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)
        self.calls_seen = 0

    def call(self, x):
        self.calls_seen += 1
        return self.dense(x)


@troubled("side effect", "`self.calls_seen` changed from ")
def counted_in_a_keras_model():
    model = Noted()
    model.compile(loss="mse")
    model.fit(np.ones((8, 2), np.float32), np.ones((8, 1), np.float32), batch_size=4, verbose=0)


class CountedMetric(tf.keras.metrics.Metric):
    def __init__(self):
        super().__init__(name="counted")
        self.batches_seen = 0

    def update_state(self, y_true, y_pred, sample_weight=None):
        self.batches_seen += 1

    def result(self):
        return tf.cast(self.batches_seen, tf.float32)


class CountedByAVariable(tf.keras.metrics.Metric):
    def __init__(self):
        super().__init__(name="counted")
        self.batches_seen = tf.Variable(0.0, trainable=False)

    def update_state(self, y_true, y_pred, sample_weight=None):
        self.batches_seen.assign_add(1.0)

    def result(self):
        return tf.identity(self.batches_seen)


class CountedLoss(tf.keras.losses.Loss):
    def __init__(self):
        super().__init__()
        self.calls_of_loss = 0

    def call(self, y_true, y_pred):
        self.calls_of_loss += 1
        return tf.reduce_mean(tf.square(y_true - y_pred), -1)


def fitted(**compiled):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(**compiled)
    model.fit(np.ones((8, 2), np.float32), np.ones((8, 1), np.float32), batch_size=4, verbose=0)


def variable_of_a_keras_metric():
    fitted(loss="mse", metrics=[CountedByAVariable()])


@troubled("side effect", "`self.batches_seen` changed from ", variable_of_a_keras_metric)
def counted_in_a_keras_metric():
    fitted(loss="mse", metrics=["mae", CountedMetric()])


@troubled("side effect", "`self.batches_seen` changed from ")
def counted_in_a_weighted_metric():
    fitted(loss="mse", weighted_metrics=[CountedMetric()])


@troubled("side effect", "`self.calls_of_loss` changed from ")
def counted_in_a_keras_loss():
    fitted(loss=[CountedLoss()])


def counting_error(y_true, y_pred):
    COUNTS["errors"] += 1
    return tf.reduce_mean(tf.abs(y_true - y_pred), -1)


@troubled("side effect", "`COUNTS['errors']` changed")
def counted_in_a_function_of_a_metric():
    fitted(loss="mse", metrics=[tf.keras.metrics.MeanMetricWrapper(counting_error, name="errors")])


@troubled("side effect", "the array `state` was changed")
def array_in_place():
    state = np.zeros(3)

    @tf.function
    def step(x):
        state[0] += 1
        return x + state[0]

    for number in range(3):
        step(tf.constant(float(number), tf.float64))


@troubled("side effect", "`numbers` went on by what tracing took from it")
def generator_went_on():
    numbers = (number for number in range(10))

    @tf.function
    def step(x):
        return x + next(numbers)

    for number in range(3):
        step(tf.constant(number))


@troubled("side effect", "`ids` went on by what tracing took from it")
def iterator_went_on():
    ids = itertools.count()

    @tf.function
    def step(x):
        return x + next(ids)

    for number in range(3):
        step(tf.constant(number))


def drawn_in_the_graph():
    @tf.function
    def noisy(x):
        return x + tf.random.uniform([])

    assert len({float(noisy(tf.constant(1.0))) for _ in range(3)}) == 3


@troubled("side effect", "random numbers were drawn from `np.random`", drawn_in_the_graph)
def drawn_from_numpy():
    @tf.function
    def noisy(x):
        return x + np.random.uniform()

    assert len({float(noisy(tf.constant(1.0))) for _ in range(3)}) == 1


@troubled("side effect", "random numbers were drawn from `uniform`")
def drawn_from_python():
    @tf.function
    def noisy(x):
        return x + uniform(0, 1)

    assert len({float(noisy(tf.constant(1.0))) for _ in range(3)}) == 1


@troubled("side effect", "random numbers were drawn from `generator`")
def drawn_from_a_generator():
    generator = np.random.default_rng(0)

    @tf.function
    def noisy(x):
        return x + generator.normal()

    assert len({float(noisy(tf.constant(1.0))) for _ in range(3)}) == 1


# Variables ----------------------------------------------------------------------------------------------


@sound
def variable_made_once():
    counter = Counter()
    for number in range(3):
        counter.lazily(tf.constant(number))


@troubled("variable", "a tf.Variable was created in a trace that is not the first", variable_made_once)
def variable_in_each_trace():
    @tf.function
    def step(x):
        return x * tf.Variable(1.0)

    try:
        step(tf.constant(1.0))
    except ValueError:
        return
    raise AssertionError


@troubled("variable", "a tf.Variable was created in a trace that is not the first")
def variable_of_a_later_trace():
    @tf.function
    def inner(x):
        if x.shape.rank == 1:
            return x * tf.Variable(1.0)
        return x

    @tf.function
    def outer(x):
        return inner(x)

    outer(tf.constant(1.0))
    try:
        outer(tf.ones(2))
    except ValueError:
        return
    raise AssertionError


# Nothing wrong ------------------------------------------------------------------------------------------


@sound
def steady():
    @tf.function
    def step(x, factor=2.0, *, offset=0):
        return x * factor + offset

    step(tf.ones(3))
    step(tf.zeros(3), 2.0)
    step(x=np.ones(3, np.float32), factor=2.0, offset=0)


@sound
def sizes_under_reduce_retracing():
    @tf.function(reduce_retracing=True)
    def total(x):
        return tf.reduce_sum(x)

    for size in range(2, 6):
        total(tf.ones(size))


@sound
def training_and_not():
    @tf.function
    def step(x, training, mask=None):
        return x * 2 if training else x

    for training in (True, False, True, False):
        step(tf.ones(2), training)
    step(tf.ones(2), True, tf.ones(2))


@sound
def three_modes():
    @tf.function
    def resize(image, method):
        return tf.image.resize(image, [2, 2], method=method)

    for method in ("nearest", "bilinear", "area"):
        resize(tf.ones([4, 4, 1]), method)


@sound
def asked_for_two_signatures():
    @tf.function
    def total(x):
        return tf.reduce_sum(x)

    for shape in ([None], [None, 3]):
        total.get_concrete_function(tf.TensorSpec(shape, tf.float32))


@sound
def layers_made_on_the_first_call():
    layers = []

    @tf.function
    def model(x):
        if not layers:
            layers.append(tf.Variable(2.0))
        return x * layers[0]

    for _ in range(3):
        model(tf.constant(1.0))


@sound
def forty_layers():
    weights = [tf.Variable(1.0) for _ in range(40)]

    @tf.function
    def model(x):
        for weight in weights:
            x = tf.nn.relu(x * weight)
        return x

    for _ in range(3):
        model(tf.constant(1.0))


@sound
def small_kernel_and_large_zeros():
    @tf.function
    def step(x):
        return tf.reduce_sum(x * SMALL) + tf.reduce_sum(tf.zeros([300, 300]))

    for _ in range(3):
        step(tf.ones([3, 3]))


@sound
def python_at_run_time():
    seen = []

    def remember(x):
        seen.append(float(x))
        print(f"at run time: {float(x)}")
        return x

    @tf.function
    def step(x):
        return tf.py_function(remember, [x], tf.float32)

    for number in range(3):
        step(tf.constant(float(number)))
    assert len(seen) == 3


@sound
def printed_once_and_called_once():
    @tf.function
    def step(x):
        print("tracing")
        return x + 1

    print(step(tf.constant(1)))


@sound
def two_models_in_turn():
    first, second = Model(), Model()
    for _ in range(3):
        first.step(second.step(tf.constant(1.0)))


@sound
def four_models_at_once():
    models = [Model() for _ in range(4)]
    for model in models:
        model.step(tf.constant(1.0))


@sound
def a_model_for_each_fold():
    for _ in range(4):
        model = Model()
        for _ in range(12):
            model.step(tf.constant(1.0))


@sound
def two_tables():
    tables = [tf.constant([1.0]), tf.constant([2.0])]
    steps = [tf.function(lambda x, table=table: x * table) for table in tables]
    lists = [[1.0], [2.0]]
    steps += [tf.function(lambda x, part=part: x * part[0]) for part in lists]
    for step in steps:
        step(tf.constant(1.0))


@sound
def compiled_and_not():
    def double(x):
        return 2 * x

    for compiled in (False, True):
        tf.function(double, jit_compile=compiled)(tf.constant(1.0))


@sound
def tables_kept_by_size():
    tables = {}

    @tf.function
    def ramp(x):
        size = x.shape[0]
        if size not in tables:
            tables[size] = np.linspace(0, 1, size, dtype=np.float32)
        return x * tables[size]

    for _ in range(3):
        ramp(tf.ones(4))


@sound
def trained():
    weight, gradients = tf.Variable([[1.0], [2.0]]), []

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((x @ weight - y) ** 2)
        gradient = tape.gradient(loss, weight)
        weight.assign_sub(0.1 * gradient)
        return loss

    batches = tf.data.Dataset.from_tensor_slices((np.ones((6, 2), np.float32), np.ones((6, 1), np.float32)))
    for x, y in batches.map(lambda x, y: (2 * x, y)).batch(2, drop_remainder=True):
        gradients.append(step(x, y))
    random.random()


@sound
def control_flow_of_an_inner_function():
    @tf.function
    def clip(x):
        if tf.reduce_max(x) > 1:
            x = x / tf.reduce_max(x)
        return x

    @tf.function
    def repeated(x):
        for _ in tf.range(3):
            x = clip(x + 1)
        return x

    for _ in range(3):
        repeated(tf.ones(3))
