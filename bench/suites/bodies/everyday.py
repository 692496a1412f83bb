"""Labels, letters, elements of kept arrays, small augmentations: a few lines of public pipelines each."""

# ruff: noqa: PTH119, PTH122, PTH123 - as people write it

import os
import random
import string

import cv2
import numpy as np
from skimage.transform import resize

from bodies.reading import SCANS
from bodies.strings import saved, saved_array
from bodies.table import LARGE, SMALL, Body, both, image

CLASSES = ["cat", "dog", "fox", "owl"]
SHOTS = {"cat": ["cat/0", "cat/1", "cat/2"], "dog": ["dog/0", "dog/1"], "fox": ["fox/0", "fox/1", "fox/2"]}
ALPHABET = string.ascii_lowercase + string.digits
CODES = {"N": 0, "L": 1, "R": 2, "A": 3, "V": 4}
PRICES = {1: 0.5, 2: 1.5, 5: 4.0}
WORDS = ["alpha", "be", "gamma ray", "delta"]
WEIGHTS = np.linspace(0.5, 2, 6).astype(np.float32)
KEPT = image(12, 10)
ROWS = np.arange(48.0).reshape(12, 4)
LENGTHS = np.array([3, 5, 2, 4])
FLAT = np.arange(14)
STARTS = np.cumsum(LENGTHS) - LENGTHS
PIPELINE = [np.fliplr, np.flipud, np.rot90]


# Labels and names.


def smoothed_label(name):
    label = [0.1 / len(CLASSES)] * len(CLASSES)
    label[CLASSES.index(name.decode())] += 0.9
    return np.array(label, np.float32)


def letters_to_codes(text):
    text = text.decode().lower().strip()
    codes = [ALPHABET.index(one) for one in text if one in ALPHABET]
    return np.array(codes + [len(ALPHABET)] * 3, np.int32)


def beats_to_classes(text):
    return np.array([CODES.get(one, 5) for one in text.decode()], np.int64)


def captcha_label(path):
    name = os.path.basename(path.decode("utf-8")).split(".")[0]
    label = np.zeros((4, len(ALPHABET)), np.float32)
    for place, one in enumerate(name[:4]):
        label[place, ALPHABET.index(one)] = 1
    return label


def price_of(number):
    return np.float32(PRICES[int(number)] * 2)


def word_at(number):
    word = WORDS[number % len(WORDS)]
    return word.title(), len(word), word[0]


def parts_of_name(path):
    stem, suffix = os.path.splitext(os.path.basename(path.decode()))
    fields = stem.split("-")
    return int(fields[-1]), "-".join(fields[:-1]), suffix == ".png"


def sorted_letters(text):
    counts = np.array([text.decode().count(one) for one in "aeiou"])
    return counts, int(counts.argmax()), counts.sum() / max(len(text), 1)


def place_of_separator(text):
    text = text.decode()
    at = text.find("=")
    return (text[:at], text[at + 1 :]) if at >= 0 else (text, "none")


def shot_of_class(path):
    kind = path.decode().split("/")[0]
    other = random.choice(SHOTS[kind])
    while other == path.decode():
        other = random.choice(SHOTS[kind])
    return other


def negative_class(path):
    kind = path.decode().split("/")[0]
    other = random.choice(list(SHOTS))
    while other == kind:
        other = random.choice(list(SHOTS))
    return SHOTS[other][0]


def caption_of(mean):
    mood = "bright" if mean > 0.5 else "dark"
    return f"a {mood} picture, {mean:.2f}", mood.upper()


# Elements of arrays that are kept outside.


def window_of_rows(number):
    return ROWS[number : number + 3].astype(np.float32)


def row_and_next(number):
    number = int(number)
    return ROWS[number], ROWS[(number + 1) % len(ROWS)] - ROWS[number]


def sequence_of_many(number):
    first = STARTS[number]
    return FLAT[first : first + LENGTHS[number]]


def padded_batch(numbers):
    longest = LENGTHS[numbers].max()
    batch = np.full((len(numbers), longest), -1)
    for row, number in enumerate(numbers):
        found = FLAT[STARTS[number] : STARTS[number] + LENGTHS[number]]
        batch[row, : len(found)] = found
    return batch


def patch_of_kept(number):
    top, left = divmod(int(number), 3)
    patch = KEPT[4 * top : 4 * top + 4, 3 * left : 3 * left + 3]
    return patch.astype(np.float32) / 255, number


