"""Measure what a migration buys on this machine, and say so when it buys nothing."""

from pipeport.bench._case import Case as Case
from pipeport.bench._plans import DEFAULT as DEFAULT
from pipeport.bench._plans import FULL as FULL
from pipeport.bench._plans import QUICK as QUICK
from pipeport.bench._plans import Plan as Plan
from pipeport.bench._plans import Selection as Selection
from pipeport.bench._results import Report as Report
from pipeport.bench._run import run as run
