"""CLAHE: histograms of tiles equalised, with limited contrast."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._convolved import as_image, as_planes
from pipeport.albumentations._draws import between
from pipeport.albumentations._pixels import Pixels, as_bytes, as_fractions, served, with_channels
from pipeport.albumentations._promise import augments
from pipeport.contract import OneOf
from pipeport.cv2 import _constants as constants
from pipeport.cv2._cvt_color import cvtColor
from pipeport.errors import WrongType, explain
from pipeport.kernels.opencv._clahe import equalized


@augments(
    "CLAHE",
    domain={
        "clip_limit": OneOf(4.0, (1, 4), (2.5, 2.5), 1, (1.0, 40.0)),
        "tile_grid_size": OneOf((8, 8), (2, 3), (1, 1)),
    },
    settings=({}, {"clip_limit": (2, 3), "p": 0.7}),
)
class CLAHE(Pixels):
    """Equalise the histograms of the tiles of an image, with limited contrast.

    Parameters
    ----------
    clip_limit : float or (float, float), default 4.0
        Smallest and largest limit of how often a level may come, in multiples of the mean, from 1; one number
        a means 1 to a.
    tile_grid_size : (int, int), default (8, 8)
        How many tiles there are, as `cv2.createCLAHE` has it.

    Returns
    -------
    CLAHE
        {called} `image` is (H, W), (H, W, 1) or (H, W, 3), red first, of uint8, or of float32 in [0, 1],
        which becomes bytes first as in the reference; other targets stay as they are. Of colours the
        lightness of LAB is equalised.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a limit is below 1 or not finite, or there are no tiles; in a call,
        there is no image, or one has another dtype.
    WrongType
        `clip_limit` is neither a number nor a pair, `tile_grid_size` no pair of integers; in a call, an image
        has neither one channel nor three.
    UnsupportedArgument
        A parameter is a tensor; in a call, {unknown}.

    Notes
    -----
    Agreement: given the draw, bit for bit; the draw has the reference's distribution.
    {compiled}
    Speed: slower than the reference in `tf.numpy_function` for images of 256x256.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.CLAHE((40, 40), (1, 1), p=1.0)
    >>> transform(image=tf.constant([[10, 20], [20, 30]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[128, 191], [191, 255]]
    """

    def __init__(self, clip_limit: Any = 4.0, tile_grid_size: Any = (8, 8), p: float = 0.5) -> None:
        super().__init__(p)
        self.clip_limit = _arguments.interval(clip_limit, "clip_limit", other=1.0, least=1.0)
        if not isinstance(tile_grid_size, (tuple, list)) or len(tile_grid_size) != 2:
            advice = "Give (8, 8), for example."
            raise WrongType(explain("tile_grid_size", repr(tile_grid_size), "two integers", advice))
        across, down = (_arguments.side(one, "tile_grid_size") for one in tile_grid_size)
        self.tile_grid_size = across, down

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return the limit."""
        return between(seed, {"clip_limit": self.clip_limit})

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the image with equalised tiles."""
        levels = as_bytes(served(image, name))
        if with_channels(image, name, (1, 3)) == 1:
            found = self._equalized(levels, params)
        else:
            lab = cvtColor(levels, constants.COLOR_RGB2LAB)
            lightness = self._equalized(lab[..., :1], params)
            found = cvtColor(tf.concat([lightness, lab[..., 1:]], -1), constants.COLOR_LAB2RGB)
        found = tf.ensure_shape(found, image.shape)
        return as_fractions(found) if image.dtype.is_floating else found

    def _equalized(self, levels: Any, params: Mapping[str, Any]) -> Any:
        found = equalized(as_planes(levels), params["clip_limit"], self.tile_grid_size)
        return as_image(found, levels)
