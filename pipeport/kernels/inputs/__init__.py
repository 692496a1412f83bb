"""Arguments: arrays, axes, dtypes, value ranges, checks at trace time and at run time."""
