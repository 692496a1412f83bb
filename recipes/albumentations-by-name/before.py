"""Before: a training pipeline of albumentations, at module level, called behind tf.numpy_function."""

import albumentations as A
import numpy as np
import tensorflow as tf

# Height, width and channels; the boxes that are left; their labels, 0 where there is no box.
SHAPES = ([None, None, 3], [None, None], [None, 4], [None])

AUGMENT = A.Compose(
    [
        A.HorizontalFlip(p=0.5),
        A.Affine(scale=(0.9, 1.1), rotate=(-15, 15), p=0.7),
        A.GridDistortion(distort_limit=0.2, p=0.3),
        A.OneOf([A.RandomBrightnessContrast(), A.HueSaturationValue()], p=0.6),
        A.CoarseDropout((1, 4), (8, 32), (8, 32), p=0.5),
        A.Normalize(),
    ],
    bbox_params=A.BboxParams("pascal_voc", label_fields=["labels"], min_visibility=0.1),
)


def augment(image, mask, boxes, labels):
    out = AUGMENT(image=image, mask=mask, bboxes=boxes, labels=labels)
    boxes = np.array(out["bboxes"], np.float32).reshape(-1, 4)
    return out["image"], out["mask"], boxes, np.array(out["labels"], np.int64)


def tf_augment(image, mask, boxes, labels):
    kinds = [tf.float32, tf.uint8, tf.float32, tf.int64]
    return tf.numpy_function(augment, [image, mask, boxes, labels], kinds)


def build_dataset(images, masks, boxes, labels, parallel_calls=tf.data.AUTOTUNE, batch=8):
    """Give batches of images with their masks, the boxes that are left and their labels."""
    dataset = tf.data.Dataset.from_tensor_slices((images, masks, boxes, labels))
    return dataset.map(tf_augment, num_parallel_calls=parallel_calls).padded_batch(batch, SHAPES)
