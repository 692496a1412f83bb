"""Natives of the standard library's `random`, by name: other numbers, of the same distributions."""

from pipeport import _mirror
from pipeport.random._natives import betavariate as betavariate
from pipeport.random._natives import choice as choice
from pipeport.random._natives import choices as choices
from pipeport.random._natives import expovariate as expovariate
from pipeport.random._natives import gauss as gauss
from pipeport.random._natives import getrandbits as getrandbits
from pipeport.random._natives import normalvariate as normalvariate
from pipeport.random._natives import randint as randint
from pipeport.random._natives import random as random
from pipeport.random._natives import randrange as randrange
from pipeport.random._natives import sample as sample
from pipeport.random._natives import seed as seed
from pipeport.random._natives import shuffle as shuffle
from pipeport.random._natives import triangular as triangular
from pipeport.random._natives import uniform as uniform
from pipeport.random._object import Random as Random

_mirror.answer_for(__name__)
