"""Rewrite boundaries as native code, in source text: comments and form stay, nothing is run."""

from pipeport.rewrite._records import Change, Refusal, Rewritten
from pipeport.rewrite._run import Result, rewrite, write
from pipeport.rewrite._trials import trials
from pipeport.rewrite._verify import differences

__all__ = ["Change", "Refusal", "Result", "Rewritten", "differences", "rewrite", "trials", "write"]
