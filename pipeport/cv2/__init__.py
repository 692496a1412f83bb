"""Natives of OpenCV functions, and its constants under their own names."""
