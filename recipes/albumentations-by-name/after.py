"""After: the same pipeline and the same function, ported; every draw depends on seed, epoch and element."""

import albumentations as A
import numpy as np
import tensorflow as tf

from pipeport import port
from pipeport.seeds import seeded_map

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


def build_dataset(images, masks, boxes, labels, parallel_calls=tf.data.AUTOTUNE, batch=8, seed=42):
    """Give batches of images with their masks, the boxes that are left and their labels."""
    dataset = tf.data.Dataset.from_tensor_slices((images, masks, boxes, labels))
    augmented = dataset.apply(seeded_map(port(augment), seed, num_parallel_calls=parallel_calls))
    return augmented.padded_batch(batch)
