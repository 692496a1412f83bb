"""Run albumentations with the draws of a native, and compare the draws of both."""

import os

from pipeport.references.augmentation._compared import compare_draws as compare_draws
from pipeport.references.augmentation._driven import drive as drive
from pipeport.references.augmentation._holes import grid_holes as grid_holes
from pipeport.references.augmentation._holes import holes as holes
from pipeport.references.augmentation._random import brightness_contrast as brightness_contrast
from pipeport.references.augmentation._random import crop as crop
from pipeport.references.augmentation._random import group_element as group_element
from pipeport.references.augmentation._random import resized_crop as resized_crop
from pipeport.references.augmentation._random import shuffled_tiles as shuffled_tiles
from pipeport.references.augmentation._random import sized_crop as sized_crop
from pipeport.references.augmentation._random_kernels import advanced_blur as advanced_blur
from pipeport.references.augmentation._random_kernels import emboss as emboss
from pipeport.references.augmentation._random_kernels import gaussian_blur as gaussian_blur
from pipeport.references.augmentation._random_kernels import motion_blur as motion_blur
from pipeport.references.augmentation._random_kernels import sharpen as sharpen
from pipeport.references.augmentation._random_maps import distorted as distorted
from pipeport.references.augmentation._random_maps import elastic as elastic
from pipeport.references.augmentation._random_maps import grid_distortion as grid_distortion
from pipeport.references.augmentation._random_maps import optical_distortion as optical_distortion
from pipeport.references.augmentation._random_maps import perspective as perspective
from pipeport.references.augmentation._random_maps import projected as projected
from pipeport.references.augmentation._random_pixels import channel_dropout as channel_dropout
from pipeport.references.augmentation._random_pixels import channel_shuffle as channel_shuffle
from pipeport.references.augmentation._random_pixels import color_jitter as color_jitter
from pipeport.references.augmentation._random_pixels import compression as compression
from pipeport.references.augmentation._random_pixels import dropped_pixels as dropped_pixels
from pipeport.references.augmentation._random_pixels import equalize as equalize
from pipeport.references.augmentation._random_pixels import gauss_noise as gauss_noise
from pipeport.references.augmentation._random_pixels import iso_noise as iso_noise
from pipeport.references.augmentation._random_pixels import (
    multiplicative_noise as multiplicative_noise,
)
from pipeport.references.augmentation._random_pixels import noisy_colours as noisy_colours
from pipeport.references.augmentation._random_pixels import rgb_shift as rgb_shift
from pipeport.references.augmentation._random_pixels import tone_curve as tone_curve
from pipeport.references.augmentation._sizes import coordinates as coordinates
from pipeport.references.augmentation._sizes import longest_size as longest_size
from pipeport.references.augmentation._sizes import padding as padding
from pipeport.references.augmentation._sizes import smallest_size as smallest_size
from pipeport.references.augmentation._warped import affine as affine
from pipeport.references.augmentation._warped import rotation as rotation
from pipeport.references.augmentation._warped import safe_rotation as safe_rotation
from pipeport.references.augmentation._warped import warped as warped

# Without it albumentations asks the network for a newer release when it is imported.
os.environ.setdefault("NO_ALBUMENTATIONS_UPDATE", "1")
