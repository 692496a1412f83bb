"""Mirror of `tensorflow_addons.image.transform_ops`."""

from pipeport import _mirror
from pipeport.tensorflow_addons.image._projective_transforms import (
    angles_to_projective_transforms as angles_to_projective_transforms,
)
from pipeport.tensorflow_addons.image._projective_transforms import compose_transforms as compose_transforms
from pipeport.tensorflow_addons.image._rotate import rotate as rotate
from pipeport.tensorflow_addons.image._shear import shear_x as shear_x
from pipeport.tensorflow_addons.image._shear import shear_y as shear_y
from pipeport.tensorflow_addons.image._transform import transform as transform
from pipeport.tensorflow_addons.image.transform_ops._matrices import (
    flat_transforms_to_matrices as flat_transforms_to_matrices,
)
from pipeport.tensorflow_addons.image.transform_ops._matrices import (
    matrices_to_flat_transforms as matrices_to_flat_transforms,
)

_mirror.answer_for(__name__)
