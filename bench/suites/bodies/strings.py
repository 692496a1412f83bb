"""Names of files and labels in text, taken apart by Python's strings."""

# ruff: noqa: PTH119, PTH122, PTH123, PTH206, UP032 - as people write it

import os
import sys
from pathlib import Path

import cv2
import numpy as np
import tensorflow as tf

from bodies.reading import FOLDER, SCANS, written
from bodies.table import Body, image

CLASSES = np.array(["daisy", "dandelion", "roses", "tulips"])
PARTS = {"head": (0, 1.0), "arm": (1, 0.5), "leg": (2, 0.25)}
VIEWS = ["scans/daisy/head_7", "scans/roses/leg_3"]
COLOURS = {f"colour {number}": np.uint8([number, 2 * number, 255 - number]) for number in range(40)}


def class_of_folder(path):
    parts = path.decode("utf-8").split(os.sep)
    return parts[-2] == CLASSES


def age_of_name(path):
    name = os.path.splitext(os.path.basename(path.decode()))[0]
    age, gender = name.split("_")[:2]
    return np.float32(float(age) / 100.0), int(gender)


def scan_with_mask(path):
    path = path.decode("utf-8")
    scan = cv2.imread(path, cv2.IMREAD_COLOR)
    mask = cv2.imread(path.replace("scan", "mask"), cv2.IMREAD_GRAYSCALE)
    return scan.astype(np.float32) / 255, (mask > 0).astype(np.uint8)


def scan_by_number(number):
    file = FOLDER / "scan{}.png".format(int(number))
    return cv2.imread(str(file), 0)


def mask_beside(path):
    path = Path(path.decode())
    mask = path.parent / f"{path.stem}_mask{path.suffix}"
    return cv2.imread(str(mask), cv2.IMREAD_GRAYSCALE)


def side_of_limb(text):
    text = str(text, "utf-8").strip().lower()
    side, _, part = text.partition(" ")
    number, weight = PARTS.get(part, (-1, 0.0))
    if side not in ("left", "right"):
        weight = 0.0
    return np.int32(2 * number + (side == "right")), np.float64(weight)


def colour_of_name(text):
    return COLOURS[text.decode()].astype(np.float32) / 255


def box_of_line(line):
    fields = line.decode().split(",")
    box = np.array(fields[1:5], dtype=np.float32)
    return box, fields[0].endswith(".jpg"), len(fields)


def named_by_draw(image):
    name = f"crop_{np.random.randint(10)}"
    return image, name


def string_of_values(label):
    return "class " + str(label)


def batches_of_strings(text):
    return np.int64(len(text.decode().split(" ")))


def classes_of_parts(path):
    parts = tf.strings.split(path, os.path.sep)
    view = tf.strings.split(parts[-1], "_")[0]
    return (
        parts[-2] == CLASSES,
        tf.cast(view == tf.constant(list(PARTS)), tf.int8),
        path == tf.constant(VIEWS),
    )


def frames_beside(path):
    path, number = path.decode(sys.getdefaultencoding()).rsplit("_", 1)
    return tf.constant([f"{path}_{int(number) + step}" for step in range(3)], shape=np.int64(3))


def boxes_of_text(path):
    lines = np.loadtxt(path.decode(), dtype=np.float32, ndmin=2)
    centres, sizes = lines[:, 1:3], lines[:, 3:5]
    return lines[:, 0].astype(np.int32), np.concatenate([centres - sizes / 2, centres + sizes / 2], axis=1)


def raw_volume(path):
    with open(path.decode(), "rb") as file:
        volume = np.frombuffer(file.read(), dtype=np.int16)
    return volume.reshape(4, 3, -1).astype(np.float32) / 1000


def spectrum_of_file(path):
    spectrum = np.load(path.decode()).astype(np.float32).reshape(-1, 8)
    return (spectrum - spectrum.min()) / (spectrum.max() - spectrum.min())


def volume_of_archive(path):
    volume = np.load(path.decode(), allow_pickle=True)["volume"].astype(np.float32)
    return np.clip(volume.reshape(-1, 4, 3), 0, 20) / 20


def scan_of_archive(path):
    with np.load(path) as data:
        scan = data["scan"].astype(np.float32)
        label = int(data["label"].astype(np.int64))
    return scan * 2 - 1, label


def mapped_series(path):
    series = np.load(path.decode("utf-8"), mmap_mode="r").astype(np.float32)
    return series.reshape(-1, 4).mean(axis=0)


def halves_of_line(line):
    numbers = np.array(line.decode().strip().split(" "), dtype=np.float32)
    first, second = np.array_split(numbers[:6], 2)
    return first - second, np.split(numbers[:6], [1, 4])[1]


def flow_of_file(path):
    with open(path.decode(), "rb") as file:
        magic = np.fromfile(file, np.float32, count=1)
        assert magic[0] == np.float32(202021.25), "no .flo file"
        width, height = np.fromfile(file, np.int32, count=2)
        flow = np.fromfile(file, np.float32, count=2 * width * height)
    return flow.reshape(height, width, 2)


def digits_of_file(path):
    with open(path, "rb") as file:
        _, count, height, width = np.frombuffer(file.read(16), dtype=">i4")
        digits = np.frombuffer(file.read(), dtype=np.uint8).reshape(count, height, width, 1)
    return digits.astype(np.float32) / 255.0


