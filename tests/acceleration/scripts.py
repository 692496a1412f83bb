"""Scripts as people write them: each with what becomes of its boundaries, in the order of tracing."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

HEAD = """
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf
IMAGES = np.random.default_rng(0).integers(0, 255, [12, 8, 8, 3]).astype(np.uint8)
def scaled(x):
    return x.astype(np.float32) / 256
def turned(x):
    return np.rot90(x).copy()
def wrap(function, dtype=tf.float32):
    return lambda x: tf.numpy_function(function, [x], dtype)
def told(dataset):
    for one in dataset:
        print(np.asarray(one).dtype, np.shape(one), float(tf.reduce_sum(tf.cast(one, tf.float64))))
"""


@dataclass(frozen=True)
class Script:
    """A script, and the reasons of its boundaries; '' is native."""

    name: str
    reasons: tuple[str, ...]
    text: str

    @property
    def source(self) -> str:
        """The whole script."""
        return HEAD + textwrap.dedent(self.text)


SCRIPTS = (
    Script("keras_fit", ("", ""), """
        tf.keras.utils.set_random_seed(1)
        def pairs(images):
            ds = tf.data.Dataset.from_tensor_slices(images).shuffle(12, seed=2).map(wrap(scaled), 2)
            return ds.map(lambda x: (tf.ensure_shape(x, [8, 8, 3]), tf.reduce_mean(x))).batch(4).prefetch(1)
        model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        class Shown(tf.keras.callbacks.Callback):
            def on_epoch_end(self, epoch, logs=None):
                print(epoch, round(logs["loss"], 5), round(logs["val_loss"], 5))
        model.fit(pairs(IMAGES), validation_data=pairs(IMAGES[:4]), epochs=3, verbose=0, callbacks=[Shown()])
    """),
    Script("a_callback_changes_the_augmentation", ("changes",), """
        class Brighter:
            def __init__(self):
                self.gain = 1.0
            def __call__(self, x):
                return x.astype(np.float32) * np.float32(self.gain)
        class Schedule(tf.keras.callbacks.Callback):
            def __init__(self, augment):
                super().__init__()
                self.augment = augment
            def on_epoch_end(self, epoch, logs=None):
                self.augment.gain = 2.0
        augment = Brighter()
        ds = tf.data.Dataset.from_tensor_slices(IMAGES).map(wrap(augment))
        told(ds.take(2))
        Schedule(augment).on_epoch_end(0)
        told(ds.take(2))
    """),
    Script("a_loop_of_ones_own", ("", ""), """
        ds = tf.data.Dataset.from_tensor_slices(IMAGES).map(wrap(turned, tf.uint8)).map(wrap(scaled)).batch(5)
        weight = tf.Variable(0.5)
        for epoch in range(2):
            for batch in ds:
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean((batch * weight - 0.1) ** 2)
                weight.assign_sub(0.1 * tape.gradient(loss, weight))
        print(f"{float(weight):.6f}")
    """),
    Script("iterators_of_tensorflow_1", ("graph",), """
        tf.compat.v1.disable_eager_execution()
        ds = tf.compat.v1.data.Dataset.from_tensor_slices(IMAGES).map(wrap(scaled))
        element = tf.compat.v1.data.make_one_shot_iterator(ds).get_next()
        with tf.compat.v1.Session() as session:
            for _ in range(3):
                print(float(session.run(element).sum()))
    """),
    Script("two_replicas", ("",), """
        cpu = tf.config.list_physical_devices("CPU")[0]
        two = [tf.config.LogicalDeviceConfiguration()] * 2
        tf.config.set_logical_device_configuration(cpu, two)
        strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
        total = 0.0
        ds = tf.data.Dataset.from_tensor_slices(IMAGES).map(wrap(scaled)).batch(4)
        for batch in strategy.experimental_distribute_dataset(ds):
            sums = strategy.run(tf.reduce_sum, args=(batch,))
            total += float(strategy.reduce("SUM", sums, axis=None))
        print(f"{total:.3f}")
    """),
    Script("a_generator", ("unread",), """
        made = []
        def rows():
            for number, one in enumerate(IMAGES):
                made.append(number)
                yield one
        ds = tf.data.Dataset.from_generator(rows, output_signature=tf.TensorSpec([8, 8, 3], tf.uint8))
        told(ds.map(wrap(scaled)))
        print(made)
    """),
    Script("a_dataset_made_anew_in_each_epoch", ("",), """
        for epoch in range(8):
            ds = tf.data.Dataset.from_tensor_slices(IMAGES).shuffle(12, seed=epoch).map(wrap(scaled))
            told(ds.take(2))
    """),
    Script("a_cache_in_a_file", ("", ""), """
        import glob, tempfile
        folder = tempfile.mkdtemp()
        ds = tf.data.Dataset.from_tensor_slices(IMAGES).map(wrap(scaled)).cache(folder + "/kept")
        ds = ds.map(wrap(turned)).batch(4)
        print(len(glob.glob(folder + "/*")))
        told(ds)
        print(len(glob.glob(folder + "/*")) > 0)
        told(ds)
    """),
    Script("a_large_shuffle_before_the_batch", ("",), """
        ds = tf.data.Dataset.from_tensor_slices(IMAGES).repeat(50).shuffle(10000, seed=3).batch(16)
        told(ds.map(wrap(scaled)).take(3))
    """),
    Script("prints_and_counters_of_the_map", ("",), """
        traced = []
        def step(x):
            print("traced")
            traced.append(1)
            return tf.numpy_function(scaled, [x], tf.float32)
        told(tf.data.Dataset.from_tensor_slices(IMAGES).map(step).take(2))
        print(len(traced))
    """),
    Script("a_wrong_set_shape", ("failed",), """
        def step(x):
            y = tf.numpy_function(scaled, [x], tf.float32)
            y.set_shape([8, 8, 1])
            return tf.reduce_sum(y)
        told(tf.data.Dataset.from_tensor_slices(IMAGES).map(step).take(2))
    """),
    Script("draws_under_a_seed", ("", ""), """
        import random
        def shifted(x):
            return x + np.float32(random.uniform(0, 1))
        tf.random.set_seed(1)
        ds = tf.data.Dataset.from_tensor_slices(np.zeros([4], np.float32))
        first, second = wrap(shifted), wrap(lambda x: shifted(x))
        rows = [(float(one), float(two)) for one, two in ds.map(lambda x: (first(x), second(x)))]
        print(len({value for row in rows for value in row}), all(0 <= v < 1 for row in rows for v in row))
    """),
    Script("a_bad_fourth_element", ("",), """
        def checked(x):
            if x.max() == 0:
                raise ValueError("black image")
            return x / x.max()
        images = IMAGES[:5].copy()
        images[3] = 0
        ds = tf.data.Dataset.from_tensor_slices(images).map(wrap(checked, tf.float64))
        elements = iter(ds)
        for _ in range(4):
            try:
                print(float(tf.reduce_sum(next(elements))))
            except tf.errors.InvalidArgumentError as error:
                print("bad", "black image" in str(error))
        told(ds.ignore_errors())
    """),
    Script("two_threads_build_datasets", ("", ""), """
        from concurrent.futures import ThreadPoolExecutor
        def total(function):
            ds = tf.data.Dataset.from_tensor_slices(IMAGES).map(wrap(function))
            return round(sum(float(tf.reduce_sum(one)) for one in ds), 3)
        with ThreadPoolExecutor(2) as threads:
            print(list(threads.map(total, [scaled, lambda x: scaled(x) + np.float32(1)])))
    """),
    Script("a_loss_with_a_boundary", ("outside",), """
        @tf.function
        def loss(x):
            return tf.numpy_function(lambda y: np.float32(np.abs(y).mean()), [x], tf.float32)
        print(float(loss(tf.constant([1.0, -2.0]))))
    """),
    Script("map_fn_inside_of_a_map", ("inside",), """
        def step(x):
            return tf.map_fn(lambda row: tf.numpy_function(scaled, [row], tf.float32), x, tf.float32)
        told(tf.data.Dataset.from_tensor_slices(IMAGES).map(step).take(2))
    """),
    Script("it_ends_with_3", ("",), """
        import sys
        told(tf.data.Dataset.from_tensor_slices(IMAGES).map(wrap(scaled)).take(1))
        sys.exit(3)
    """),
    Script("effects_of_all_kinds", ("effect",) * 8, """
        import logging, time
        logging.basicConfig(level=logging.INFO, format="%(message)s")
        seen, counts, total = [], {}, 0
        def logs(x):
            logging.info("seen")
            return x
        def appends(x):
            seen.append(int(x))
            return x
        def counts_up(x):
            counts["n"] = counts.get("n", 0) + 1
            return x
        def adds(x):
            global total
            total += int(x)
            return x
        def writes(x):
            with open("seen.txt", "a") as file:
                file.write("x")
            return x
        def sets(x):
            os.environ["SEEN"] = str(int(x))
            return x
        def seeds(x):
            np.random.seed(int(x))
            return x + np.random.randint(100)
        def waits(x):
            time.sleep(0.001)
            return x
        for one in (logs, appends, counts_up, adds, writes, sets, seeds, waits):
            told(tf.data.Dataset.range(4).map(wrap(one, tf.int64)))
        print(seen, counts, total, os.path.getsize("seen.txt"), os.environ["SEEN"], np.random.rand())
    """),
    Script("it_forks", ("", ""), """
        ds = tf.data.Dataset.from_tensor_slices(IMAGES).map(wrap(scaled))
        child = os.fork()
        if not child:
            os._exit(7)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        told(ds.map(wrap(turned)).take(1))
    """),
    Script("names_imported_before", ("",), """
        import sys, types
        from tensorflow import numpy_function
        ds = tf.data.Dataset.from_tensor_slices(IMAGES)
        told(ds.map(lambda x: numpy_function(scaled, [x], tf.float32)).take(1))
    """),
    Script("a_boundary_in_an_installed_package", ("effect",), """
        import pathlib, sys, tempfile, textwrap
        package = pathlib.Path(tempfile.mkdtemp()) / "site-packages" / "halving"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text(textwrap.dedent('''
        import numpy as np
        import tensorflow as tf
        def half(x):
            return x.astype(np.float32) / 2
        def halved(dataset):
            return dataset.map(lambda x: tf.numpy_function(half, [x], tf.float32))
        '''))
        sys.path.insert(0, str(package.parent))
        import halving
        told(halving.halved(tf.data.Dataset.from_tensor_slices(IMAGES)).take(2))
    """),
    Script("a_dataset_with_a_map_of_its_own", ("unread", "unread"), """
        class Counted(tf.data.Dataset):
            maps = 0
            def __init__(self, dataset):
                self._dataset = dataset
                super().__init__(dataset._variant_tensor)
            def _inputs(self):
                return [self._dataset]
            @property
            def element_spec(self):
                return self._dataset.element_spec
            def map(self, map_func, *args, **kwargs):
                Counted.maps += 1
                return Counted(super().map(map_func, *args, **kwargs))
        ds = Counted(tf.data.Dataset.from_tensor_slices(IMAGES))
        told(ds.map(wrap(scaled)).map(wrap(turned)).take(2))
        print(Counted.maps)
    """),
)  # fmt: skip
