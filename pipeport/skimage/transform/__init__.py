"""Mirror of `skimage.transform`."""

from pipeport.skimage.transform._affine_transform import AffineTransform as AffineTransform
from pipeport.skimage.transform._euclidean import EuclideanTransform as EuclideanTransform
from pipeport.skimage.transform._projective import ProjectiveTransform as ProjectiveTransform
from pipeport.skimage.transform._rotate import rotate as rotate
from pipeport.skimage.transform._similarity import SimilarityTransform as SimilarityTransform
