"""Control flow at run time: `if`, loops, built-in functions."""
