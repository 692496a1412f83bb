"""Mirror of `skimage.transform`."""

from pipeport.skimage.transform._rotate import rotate as rotate
