"""Bodies in the styles people put inside `tf.numpy_function`, by topic."""

from bodies import (
    arrays,
    batches,
    boxes,
    chosen,
    clips,
    crops,
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

PORTED = {
    body.called: body
    for topic in (
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
    )
    for body in topic.BODIES
}
REFUSED = {body.called: body for body in refused.BODIES}
