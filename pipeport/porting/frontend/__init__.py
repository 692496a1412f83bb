"""From source to calls: the tree of a function, its calls, and refusals."""
