"""Mirror of `skimage.transform`."""

from pipeport import _mirror
from pipeport.skimage.transform._affine_transform import AffineTransform as AffineTransform
from pipeport.skimage.transform._downscale_local_mean import downscale_local_mean as downscale_local_mean
from pipeport.skimage.transform._euclidean import EuclideanTransform as EuclideanTransform
from pipeport.skimage.transform._integral_image import integral_image as integral_image
from pipeport.skimage.transform._matrix_transform import matrix_transform as matrix_transform
from pipeport.skimage.transform._projective import ProjectiveTransform as ProjectiveTransform
from pipeport.skimage.transform._pyramid_expand import pyramid_expand as pyramid_expand
from pipeport.skimage.transform._pyramid_reduce import pyramid_reduce as pyramid_reduce
from pipeport.skimage.transform._rescale import rescale as rescale
from pipeport.skimage.transform._resize import resize as resize
from pipeport.skimage.transform._resize_local_mean import resize_local_mean as resize_local_mean
from pipeport.skimage.transform._rotate import rotate as rotate
from pipeport.skimage.transform._similarity import SimilarityTransform as SimilarityTransform
from pipeport.skimage.transform._swirl import swirl as swirl
from pipeport.skimage.transform._warp import warp as warp
from pipeport.skimage.transform._warp_coords import warp_coords as warp_coords
from pipeport.skimage.transform._warp_polar import warp_polar as warp_polar

_mirror.answer_for(__name__)
