"""Natives of bodies people write by hand; their references are in `pipeport.references`."""

from pipeport.idioms._random_flip_pair import random_flip_pair as random_flip_pair
from pipeport.idioms._standardize import standardize as standardize
