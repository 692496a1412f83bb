"""Kernels: what references make of the numbers that their natives drew."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any


class Told:
    """Stands for a random generator whose numbers are known."""

    def __init__(self, uniform: list[Any], index: int = 0, below: bool = False) -> None:
        self._uniform, self._index, self._below = uniform, index, below

    def uniform(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ARG002 - the generator's signature
        return self._uniform.pop(0)

    def randint(self, *args: Any) -> int:  # noqa: ARG002 - the generator's signature
        return self._index

    def random(self) -> float:
        return 0.0 if self._below else 1.0

    normal = standard_normal = uniform


def made_of(native: Any, told: Any, image: Any) -> dict[str, Any]:
    """Return the parameters that the reference makes of numbers for an image."""
    import albumentations

    name = next(cls.__name__ for cls in type(native).__mro__ if hasattr(albumentations, cls.__name__))
    parameters = list(inspect.signature(type(native).__init__).parameters)[1:]
    settings = {one: getattr(native, one) for one in parameters}
    reference = getattr(albumentations, name)(**settings)
    reference.py_random = reference.random_generator = told
    found: dict[str, Any] = {
        **reference.get_params(),
        **reference.get_params_dependent_on_data({"shape": image.shape}, {}),
    }
    return found


def gaussian_blur(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return the weights of a Gaussian.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameters `sigma` and `side`.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    return made_of(native, Told([float(drawn["sigma"])], int(drawn["side"])), image)


def advanced_blur(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return the kernel of a generalised Gaussian.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameters `kernel`, which is the side, `sigma_x`, `sigma_y`, `angle` and `beta`, and `noise`, a
        seed.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    side = int(drawn["kernel"])
    numbers = [float(drawn[name]) for name in ("sigma_x", "sigma_y", "angle", "beta")]
    index = (side - native.blur_limit[0]) // 2
    noise = native.noise(drawn, side).numpy()
    return made_of(native, Told([*numbers, noise], index, below=numbers[3] < 1), image)


def motion_blur(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return the kernel of a line.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameters `side`, `angle`, `direction`, and `shift_x` and `shift_y` of a line that is shifted.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    names = ("angle", "direction", "shift_x", "shift_y")
    numbers = [float(drawn[name]) for name in names if name in drawn]
    return made_of(native, Told(numbers, (int(drawn["side"]) - native.blur_limit[0]) // 2), image)


def sharpen(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return the part of the sharpened image, and the kernel.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameters `alpha`, and `lightness` of a kernel.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    return made_of(
        native, Told([float(drawn[name]) for name in ("alpha", "lightness") if name in drawn]), image
    )


def emboss(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return the kernel.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameters `alpha` and `strength`.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    return made_of(native, Told([float(drawn["alpha"]), float(drawn["strength"])]), image)
