"""Pillow's arithmetic: modes, resampling, rotation."""
