"""Mirror of TensorFlow Addons, which has ended, for every TensorFlow from 2.15 on."""
