"""What the recipe counts."""

import tempfile

import tensorflow as tf

WEIGHTS = [1.0, 2.0, 3.0]


def counts(program):
    with tempfile.TemporaryDirectory() as folder:
        program.save(WEIGHTS, folder)
        loaded = tf.saved_model.load(folder)
    scorer = program.Scorer(WEIGHTS)
    built = scorer.score.experimental_get_tracing_count()
    for rows in range(1, 6):
        scorer.score(tf.ones([rows, 3]))
    return {
        "signatures in the SavedModel": len(loaded.signatures),
        "the loaded model asked for a score": answer(loaded.score, tf.ones([2, 3])),
        "traces before the first call": built,
        "traces after batches of 1 to 5 rows": scorer.score.experimental_get_tracing_count(),
    }


def answer(function, *inputs):
    """Return what a call gives: an answer, or the name of an error."""
    try:
        return f"shape {tuple(function(*inputs).shape)}"
    except Exception as error:
        return type(error).__name__


def claims():
    """Of a signature and of a concrete function, given what they do not state."""

    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def stated(x):
        return x + 1

    @tf.function
    def doubled(x):
        return x + x

    concrete = doubled.get_concrete_function(tf.TensorSpec([], tf.string))
    return {
        "another rank than `input_signature` has": answer(stated, tf.ones([1, 1], tf.int32)),
        "another dtype than a concrete function has": answer(concrete, tf.constant(1)),
        "the array [1.7] for a signature of int32": stated(tf.ones([1]).numpy() * 1.7).numpy().tolist(),
    }
