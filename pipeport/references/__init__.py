"""Plain NumPy references of idioms, and peers for the bench; no façade imports them."""

from pipeport.references._paired import random_flip_pair as random_flip_pair
from pipeport.references._standardize import standardize as standardize