def features_and_labels(path):
    with open(path.decode("utf-8"), "rb") as file:
        features = np.load(file).astype(np.float32)
        labels = np.load(file).astype(np.int64)
    return features.reshape(-1, 4) / 10, labels


def saved(name, content):
    """Write bytes for the tests and return their path as a dataset gives it."""
    path = FOLDER / name
    path.write_bytes(content)
    return str(path).encode()


def saved_array(name, array):
    """Write an array for the tests and return its path as a dataset gives it."""
    path = FOLDER / name
    np.save(path, array)
    return str(path).encode()


def saved_pair(name, *arrays):
    """Write arrays one behind the other for the tests and return their path as a dataset gives it."""
    path = FOLDER / name
    with open(path, "wb") as file:
        for array in arrays:
            np.save(file, array)
    return str(path).encode()


def saved_archive(name, save, **arrays):
    """Write an archive for the tests and return its path as a dataset gives it."""
    path = FOLDER / name
    save(path, **arrays)
    return str(path).encode()


LABELS = [saved("0.txt", b"0 0.5 0.5 1 0.25\n2 .1 .2 .3 .4\n"), saved("1.txt", b"1 0.5 0.5 0.5 0.5")]
VOLUMES = [saved(f"{n}.raw", np.arange(24 * (n + 1), dtype=np.int16).tobytes()) for n in range(2)]
SPECTRA = [saved_array(f"spectrum{n}.npy", np.arange(16).astype(kind) ** 2) for n, kind in enumerate("fd")]
ARCHIVES = [
    saved_archive("plain.npz", np.savez, other=np.zeros(3), volume=np.arange(24, dtype=np.int16)),
    saved_archive("deflated.npz", np.savez_compressed, volume=np.linspace(-5, 30, 48), other=np.zeros(300)),
]
LABELLED = [
    saved_archive(f"labelled{n}.npz", save, scan=image(5, 4, dtype="float32"), label=np.int32(7 * n))
    for n, save in enumerate((np.savez_compressed, np.savez))
]
FLOWS = [
    saved(f"{n}.flo", np.float32(202021.25).tobytes() + np.int32([3, 2 + n]).tobytes()
          + np.arange(12 + 6 * n, dtype=np.float32).tobytes()) for n in range(2)
]  # fmt: skip
DIGITS = [
    saved(f"{n}.idx", np.array([2051, n, 3, 4], ">i4").tobytes() + bytes(range(12 * n))) for n in (1, 2)
]
PAIRS = [
    saved_pair(f"pair{n}.npy", np.arange(8 * n).astype(kind), np.arange(n))
    for n, kind in ((1, "f4"), (3, "i2"))
]
BESIDE = [written(f"left{n}.png", image(9, 8)) for n in range(2)]
for number in range(2):
    written(f"left{number}_mask.png", image(9, 8, channels=None))

BODIES = (
    Body(class_of_folder, ((b"flowers/roses/12.jpg",), (b"/roses/daisy/1.jpg",)), static=((4,),)),
    Body(age_of_name, ((b"faces/26_0_1_2017.jpg",), (b"100_1_.chip.jpg",)), static=((), ())),
    Body(scan_with_mask, tuple((one,) for one in SCANS), static=((None, None, 3), (None, None))),
    Body(scan_by_number, ((np.int64(0),), (np.int64(1),)), static=((None, None),)),
    Body(mask_beside, tuple((one,) for one in BESIDE), static=((None, None),)),
    Body(side_of_limb, ((b" Left ARM\n",), (b"right leg",), (b"upper body",)), static=((), ())),
    Body(colour_of_name, ((b"colour 7",), (b"colour 39",)), static=((3,),)),
    Body(box_of_line, ((b"a.jpg,1,2.5,3,4e1,dog",), (b"b.png,0,0,-1,1",)), static=((None,), (), ())),
    Body(classes_of_parts, ((VIEWS[1].encode(),), (b"/scans/other/arm_1.png",)), static=((4,), (3,), (2,))),
    Body(frames_beside, ((b"clips/walk_8",), (b"run_fast_-1",)), static=((3,),)),
    Body(boxes_of_text, tuple((one,) for one in LABELS), static=((None,), (None, None))),
    Body(raw_volume, tuple((one,) for one in VOLUMES), static=((4, 3, None),)),
    Body(spectrum_of_file, tuple((one,) for one in SPECTRA), static=((None, 8),)),
    Body(volume_of_archive, tuple((one,) for one in ARCHIVES), static=((None, 4, 3),)),
    Body(scan_of_archive, tuple((one,) for one in LABELLED), example=True),
    Body(mapped_series, tuple((one,) for one in SPECTRA), static=((4,),)),
    Body(flow_of_file, tuple((one,) for one in FLOWS), static=((None, None, 2),)),
    Body(digits_of_file, tuple((one,) for one in DIGITS), static=((None, None, None, 1),)),
    Body(features_and_labels, tuple((one,) for one in PAIRS), example=True),
    Body(halves_of_line, ((b"1 2 3 4 5 6.5 7\n",), (b"-1 2 3 4 5 6",)), static=((None,), (None,))),
    Body(named_by_draw, ((image(8, 9),),)),
    Body(string_of_values, ((np.int64(1),), (np.int64(-20),)), static=((),)),
    Body(batches_of_strings, ((b"a b c",), (b"",)), static=((),)),
)
