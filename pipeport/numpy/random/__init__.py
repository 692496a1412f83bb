"""Natives of `numpy.random`, under the same names: other numbers, of the same distributions."""

from pipeport import _mirror
from pipeport.numpy.random._generator import Generator as Generator
from pipeport.numpy.random._generator import default_rng as default_rng
from pipeport.numpy.random._legacy import RandomState as RandomState
from pipeport.numpy.random._natives import beta as beta
from pipeport.numpy.random._natives import binomial as binomial
from pipeport.numpy.random._natives import exponential as exponential
from pipeport.numpy.random._natives import gamma as gamma
from pipeport.numpy.random._natives import normal as normal
from pipeport.numpy.random._natives import poisson as poisson
from pipeport.numpy.random._natives import rand as rand
from pipeport.numpy.random._natives import randint as randint
from pipeport.numpy.random._natives import randn as randn
from pipeport.numpy.random._natives import random as random
from pipeport.numpy.random._natives import random_sample as random_sample
from pipeport.numpy.random._natives import standard_normal as standard_normal
from pipeport.numpy.random._natives import uniform as uniform
from pipeport.numpy.random._orders import choice as choice
from pipeport.numpy.random._orders import permutation as permutation
from pipeport.numpy.random._orders import seed as seed
from pipeport.numpy.random._orders import shuffle as shuffle

_mirror.answer_for(__name__)
