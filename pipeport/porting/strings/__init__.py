"""Strings, paths and files that only the graph knows, with the methods they have in Python."""
