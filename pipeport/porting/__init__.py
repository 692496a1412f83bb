"""A live function and its native form: `pipeport.port`."""

from pipeport.porting._port import Ported as Ported
from pipeport.porting._port import port as port
