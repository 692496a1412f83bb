"""Mirror of `tensorflow_addons.image`."""

from pipeport.tensorflow_addons.image._rotate import rotate as rotate
