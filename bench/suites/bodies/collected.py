"""Lists, tables, strings and loops of public pipelines, and what becomes of them at last."""

# ruff: noqa: PTH118, RUF005, RUF007, B905 - as people write it

import os
import random
from pathlib import Path

import cv2
import numpy as np
from PIL import Image
from scipy import ndimage

from bodies.everyday import vectors_of
from bodies.reading import ALPHA, MASKS, SCANS
from bodies.strings import saved, saved_array
from bodies.table import LARGE, SMALL, Body, both, image

STEPS = [(np.roll, 1, 4), (np.repeat, 2, 3)]
VOCABULARY = {"a": 1, "the": 2, "fox": 3, "dog": 4, "runs": 5}
COLOURS = [(0, 0, 0), (255, 0, 0), (0, 255, 0), (0, 0, 255)]
SETTINGS = {"near": {"size": 6, "flip": True}, "far": {"size": 6, "flip": False}}
LEADS = ["I", "II", "V1", "V6"]


def encoded(text):
    ids = [VOCABULARY.get(word, 0) for word in text.decode().lower().split()][:6]
    return np.array(ids + [0] * (6 - len(ids))), np.array([1] * len(ids) + [0] * (6 - len(ids)))


def known_words(text):
    ids = [VOCABULARY[word] for word in text.decode().split() if word in VOCABULARY]
    return np.array([9] + ids + [8], np.int32)


def bigrams(text):
    words = text.decode().split(" ")
    return " ".join([first + "_" + second for first, second in zip(words[:-1], words[1:])]), len(words)


def masked_word(text):
    words = text.decode().split(" ")
    place = random.randrange(len(words))
    return " ".join(words[:place] + ["[MASK]"] + words[place + 1 :]), words[place]


def lead_of_name(name):
    name = name.decode()
    lead = name.rsplit("_", 1)[1]
    if lead not in LEADS:
        return -1, lead
    return LEADS.index(lead), lead.lower()


def setting_of(name):
    setting = SETTINGS[name.decode()]
    values = np.arange(setting["size"])
    if setting["flip"]:
        values = values[::-1]
    return values


def mask_of_colours(picture):
    planes = [np.all(picture == colour, axis=-1) for colour in COLOURS]
    planes.append(~np.any(planes, axis=0))
    return np.stack(planes, axis=-1).astype(np.float32)


def colours_of_mask(labels):
    palette = np.array(COLOURS, np.uint8)
    return palette[labels], np.bincount(labels.ravel(), minlength=4)


def one_hot_mask(labels):
    one_hot = np.zeros((*labels.shape, 4), np.uint8)
    for number in range(4):
        one_hot[labels == number, number] = 1
    return one_hot


def merged_labels(labels):
    merged = labels.copy()
    for old, new in {3: 1, 2: 0}.items():
        merged[labels == old] = new
    return merged, np.unique(merged).size


def outline(labels):
    inside = ndimage.binary_erosion(labels > 0)
    return ((labels > 0) ^ inside).astype(np.uint8) * 255


def four_tiles(picture):
    rows = []
    for top in range(0, 8, 4):
        for left in range(0, 8, 4):
            rows.append(picture[top : top + 4, left : left + 4])
    return np.stack(rows)


