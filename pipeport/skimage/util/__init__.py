"""Natives of `skimage.util`."""

from pipeport import _mirror
from pipeport.skimage.util._crop import crop as crop
from pipeport.skimage.util._img_as import img_as_bool as img_as_bool
from pipeport.skimage.util._img_as import img_as_float as img_as_float
from pipeport.skimage.util._img_as import img_as_float32 as img_as_float32
from pipeport.skimage.util._img_as import img_as_float64 as img_as_float64
from pipeport.skimage.util._img_as import img_as_ubyte as img_as_ubyte
from pipeport.skimage.util._invert import invert as invert
from pipeport.skimage.util._random_noise import random_noise as random_noise
from pipeport.skimage.util._view_as_blocks import view_as_blocks as view_as_blocks
from pipeport.skimage.util._view_as_windows import view_as_windows as view_as_windows

_mirror.answer_for(__name__)
