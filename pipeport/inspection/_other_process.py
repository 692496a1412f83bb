"""Takes the first element of a dataset whose graph is in a file: `python -m` this, with the file.

Prints what went wrong as JSON.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from pipeport._lazy import tf
from pipeport.trace._problems import RAISES, problem_of
from pipeport.verify._child import speaker

_TYPES = ("output_types", "Toutput_types", "component_types")


def first_element(data: bytes) -> Any:
    """Return the first element of a dataset, as flat tensors.

    `data`: a GraphDef that DatasetToGraphV2 has made.
    """
    nodes = tf.compat.v1.GraphDef.FromString(data).node
    by_name = {one.name: one for one in nodes}
    (end,) = (one for one in nodes if one.op == "_Retval")
    last = by_name[end.input[0].partition(":")[0]]
    while "output_shapes" not in last.attr:
        last = by_name[last.input[0].partition(":")[0]]
    types = next(last.attr[one].list.type for one in _TYPES if one in last.attr)
    spec = {
        "output_types": [tf.as_dtype(one) for one in types],
        "output_shapes": [tf.TensorShape(one) for one in last.attr["output_shapes"].list.shape],
    }
    dataset = tf.raw_ops.DatasetFromGraph(graph_def=data)
    one = tf.raw_ops.TakeDataset(input_dataset=dataset, count=tf.constant(1, tf.int64), **spec)
    return tf.raw_ops.DatasetToSingleElement(dataset=one, **spec)


def main() -> None:
    """Read the file that the command line names."""
    tell, error = speaker(), ""
    try:
        first_element(Path(sys.argv[1]).read_bytes())
    except Exception as raised:  # whatever stands in the graph
        error = problem_of(RAISES, raised).message
    tell({"error": error})


if __name__ == "__main__":
    main()
