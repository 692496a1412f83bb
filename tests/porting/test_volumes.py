"""Bodies that read NIfTI files by nibabel, unmodified."""

from __future__ import annotations

import functools
import gzip
import os

import nibabel
import nibabel as nib
import numpy as np
import pytest
import tensorflow as tf
from nibabel import load as load_image

from pipeport.errors import PipeportError, PortRefused
from pipeport.porting import port
from tests.porting.test_files import compare

# The functions below are what people write.


def windowed(path):
    scan = nib.load(path.decode()).get_fdata()
    scan = np.clip((scan + 1000) / 1400, 0, 1)
    return scan.astype(np.float32)[..., np.newaxis]


def middle_slice(path):
    image = nibabel.load(path.decode("utf-8"))
    volume = image.get_fdata(dtype=np.float32)
    volume = (volume - volume.mean()) / (volume.std() + 1e-6)
    return (
        np.rot90(volume[:, :, volume.shape[2] // 2]),
        image.affine,
        np.array(image.shape),
        volume.max(axis=0),
    )


def spaced(path):
    image = load_image(path.decode())
    zooms = image.header.get_zooms()
    return np.array(zooms[:3], np.float64), zooms[0] * np.float32(2), image.header["pixdim"][1:3], image.ndim


def labels(path):
    image = nib.load(path.decode())
    return np.asarray(image.dataobj, dtype=np.uint8), np.asarray(image.dataobj).astype(np.int32)


def as_stored(path):
    return np.asanyarray(nib.load(path.decode()).dataobj)


def one_slice(path):
    return nib.load(path.decode()).dataobj[..., 1] * 2


def written_into(path):
    image = nib.load(path.decode())
    volume = image.get_fdata()
    volume[volume < 0] = 0
    return image.get_fdata(), volume[0].T


def flattened(path):
    return nib.load(path.decode()).get_fdata().astype(np.float32).reshape(-1)


VALUES = np.random.default_rng(3).normal(0, 300, (5, 4, 3))


def saved(folder, name, values, scaling=None, order="<", change=None):
    """Write a file and return its path; `change` gets the header."""
    image = nib.Nifti1Image(
        values, np.diag([2.0, 3.0, 4.0, 1.0]), nib.Nifti1Header(endianness=order), dtype=values.dtype
    )
    image.header.set_data_dtype(values.dtype)
    if scaling:
        image.header.set_slope_inter(*scaling)
    if change:
        change(image.header)
    path = folder / name
    nib.save(image, path)
    return path


def ported(body, example=None):
    return port(body) if example is None else port(body, example=os.fsencode(example))


def mapped(function, *paths):
    """Return what the map of a dataset gives for each of some files."""
    return list(tf.data.Dataset.from_tensor_slices(list(map(str, paths))).map(function))


def check(body, *paths, example=None, modes=("map",)):
    function = ported(body, example)
    calls = {"eager": function, "graph": tf.function(function, autograph=False)}
    for mode in modes:
        call = calls.get(mode)
        found = [call(tf.constant(str(one))) for one in paths] if call else mapped(function, *paths)
        for ours, path in zip(found, paths, strict=True):
            compare(ours, body(os.fsencode(path)))


@functools.cache
def read_flat():
    """Return a function of a graph that reads any file, traced once."""
    return tf.function(port(flattened), autograph=False)


@pytest.mark.parametrize("kind", ["u1", "i1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"])
def test_every_dtype(kind, tmp_path):
    values = np.abs(VALUES).astype(kind) if kind[0] == "u" else VALUES.astype(kind)
    plain = saved(tmp_path, "plain.nii.gz", values)
    scaled = saved(tmp_path, "scaled.nii", values, (0.37, -12.5), ">")
    for path in (plain, scaled):
        compare(read_flat()(tf.constant(str(path))), flattened(os.fsencode(path)))
    check(as_stored, plain, example=plain, modes=("eager", "map"))
    check(as_stored, scaled, example=scaled)


def test_files_of_all_dtypes_in_one_map(tmp_path):
    kinds = ("u1", "i2", "f4", "f8")
    check(flattened, *(saved(tmp_path, f"{kind}.nii", np.abs(VALUES).astype(kind)) for kind in kinds))


@pytest.mark.parametrize("body", [windowed, middle_slice, spaced, labels, one_slice, written_into])
def test_bodies(body, tmp_path):
    integers = VALUES.astype(np.int16)
    if body is labels:
        integers = np.abs(integers) // 8
    paths = [
        saved(tmp_path, "one.nii.gz", integers),
        saved(tmp_path, "other.nii", integers[:4], order=">"),
    ]
    if body in (windowed, middle_slice):
        paths.append(saved(tmp_path, "scaled.nii", integers, (2.5, 0.0)))
    check(body, *paths, example=paths[0], modes=("eager", "graph", "map"))


def test_fractions_are_scaled_as_numpy_scales_them(tmp_path):
    def body(path):
        return nib.load(path.decode()).get_fdata(dtype=np.float32)

    paths = [
        saved(tmp_path, f"{number}.nii", VALUES.astype(kind), (1 / 3, 0.1))
        for number, kind in enumerate(("i2", "f4", "i4", "f8"))
    ]
    for found, path in zip(mapped(ported(body, paths[0]), *paths), paths, strict=True):
        np.testing.assert_array_equal(found, body(os.fsencode(path)), strict=True)


@pytest.mark.parametrize("sizes", [(7,), (2, 3), (2, 3, 1, 2), (3, 1, 1, 1, 2)])
def test_other_numbers_of_axes(sizes, tmp_path):
    values = np.arange(np.prod(sizes), dtype=np.float32).reshape(sizes)
    path = saved(tmp_path, "x.nii.gz", values)

    def body(path):
        image = nib.load(path.decode())
        return image.get_fdata() + 1, image.affine, np.array(image.header.get_data_shape())

    check(body, path, example=path)


def test_where_voxels_lie(tmp_path):
    def body(path):
        return nib.load(path.decode()).affine

    turn = nib.quaternions.quat2mat([0.5, -0.5, 0.5, 0.5]) * [1.5, 2, -3]
    place = np.block([[turn, np.array([[4], [5], [6]])], [np.zeros((1, 3)), 1]])

    def by_quaternion(header):
        header.set_sform(None, 0)
        header.set_qform(place, 1)

    def by_steps(header):
        header.set_sform(None, 0)
        header.set_qform(None, 0)

    paths = []
    for change in (by_quaternion, by_steps, lambda header: header.set_sform(place, 2)):
        path = saved(tmp_path, f"{len(paths)}.nii", np.zeros((3, 4, 5), np.uint8), change=None)
        image = nib.load(path)
        change(image.header)
        content = bytearray(path.read_bytes())
        content[:348] = image.header.binaryblock
        path.write_bytes(content)
        paths.append(path)
    for found, path in zip(mapped(port(body), *paths), paths, strict=True):
        np.testing.assert_allclose(found, body(os.fsencode(path)), rtol=1e-12, atol=1e-12)


def test_scaling_that_is_none(tmp_path):
    for slope in (0.0, np.nan, np.inf):
        path = saved(tmp_path, "x.nii", VALUES.astype(np.int16))
        content = bytearray(path.read_bytes())
        content[112:120] = np.array([slope, 7], "<f4").tobytes()
        path.write_bytes(content)
        compare(read_flat()(tf.constant(str(path))), flattened(os.fsencode(path)))


def test_what_only_the_file_knows_must_be_told(tmp_path):
    path = saved(tmp_path, "x.nii", VALUES.astype(np.int16))
    other = saved(tmp_path, "other.nii", VALUES.astype(np.float32))
    for body, words in (
        (as_stored, r"nibabel\.load: .*dtype.*example"),
        (spaced, r"number of axes.*example"),
    ):
        with pytest.raises(PortRefused, match=words):
            mapped(port(body), path)
    with pytest.raises(tf.errors.InvalidArgumentError, match="another dtype"):
        mapped(ported(as_stored, path), other)

    def told(path):
        return np.asarray(nib.load(path.decode()).dataobj)

    compare(*mapped(port(told, Tout=np.int16), path), told(os.fsencode(path)))
    with pytest.raises(PipeportError, match="caching"):
        mapped(port(lambda path: nib.load(path.decode()).get_fdata("all")), path)
    with pytest.raises(PipeportError, match="header"):
        mapped(port(lambda path: nib.load(path.decode()).header["descrip"]), path)


@pytest.mark.parametrize(
    ("place", "content", "words"),
    [
        (344, b"ni1\0", "another kind of file"),
        (40, b"\x09\0", "sizes"),
        (42, b"\xff\xff", "sizes"),
        (70, np.int16(32).tobytes(), "dtype of complex"),
        (108, np.float32(100).tobytes(), "begin in the header"),
        (116, np.float32(np.nan).tobytes(), "intercept"),
        (42, np.int16(900).tobytes(), "ends before its numbers"),
    ],
)
def test_files_that_are_not_read(place, content, words, tmp_path):
    path = saved(tmp_path, "x.nii", VALUES.astype(np.int16))
    whole = bytearray(path.read_bytes())
    whole[112:120] = np.array([1, 0], "<f4").tobytes()
    whole[place : place + len(content)] = content
    path.write_bytes(whole)
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        read_flat()(tf.constant(str(path)))


def test_names_of_files(tmp_path):
    path = saved(tmp_path, "x.nii", VALUES.astype(np.int16))
    for name, words in (
        ("x.img", "another ending"),
        ("nii", "another ending"),
        ("short.nii", "kind of file"),
    ):
        (tmp_path / name).write_bytes(path.read_bytes()[:300])
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            read_flat()(tf.constant(str(tmp_path / name)))
    upper = tmp_path / "X.NII.GZ"
    upper.write_bytes(gzip.compress(path.read_bytes()))
    compare(read_flat()(tf.constant(str(upper))), flattened(os.fsencode(upper)))
