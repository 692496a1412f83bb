"""Natives of `numpy.linalg`, under the same names."""

from pipeport import _mirror
from pipeport.numpy.linalg._multi_dot import multi_dot as multi_dot
from pipeport.numpy.linalg._norm import norm as norm
from pipeport.numpy.linalg._solving import det as det
from pipeport.numpy.linalg._solving import inv as inv
from pipeport.numpy.linalg._solving import matrix_power as matrix_power
from pipeport.numpy.linalg._solving import pinv as pinv
from pipeport.numpy.linalg._solving import slogdet as slogdet
from pipeport.numpy.linalg._solving import solve as solve

_mirror.answer_for(__name__)
