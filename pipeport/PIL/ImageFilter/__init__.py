"""Natives of `PIL.ImageFilter`, for the method `filter` of images."""

from pipeport import _mirror
from pipeport.PIL.ImageFilter._gaussian_blur import GaussianBlur as GaussianBlur

_mirror.answer_for(__name__)