def split_by_shares(values):
    ends = (len(values) * np.cumsum([0.5, 0.3])).astype(int)
    first, second, third = np.split(values, ends)
    return first.sum(), second.sum(), third.sum(), len(third)


# Files.


def depth_of_file(path):
    depth = np.squeeze(np.load(path.decode()))
    return resize(depth, (6, 8)).astype(np.float32)


def raster_of_file(path):
    picture = cv2.imread(path.decode(), cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError(f"cannot read {path}")
    if picture.shape[:2] != (24, 32):
        picture = cv2.resize(picture, (32, 24), interpolation=cv2.INTER_NEAREST)
    picture = picture.astype(np.float32)
    picture -= np.array([104, 117, 123])
    return picture[..., ::-1]


def keypoints_of_file(path):
    with open(path.decode()) as file:
        lines = file.read().splitlines()
    points = np.array([line.split(",")[:2] for line in lines[1:]], np.float32)
    return points - points.min(axis=0), len(lines)


def words_of_file(path):
    tokens = []
    with open(path.decode()) as file:
        for line in file.readlines():
            fields = line.split()
            if fields[2] != "sil":
                tokens.append(fields[2])
    return " ".join(tokens), len(tokens)


# Small augmentations.


def one_of_three(picture):
    change = random.choice(PIPELINE)
    return change(picture)


def two_of_three(picture):
    for change in random.sample([np.fliplr, np.flipud, lambda one: 255 - one], 2):
        picture = change(picture)
    return picture


def brightened_by_chance(picture):
    if random.random() < 0.5:
        picture = picture * random.uniform(0.6, 1.4)
    return np.clip(picture, 0, 255).astype(np.uint8)


def salted(picture):
    picture = picture.copy()
    count = int(0.02 * picture.shape[0] * picture.shape[1]) + 1
    rows = np.random.randint(0, picture.shape[0], count)
    columns = np.random.randint(0, picture.shape[1], count)
    picture[rows, columns] = 255
    return picture


def erased_with_noise(picture):
    picture = picture.copy()
    height, width = picture.shape[0] // 3, picture.shape[1] // 3
    top = np.random.randint(0, picture.shape[0] - height + 1)
    left = np.random.randint(0, picture.shape[1] - width + 1)
    picture[top : top + height, left : left + width] = np.random.randint(0, 256, (height, width, 3))
    return picture


def channels_shuffled(picture):
    order = np.random.permutation(3)
    return picture[..., order], order


def every_other_frame(frames):
    step = random.choice([1, 2, 3])
    return frames[::step][:3].mean(axis=0)


def frames_to_a_length(frames):
    wanted = 8
    if len(frames) < wanted:
        frames = np.concatenate([frames, np.repeat(frames[-1:], wanted - len(frames), axis=0)])
    return frames[:wanted]


def standardised(values):
    spread = max(values.std(), 1e-6)
    return (values - values.mean()) / spread, values.argmax()


def in_percent(values):
    low, high = np.percentile(values, [5, 95])
    return np.clip((values - low) / (high - low + 1e-6), 0, 1).astype(np.float32)


def largest_first(values):
    order = np.argsort(-values)[:4]
    return order, values[order], np.cumsum(values[order])


def gaps_filled(values):
    known = np.where(values > 0, np.arange(len(values)), 0)
    return values[np.maximum.accumulate(known)]


def runs_of_ones(values):
    edges = np.diff(np.concatenate([[0], (values > 0).astype(int), [0]]))
    starts, ends = np.where(edges == 1)[0], np.where(edges == -1)[0]
    return (ends - starts).max() if len(starts) else 0


def gaussian_target(centre):
    y, x = np.mgrid[0:9, 0:7]
    heat = np.exp(-((x - centre[0]) ** 2 + (y - centre[1]) ** 2) / 4)
    heat[heat < 0.01] = 0
    return heat.astype(np.float32)


def boxes_to_centres(boxes):
    boxes = boxes[(boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])]
    centres = (boxes[:, :2] + boxes[:, 2:]) / 2
    return np.concatenate([centres, boxes[:, 2:] - boxes[:, :2]], axis=1), len(boxes)


