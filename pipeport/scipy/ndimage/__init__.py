"""Natives of `scipy.ndimage`."""
