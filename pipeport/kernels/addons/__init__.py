"""TensorFlow Addons' kernels for images."""
