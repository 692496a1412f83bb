"""Write the colour maps of the installed OpenCV to where `cv2.applyColorMap` of ours reads them.

`python tools/colour_maps.py` needs to run again only if OpenCV gets more of them, or other ones.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from pipeport.kernels.opencv import _colour_maps as kernel


def main() -> None:
    """Write the file."""
    levels = np.arange(kernel.LEVELS, dtype=np.uint8)[np.newaxis]
    maps = np.concatenate([cv2.applyColorMap(levels, number) for number in range(kernel.COUNT)])
    Path(kernel.__file__).with_name(kernel.FILE).write_bytes(kernel.packed(maps))


if __name__ == "__main__":
    main()
