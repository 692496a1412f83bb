"""The smallest program that still fails: statements and parts of expressions are left out one by one."""

from __future__ import annotations

import ast
import dataclasses
import re


def smallest(program, fails, tries=80):
    """Return a smaller program that fails too.

    Parameters
    ----------
    program : Program
        One that fails.
    fails : callable
        Says whether a program fails in the same way; NumPy may refuse to run what it is given.
    tries : int
        How many programs are tried at most.

    Returns
    -------
    Program
        Perhaps the same.
    """
    seen = {program.as_code()}
    while True:
        for candidate in _candidates(program):
            if candidate.as_code() in seen or tries <= 0:
                continue
            seen.add(candidate.as_code())
            tries -= 1
            if fails(candidate):
                program = candidate
                break
        else:
            return program


def _candidates(program):
    arguments = program.arguments
    small = {
        name: dataclasses.replace(
            one, shape=tuple(min(size, 6 - place) for place, size in enumerate(one.shape))
        )
        for name, one in arguments.items()
    }
    plain = {name: dataclasses.replace(one, special=False) for name, one in arguments.items()}
    for changed in (small, plain):
        if changed != arguments:
            yield _with(program, arguments=changed)
    for text in _smaller_texts(program.source) if "def body" in program.source else ():
        yield _with(program, source=text)


def _with(program, **changes):
    """Return a changed program without the parameters and helpers it does not use."""
    program = dataclasses.replace(program, **changes)
    tree = ast.parse(program.source)
    body = tree.body[-1]
    if not isinstance(body, ast.FunctionDef):
        return program
    names = {node.id for node in ast.walk(body) if isinstance(node, ast.Name)}
    arguments = {name: one for name, one in program.arguments.items() if name in names} or program.arguments
    body.args.args = [ast.arg(name) for name in arguments]
    tree.body = [one for one in tree.body if one is body or _name(one) in names]
    slack = {name: one for name, one in program.slack.items() if re.search(rf"\b{name}\b", program.source)}
    return dataclasses.replace(program, source=ast.unparse(tree) + "\n", arguments=arguments, slack=slack)


def _name(statement):
    """Return the name that a statement outside of the body gives a value."""
    return statement.name if isinstance(statement, ast.FunctionDef) else statement.targets[0].id


def _smaller_texts(source):
    """Give the source with one thing left out, for each of them."""
    tree = ast.parse(source)
    for holder in ast.walk(tree.body[-1]):
        for name, value in ast.iter_fields(holder):
            rows = value if isinstance(value, list) else [value]
            for place, node in enumerate(rows):
                for instead in _instead_of(holder, node):
                    changed = [*rows[:place], *instead, *rows[place + 1 :]]
                    setattr(holder, name, changed if isinstance(value, list) else changed[0])
                    text = ast.unparse(tree)
                    if len(text) < len(source):
                        yield text
                setattr(holder, name, value)


def _instead_of(holder, node):
    """Give what can stand in the place of a node: lists of nodes."""
    if isinstance(node, ast.Return):
        return
    if isinstance(node, ast.stmt):
        yield [] if len(getattr(holder, "body", ())) > 1 else [ast.Pass()]
        if isinstance(node, (ast.If, ast.For)):
            yield node.body
            yield node.orelse or [ast.Pass()]
    elif isinstance(node, ast.expr) and isinstance(holder, ast.Tuple) and len(holder.elts) > 1:
        yield []
    if isinstance(node, ast.Tuple):
        yield from ([one] for one in node.elts)
    if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return
    if isinstance(node, ast.IfExp):
        yield [node.body]
        yield [node.orelse]
    if isinstance(node, ast.BinOp):
        yield [node.left]
        yield [node.right]
    elif isinstance(node, ast.Compare):
        yield [node.left]
    elif isinstance(node, ast.Call):
        inner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        yield from ([one] for one in (*node.args[:2], *inner) if not _is_module(one))
    elif isinstance(node, (ast.Subscript, ast.Attribute)) and not _is_module(node.value):
        yield [node.value]


def _is_module(node):
    return (isinstance(node, ast.Name) and node.id in ("np", "random")) or isinstance(node, ast.Attribute)
