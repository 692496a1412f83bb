"""Natives of `scipy.interpolate`."""

from pipeport import _mirror
from pipeport.scipy.interpolate._cubic_spline import CubicSpline as CubicSpline
from pipeport.scipy.interpolate._interp1d import interp1d as interp1d

_mirror.answer_for(__name__)