def brightest_tiles(picture):
    size = 4
    height, width = picture.shape[0] // size * size, picture.shape[1] // size * size
    parts = picture[:height, :width].reshape(height // size, size, width // size, size, 3)
    parts = parts.transpose(0, 2, 1, 3, 4).reshape(-1, size, size, 3)
    order = np.argsort(-parts.reshape(len(parts), -1).sum(axis=-1), kind="stable")
    return parts[order[:2]]


def pyramid(picture):
    found = [picture]
    for _ in range(2):
        found.append(found[-1][::2, ::2])
    return tuple(found)


def changed_by_a_table(picture):
    change, low, high = random.choice(STEPS)
    return change(picture, random.randint(low, high), axis=0)


def several_changes(picture):
    for _ in range(random.randint(1, 3)):
        change = random.choice([np.flipud, np.fliplr])
        picture = change(picture)
    return picture


def by_name_of_mode(picture):
    mode = random.choice(["reflect", "edge", "constant"])
    return np.pad(picture, ((2, 2), (2, 2), (0, 0)), mode=mode)


def patches_with_enough(labels):
    best = labels[:4, :4]
    for _ in range(5):
        top = np.random.randint(0, labels.shape[0] - 4 + 1)
        left = np.random.randint(0, labels.shape[1] - 4 + 1)
        patch = labels[top : top + 4, left : left + 4]
        if (patch > 0).sum() > (best > 0).sum():
            best = patch
    return best


def until_it_is_bright(picture):
    times = 0
    while picture.mean() < 140 and times < 20:
        picture = np.minimum(picture.astype(np.int32) * 11 // 10 + 1, 255).astype(np.uint8)
        times += 1
    return picture, times


def grown_until(values):
    found = []
    total = 0.0
    for value in np.abs(values):
        total += value
        if total > 3:
            break
        found.append(value)
    return np.array(found), len(found)


def events_in_bins(values):
    counts, edges = np.histogram(values, bins=6, range=(-3, 3))
    return counts, (edges[:-1] + edges[1:]) / 2


def peaks(values):
    inner = (values[1:-1] > values[:-2]) & (values[1:-1] > values[2:])
    places = np.flatnonzero(inner) + 1
    return places, values[places]


def segments(values):
    ends = [len(values) // 3, 2 * len(values) // 3]
    first, second, third = np.split(values, ends)
    return np.array([first.mean(), second.mean(), third.mean()]), third[::-1]


def lagged(values):
    columns = [np.roll(values, lag) for lag in (0, 1, 3)]
    table = np.column_stack(columns)[3:]
    return table, table.shape[0]


def scaled_columns(table):
    low, high = table.min(axis=0), table.max(axis=0)
    spread = np.where(high > low, high - low, 1)
    return (table - low) / spread


def filled_gaps(table):
    means = np.nanmean(table, axis=0)
    rows, columns = np.where(np.isnan(table))
    table = table.copy()
    table[rows, columns] = means[columns]
    return table


def cut_or_padded(wave):
    wanted = 16
    start = random.randint(0, max(len(wave) - wanted, 0))
    if len(wave) > wanted:
        return wave[start : start + wanted]
    before = (wanted - len(wave)) // 2
    return np.pad(wave, (before, wanted - len(wave) - before))


def noisy_at_a_ratio(wave):
    ratio = np.random.uniform(5, 20)
    noise = np.random.normal(0, 1, wave.shape)
    power = np.mean(wave**2) / 10 ** (ratio / 10)
    return (wave + noise * np.sqrt(power / np.mean(noise**2))).astype(np.float32)


def masked_bands(table):
    table = table.copy()
    for _ in range(2):
        width = random.randint(0, 2)
        start = random.randint(0, table.shape[1] - width)
        table[:, start : start + width] = 0
    return table


def mixed_pair(first, second):
    share = np.random.beta(0.4, 0.4)
    return (share * first + (1 - share) * second).astype(np.float32), np.float32(share)


def pasted_box(first, second):
    share = np.sqrt(1 - np.random.beta(1.0, 1.0))
    height, width = int(first.shape[0] * share), int(first.shape[1] * share)
    top = np.random.randint(0, first.shape[0] - height + 1)
    left = np.random.randint(0, first.shape[1] - width + 1)
    out = first.copy()
    out[top : top + height, left : left + width] = second[top : top + height, left : left + width]
    return out, 1 - height * width / (first.shape[0] * first.shape[1])


def cells_of_boxes(boxes):
    grid = np.zeros((3, 3, 5), np.float32)
    for x, y, width, height in boxes:
        column, row = int(x * 3), int(y * 3)
        grid[row, column] = [x * 3 - column, y * 3 - row, width, height, 1]
    return grid


def boxes_flipped(picture, boxes):
    if random.random() < 0.5:
        picture = picture[:, ::-1]
        boxes = boxes.copy()
        boxes[:, [0, 2]] = picture.shape[1] - boxes[:, [2, 0]]
    return picture, boxes


def boxes_inside(picture, boxes):
    height, width = picture.shape[:2]
    boxes = np.clip(boxes, 0, [width, height, width, height])
    keep = [(x1 - x0) * (y1 - y0) > 4 for x0, y0, x1, y1 in boxes]
    return boxes[np.array(keep)]


def series_of_file(path):
    table = np.loadtxt(path.decode(), delimiter=",", skiprows=1, dtype=np.float32, ndmin=2)
    return table[:, 1:], table[:, 0].astype(np.int64)


def largest_of_picture(path):
    picture = Image.open(path.decode()).convert("L").resize((12, 9), Image.NEAREST)
    return np.array(picture, np.float32) / np.max(picture)


def mask_of_pair(path, mask_path):
    picture = cv2.cvtColor(cv2.imread(path.decode()), cv2.COLOR_BGR2RGB)
    mask = cv2.imread(mask_path.decode(), cv2.IMREAD_GRAYSCALE)
    mask[mask < 100] = 0
    mask[mask >= 100] = 1
    return picture * mask[..., None], mask.mean()


def sibling(path):
    path = Path(path.decode())
    scan = np.load(path.with_name(path.name.replace("scan", "label"))).astype(np.float32)
    return scan, path.parent.name == "none", path.suffix


def frames_of_names(text):
    folder, first, count = text.decode().split(" ")
    names = [os.path.join(folder, f"{int(first) + number:05d}.jpg") for number in range(int(count))]
    return names[0], names[-1], len(names)


SHORT = tuple((vectors_of(size),) for size in (5, 40))
TABLES = tuple((vectors_of(size, 4),) for size in (5, 30))
GAPS = tuple((np.where(table > 1, np.nan, table),) for (table,) in TABLES)
LABELS = tuple((image(*size, channels=None) // 64,) for size in (SMALL, LARGE))
PAIRS = tuple((image(*size, dtype="float32"), image(*size, dtype="float32")[::-1]) for size in (SMALL, LARGE))
BOXES = (
    (np.array([[0.5, 0.4, 0.2, 0.1]], np.float32),),
    (np.array([[0.1, 0.9, 0.3, 0.3], [0.7, 0.2, 0.5, 0.6]], np.float32),),
)
BOXED = tuple(
    (image(*size), np.array([[1, 2, 5, 8], [3, 1, 4 + n, 2], [0, 0, 99, 99]], np.float32))
    for n, size in enumerate((SMALL, LARGE))
)
SERIES = [saved(f"series{n}.csv", b"t,a,b\n" + b"1,2.5,3\n2,-1,4\n" * (n + 1)) for n in range(2)]
BESIDE = [saved_array(f"scan_{n}.npy", np.arange(3)) for n in range(2)]
for number in range(2):
    saved_array(f"label_{number}.npy", np.arange(4.0 + number))

BODIES = (
    Body(encoded, ((b"the fox runs",), (b"A dog and the fox and the other dog",)), static=((None,), (None,))),
    Body(known_words, ((b"the fox ran",), (b"nothing",)), static=((None,),)),
    Body(bigrams, ((b"the red fox",), (b"a b c d e",)), static=((), ())),
    Body(masked_word, ((b"the red fox",), (b"one",)), static=((), ())),
    Body(lead_of_name, ((b"rec_12_V1",), (b"rec_XII",)), static=((), ())),
    Body(setting_of, ((b"near",), (b"far",)), static=((None,),)),
    Body(mask_of_colours, both(SMALL, LARGE), known=((2,),), static=((None, None, 5),)),
    Body(colours_of_mask, LABELS, static=((None, None, 3), (None,))),
    Body(one_hot_mask, LABELS, static=((None, None, 4),)),
    Body(merged_labels, LABELS, static=((None, None), ())),
    Body(outline, LABELS, static=((None, None),)),
    Body(four_tiles, both(SMALL, LARGE)),
    Body(brightest_tiles, both(SMALL, LARGE), known=((2,),)),
    Body(pyramid, both(SMALL, LARGE)),
    Body(changed_by_a_table, both(SMALL, LARGE)),
    Body(several_changes, both(SMALL, LARGE)),
    Body(by_name_of_mode, both(SMALL, LARGE)),
    Body(patches_with_enough, LABELS, static=((None, None),)),
    Body(until_it_is_bright, both(SMALL, LARGE)),
    Body(grown_until, SHORT, static=((None,), ())),
    Body(events_in_bins, SHORT, static=((6,), (6,))),
    Body(peaks, SHORT, static=((None,), (None,))),
    Body(segments, SHORT, static=((3,), (None,))),
    Body(lagged, SHORT, static=((None, 3), ())),
    Body(scaled_columns, TABLES),
    Body(filled_gaps, GAPS),
    Body(cut_or_padded, SHORT, static=((None,),)),
    Body(noisy_at_a_ratio, SHORT, static=((None,),)),
    Body(masked_bands, TABLES),
    Body(mixed_pair, PAIRS, static=((None, None, None), ())),
    Body(pasted_box, PAIRS),
    Body(cells_of_boxes, BOXES, known=((1,),), static=((3, 3, 5),)),
    Body(boxes_flipped, BOXED, known=((), (1,))),
    Body(boxes_inside, BOXED, known=((), (1,)), static=((None, 4),)),
    Body(series_of_file, tuple((one,) for one in SERIES), static=((None, None), (None,))),
    Body(largest_of_picture, tuple((one,) for one in ALPHA), static=((9, 12),)),
    Body(mask_of_pair, tuple(zip(SCANS, MASKS, strict=True))),
    Body(sibling, tuple((one,) for one in BESIDE), example=True),
    Body(frames_of_names, ((b"clips 3 4",), (b"/a 99 1",)), static=((), (), ())),
)
