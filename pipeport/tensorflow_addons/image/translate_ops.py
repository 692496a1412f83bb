"""Mirror of `tensorflow_addons.image.translate_ops`."""

from pipeport import _mirror
from pipeport.tensorflow_addons.image._projective_transforms import (
    translations_to_projective_transforms as translations_to_projective_transforms,
)
from pipeport.tensorflow_addons.image._translate import translate as translate
from pipeport.tensorflow_addons.image._translate_xy import translate_xy as translate_xy

_mirror.answer_for(__name__)
