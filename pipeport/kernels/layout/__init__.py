"""Layout of arrays: transposes, windows, channel order."""
