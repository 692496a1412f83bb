"""Bodies in the styles people put inside `tf.numpy_function`, by topic."""

from bodies import (
    arrays,
    batches,
    boxes,
    chosen,
    clips,
    collected,
    crops,
    everyday,
    geometry,
    intensity,
    keypoints,
    masks,
    mixing,
    pillows,
    pipelines,
    reading,
    refused,
    sequences,
    strings,
)

TOPICS = (
    geometry,
    reading,
    strings,
    intensity,
    mixing,
    masks,
    crops,
    boxes,
    keypoints,
    sequences,
    clips,
    batches,
    pipelines,
    chosen,
    pillows,
    arrays,
    everyday,
    collected,
)
PORTED = {body.called: body for topic in TOPICS for body in topic.BODIES}
REFUSED = {body.called: body for body in refused.BODIES}
