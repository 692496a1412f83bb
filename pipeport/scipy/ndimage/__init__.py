"""Natives of `scipy.ndimage`."""
from pipeport.scipy.ndimage._rotate import rotate as rotate
