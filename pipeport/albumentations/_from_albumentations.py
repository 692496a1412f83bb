"""Convert a pipeline of the real albumentations, from its own serialised form."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Mapping
from typing import Any

from pipeport.albumentations._transform import Node
from pipeport.errors import PipeportError, UnsupportedArgument, WrongType, explain

LIBRARY = "albumentations"
# Whose `to_dict` was tried; other releases of the same series name the same arguments.
TRIED = "2.0.8"
_SERIES = TRIED.rpartition(".")[0]
# What a Compose gives to the compositions in it.
_SHARED = ("bbox_params", "keypoint_params", "additional_targets")
# What a composition takes besides its parts, of what `to_dict` says of it.
_OF_COMPOSE = ("p", "bbox_params", "keypoint_params", "additional_targets", "is_check_shapes")
_COMPOSITIONS = {
    "Compose": _OF_COMPOSE,
    "ReplayCompose": (*_OF_COMPOSE, "save_key"),
    "OneOf": ("p",),
    "OneOrOther": ("p",),
    "Sequential": ("p",),
    "SomeOf": ("n", "replace", "p"),
}
# Said by a class of arguments of the one it is made of, which follow from its own.
_OF_AFFINE = (
    "balanced_scale",
    "fit_output",
    "keep_ratio",
    "rotate",
    "scale",
    "shear",
    "translate_percent",
    "translate_px",
)
_OF_BASE = {
    "RGBShift": ("approximation", "noise_params", "noise_type", "spatial_mode"),
    "SafeRotate": _OF_AFFINE,
}
# Written in `to_dict` beside the arguments.
_BESIDES = ("__class_fullname__", "transforms")
# Of the constructor of a base class, which `to_dict` lists and the class itself does not take.
_INHERITED = {"PadIfNeeded": ("padding",)}
_OWN_SEED = "a seed of its own: leave it out, pipeport.seeds.seeded_map gives every element one"
_OWN_CODE = "functions of yours: apply them beside the pipeline, in the function that is ported"
_OWN_CLASS = "a class of yours: apply it beside the pipeline, in the function that is ported"


def is_of_library(value: Any) -> bool:
    """Say whether an object is a transform or a composition of albumentations, or of a class made of one."""
    return (
        not isinstance(value, type)
        and hasattr(value, "to_dict")
        and any(_in_library(cls) for cls in type(value).__mro__)
    )


def _in_library(cls: type) -> bool:
    return cls.__module__.partition(".")[0] == LIBRARY


def from_albumentations(aug: Any) -> Node:
    """Return the native equivalent of a transform or a pipeline of albumentations.

    Parameters
    ----------
    aug : object of albumentations
        A transform, or a composition: `Compose`, `OneOf`, `OneOrOther`, `SomeOf`, `Sequential`,
        `ReplayCompose`. It is asked for its `to_dict()`; albumentations is not imported, and the object is
        not changed.

    Returns
    -------
    object of pipeport.albumentations
        With the same arguments. It draws from a seed.

    Raises
    ------
    WrongType
        `aug` is not an object of albumentations.
    UnsupportedArgument
        A part has no native equivalent, or has an argument that is not supported: all of them are named at
        once. The release of albumentations is of another series than 2.0.

    Notes
    -----
    Tried with albumentations 2.0.8.

    Examples
    --------
    >>> import albumentations
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> aug = albumentations.Compose([albumentations.HorizontalFlip(p=1.0), albumentations.ToFloat()])
    >>> native = A.from_albumentations(aug)
    >>> native(image=tf.constant([[0, 255]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[1.0, 0.0]]
    """
    if not is_of_library(aug):
        advice = "Give an object such as albumentations.Compose([...])."
        raise WrongType(explain("aug", repr(aug), "a transform or composition of albumentations", advice))
    problems: list[str] = []
    if getattr(aug, "seed", None) is not None:  # its parts have it too
        problems.append(f"{type(aug).__name__}(seed=...), {_OWN_SEED}")
    made = _made(aug, {}, problems)
    if made is None or problems:
        listed = "; ".join(dict.fromkeys(problems))
        advice = "Build the rest with pipeport.albumentations, or apply these apart."
        raise UnsupportedArgument(explain("aug", listed, "transforms with a native equivalent", advice))
    return made


def _made(aug: Any, inherited: Mapping[str, Any], problems: list[str]) -> Node | None:
    """Return the equivalent of one object; note what there is none of.

    The reference gives the parameters of boxes and points and the additional targets of a Compose to the
    compositions in it: these are `inherited`.
    """
    name = type(aug).__name__
    if not _in_library(type(aug)):
        problems.append(f"{name}, {_OWN_CLASS}")
        return None
    if name == "Lambda":
        problems.append(f"Lambda, {_OWN_CODE}")
        return None
    # ColorJitter has functions there.
    if all(map(is_of_library, getattr(aug, "transforms", [None]))):
        return _composition(aug, name, inherited, problems)
    native = _native(name)
    if native is None:
        problems.append(_missing(name))
        return None
    said = _arguments_of(aug)
    arguments = {key: value for key, value in said.items() if key not in _OF_BASE.get(name, ())}
    return _called(native, arguments, problems)


def _composition(aug: Any, name: str, inherited: Mapping[str, Any], problems: list[str]) -> Node | None:
    said: dict[str, Any] = {}
    if name not in _COMPOSITIONS:
        problems.append(_missing(name))
    else:
        said = _arguments_of(aug)
    parts = [_made(part, {**inherited, **said}, problems) for part in aug.transforms]
    if problems:
        return None
    arguments = {key: said[key] for key in _COMPOSITIONS[name] if key in said}
    for key in _SHARED:
        if key in arguments and arguments[key] == inherited.get(key):
            arguments[key] = None
    boxes = arguments.get("bbox_params")
    if boxes:  # not part of what it says of itself
        params = aug.processors["bboxes"].params
        boxes["filter_invalid_bboxes"] = getattr(params, "filter_invalid_bboxes", False)
    if name == "Compose":
        arguments |= {
            key: getattr(aug, key) for key in ("strict", "save_applied_params") if hasattr(aug, key)
        }
    return _called(_native(name), {"transforms": parts, **arguments}, problems)


def _called(native: Any, arguments: Mapping[str, Any], problems: list[str]) -> Node | None:
    try:
        made: Node = native(**arguments)
    except PipeportError as error:
        problems.append(f"{native.__name__}: {str(error).rstrip('.')}")
        return None
    return made


def _arguments_of(aug: Any) -> dict[str, Any]:
    try:
        said = aug.to_dict()
    except ValueError:  # of a part that cannot say what it is: a Lambda, which is refused by name
        return {}
    version = str(said.get("__version__", "of an unknown release"))
    if not version.startswith(f"{_SERIES}."):
        advice = f"Install albumentations {TRIED}, or build the pipeline with pipeport.albumentations."
        raise UnsupportedArgument(explain("aug", f"albumentations {version}", f"{_SERIES}.*", advice))
    besides = {*_BESIDES, *_INHERITED.get(type(aug).__name__, ())}
    return {name: _plain(value) for name, value in said["transform"].items() if name not in besides}


def _plain(value: Any) -> Any:
    """Return what JSON made of an argument as the constructor takes it: tuples for lists."""
    if isinstance(value, (list, tuple)):
        return tuple(_plain(one) for one in value)
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    return value


def _natives() -> dict[str, Any]:
    """Return the transforms and compositions of this package by name."""
    found = vars(sys.modules[__package__ or ""]).items()
    return {name: value for name, value in found if isinstance(value, type) and issubclass(value, Node)}


def _native(name: str) -> Any:
    return _natives().get(name)


def _missing(name: str) -> str:
    near = difflib.get_close_matches(name, _natives(), cutoff=0.6)
    return f"{name} has no native equivalent" + (f" (nearest: {', '.join(near)})" if near else "")
