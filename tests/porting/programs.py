"""The programs of a traced function, with their operations: the graph itself may hold them lowered."""

from __future__ import annotations

# The traced functions that were lowered, by the names under which graphs call them; the fixture adds to it.
LOWERED = {}


def definitions(concrete):
    """All functions that a traced one calls."""
    return [LOWERED.get(one.signature.name, one) for one in concrete.graph.as_graph_def().library.function]


def program_definitions(concrete):
    """The compiled ones of them."""
    return [
        one
        for one in definitions(concrete)
        if one.attr["_XlaMustCompile"].b and "program" in one.signature.name
    ]


def programs(concrete):
    """The compiled functions that a traced one calls, by how many operations they hold."""
    return [len(one.node_def) for one in program_definitions(concrete)]
