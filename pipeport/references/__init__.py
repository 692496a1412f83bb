"""Plain NumPy references of idioms, and peers for the bench; no façade imports them."""

from pipeport.references._altered import random_brightness_contrast as random_brightness_contrast
from pipeport.references._altered import random_rotate as random_rotate
from pipeport.references._augment import cutout as cutout
from pipeport.references._augment import random_flip as random_flip
from pipeport.references._framing import crop_at as crop_at
from pipeport.references._framing import crop_or_pad as crop_or_pad
from pipeport.references._framing import letterbox as letterbox
from pipeport.references._framing import resize_pair as resize_pair
from pipeport.references._mixed import cutmix as cutmix
from pipeport.references._mixed import mixup as mixup
from pipeport.references._paired import random_flip_pair as random_flip_pair
from pipeport.references._standardize import standardize as standardize
from pipeport.references._volume import rotate_volume as rotate_volume
from pipeport.references._windows import random_crop as random_crop
from pipeport.references._windows import random_resized_crop as random_resized_crop
