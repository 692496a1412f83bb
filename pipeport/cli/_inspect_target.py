"""Load the target of `pipeport inspect`: a factory, a dataset, a tf.function, or a SavedModel."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from pipeport._target import import_target, working_folder
from pipeport.errors import OutsideDomain, explain

_ALLOWED = "module:dataset_factory, or the folder of a SavedModel"


def resolved(target: str) -> Any:
    """Import a target; a factory is called.

    `target`: `module:name`, or a folder.
    """
    if Path(target).is_dir():
        return Path(target)
    found = import_target(target, allowed=_ALLOWED, describe=said)
    with working_folder():
        return _made(target, found) if _is_factory(found) else found


def said(error: BaseException) -> str:
    """Return the text of an exception, with the user's lines; loads TensorFlow."""
    from pipeport.inspection._measure import said

    return said(error)


def _is_factory(found: Any) -> bool:
    from pipeport._lazy import tf

    kinds = tf.types.experimental
    return callable(found) and not isinstance(found, (kinds.PolymorphicFunction, kinds.ConcreteFunction))


def _made(target: str, factory: Any) -> Any:
    try:
        inspect.signature(factory).bind()
    except TypeError as error:
        given = f"{target!r}, a factory with arguments ({error})"
        advice = "Write a function without arguments that calls it."
        raise OutsideDomain(explain("TARGET", given, "a factory without arguments", advice)) from error
    except ValueError:  # a function of C has no signature
        pass
    try:
        return factory()
    except (Exception, SystemExit) as error:
        given = f"{target!r}, which raises {said(error)}"
        raise OutsideDomain(explain("TARGET", given, "a factory that returns", "Fix it first.")) from error
