"""Natives of `numpy`, under the same names."""

from pipeport.numpy._flip import flip as flip
from pipeport.numpy._flip import fliplr as fliplr
from pipeport.numpy._flip import flipud as flipud
from pipeport.numpy._pad import pad as pad
from pipeport.numpy._roll import roll as roll
from pipeport.numpy._rot90 import rot90 as rot90
from pipeport.numpy._transpose import transpose as transpose
