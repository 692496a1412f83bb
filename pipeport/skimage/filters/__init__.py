"""Natives of `skimage.filters`."""

from pipeport import _mirror
from pipeport.skimage.filters._gaussian import gaussian as gaussian
from pipeport.skimage.filters._sobel import sobel as sobel
from pipeport.skimage.filters._threshold_otsu import threshold_otsu as threshold_otsu
from pipeport.skimage.filters._unsharp_mask import unsharp_mask as unsharp_mask

_mirror.answer_for(__name__)
