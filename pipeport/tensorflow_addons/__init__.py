"""Mirror of TensorFlow Addons, which has ended, for every TensorFlow from 2.15 on."""

from pipeport import _mirror
from pipeport.tensorflow_addons import image as image

_mirror.answer_for(__name__)
