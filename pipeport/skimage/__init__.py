"""Mirror of scikit-image: same names, parameters, units and dtype rules."""
