"""Flowers: what the scripts of this project share."""
