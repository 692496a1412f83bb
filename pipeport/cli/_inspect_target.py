"""Load the target of `pipeport inspect`: a factory, a dataset, a tf.function, or a SavedModel."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path
from typing import Any

from pipeport.cli import _verify_options
from pipeport.errors import OutsideDomain, explain

_ALLOWED = "module:dataset_factory, or the folder of a SavedModel"


def resolved(target: str) -> Any:
    """Import a target; a factory is called.

    Parameters
    ----------
    target : str
        `module:name`, or a folder.

    Returns
    -------
    tf.data.Dataset, tf.function or Path
        What is inspected.

    Raises
    ------
    OutsideDomain
        It cannot be imported or has no such name, the factory takes arguments or raises.
    """
    if Path(target).is_dir():
        return Path(target)
    if ":" not in target or target.endswith(":") or target.startswith(":"):
        advice = "Write, for instance, my_module:make_dataset."
        raise OutsideDomain(explain("TARGET", repr(target), _ALLOWED, advice))
    module_name, path = _verify_options.place(target)
    with _verify_options.working_folder():
        found = _named(target, module_name, path)
        return _made(target, found) if _is_factory(found) else found


def said(error: BaseException) -> str:
    """Return the text of an exception, with the user's lines; loads TensorFlow."""
    from pipeport.inspection._measure import said

    return said(error)


def _named(target: str, module_name: str, path: str) -> Any:
    try:
        found: Any = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:  # whatever the user's module does when it is imported
        raised = said(error)
        if isinstance(error, ModuleNotFoundError) and error.name == module_name:
            advice = "Look at its name; it is looked for in the working folder and among installed packages."
            raise OutsideDomain(
                explain("TARGET", f"{target!r}: no module {module_name!r}", _ALLOWED, advice)
            ) from error
        given = f"{target!r}, whose module cannot be imported: {raised}"
        raise OutsideDomain(explain("TARGET", given, _ALLOWED, "Correct the module first.")) from error
    for part in path.split("."):
        if not hasattr(found, part):
            given = f"{target!r}, and {module_name} has no {path!r}"
            raise OutsideDomain(explain("TARGET", given, _ALLOWED, "Look at its names."))
        found = getattr(found, part)
    return found


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