def best_anchor(boxes):
    anchors = np.array([[0, 0, 4, 4], [2, 2, 8, 8], [0, 0, 9, 3]], np.float32)
    low = np.maximum(boxes[:, None, :2], anchors[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], anchors[None, :, 2:])
    shared = np.prod(np.clip(high - low, 0, None), axis=2)
    area = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)[:, None] + np.prod(
        anchors[:, 2:] - anchors[:, :2], axis=1
    )
    return (shared / np.maximum(area - shared, 1e-6)).argmax(axis=1)


def quantised(values):
    levels = np.linspace(values.min(), values.max(), 9)
    return np.digitize(values, levels[1:-1]), levels


def companded(values):
    mu = 255
    signal = np.sign(values) * np.log1p(mu * np.abs(values)) / np.log1p(mu)
    return ((signal + 1) / 2 * mu + 0.5).astype(np.int32)


def windowed_frames(values):
    frames = np.lib.stride_tricks.sliding_window_view(values, 6)[::3]
    return (frames * np.hanning(6)).astype(np.float32), np.abs(np.fft.rfft(frames, axis=-1)).astype(
        np.float32
    )


def crossings(values):
    signs = values < 0
    return int((signs[1:] != signs[:-1]).sum()), np.sqrt(np.mean(values**2))


def board_planes(board):
    planes = [(board == piece).astype(np.float32) for piece in (-2, -1, 1, 2)]
    planes.append(np.full(board.shape, board.sum() > 0, np.float32))
    return np.stack(planes, axis=-1)


def returns_of_rewards(rewards):
    total, found = 0.0, np.zeros(len(rewards), np.float32)
    for step in range(len(rewards) - 1, -1, -1):
        total = rewards[step] + 0.9 * total
        found[step] = total
    return found


def distances(points):
    steps = points[:, None] - points[None]
    apart = np.sqrt((steps**2).sum(-1))
    np.fill_diagonal(apart, np.inf)
    return apart.min(axis=1), apart.argmin(axis=1)


def turned(points):
    angle = np.random.uniform(0, 2 * np.pi)
    cosine, sine = np.cos(angle), np.sin(angle)
    rotation = np.array([[cosine, -sine], [sine, cosine]])
    return (points @ rotation.T).astype(np.float32)


def resampled(points):
    places = np.random.choice(len(points), 6, replace=len(points) < 6)
    chosen = points[places]
    return chosen - chosen.mean(axis=0)


def jittered(points):
    noise = np.clip(0.01 * np.random.randn(*points.shape), -0.05, 0.05)
    return (points + noise).astype(np.float32)


def weighted_rows(values):
    return np.average(values, axis=0, weights=WEIGHTS[: len(values)]), values @ WEIGHTS[:3]


def either_size(picture):
    side = 8 if picture.shape[0] > 20 else 6
    small = cv2.resize(picture, (side, side), interpolation=cv2.INTER_NEAREST)
    return np.pad(small, ((0, 8 - side), (0, 8 - side), (0, 0)))


def centred(picture):
    height, width = picture.shape[:2]
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    return picture[top : top + side, left : left + side]


def vectors_of(*size):
    return np.random.default_rng(sum(size)).normal(size=size).astype(np.float32)


def numbers_of(*values):
    return tuple((np.int64(one),) for one in values)


DEPTHS = [saved_array(f"depth{n}.npy", vectors_of(9 + n, 7, 1)) for n in range(2)]
POINTS = [saved(f"points{n}.csv", b"x,y,kind\n" + b"1,2.5,a\n-3,4,b\n" * (n + 1)) for n in range(2)]
SPOKEN = [
    saved(f"{n}.align", b"0 9 sil\n" + b"9 12 bin\n12 20 sil\n20 31 blue\n" * (n + 1)) for n in range(2)
]
SHORT = (vectors_of(5), vectors_of(40))
CLOUDS = ((vectors_of(5, 2),), (vectors_of(30, 2),))
BOXES = (
    (np.array([[1, 1, 5, 6], [4, 4, 2, 9]], np.float32),),
    (np.array([[0, 0, 3, 3], [2, 2, 9, 7], [1, 5, 8, 9]], np.float32),),
)
FRAMES = (
    (image(5, 6, dtype="float32")[None].repeat(3, 0),),
    (image(7, 4, dtype="float32")[None].repeat(11, 0),),
)

