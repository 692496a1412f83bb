"""The training around a dataset. It prints a line at the first batch of each epoch, and one at its end."""

import tensorflow as tf

EPOCHS = 3
FIRST, DONE = "first batch", "done"


def mark(epoch, what):
    print(f"epoch {epoch + 1}: {what}", flush=True)


def means(batch):
    """Give the mean of each part of each example, as float32 of shape (examples, parts)."""
    parts = [tf.cast(part, tf.float32) for part in tf.nest.flatten(batch)]
    return tf.stack([tf.reduce_mean(part, tf.range(1, tf.rank(part))) for part in parts], -1)


def train(dataset, epochs=EPOCHS):
    """Fit a linear model of the means by gradient descent."""
    count = len(tf.nest.flatten(dataset.element_spec))
    weights = tf.Variable(tf.zeros([count]))

    @tf.function(reduce_retracing=True)
    def step(batch):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.linalg.matvec(means(batch), weights) - 1))
        weights.assign_sub(1e-3 * tape.gradient(loss, weights))

    for epoch in range(epochs):
        for number, batch in enumerate(dataset):
            step(batch)
            if number == 0:
                mark(epoch, FIRST)
        mark(epoch, DONE)


class Marks(tf.keras.callbacks.Callback):
    """The same lines from Keras' `fit`; an epoch ends when it is validated."""

    def on_epoch_begin(self, epoch, logs=None):
        self.epoch = epoch

    def on_train_batch_end(self, batch, logs=None):
        if batch == 0:
            mark(self.epoch, FIRST)

    def on_epoch_end(self, epoch, logs=None):
        mark(epoch, DONE)
