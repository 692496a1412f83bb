"""Native equivalents of `albumentations`: an image and all that belongs to it, augmented from a seed."""

from pipeport import _mirror
from pipeport.albumentations._affine import Affine as Affine
from pipeport.albumentations._affine import Rotate as Rotate
from pipeport.albumentations._affine import ShiftScaleRotate as ShiftScaleRotate
from pipeport.albumentations._bboxes import BboxParams as BboxParams
from pipeport.albumentations._blurs import Blur as Blur
from pipeport.albumentations._blurs import MedianBlur as MedianBlur
from pipeport.albumentations._channels import ChannelDropout as ChannelDropout
from pipeport.albumentations._channels import ChannelShuffle as ChannelShuffle
from pipeport.albumentations._clahe import CLAHE as CLAHE
from pipeport.albumentations._coarse_dropout import CoarseDropout as CoarseDropout
from pipeport.albumentations._colours import HueSaturationValue as HueSaturationValue
from pipeport.albumentations._colours import ToGray as ToGray
from pipeport.albumentations._compose import Compose as Compose
from pipeport.albumentations._compositions import OneOf as OneOf
from pipeport.albumentations._compositions import Sequential as Sequential
from pipeport.albumentations._crops import CenterCrop as CenterCrop
from pipeport.albumentations._crops import Crop as Crop
from pipeport.albumentations._crops import RandomCrop as RandomCrop
from pipeport.albumentations._downscale import Downscale as Downscale
from pipeport.albumentations._flips import HorizontalFlip as HorizontalFlip
from pipeport.albumentations._flips import NoOp as NoOp
from pipeport.albumentations._flips import Transpose as Transpose
from pipeport.albumentations._flips import VerticalFlip as VerticalFlip
from pipeport.albumentations._floats import Normalize as Normalize
from pipeport.albumentations._floats import ToFloat as ToFloat
from pipeport.albumentations._from_albumentations import from_albumentations as from_albumentations
from pipeport.albumentations._gaussian import AdvancedBlur as AdvancedBlur
from pipeport.albumentations._gaussian import GaussianBlur as GaussianBlur
from pipeport.albumentations._jitter import ColorJitter as ColorJitter
from pipeport.albumentations._keypoints import KeypointParams as KeypointParams
from pipeport.albumentations._level_tables import Equalize as Equalize
from pipeport.albumentations._level_tables import Posterize as Posterize
from pipeport.albumentations._level_tables import Solarize as Solarize
from pipeport.albumentations._levels import InvertImg as InvertImg
from pipeport.albumentations._levels import RandomBrightnessContrast as RandomBrightnessContrast
from pipeport.albumentations._levels import RandomGamma as RandomGamma
from pipeport.albumentations._motion import MotionBlur as MotionBlur
from pipeport.albumentations._noise import GaussNoise as GaussNoise
from pipeport.albumentations._noise import RGBShift as RGBShift
from pipeport.albumentations._pad import PadIfNeeded as PadIfNeeded
from pipeport.albumentations._replay import ReplayCompose as ReplayCompose
from pipeport.albumentations._rescale import LongestMaxSize as LongestMaxSize
from pipeport.albumentations._rescale import RandomScale as RandomScale
from pipeport.albumentations._rescale import SmallestMaxSize as SmallestMaxSize
from pipeport.albumentations._resize import Resize as Resize
from pipeport.albumentations._resized_crop import RandomResizedCrop as RandomResizedCrop
from pipeport.albumentations._sharpen import Emboss as Emboss
from pipeport.albumentations._sharpen import Sharpen as Sharpen
from pipeport.albumentations._some_of import SomeOf as SomeOf
from pipeport.albumentations._turns import D4 as D4
from pipeport.albumentations._turns import RandomRotate90 as RandomRotate90

_mirror.answer_for(__name__)