BODIES = (
    Body(smoothed_label, ((b"cat",), (b"owl",)), static=((4,),)),
    Body(letters_to_codes, ((b" Ab-9 ",), (b"",)), static=((None,),)),
    Body(beats_to_classes, ((b"NNVLx",), (b"R",)), static=((None,),)),
    Body(captcha_label, ((b"/data/a7xz.png",), (b"0000.jpg",)), static=((4, 36),)),
    Body(price_of, numbers_of(1, 5), static=((),)),
    Body(word_at, numbers_of(1, 6), static=((), (), ())),
    Body(parts_of_name, ((b"a/left-eye-12.png",), (b"x-1.jpg",)), static=((), (), ())),
    Body(sorted_letters, ((b"banana",), (b"xyz",)), static=((5,), (), ())),
    Body(place_of_separator, ((b"size=3=4",), (b"none of it",)), static=((), ())),
    Body(shot_of_class, ((b"cat/1",), (b"dog/0",)), static=((),)),
    Body(negative_class, ((b"cat/1",), (b"fox/0",)), static=((),)),
    Body(caption_of, ((np.float32(0.75),), (np.float32(0.124),)), static=((), ())),
    Body(window_of_rows, numbers_of(0, 8), static=((None, 4),)),
    Body(row_and_next, numbers_of(3, 11), static=((4,), (4,))),
    Body(sequence_of_many, numbers_of(0, 3), static=((None,),)),
    Body(padded_batch, ((np.array([0, 2]),), (np.array([1, 3, 1]),)), static=((None, None),)),
    Body(patch_of_kept, numbers_of(0, 7), static=((None, 3, 3), ())),
    Body(split_by_shares, ((np.arange(7),), (np.arange(40),)), static=((), (), (), ())),
    Body(depth_of_file, tuple((one,) for one in DEPTHS), example=True),
    Body(raster_of_file, tuple((one,) for one in SCANS), static=((None, None, 3),)),
    Body(keypoints_of_file, tuple((one,) for one in POINTS), static=((None, None), ())),
    Body(words_of_file, tuple((one,) for one in SPOKEN), static=((), ())),
    Body(one_of_three, both(SMALL, LARGE)),
    Body(two_of_three, both(SMALL, LARGE)),
    Body(brightened_by_chance, both(SMALL, LARGE)),
    Body(salted, both(SMALL, LARGE)),
    Body(erased_with_noise, both(SMALL, LARGE)),
    Body(channels_shuffled, both(SMALL, LARGE), known=((2,),)),
    Body(every_other_frame, FRAMES),
    Body(frames_to_a_length, FRAMES),
    Body(standardised, tuple((one,) for one in SHORT), static=((None,), ())),
    Body(in_percent, tuple((one,) for one in SHORT), static=((None,),)),
    Body(largest_first, tuple((one,) for one in SHORT), static=((None,), (None,), (None,))),
    Body(gaps_filled, tuple((one,) for one in SHORT), static=((None,),)),
    Body(runs_of_ones, tuple((one,) for one in SHORT), static=((),)),
    Body(gaussian_target, ((np.float32([3, 4]),), (np.float32([6.5, 0]),)), static=((9, 7),)),
    Body(boxes_to_centres, BOXES, known=((1,),), static=((None, 4), ())),
    Body(best_anchor, BOXES, known=((1,),), static=((None,),)),
    Body(quantised, tuple((one,) for one in SHORT), static=((None,), (9,))),
    Body(companded, tuple((one / 4,) for one in SHORT), static=((None,),)),
    Body(
        windowed_frames,
        tuple((one,) for one in (vectors_of(9), vectors_of(40))),
        static=((None, 6), (None, 4)),
    ),
    Body(crossings, tuple((one,) for one in SHORT), static=((), ())),
    Body(board_planes, ((np.array([[1, -1], [2, 0]]),), (np.arange(12).reshape(3, 4) % 5 - 2,))),
    Body(returns_of_rewards, tuple((one,) for one in SHORT), static=((None,),)),
    Body(distances, CLOUDS, known=((1,),), static=((None,), (None,))),
    Body(turned, CLOUDS, known=((1,),), static=((None, 2),)),
    Body(resampled, CLOUDS, known=((1,),), static=((6, 2),)),
    Body(jittered, CLOUDS, known=((1,),), static=((None, 2),)),
    Body(weighted_rows, ((vectors_of(4, 3),), (vectors_of(6, 3),)), known=((1,),)),
    Body(either_size, both(SMALL, LARGE), known=((2,),)),
    Body(centred, both(SMALL, LARGE)),
)
