"""Mirror of `tensorflow_addons.image`."""

from pipeport.tensorflow_addons.image._rotate import rotate as rotate
from pipeport.tensorflow_addons.image._filled import shear_x as shear_x
from pipeport.tensorflow_addons.image._filled import shear_y as shear_y
from pipeport.tensorflow_addons.image._filled import translate_xy as translate_xy
from pipeport.tensorflow_addons.image._transform import transform as transform
from pipeport.tensorflow_addons.image._translate import translate as translate
