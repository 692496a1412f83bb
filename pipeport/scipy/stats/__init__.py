"""Natives of `scipy.stats`."""

from pipeport import _mirror
from pipeport.scipy.stats._scoreatpercentile import scoreatpercentile as scoreatpercentile
from pipeport.scipy.stats._zscore import zscore as zscore

_mirror.answer_for(__name__)
