"""Natives of `skimage.color`."""

from pipeport import _mirror
from pipeport.skimage.color._gray2rgb import gray2rgb as gray2rgb
from pipeport.skimage.color._hed import hed2rgb as hed2rgb
from pipeport.skimage.color._hed import rgb2hed as rgb2hed
from pipeport.skimage.color._hsv import hsv2rgb as hsv2rgb
from pipeport.skimage.color._hsv import rgb2hsv as rgb2hsv
from pipeport.skimage.color._lab import lab2rgb as lab2rgb
from pipeport.skimage.color._lab import lab2xyz as lab2xyz
from pipeport.skimage.color._lab import rgb2lab as rgb2lab
from pipeport.skimage.color._lab import rgb2xyz as rgb2xyz
from pipeport.skimage.color._lab import xyz2lab as xyz2lab
from pipeport.skimage.color._lab import xyz2rgb as xyz2rgb
from pipeport.skimage.color._rgb2gray import rgb2gray as rgb2gray
from pipeport.skimage.color._rgba2rgb import rgba2rgb as rgba2rgb

_mirror.answer_for(__name__)
