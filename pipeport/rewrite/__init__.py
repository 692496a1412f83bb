"""Rewrite boundaries in source text: as the drop-in, or as ports where a run has proved them."""

from pipeport.rewrite._again import Again, run_again
from pipeport.rewrite._evidence import Evidence, read_evidence
from pipeport.rewrite._records import Change, Refusal, Rewritten
from pipeport.rewrite._run import Result, rewrite, write
from pipeport.rewrite._trials import trials

__all__ = [
    "Again", "Change", "Evidence", "Refusal", "Result", "Rewritten", "read_evidence", "rewrite", "run_again",
    "trials", "write",
]  # fmt: skip
