# evaluate.py
import numpy as np
import tensorflow as tf


def iou(y_true, y_pred):
    def score(y_true, y_pred):
        both = np.logical_and(y_true, y_pred).sum()
        return np.float32(both / max(np.logical_or(y_true, y_pred).sum(), 1))

    return tf.numpy_function(score, [y_true, y_pred], tf.float32)


model = tf.keras.Sequential([tf.keras.layers.Conv2D(1, 3, padding="same")])
model.compile(loss="mse", metrics=[iou])
