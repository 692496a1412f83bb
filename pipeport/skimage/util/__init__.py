"""Natives of `skimage.util`."""

from pipeport import _mirror
from pipeport.skimage.util._crop import crop as crop
from pipeport.skimage.util._invert import invert as invert
from pipeport.skimage.util._view_as_blocks import view_as_blocks as view_as_blocks
from pipeport.skimage.util._view_as_windows import view_as_windows as view_as_windows

_mirror.answer_for(__name__)
