"""Mirror of `tensorflow_addons.image.resampler_ops`."""

from pipeport.tensorflow_addons.image._resampler import resampler as resampler
