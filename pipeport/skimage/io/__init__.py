"""Natives of `skimage.io`."""
