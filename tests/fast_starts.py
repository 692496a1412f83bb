"""What a dataset's graph says of its functions."""

from __future__ import annotations

import tensorflow as tf

from pipeport._tensorflow_private import _starts


def library(dataset):
    """Return the functions of a dataset's graph."""
    graph = tf.raw_ops.DatasetToGraphV2(
        input_dataset=tf.data.experimental.to_variant(dataset), external_state_policy=1
    )
    return tf.compat.v1.GraphDef.FromString(graph.numpy()).library.function


def starts_alone(dataset) -> bool:
    """Say whether a function of a dataset's graph has the mark."""
    return any(_starts._ALONE in one.attr for one in library(dataset))
