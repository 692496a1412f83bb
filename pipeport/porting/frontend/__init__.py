"""From source to calls: the tree of a function, what each call becomes, refusals."""
