"""Natives of `scipy.ndimage`."""

from pipeport import _mirror
from pipeport.scipy.ndimage._affine_transform import affine_transform as affine_transform
from pipeport.scipy.ndimage._geometric_transform import geometric_transform as geometric_transform
from pipeport.scipy.ndimage._map_coordinates import map_coordinates as map_coordinates
from pipeport.scipy.ndimage._rotate import rotate as rotate
from pipeport.scipy.ndimage._shift import shift as shift
from pipeport.scipy.ndimage._spline_filter import spline_filter as spline_filter
from pipeport.scipy.ndimage._spline_filter import spline_filter1d as spline_filter1d
from pipeport.scipy.ndimage._zoom import zoom as zoom

_mirror.answer_for(__name__)
