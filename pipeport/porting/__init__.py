"""A live function and its native form: `pipeport.port`."""

from pipeport.porting._check import Row as Row
from pipeport.porting._check import report as report
from pipeport.porting._islands import Islands as Islands
from pipeport.porting._port import Ported as Ported
from pipeport.porting._port import port as port
from pipeport.porting._replay import sides as sides
