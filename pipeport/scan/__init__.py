"""Find where Python is called inside graphs, in source text: no file is imported, no code is run."""

from pipeport.scan._files import Problem
from pipeport.scan._findings import Finding, Trial
from pipeport.scan._rule import Rule
from pipeport.scan._rules import RULES, VERDICTS, explained, page
from pipeport.scan._run import Result, scan
from pipeport.scan._settings import Settings, settings

__all__ = [
    "RULES",
    "VERDICTS",
    "Finding",
    "Problem",
    "Result",
    "Rule",
    "Settings",
    "Trial",
    "explained",
    "page",
    "scan",
    "settings",
]
