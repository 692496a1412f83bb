"""Natives of `skimage.io`."""

from pipeport.skimage.io._imread import imread as imread
