"""Natives of Pillow."""
