"""Natives of SciPy functions, at the mirrored import paths."""
