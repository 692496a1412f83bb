"""Sampling at computed coordinates: maps, borders, interpolation of every order, separable passes."""
