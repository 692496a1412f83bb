"""What a model of Keras keeps of its metrics before it has been built."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf


def compiled_metrics(model: Any) -> list[Any]:
    """Return the metrics that `compile` was given: objects, functions and names.

    `model.metrics` lists them after the first batch only, when the first trace has ended.
    """
    place = "_compile_metrics" if hasattr(model, "_compile_metrics") else "compiled_metrics"  # Keras 3 and 2
    kept = getattr(model, place, None)
    given = [getattr(kept, name, None) for name in ("_user_metrics", "_user_weighted_metrics")]
    return [one for one in tf.nest.flatten(given) if one is not None]
