"""Natives of bodies people write by hand; their references are in `pipeport.references`."""

from pipeport import _mirror
from pipeport.idioms._crop_at import crop_at as crop_at
from pipeport.idioms._crop_or_pad import crop_or_pad as crop_or_pad
from pipeport.idioms._cutmix import cutmix as cutmix
from pipeport.idioms._cutout import cutout as cutout
from pipeport.idioms._letterbox import letterbox as letterbox
from pipeport.idioms._mixup import mixup as mixup
from pipeport.idioms._random_brightness_contrast import (
    random_brightness_contrast as random_brightness_contrast,
)
from pipeport.idioms._random_crop import random_crop as random_crop
from pipeport.idioms._random_flip import random_flip as random_flip
from pipeport.idioms._random_flip_pair import random_flip_pair as random_flip_pair
from pipeport.idioms._random_resized_crop import random_resized_crop as random_resized_crop
from pipeport.idioms._random_rotate import random_rotate as random_rotate
from pipeport.idioms._resize_pair import resize_pair as resize_pair
from pipeport.idioms._rotate_volume import rotate_volume as rotate_volume
from pipeport.idioms._standardize import standardize as standardize

_mirror.answer_for(__name__)
