"""Natives of `PIL.Image`: images that hold tensors, and their methods as functions over arrays."""

from pipeport import _mirror
from pipeport.PIL.Image._bands import getchannel as getchannel
from pipeport.PIL.Image._bands import merge as merge
from pipeport.PIL.Image._bands import point as point
from pipeport.PIL.Image._bands import split as split
from pipeport.PIL.Image._constants import Resampling as Resampling
from pipeport.PIL.Image._constants import Transform as Transform
from pipeport.PIL.Image._constants import Transpose as Transpose
from pipeport.PIL.Image._convert import convert as convert
from pipeport.PIL.Image._crop import crop as crop
from pipeport.PIL.Image._image import Image as Image
from pipeport.PIL.Image._new import new as new
from pipeport.PIL.Image._open import fromarray as fromarray
from pipeport.PIL.Image._open import open as open  # noqa: A004 - Pillow's name
from pipeport.PIL.Image._resize import resize as resize
from pipeport.PIL.Image._rotate import rotate as rotate
from pipeport.PIL.Image._transform import transform as transform
from pipeport.PIL.Image._transpose import transpose as transpose

NEAREST = Resampling.NEAREST
BOX = Resampling.BOX
BILINEAR = Resampling.BILINEAR
HAMMING = Resampling.HAMMING
BICUBIC = Resampling.BICUBIC
LANCZOS = Resampling.LANCZOS
MKS2013 = Resampling.MKS2013
MKS2021 = Resampling.MKS2021
FLIP_LEFT_RIGHT = Transpose.FLIP_LEFT_RIGHT
FLIP_TOP_BOTTOM = Transpose.FLIP_TOP_BOTTOM
ROTATE_90 = Transpose.ROTATE_90
ROTATE_180 = Transpose.ROTATE_180
ROTATE_270 = Transpose.ROTATE_270
TRANSPOSE = Transpose.TRANSPOSE
TRANSVERSE = Transpose.TRANSVERSE
AFFINE = Transform.AFFINE
EXTENT = Transform.EXTENT
PERSPECTIVE = Transform.PERSPECTIVE
QUAD = Transform.QUAD
MESH = Transform.MESH

_mirror.answer_for(__name__)
