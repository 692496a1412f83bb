"""Natives of `keras.preprocessing.image`."""

from pipeport import _mirror
from pipeport.keras.preprocessing.image._affine import apply_affine_transform as apply_affine_transform
from pipeport.keras.preprocessing.image._img_to_array import img_to_array as img_to_array
from pipeport.keras.preprocessing.image._levels import apply_brightness_shift as apply_brightness_shift
from pipeport.keras.preprocessing.image._levels import apply_channel_shift as apply_channel_shift
from pipeport.keras.preprocessing.image._random_geometry import random_rotation as random_rotation
from pipeport.keras.preprocessing.image._random_geometry import random_shear as random_shear
from pipeport.keras.preprocessing.image._random_geometry import random_shift as random_shift
from pipeport.keras.preprocessing.image._random_geometry import random_zoom as random_zoom
from pipeport.keras.preprocessing.image._random_levels import random_brightness as random_brightness
from pipeport.keras.preprocessing.image._random_levels import random_channel_shift as random_channel_shift

_mirror.answer_for(__name__)
