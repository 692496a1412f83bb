"""The bugs of this migration, one function each; what a function returns is the evidence."""

import albumentations as A
import numpy as np
import tensorflow as tf

from pipeport import port
from pipeport.errors import PipeportError
from pipeport.seeds import seeded_map

IMAGES = tf.data.Dataset.from_tensors(np.arange(48, dtype=np.uint8).reshape(4, 4, 3)).repeat(8)


def refused(pipeline):
    """Return what `port` says of a function that calls a pipeline, when it is traced."""

    def augment(image):
        return pipeline(image=image)["image"]

    try:
        return IMAGES.apply(seeded_map(port(augment), 42)).element_spec
    except PipeportError as error:
        return "\n".join([str(error), *getattr(error, "__notes__", [])])


def parts_without_a_native():
    """All of them are named at once; without them the pipeline ports."""
    parts = [A.RandomFog(), A.HorizontalFlip(), A.ThinPlateSpline()]
    return refused(A.Compose(parts)), refused(A.Compose(parts[1:2]))


def functions_of_your_own():
    """`Lambda` holds a function that the pipeline only calls: apply it in the body, which `port` reads."""

    def halved(image, **_more):
        return image // 2

    flip = A.Compose([A.HorizontalFlip()])

    def augment(image):
        return halved(flip(image=image)["image"])

    dataset = IMAGES.apply(seeded_map(port(augment), 42))
    return refused(A.Compose([A.HorizontalFlip(), A.Lambda(image=halved)])), dataset.element_spec


def seed_of_the_pipeline():
    """`Compose(seed=)` is refused: with it every worker would draw alike; the seed belongs to the map."""
    return refused(A.Compose([A.HorizontalFlip()], seed=42))


def arguments_without_a_native():
    """A part with a native may have an argument without one: it is named, with what is allowed."""
    return refused(A.Compose([A.GridDistortion(keypoint_remapping_method="direct")]))


def one_draw_for_all():
    """The pipeline called in `map` itself runs once, while it is traced: one draw for every element."""
    flip = A.Compose([A.HorizontalFlip(p=0.5), A.RandomRotate90(p=0.5)])

    def augment(image):
        return flip(image=image)["image"]

    constant = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    traced = IMAGES.map(lambda _image: augment(constant))
    ported = IMAGES.apply(seeded_map(port(augment), 42))
    return tuple(len({image.numpy().tobytes() for image in images}) for images in (traced, ported))
