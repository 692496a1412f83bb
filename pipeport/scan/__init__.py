"""Find where Python is called inside graphs, in source text: no file is imported, no code is run."""

from pipeport.scan._files import Problem
from pipeport.scan._findings import Finding
from pipeport.scan._run import Result, scan
from pipeport.scan._verdict import VERDICTS

__all__ = ["VERDICTS", "Finding", "Problem", "Result", "scan"]
