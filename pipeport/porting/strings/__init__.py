"""Strings, paths and files known only at run time, with the methods they have in Python."""
