"""Mirror of scikit-image: same names, parameters, units and dtype rules."""

from pipeport import _mirror

_IN_UTIL = ("img_as_bool", "img_as_float", "img_as_float32", "img_as_float64", "img_as_ubyte")

_mirror.answer_for(__name__, later=dict.fromkeys(_IN_UTIL, "pipeport.skimage.util"))
