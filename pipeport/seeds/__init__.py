"""Stateless seeds per element, and draws from integer bits."""

from pipeport.seeds._ambient import ambient as ambient
from pipeport.seeds._ambient import keyed as keyed
from pipeport.seeds._ambient import look_up as look_up
from pipeport.seeds._continuous import exponential as exponential
from pipeport.seeds._continuous import normal as normal
from pipeport.seeds._derive import fold_in as fold_in
from pipeport.seeds._derive import split as split
from pipeport.seeds._draws import bernoulli as bernoulli
from pipeport.seeds._draws import bits as bits
from pipeport.seeds._draws import chance as chance
from pipeport.seeds._draws import probability as probability
from pipeport.seeds._draws import randint as randint
from pipeport.seeds._draws import uniform as uniform
from pipeport.seeds._map import seeded_map as seeded_map
from pipeport.seeds._pick import choice as choice
from pipeport.seeds._pick import permutation as permutation
