"""The bugs of this migration, one function each; what a function returns is the evidence."""

import tempfile
from pathlib import Path

import nibabel as nib
import numpy as np
import tensorflow as tf

from pipeport import port
from pipeport.errors import PipeportError
from pipeport.seeds import seeded_map

SIZES = (12, 10, 8)


def saved(values, name="scan.nii.gz", scaling=(1, 0)):
    """Write a volume and return its path."""
    path = Path(tempfile.mkdtemp()) / name
    image = nib.Nifti1Image(values, np.eye(4))
    image.header.set_slope_inter(*scaling)
    nib.save(image, path)
    return str(path).encode()


def volume(dtype=np.int16):
    return np.arange(np.prod(SIZES)).reshape(SIZES).astype(dtype)


def read(path):
    return nib.load(path.decode()).get_fdata(dtype=np.float32)


def number_of_axes():
    """A file has three axes or four, and nothing says which until it is read: an example does."""

    def slab(path):
        volume = read(path)
        top = np.random.randint(0, volume.shape[0] - 4 + 1)
        return volume[top : top + 4]

    path = saved(volume())
    paths = tf.data.Dataset.from_tensors(path)
    known = paths.apply(seeded_map(port(slab, example=(path,)), 42)).element_spec.shape
    try:
        paths.apply(seeded_map(port(slab), 42))
    except PipeportError as error:
        return str(error), known.as_list()


def sizes_of_another_volume():
    """The place is drawn inside the scan, so the labels' crop has no static size: state it."""

    def crop(scan, labels):
        top = np.random.randint(0, scan.shape[0] - 4 + 1)
        return scan[top : top + 4], labels[top : top + 4]

    paths = tf.data.Dataset.from_tensors(saved(volume()))
    volumes = paths.map(port(read, example=(saved(volume()),)))
    pairs = tf.data.Dataset.zip((volumes, volumes))
    scan, labels = pairs.apply(seeded_map(port(crop), 42)).element_spec
    return scan.shape[0], labels.shape[0]


def volume_smaller_than_the_patch():
    """NumPy's `randint` refuses an empty range, and so does the native when the graph runs."""

    def crop(scan):
        top = np.random.randint(0, scan.shape[0] - 16 + 1)
        return scan[top : top + 16]

    try:
        crop(volume())
    except ValueError as error:
        old = str(error)
    volumes = tf.data.Dataset.from_tensors(saved(volume())).map(port(read, example=(saved(volume()),)))
    try:
        next(iter(volumes.apply(seeded_map(port(crop), 42))))
    except tf.errors.InvalidArgumentError as error:
        return old, error.message


def slope_in_the_header():
    """`get_fdata` applies slope and intercept of the header: largest value, by nibabel and ported."""
    path = saved(volume(), scaling=(2, -1000))
    ported = port(read, example=(path,))
    (native,) = tf.data.Dataset.from_tensors(path).map(ported).as_numpy_iterator()
    return float(read(path).max()), float(native.max())


def labels_as_floats():
    """`get_fdata` gives labels as floats, a copy eight times as large; `dataobj` keeps whole numbers."""

    def floats(path):
        return nib.load(path.decode()).get_fdata()

    def kept(path):
        return np.asarray(nib.load(path.decode()).dataobj)

    path = saved(volume(np.uint8))
    paths = tf.data.Dataset.from_tensors(path)
    return [paths.map(port(body, example=(path,))).element_spec.dtype.name for body in (floats, kept)]
