"""Rewrite boundaries as native code, in source text: comments and form stay, nothing is run."""

from pipeport.rewrite._file import Change, Refusal, Rewritten
from pipeport.rewrite._run import Result, rewrite, write

__all__ = ["Change", "Refusal", "Result", "Rewritten", "rewrite", "write"]
