"""Images of Pillow's: made, written into, enhanced, and read before anything is known of them."""

import numpy as np
from PIL import Image, ImageEnhance

from bodies.reading import ALPHA, SCANS
from bodies.table import LARGE, SMALL, Body, both


def square_canvas(array):
    picture = Image.fromarray(array)
    width, height = picture.size
    side = max(width, height)
    canvas = Image.new("RGB", (side, side), (128, 128, 128))
    canvas.paste(picture, ((side - width) // 2, (side - height) // 2))
    return np.array(canvas.resize((32, 32), Image.BILINEAR))


def letterboxed_by_pillow(array):
    picture = Image.fromarray(array)
    width, height = picture.size
    scale = min(48 / width, 40 / height)
    small = picture.resize((int(width * scale), int(height * scale)), Image.BICUBIC)
    canvas = Image.new("RGB", (48, 40))
    canvas.paste(small, (0, 0))
    return np.asarray(canvas)


def enhanced_at_random(array):
    picture = Image.fromarray(array)
    picture = ImageEnhance.Brightness(picture).enhance(np.random.uniform(0.5, 1.5))
    picture = ImageEnhance.Contrast(picture).enhance(np.random.uniform(0.5, 1.5))
    picture = ImageEnhance.Color(picture).enhance(np.random.uniform(0, 2))
    return np.array(ImageEnhance.Sharpness(picture).enhance(1.5))


def marked(array):
    picture = Image.fromarray(array)
    mask = Image.fromarray(array[..., 0]).convert("L")
    picture.paste(Image.new("RGB", picture.size, (200, 10, 10)), (0, 0), mask)
    return np.expand_dims(picture, axis=0).astype(np.float32)


def square_of_picture(path):
    with_any_mode = Image.open(path)
    width, height = with_any_mode.size
    side = min(width, height)
    left, top = (width - side) // 2, (height - side) // 2
    cut = with_any_mode.crop((left, top, left + side, top + side)).resize((24, 24))
    return np.array(cut.convert("RGB")) / 255.0


def colours_and_size(path):
    picture = Image.open(path.decode()).convert("RGBA")
    return np.array(picture)[..., :3], np.array(picture.size)


BODIES = (
    Body(square_canvas, both(SMALL, LARGE), known=((2,),), static=((32, 32, 3),), levels=1),
    Body(letterboxed_by_pillow, both(SMALL, LARGE), known=((2,),), static=((40, 48, 3),), levels=1),
    Body(enhanced_at_random, both(SMALL, LARGE), known=((2,),)),
    Body(marked, both(SMALL, LARGE), known=((2,),), static=((1, None, None, 3),)),
    Body(
        square_of_picture, ((SCANS[0],), (ALPHA[0],), (ALPHA[1],)), static=((24, 24, 3),), relative=1.01 / 255
    ),
    Body(colours_and_size, tuple((one,) for one in ALPHA), static=((None, None, 3), (2,))),
)
