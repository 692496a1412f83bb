"""Mirror of `tensorflow_addons.image.resampler_ops`."""

from pipeport import _mirror
from pipeport.tensorflow_addons.image._resampler import resampler as resampler

_mirror.answer_for(__name__)
