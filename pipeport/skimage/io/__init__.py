"""Natives of `skimage.io`."""

from pipeport import _mirror
from pipeport.skimage.io._imread import imread as imread

_mirror.answer_for(__name__)
