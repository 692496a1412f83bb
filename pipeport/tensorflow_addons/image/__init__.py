"""Mirror of `tensorflow_addons.image`."""

from pipeport import _mirror
from pipeport.tensorflow_addons.image import resampler_ops as resampler_ops
from pipeport.tensorflow_addons.image import transform_ops as transform_ops
from pipeport.tensorflow_addons.image import translate_ops as translate_ops
from pipeport.tensorflow_addons.image._adjust_hsv_in_yiq import adjust_hsv_in_yiq as adjust_hsv_in_yiq
from pipeport.tensorflow_addons.image._connected_components import (
    connected_components as connected_components,
)
from pipeport.tensorflow_addons.image._cutout import cutout as cutout
from pipeport.tensorflow_addons.image._dense_image_warp import dense_image_warp as dense_image_warp
from pipeport.tensorflow_addons.image._dense_image_warp import interpolate_bilinear as interpolate_bilinear
from pipeport.tensorflow_addons.image._euclidean_dist_transform import (
    euclidean_dist_transform as euclidean_dist_transform,
)
from pipeport.tensorflow_addons.image._filters import gaussian_filter2d as gaussian_filter2d
from pipeport.tensorflow_addons.image._filters import mean_filter2d as mean_filter2d
from pipeport.tensorflow_addons.image._filters import median_filter2d as median_filter2d
from pipeport.tensorflow_addons.image._interpolate_spline import interpolate_spline as interpolate_spline
from pipeport.tensorflow_addons.image._levels import blend as blend
from pipeport.tensorflow_addons.image._levels import equalize as equalize
from pipeport.tensorflow_addons.image._levels import sharpness as sharpness
from pipeport.tensorflow_addons.image._projective_transforms import (
    angles_to_projective_transforms as angles_to_projective_transforms,
)
from pipeport.tensorflow_addons.image._projective_transforms import compose_transforms as compose_transforms
from pipeport.tensorflow_addons.image._projective_transforms import (
    translations_to_projective_transforms as translations_to_projective_transforms,
)
from pipeport.tensorflow_addons.image._resampler import resampler as resampler
from pipeport.tensorflow_addons.image._rotate import rotate as rotate
from pipeport.tensorflow_addons.image._shear import shear_x as shear_x
from pipeport.tensorflow_addons.image._shear import shear_y as shear_y
from pipeport.tensorflow_addons.image._sparse_image_warp import sparse_image_warp as sparse_image_warp
from pipeport.tensorflow_addons.image._transform import transform as transform
from pipeport.tensorflow_addons.image._translate import translate as translate
from pipeport.tensorflow_addons.image._translate_xy import translate_xy as translate_xy

_mirror.answer_for(__name__)
