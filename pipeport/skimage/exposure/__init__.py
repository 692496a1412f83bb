"""Natives of `skimage.exposure`."""

from pipeport import _mirror
from pipeport.skimage.exposure._adjust import adjust_gamma as adjust_gamma
from pipeport.skimage.exposure._adjust import adjust_log as adjust_log
from pipeport.skimage.exposure._adjust import adjust_sigmoid as adjust_sigmoid
from pipeport.skimage.exposure._equalize_adapthist import equalize_adapthist as equalize_adapthist
from pipeport.skimage.exposure._equalize_hist import equalize_hist as equalize_hist
from pipeport.skimage.exposure._match_histograms import match_histograms as match_histograms
from pipeport.skimage.exposure._rescale_intensity import rescale_intensity as rescale_intensity

_mirror.answer_for(__name__)
