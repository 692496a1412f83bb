"""Sizes of the images in a proof: tiny ones, and a few of the sizes people use."""

from __future__ import annotations

from collections.abc import Mapping

from pipeport.contract._agreement import Agreement, AsReference, SameDistribution
from pipeport.contract._augmentation import SameAugmentation
from pipeport.contract._domain import Spec
from pipeport.contract._domain_arrays import Array, Image, Shaped

# Rows and columns. Squares, long lines, a size above what a kernel takes as one block.
LARGE = ((64, 65), (97, 128), (224, 224), (64, 520), (520, 67))


def large_image(domain: Mapping[str, Spec], agreement: Agreement) -> str | None:
    """Return the parameter of which large images are drawn, if the pair has one.

    It is the first image of the domain; else the array in which coordinates are computed, or of which
    rounding depends on the number of pixels; else a batch of images, an array of four axes.

    Parameters
    ----------
    domain : mapping of str to Spec
        Specs by parameter.
    agreement : Agreement
        The sense in which outputs are equal.

    Returns
    -------
    str or None
        Name of the parameter.
    """
    if isinstance(agreement, (SameAugmentation, SameDistribution)):
        return None
    images = [name for name, spec in domain.items() if isinstance(spec, Image)]
    if isinstance(agreement, AsReference):
        arrays = (name for name, spec in domain.items() if isinstance(spec, Array) and max(spec.ranks) > 1)
        sampled = agreement.coordinates_of
        images += [sampled] if sampled is not None and sampled in domain else arrays
    images += [name for name, spec in domain.items() if is_stack(spec)]
    return images[0] if images else None


def is_stack(spec: Spec) -> bool:
    """Return whether a spec is of images stacked along axis 0, channels last, of any height and width."""
    if not isinstance(spec, Shaped) or len(spec.shape) != 4:
        return False
    return all(isinstance(size, tuple) for size in spec.shape[1:3])
