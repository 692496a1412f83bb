"""What to write instead of functions of the libraries that have no native, where that gives their values."""

from __future__ import annotations

_FFT = "scipy.fft", "scipy.fftpack"

# Whole sentences; each function that they name has a native, or is TensorFlow's.
NEAREST: dict[str, str] = {
    "PIL.ImageOps.crop": "Write `PIL.Image.Image.crop`, which takes the corners.",
    "collections.Counter": "Count whole numbers from 0 by `numpy.bincount`.",
    "cv2.applyColorMap": "Write `cv2.LUT`, with the table of the colour map, made outside of the function.",
    "cv2.cartToPolar": "Write `numpy.hypot(x, y)` and `numpy.arctan2(y, x)`, which are more exact.",
    "cv2.countNonZero": "Write `numpy.count_nonzero`.",
    "cv2.extractChannel": "Index the channel: `image[..., k]`.",
    "cv2.hconcat": "Write `numpy.hstack`.",
    "cv2.magnitude": "Write `numpy.hypot`.",
    "cv2.max": "Write `numpy.maximum`.",
    "cv2.mean": "Write `numpy.mean(image, axis=(0, 1))`.",
    "cv2.min": "Write `numpy.minimum`.",
    "cv2.minMaxLoc": "Write `numpy.min`, `numpy.max`, and `numpy.argmax` for the place.",
    "cv2.norm": "Write `numpy.linalg.norm`.",
    "cv2.repeat": "Write `numpy.tile`.",
    "cv2.sepFilter2D": "Write `cv2.filter2D(image, depth, numpy.outer(kernelY, kernelX))`.",
    "cv2.sqrt": "Write `numpy.sqrt`.",
    "cv2.undistort": "Write `cv2.remap`, with the maps of initUndistortRectifyMap, made outside.",
    "cv2.vconcat": "Write `numpy.vstack`.",
    "numpy.apply_along_axis": "Compute on the whole array, with `axis=`.",
    "numpy.argpartition": "Write `numpy.argsort`.",
    "numpy.array_equiv": "Write `numpy.array_equal`, of arrays of one shape.",
    "numpy.linalg.cholesky": "Write `tf.linalg.cholesky`.",
    "numpy.linalg.eigh": "Write `tf.linalg.eigh`; the signs of the vectors may differ.",
    "numpy.linalg.lstsq": "Write `numpy.linalg.pinv(a) @ b`.",
    "numpy.linalg.qr": "Write `tf.linalg.qr`; signs may differ.",
    "numpy.linalg.svd": "Write `tf.linalg.svd`, which gives s, u, v; the signs of the vectors may differ.",
    "numpy.polyval": "Write the sum of the powers.",
    "numpy.vectorize": "Compute on whole arrays, with `numpy.where` in the place of `if`.",
    "re.finditer": "Write `re.findall`, which gives a list of strings.",
    "scipy.fftpack.idct": "Write `scipy.fft.idct`, which gives the same with norm='ortho'.",
    "scipy.interpolate.RegularGridInterpolator": "Write `scipy.ndimage.map_coordinates` at places in pixels.",
    "scipy.interpolate.interpn": "Write `scipy.ndimage.map_coordinates` at places in pixels.",
    "scipy.misc.imread": "SciPy has it no longer. Write `skimage.io.imread`.",
    "scipy.misc.imresize": "SciPy has it no longer. Write `PIL.Image.Image.resize`.",
    "scipy.misc.imrotate": "SciPy has it no longer. Write `PIL.Image.Image.rotate`.",
    "scipy.ndimage.binary_closing": "Write `scipy.ndimage.binary_dilation`, then `binary_erosion`.",
    "scipy.ndimage.binary_opening": "Write `scipy.ndimage.binary_erosion`, then `binary_dilation`.",
    "scipy.ndimage.center_of_mass": "Write `numpy.sum` of the weighted coordinates of `numpy.indices`.",
    "scipy.ndimage.grey_closing": "Write `scipy.ndimage.grey_dilation`, then `scipy.ndimage.grey_erosion`.",
    "scipy.ndimage.grey_opening": "Write `scipy.ndimage.grey_erosion`, then `scipy.ndimage.grey_dilation`.",
    "scipy.ndimage.morphological_gradient": "Write `scipy.ndimage.grey_dilation` less `grey_erosion`.",
    "scipy.signal.convolve": "Write `scipy.signal.fftconvolve`.",
    "scipy.signal.convolve2d": "Write `scipy.signal.fftconvolve`, for boundary='fill'.",
    "scipy.signal.savgol_filter": "Write `scipy.ndimage.convolve1d`, with savgol_coeffs made outside.",
    "scipy.signal.sosfilt": (
        "Design the filter as b and a, and write `scipy.signal.lfilter`, whose native loses no digits."
    ),
    "scipy.signal.sosfiltfilt": (
        "Design the filter as b and a, and write `scipy.signal.filtfilt`, whose native loses no digits, with "
        "the `padlen` that sosfiltfilt takes."
    ),
    "skimage.exposure.histogram": "Write `numpy.histogram`.",
    "skimage.filters.median": 'Write `scipy.ndimage.median_filter(x, footprint=..., mode="nearest")`.',
    "skimage.morphology.binary_dilation": "Write `scipy.ndimage.binary_dilation`.",
    "skimage.morphology.binary_erosion": "Write `scipy.ndimage.binary_erosion(image, border_value=1)`.",
    "skimage.morphology.dilation": "Write `scipy.ndimage.grey_dilation`.",
    "skimage.morphology.erosion": "Write `scipy.ndimage.grey_erosion`.",
    "tensorflow_addons.image.random_cutout": "Draw the middle by seed, for `tensorflow_addons.image.cutout`.",
    "tensorflow_addons.image.random_hsv_in_yiq": (
        "Draw the numbers by seed, for `tensorflow_addons.image.adjust_hsv_in_yiq`."
    ),
    **{
        f"{module}.{name}": f"Write `numpy.fft.{name}`."
        for module in _FFT
        for name in ("fft", "ifft", "fft2", "ifft2", "fftn", "ifftn", "fftshift", "ifftshift", "fftfreq")
    },
    **{f"scipy.fft.{name}": f"Write `numpy.fft.{name}`." for name in ("rfft", "irfft")},
}  # fmt: skip
