"""What Python does between calls, at run time: `if`, loops, built-in functions."""
