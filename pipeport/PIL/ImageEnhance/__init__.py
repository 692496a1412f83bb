"""Natives of `PIL.ImageEnhance`, over images and over arrays."""

from pipeport import _mirror
from pipeport.PIL.ImageEnhance._enhancers import Brightness as Brightness
from pipeport.PIL.ImageEnhance._enhancers import Color as Color
from pipeport.PIL.ImageEnhance._enhancers import Contrast as Contrast
from pipeport.PIL.ImageEnhance._enhancers import Sharpness as Sharpness

_mirror.answer_for(__name__)
