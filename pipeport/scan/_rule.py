"""A rule of `pipeport scan`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """A rule and its code.

    Attributes
    ----------
    code : str
        'PP' and three digits: PP0.. are verdicts on calls of Python, PP1.. bugs.
    title : str
        In a few words.
    why : str
        What is behind it, in whole sentences.
    before, after : str
        A program in which it is found, and the same where it is not; empty for verdicts.
    """

    code: str
    title: str
    why: str
    before: str = ""
    after: str = ""

    @property
    def bug(self) -> bool:
        """Whether it is a bug, rather than a verdict."""
        return self.code >= "PP1"
