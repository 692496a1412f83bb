"""Natives of `PIL.ImageOps`, over images and over arrays."""

from pipeport import _mirror
from pipeport.PIL.ImageOps._expand import expand as expand
from pipeport.PIL.ImageOps._fit import fit as fit
from pipeport.PIL.ImageOps._flip import flip as flip
from pipeport.PIL.ImageOps._flip import mirror as mirror
from pipeport.PIL.ImageOps._levels import autocontrast as autocontrast
from pipeport.PIL.ImageOps._levels import equalize as equalize
from pipeport.PIL.ImageOps._levels import grayscale as grayscale
from pipeport.PIL.ImageOps._levels import invert as invert
from pipeport.PIL.ImageOps._pad import pad as pad

_mirror.answer_for(__name__)
