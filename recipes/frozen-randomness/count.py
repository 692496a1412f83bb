"""What the recipe counts."""

import tensorflow as tf


def counts(program):
    images = [tf.zeros([32, 32, 3])] * 5
    epochs = [program.augment_all(images, epoch) for epoch in (0, 1, 0)]
    first, second, again = ({image.numpy().tobytes() for image in epoch} for epoch in epochs)
    return {
        "different noises on 5 images": len(first),
        "of which come again in the next epoch": len(first & second),
        "of which come again when the first epoch is repeated": len(first & again),
        "traces": program.noisy.experimental_get_tracing_count(),
    }
