"""`cv2.createCLAHE`, and the objects that it gives."""

from __future__ import annotations

from typing import Any

from pipeport import _boundary
from pipeport._lazy import tf
from pipeport.contract import CannotServe, Exact, OneOf, _arrays, replaces
from pipeport.cv2 import _filtering as filtering
from pipeport.cv2 import _images
from pipeport.cv2._operands import number_of
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.opencv._clahe import equalized

_READ = "pipeport.references.opencv.equalized"
_CLIP, _GRID = 40.0, (8, 8)


class CLAHE:
    """What equalises histograms by tiles, with limited contrast; made by `createCLAHE`.

    Parameters
    ----------
    clipLimit : float or scalar tensor
        As of `createCLAHE`.
    tileGridSize : (int, int)
        Likewise.
    """

    def __init__(self, clipLimit: Any, tileGridSize: Any) -> None:
        self.setClipLimit(clipLimit)
        self.setTilesGridSize(tileGridSize)

    def apply(self, src: Any, dst: Any = None) -> Any:
        """Return an equalised image.

        Parameters
        ----------
        src : tf.Tensor, shape (H, W) or (H, W, 1), uint8 or uint16
            The image; H and W may be unknown while tracing.
        dst : None
            Refused: tensors are not written in place.

        Returns
        -------
        tf.Tensor, shape (H, W), dtype of `src`
            The image with other levels.

        Raises
        ------
        OutsideDomain
            The image is empty, or has another rank or dtype, or several channels.
        UnsupportedArgument
            `dst` is given, or rank or channels are unknown while tracing.
        tf.errors.InvalidArgumentError
            An image of unknown size turns out to be empty.
        """
        _boundary.warn_if_inside("pipeport.cv2.CLAHE.apply")
        return _arrays.call("cv2.CLAHE.apply", self._applied, (src, dst), {})

    def _applied(self, src: Any, dst: Any) -> Any:
        _images.refuse_dst(dst)
        x = _images.as_images(src, 0)
        if x.dtype.name not in ("uint8", "uint16") or x.shape[3] != 1:
            given = f"{x.dtype.name} with {x.shape[3]} channels"
            advice = "Equalise one channel: the grey levels, or the brightness of another colour space."
            raise OutsideDomain(explain("src", given, "uint8 or uint16 with one channel", advice))
        return _images.as_result(equalized(x, number_of(self._clip, "clipLimit", 0), self._grid), 0)

    def setClipLimit(self, clipLimit: Any) -> None:
        """Set how often a level may come in a tile.

        Parameters
        ----------
        clipLimit : float or scalar tensor
            In multiples of the mean.
        """
        clip = _CLIP if clipLimit is None else clipLimit
        if not tf.is_tensor(clip):
            clip = filtering.real_of(clip, "clipLimit")
        self._clip = clip

    def getClipLimit(self) -> Any:
        """Return how often a level may come in a tile.

        Returns
        -------
        float or tf.Tensor
            In multiples of the mean.
        """
        return self._clip

    def setTilesGridSize(self, tileGridSize: Any) -> None:
        """Set how many tiles there are.

        Parameters
        ----------
        tileGridSize : (int, int)
            Along rows and along columns.
        """
        grid = _GRID if tileGridSize is None else filtering.pair_of(tileGridSize, "tileGridSize")
        if not all(1 <= count <= filtering.MOST for count in grid):
            allowed = f"numbers from 1 to {filtering.MOST}"
            raise OutsideDomain(explain("tileGridSize", grid, allowed, "(8, 8) is usual."))
        self._grid = grid

    def getTilesGridSize(self) -> tuple[int, int]:
        """Return how many tiles there are.

        Returns
        -------
        (int, int)
            Along rows and along columns.
        """
        return self._grid

    def collectGarbage(self) -> None:
        """Do nothing: there is nothing to free."""


@replaces(
    "cv2.createCLAHE",
    domain={
        "clipLimit": OneOf(40.0, 2.0, 4.0, 1.0, 0.3, 0.0, -1.0, 1e6, typical=2.0, tensor=True),
        "tileGridSize": OneOf((8, 8), (2, 3), (1, 1), (4, 4), (16, 5), typical=(8, 8)),
    },
    agreement=Exact(),
    compared=(_READ, _READ),
    cannot_serve=(
        CannotServe(
            "batched",
            "it is one object, not an array: use it inside a function of your own, and tf.map_fn over that",
            witness=lambda: {"clipLimit": 2.0},
        ),
    ),
)
def createCLAHE(clipLimit: Any = _CLIP, tileGridSize: Any = _GRID) -> CLAHE:
    """Make what equalises histograms by tiles, with limited contrast.

    Parameters
    ----------
    clipLimit : float or scalar tensor, default 40
        How often a level may come in a tile, in multiples of the mean; what comes more often goes to all
        levels alike. No limit if it is not positive.
    tileGridSize : (int, int), default (8, 8)
        How many tiles there are along rows and along columns, up to 255.

    Returns
    -------
    CLAHE
        Its method `apply` takes an image (H, W) of uint8 or uint16 and gives another one.

    Raises
    ------
    OutsideDomain
        A number of tiles is none or more than 255; `apply` is given an empty image, several channels or
        another rank or dtype.
    UnsupportedArgument
        `clipLimit` is not a finite number, `tileGridSize` no two integers known while tracing; `apply` is
        given `dst`, or rank or channels are unknown while tracing.

    Notes
    -----
    Agreement: bit for bit. OpenCV 5 has `setBitShift` besides, which is not served.
    Graph: two programs, of tables and of pixels, where sizes are known, else the plain operations. Static
    shape is kept. uint16 needs 512 kB of tables for each tile; TensorFlow 2.15 compiles them for minutes.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> equaliser = cv2.createCLAHE(0, (1, 1))
    >>> equaliser.apply(tf.constant([[100, 101, 102]], tf.uint8)).numpy().tolist()
    [[85, 170, 255]]
    """
    return CLAHE(clipLimit, tileGridSize)
