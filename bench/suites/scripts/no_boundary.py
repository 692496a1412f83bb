"""A training without any Python in its dataset, of about half a minute on two cores."""

import tensorflow as tf

STEPS = 1200

images = tf.random.stateless_uniform([64, 64, 64, 3], [1, 2])
dataset = tf.data.Dataset.from_tensor_slices((images, tf.range(64) % 2)).repeat()
dataset = dataset.map(lambda image, label: (tf.image.rot90(image), label)).batch(16).prefetch(2)
model = tf.keras.Sequential(
    [
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu"),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(2, activation="softmax"),
    ]
)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(dataset, epochs=1, steps_per_epoch=STEPS, verbose=2)
