"""Natives of `numpy`, under the same names."""

from pipeport import _mirror
from pipeport.numpy._asarray import asarray as asarray
from pipeport.numpy._concatenate import concatenate as concatenate
from pipeport.numpy._expand_dims import expand_dims as expand_dims
from pipeport.numpy._flip import flip as flip
from pipeport.numpy._flip import fliplr as fliplr
from pipeport.numpy._flip import flipud as flipud
from pipeport.numpy._load import load as load
from pipeport.numpy._moveaxis import moveaxis as moveaxis
from pipeport.numpy._pad import pad as pad
from pipeport.numpy._repeat import repeat as repeat
from pipeport.numpy._roll import roll as roll
from pipeport.numpy._rollaxis import rollaxis as rollaxis
from pipeport.numpy._rot90 import rot90 as rot90
from pipeport.numpy._squeeze import squeeze as squeeze
from pipeport.numpy._stack import stack as stack
from pipeport.numpy._swapaxes import swapaxes as swapaxes
from pipeport.numpy._take import take as take
from pipeport.numpy._tile import tile as tile
from pipeport.numpy._transpose import transpose as transpose

_mirror.answer_for(__name__)
