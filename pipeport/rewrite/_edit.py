"""The text of a file with some calls replaced: comments and form of all else stay."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Any

import libcst as cst
from libcst import metadata

from pipeport.scan._module import Span

_ORDER = ("func", "inp", "Tout")
_EQUAL = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
_NONE = cst.SimpleWhitespace("")
_DEFAULT = cst.MaybeSentinel.DEFAULT
_WIDE = 88  # letters of a line of a call


@dataclass(frozen=True)
class PortCall:
    """A call to replace by that of a port.

    `options`: what `port` is told by name beside `Tout`. `made`: for each argument the function that makes a
    tensor of it, empty where it is one; None where they are handed over as one name. `all_of`: where they
    are: what makes tensors of them all, or empty. `many`: number of results that come in a list; 0 for a
    single one. `listed`: whether a list is needed where a tuple comes.
    """

    options: dict[str, str]
    made: tuple[str, ...] | None
    all_of: str
    many: int
    tensorflow: str
    listed: bool


@dataclass
class Edits:
    """All that changes in a file.

    `replaced`: other expressions, and the text that takes their place. `modules`: places of imported modules,
    or of `from` statements; what is imported instead, and the name it keeps. `imports`: whether pipeport has
    to be imported.
    """

    calls: dict[Span, PortCall] = field(default_factory=dict)
    replaced: dict[Span, str] = field(default_factory=dict)
    modules: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)
    imports: bool = False

    def add(self, other: Edits) -> None:
        """Add other edits of the same file."""
        self.calls |= other.calls
        self.replaced |= other.replaced
        self.modules |= other.modules
        self.imports |= other.imports

    @property
    def places(self) -> set[Any]:
        """All places."""
        return {*self.calls, *self.replaced, *self.modules}


def applied(text: str, edits: Edits) -> tuple[str, set[Any]]:
    """Return a text after edits.

    Returns: the new text, and the places that were found.
    """
    if "\r" in text and "\n" not in text:  # the ends of lines of old Macs
        new, found = applied(text.replace("\r", "\n"), edits)
        return new.replace("\n", "\r"), found
    try:
        module = cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        raise ValueError(f"cannot be read by LibCST: {error.message}") from error
    if module.code != text:
        raise ValueError("cannot be written back as it is")
    wrapper = metadata.MetadataWrapper(module, unsafe_skip_copy=True)
    rewriter = _Rewriter(edits)
    new = wrapper.visit(rewriter)
    if edits.imports:
        new = _with_import(new, "pipeport")
    return new.code, rewriter.found


class _Rewriter(cst.CSTTransformer):  # type: ignore[misc]
    METADATA_DEPENDENCIES = (metadata.PositionProvider,)

    def __init__(self, edits: Edits) -> None:
        super().__init__()
        self._edits = edits
        self._comments: list[list[cst.Comment]] = [[]]
        self.found: set[Any] = set()

    def _span(self, node: cst.CSTNode) -> Span:
        place: Any = self.get_metadata(metadata.PositionProvider, node)
        return place.start.line, place.start.column, place.end.line, place.end.column

    def on_visit(self, node: cst.CSTNode) -> Any:
        if hasattr(node, "leading_lines"):
            self._comments.append([])
        return super().on_visit(node)

    def on_leave(self, original_node: cst.CSTNode, updated_node: Any) -> Any:
        left: Any = super().on_leave(original_node, updated_node)
        if hasattr(original_node, "leading_lines"):
            lost = self._comments.pop()
            if lost:  # what was said beside arguments that are gone
                lines = [cst.EmptyLine(comment=one) for one in lost]
                left = left.with_changes(leading_lines=[*left.leading_lines, *lines])
            return left
        if isinstance(original_node, cst.BaseExpression) and self._edits.replaced:
            text = self._edits.replaced.get(self._span(original_node))
            if text is not None:
                self.found.add(self._span(original_node))
                return cst.parse_expression(text)
        return left

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        span = self._span(original_node)
        call = self._edits.calls.get(span)
        if call is None:
            return updated_node
        new = _replaced(updated_node, call)
        if new is None:
            return updated_node
        self.found.add(span)
        self._comments[-1] += _lost(updated_node, new)
        return new.with_changes(lpar=[*updated_node.lpar, *new.lpar], rpar=[*new.rpar, *updated_node.rpar])

    def leave_ImportAlias(self, original_node: cst.ImportAlias, updated_node: cst.ImportAlias) -> Any:
        start = self._span(original_node)[:2]
        if start not in self._edits.modules:
            return updated_node
        self.found.add(start)
        name, kept = self._edits.modules[start]
        asname = updated_node.asname or cst.AsName(cst.Name(kept))
        return updated_node.with_changes(name=cst.parse_expression(name), asname=asname)

    def leave_ImportFrom(self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom) -> Any:
        start = self._span(original_node)[:2]
        if start not in self._edits.modules:
            return updated_node
        self.found.add(start)
        return updated_node.with_changes(module=cst.parse_expression(self._edits.modules[start][0]))


def _lost(old: cst.CSTNode, new: cst.CSTNode) -> list[cst.Comment]:
    kept = {one.value for one in _comments(new)}
    return [one for one in _comments(old) if one.value not in kept]


def _comments(node: cst.CSTNode) -> list[cst.Comment]:
    found: list[cst.Comment] = []

    class Finder(cst.CSTVisitor):  # type: ignore[misc]
        def visit_Comment(self, node: cst.Comment) -> None:
            found.append(node)

    node.visit(Finder())
    return found


def _called(name: str, *arguments: cst.BaseExpression) -> cst.Call:
    return cst.Call(cst.parse_expression(name), [cst.Arg(one) for one in arguments])


def _replaced(node: cst.Call, call: PortCall) -> Any:
    """Return what takes the place of a boundary; None where its arguments are not where they should be."""
    given: dict[str, cst.BaseExpression] = {}
    for number, arg in enumerate(node.args):
        name = arg.keyword.value if arg.keyword else _ORDER[number] if number < 3 and not arg.star else ""
        given[name] = arg.value
    if not set(_ORDER) <= set(given):
        return None
    named = [("Tout", given["Tout"])]
    named += [(name, cst.parse_expression(text)) for name, text in call.options.items()]
    told = [cst.Arg(value, keyword=cst.Name(name), equal=_EQUAL) for name, value in named]
    ported = cst.Call(cst.parse_expression("pipeport.port"), [cst.Arg(given["func"]), *told])
    arguments, before = _arguments(given["inp"], call)
    made: Any = cst.Call(ported, arguments, whitespace_before_args=before)
    if max(map(len, _code(made).splitlines())) > _WIDE:
        made = made.with_changes(func=_in_lines(ported))
    if call.many == 1:
        return _called(f"{call.tensorflow}.nest.flatten", made)
    return _called("list", made) if call.many and call.listed else made


def _in_lines(call: cst.Call) -> cst.Call:
    """Return a call with each argument in a line of its own, as the entries of a long dictionary."""
    comma = cst.Comma(whitespace_after=_new_line("    "))
    args = [one.with_changes(comma=comma) for one in call.args]
    args[-1] = args[-1].with_changes(comma=cst.Comma(whitespace_after=_new_line("")))
    for at, one in enumerate(args):
        if isinstance(one.value, cst.Dict) and len(_code(one.value)) > _WIDE:
            entries = [
                part.with_changes(comma=cst.Comma(whitespace_after=_new_line("        ")))
                for part in one.value.elements
            ]
            entries[-1] = entries[-1].with_changes(comma=cst.Comma())
            value = one.value.with_changes(
                elements=entries,
                lbrace=cst.LeftCurlyBrace(whitespace_after=_new_line("        ")),
                rbrace=cst.RightCurlyBrace(whitespace_before=_new_line("    ")),
            )
            args[at] = one.with_changes(value=value)
    return call.with_changes(args=args, whitespace_before_args=_new_line("    "))


def _new_line(indent: str) -> cst.ParenthesizedWhitespace:
    return cst.ParenthesizedWhitespace(indent=True, last_line=cst.SimpleWhitespace(indent))


def _code(node: cst.CSTNode) -> str:
    return str(cst.Module([]).code_for_node(node))


def _arguments(given: cst.BaseExpression, call: PortCall) -> tuple[list[cst.Arg], Any]:
    """Return the elements of `inp` as arguments, in several lines where comments stand between them."""
    none = _NONE
    if call.made is None or not isinstance(given, (cst.List, cst.Tuple)):
        value = _called("map", cst.parse_expression(call.all_of), given) if call.all_of else given
        return [cst.Arg(value, star="*")], none
    broken = bool(_comments(given))
    found: list[cst.Arg] = []
    for element, maker in zip(given.elements, call.made, strict=True):
        value = _called(maker, element.value) if maker else element.value
        starred = isinstance(element, cst.StarredElement)
        comma = element.comma if broken else _DEFAULT
        found.append(cst.Arg(value, star="*" if starred else "", comma=comma))
    if not broken or not found:
        return found, none
    if isinstance(given, cst.List):
        before, after = given.lbracket.whitespace_after, given.rbracket.whitespace_before
    else:
        before, after = given.lpar[-1].whitespace_after, given.rpar[0].whitespace_before
    comma = found[-1].comma
    if isinstance(comma, cst.Comma):
        found[-1] = found[-1].with_changes(comma=comma.with_changes(whitespace_after=after))
    else:
        found[-1] = found[-1].with_changes(whitespace_after_arg=after)
    return found, before


def _with_import(module: cst.Module, name: str) -> cst.Module:
    """Return a module with `import name` among the imports at its head, in their order."""
    body: list[Any] = list(module.body)
    head: list[tuple[int, str, bool]] = []  # place, module, whether it is `import module`
    for number, one in enumerate(body):
        if f"{name}." in module.code_for_node(one):
            break  # used here already
        if not isinstance(one, cst.SimpleStatementLine):
            if isinstance(one, (cst.If, cst.Try)):
                continue  # `if TYPE_CHECKING:`, `try: import ...`
            break
        for part in one.body:
            if isinstance(part, cst.Import):
                head.append((number, _code(part.names[0].name), True))
            elif isinstance(part, cst.ImportFrom):
                dots = "." * len(part.relative)
                head.append((number, dots + (_code(part.module) if part.module else ""), False))
    line: Any = cst.parse_statement(f"import {name}", config=module.config_for_parsing)
    own = [one for one in head if one[1] != "__future__" and _group(one[1]) == _group(name)]
    later = [at for at, other, plain in own if not plain or other.lower() > name]
    others = [at for at, other, _ in head if other != "__future__" and _group(other) > _group(name)]
    if later or (others and not own):
        at = later[0] if later else others[0]
        lines = [one for one in body[at].leading_lines if one.comment is None]
        line = line.with_changes(leading_lines=lines)
        blank = [] if later else [cst.EmptyLine(indent=False)]
        rest = [one for one in body[at].leading_lines if one.comment is not None]
        body[at] = body[at].with_changes(leading_lines=[*blank, *rest])
    elif head:
        at = (own or head)[-1][0] + 1
    else:
        at = 1 if body and _is_text(body[0]) else 0  # below the docstring
    body.insert(at, line)
    return module.with_changes(body=body)


def _group(name: str) -> int:
    """Return where an import stands: Python's own, installed packages, those beside the file."""
    return 2 if name.startswith(".") else 0 if name.partition(".")[0] in sys.stdlib_module_names else 1


def _is_text(line: Any) -> bool:
    one = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    return isinstance(one, cst.Expr) and isinstance(one.value, (cst.SimpleString, cst.ConcatenatedString))
