# Written by `python tools/readme_table.py`.
"""Natives of `numpy.random`, under the same names: other numbers, of the same distributions."""

from typing import Any

from pipeport.numpy.random._generator import Generator as Generator
from pipeport.numpy.random._generator import default_rng as default_rng
from pipeport.numpy.random._legacy import RandomState as RandomState
from pipeport.numpy.random._natives import beta as beta
from pipeport.numpy.random._natives import binomial as binomial
from pipeport.numpy.random._natives import exponential as exponential
from pipeport.numpy.random._natives import gamma as gamma
from pipeport.numpy.random._natives import normal as normal
from pipeport.numpy.random._natives import poisson as poisson
from pipeport.numpy.random._natives import randint as randint
from pipeport.numpy.random._natives import uniform as uniform
from pipeport.numpy.random._orders import choice as choice
from pipeport.numpy.random._orders import permutation as permutation
from pipeport.numpy.random._orders import seed as seed
from pipeport.numpy.random._orders import shuffle as shuffle

def rand(*args: Any, seed: Any = None) -> Any:
    """Draw numbers from [0, 1), in sizes given one by one."""

def randn(*args: Any, seed: Any = None) -> Any:
    """Draw standard normal numbers, in sizes given one by one."""

def random(size: Any = None, *, seed: Any = None) -> Any:
    """Draw numbers from [0, 1)."""

def random_sample(size: Any = None, *, seed: Any = None) -> Any:
    """Draw numbers from [0, 1)."""

def standard_normal(size: Any = None, *, seed: Any = None) -> Any:
    """Draw from the normal distribution of mean 0 and deviation 1."""
