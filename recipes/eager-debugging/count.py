"""What the recipe counts and times."""

import contextlib
import io
import warnings

import tensorflow as tf

CALLS = 20
COUNTS = tf.constant([1.0, 0.0, 3.0])


def printed(call):
    """Return the lines that a call prints."""
    with contextlib.redirect_stdout(io.StringIO()) as text:
        call()
    return text.getvalue().splitlines()


def with_numbers(lines):
    return sum(" 0.25 " in line.replace("[", " ") for line in lines)


def counts(program):
    try:
        as_it_is = printed(lambda: program.entropy.get_concrete_function(COUNTS))
        looking = printed(lambda: program.look(COUNTS))
        later = [line for _ in range(CALLS) for line in printed(lambda: program.entropy(COUNTS))]
        eager = tf.config.functions_run_eagerly()
    finally:
        tf.config.run_functions_eagerly(False)
    return {
        "prints with numbers, as a graph": with_numbers(as_it_is),
        "prints with numbers, while looking": with_numbers(looking),
        f"prints with numbers, by {CALLS} calls afterwards": with_numbers(later),
        "functions run eagerly from then on": "yes" if eager else "no",
    }


def claims():
    """Of the switch, inside a function and inside a dataset."""
    found = {}

    @tf.function
    def function(x):
        found["a tf.function runs eagerly"] = "yes" if tf.executing_eagerly() else "no"
        return x

    def mapped(x):
        found["the function of `Dataset.map` runs eagerly"] = "yes" if tf.executing_eagerly() else "no"
        return x

    tf.config.run_functions_eagerly(True)
    try:
        function(1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # TensorFlow says so once
            tf.data.Dataset.range(3).map(mapped)
    finally:
        tf.config.run_functions_eagerly(False)
    return found


def timed(program):
    @tf.function
    def training_step(x):
        for _ in range(100):
            x = tf.sin(x) + 0.1 * x
        return x

    training_step(COUNTS)  # traced before anybody looks

    def calls():
        try:
            for _ in range(CALLS):
                training_step(COUNTS)
        finally:
            tf.config.run_functions_eagerly(False)

    return {
        "one look": lambda: printed(lambda: program.look(COUNTS)),
        f"{CALLS} calls of another function afterwards": calls,
    }
