"""Inputs of operations in a graph that is being traced, and classes of the graphs inside of one."""

from __future__ import annotations

from typing import Any

_LOOPS = ("WhileBodyFuncGraph", "WhileCondFuncGraph")


def set_input(operation: Any, at: int, tensor: Any) -> None:
    """Give an operation another tensor as its input of a number."""
    operation._update_input(at, tensor)


def set_control_inputs(operation: Any, before: list[Any]) -> None:
    """Let an operation wait for these operations alone."""
    operation._remove_all_control_inputs()
    operation._add_control_inputs(before)


def is_loop(graph: Any) -> bool:
    """Say whether a graph is the body or the condition of a loop."""
    return type(graph).__name__ in _LOOPS


def is_round(graph: Any) -> bool:
    """Say whether a graph is the body of a loop."""
    return type(graph).__name__ == _LOOPS[0]


def is_branch(graph: Any) -> bool:
    """Say whether a graph is a branch of a condition, which runs at most once per run of the graph around."""
    return type(graph).__name__ == "CondBranchFuncGraph"
