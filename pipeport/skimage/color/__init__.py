"""Natives of `skimage.color`."""

from pipeport import _mirror
from pipeport.skimage.color._gray2rgb import gray2rgb as gray2rgb
from pipeport.skimage.color._rgb2gray import rgb2gray as rgb2gray

_mirror.answer_for(__name__)
