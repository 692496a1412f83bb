"""A live function and its native form: `pipeport.port`."""

from pipeport.porting._port import Ported as Ported
from pipeport.porting._port import port as port
from pipeport.porting._replay import sides as sides
from pipeport.porting.frontend._check import Row as Row
from pipeport.porting.frontend._check import report as report
from pipeport.porting.frontend._islands import Islands as Islands
