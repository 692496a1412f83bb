"""Mirror of scikit-image: same names, parameters, units and dtype rules."""

from pipeport import _mirror

_mirror.answer_for(__name__)
