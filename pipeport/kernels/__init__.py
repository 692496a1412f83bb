"""TensorFlow building blocks that façades share."""
