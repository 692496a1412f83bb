"""A traced body before it joins a graph: folding, ranges of values, partition into programs, emission."""
