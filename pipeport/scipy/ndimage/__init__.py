"""Natives of `scipy.ndimage`."""

from pipeport import _mirror
from pipeport.scipy.ndimage._affine_transform import affine_transform as affine_transform
from pipeport.scipy.ndimage._binary_morphology import binary_dilation as binary_dilation
from pipeport.scipy.ndimage._binary_morphology import binary_erosion as binary_erosion
from pipeport.scipy.ndimage._binary_morphology import generate_binary_structure as generate_binary_structure
from pipeport.scipy.ndimage._correlate import convolve as convolve
from pipeport.scipy.ndimage._correlate import correlate as correlate
from pipeport.scipy.ndimage._correlate1d import convolve1d as convolve1d
from pipeport.scipy.ndimage._correlate1d import correlate1d as correlate1d
from pipeport.scipy.ndimage._derivatives import prewitt as prewitt
from pipeport.scipy.ndimage._derivatives import sobel as sobel
from pipeport.scipy.ndimage._distance_transform_edt import (
    distance_transform_edt as distance_transform_edt,
)
from pipeport.scipy.ndimage._extreme_filters import maximum_filter as maximum_filter
from pipeport.scipy.ndimage._extreme_filters import maximum_filter1d as maximum_filter1d
from pipeport.scipy.ndimage._extreme_filters import minimum_filter as minimum_filter
from pipeport.scipy.ndimage._extreme_filters import minimum_filter1d as minimum_filter1d
from pipeport.scipy.ndimage._gaussian_filter import gaussian_filter as gaussian_filter
from pipeport.scipy.ndimage._gaussian_filter import gaussian_filter1d as gaussian_filter1d
from pipeport.scipy.ndimage._geometric_transform import geometric_transform as geometric_transform
from pipeport.scipy.ndimage._grey_morphology import grey_dilation as grey_dilation
from pipeport.scipy.ndimage._grey_morphology import grey_erosion as grey_erosion
from pipeport.scipy.ndimage._label import label as label
from pipeport.scipy.ndimage._map_coordinates import map_coordinates as map_coordinates
from pipeport.scipy.ndimage._median_filter import median_filter as median_filter
from pipeport.scipy.ndimage._rotate import rotate as rotate
from pipeport.scipy.ndimage._shift import shift as shift
from pipeport.scipy.ndimage._spline_filter import spline_filter as spline_filter
from pipeport.scipy.ndimage._spline_filter import spline_filter1d as spline_filter1d
from pipeport.scipy.ndimage._uniform_filter import uniform_filter as uniform_filter
from pipeport.scipy.ndimage._uniform_filter import uniform_filter1d as uniform_filter1d
from pipeport.scipy.ndimage._zoom import zoom as zoom

_mirror.answer_for(__name__)
