"""Natives of `skimage.util`."""
