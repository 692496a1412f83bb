"""The text of a file with some calls replaced: comments and form of all else stay."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Any

import libcst as cst
from libcst import metadata

from pipeport.rewrite._plan import NATIVE, UNWRAP, Form
from pipeport.rewrite._results import MANY

# Where an expression begins and ends: line, column, line, column; columns count characters.
Span = tuple[int, int, int, int]
_ORDER = ("func", "inp", "Tout")
SEED = 42  # in the text, where it is seen and changed
_EQUAL = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
_NONE = cst.SimpleWhitespace("")
_DEFAULT = cst.MaybeSentinel.DEFAULT


@dataclass(frozen=True)
class Call:
    """A call to replace.

    Attributes
    ----------
    form : Form
        What it becomes.
    named : dict of str to str
        What `port` is told by name.
    made : tuple of str or None
        For each argument the function that makes a tensor of it, empty where it is one; None where they are
        handed over as one name.
    all_of : str
        Where they are: what makes tensors of them all, or empty.
    tensorflow : str
        What TensorFlow is called there.
    listed : bool
        Whether a list is needed where a tuple comes.
    """

    form: Form
    named: dict[str, str]
    made: tuple[str, ...] | None
    all_of: str
    tensorflow: str
    listed: bool


@dataclass
class Edits:
    """All that changes in a file.

    Attributes
    ----------
    calls : dict
        Calls by their place.
    replaced : dict
        Other expressions, and the text that takes their place.
    casts : dict
        Places of `return` statements, what TensorFlow is called there, and the dtypes.
    maps : set
        Places of calls of `map` that get a seed.
    modules : dict
        Places of imported modules, or of `from` statements; what is imported instead, and the name it keeps.
    imports : list of str
        Modules, where they are not imported yet.
    """

    calls: dict[Span, Call] = field(default_factory=dict)
    replaced: dict[Span, str] = field(default_factory=dict)
    casts: dict[tuple[int, int], tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    maps: set[Span] = field(default_factory=set)
    modules: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)
    imports: list[str] = field(default_factory=list)

    def add(self, other: Edits) -> None:
        """Add other edits of the same file."""
        self.calls |= other.calls
        self.replaced |= other.replaced
        self.casts |= other.casts
        self.maps |= other.maps
        self.modules |= other.modules
        self.imports += [line for line in other.imports if line not in self.imports]

    @property
    def places(self) -> set[Any]:
        """All places."""
        return {*self.calls, *self.replaced, *self.casts, *self.maps, *self.modules}


def applied(text: str, edits: Edits) -> tuple[str, set[Any]]:
    """Return a text after edits.

    Parameters
    ----------
    text : str
        A program.
    edits : Edits
        What changes.

    Returns
    -------
    (str, set)
        The new text, and the places that were found.

    Raises
    ------
    ValueError
        LibCST cannot read it, or not write it as it is.
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
    for name in edits.imports:
        new = _with_import(new, name)
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
        if span in self._edits.maps:
            self.found.add(span)
            seeded = _seeded(updated_node)
            self._comments[-1] += _lost(updated_node, seeded)
            return seeded
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

    def leave_Return(self, original_node: cst.Return, updated_node: cst.Return) -> cst.Return:
        span = self._span(original_node)
        cast = self._edits.casts.get(span[:2])
        if cast is None or updated_node.value is None:
            return updated_node
        self.found.add(span[:2])
        tensorflow, dtypes = cast
        value = updated_node.value
        if isinstance(value, cst.Tuple) and len(dtypes) > 1:
            elements = [
                one.with_changes(value=_cast(one.value, tensorflow, dtype))
                for one, dtype in zip(value.elements, dtypes, strict=True)
            ]
            return updated_node.with_changes(value=value.with_changes(elements=elements))
        new = _cast(value, tensorflow, dtypes[0])
        space = cst.SimpleWhitespace(" ")
        return updated_node.with_changes(value=new, whitespace_after_return=space)


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


def _cast(value: cst.BaseExpression, tensorflow: str, dtype: str) -> cst.BaseExpression:
    """Return a value in a dtype; one that is cast to it already stays."""
    text = _code(value)
    already = text.startswith(f"{tensorflow}.cast(") and text.endswith(f", {dtype})")
    return value if already else _called(f"{tensorflow}.cast", value, cst.parse_expression(dtype))


def _replaced(node: cst.Call, call: Call) -> Any:
    """Return what takes the place of a boundary; None where its arguments are not where they should be."""
    given: dict[str, cst.BaseExpression] = {}
    for number, arg in enumerate(node.args):
        name = arg.keyword.value if arg.keyword else _ORDER[number] if number < 3 and not arg.star else ""
        given[name] = arg.value
    if "func" not in given or "inp" not in given:
        return None
    function = given["func"]
    form = call.form
    if form.kind == NATIVE:
        called: cst.BaseExpression = cst.parse_expression(form.native)
    elif form.kind == UNWRAP:
        bare = isinstance(function, (cst.Name, cst.Attribute)) or function.lpar
        mark = [] if bare else [cst.LeftParen()], [] if bare else [cst.RightParen()]
        called = function.with_changes(lpar=[*function.lpar, *mark[0]], rpar=[*function.rpar, *mark[1]])
    else:
        ported = _called("pipeport.port", function)
        named = [
            cst.Arg(cst.parse_expression(text), keyword=cst.Name(name), equal=_EQUAL)
            for name, text in call.named.items()
        ]
        called = ported.with_changes(args=[*ported.args, *named])
    arguments, before = _arguments(given["inp"], call)
    made: Any = cst.Call(called, arguments, whitespace_before_args=before)
    return _as_declared(made, call, given.get("Tout"))


def _seeded(node: cst.Call) -> cst.Call:
    """Return `dataset.apply(seeded_map(f, seed=42, ...))` for `dataset.map(f, ...)`."""
    seed = cst.Arg(cst.Integer(str(SEED)), keyword=cst.Name("seed"), equal=_EQUAL)
    given = [cst.Arg(node.args[0].value), seed]
    for one in node.args[1:]:
        given.append(cst.Arg(one.value, keyword=one.keyword or cst.Name("num_parallel_calls"), equal=_EQUAL))
    inner = cst.Call(cst.parse_expression("pipeport.seeds.seeded_map"), given)
    dataset = cst.ensure_type(node.func, cst.Attribute)
    return node.with_changes(
        func=dataset.with_changes(attr=cst.Name("apply")), args=[cst.Arg(inner)], whitespace_before_args=_NONE
    )


def _code(node: cst.CSTNode) -> str:
    return str(cst.Module([]).code_for_node(node))


def _arguments(given: cst.BaseExpression, call: Call) -> tuple[list[cst.Arg], Any]:
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


def _as_declared(made: Any, call: Call, tout: cst.BaseExpression | None) -> Any:
    """Return a call whose results are in the form that `Tout` declares."""
    form, name = call.form, call.tensorflow
    if form.declared.form != MANY:
        if form.cast:
            made = _called(f"{name}.cast", made, tout or cst.parse_expression(form.declared.dtypes[0]))
        return made
    one = len(form.declared.dtypes) == 1
    if one:
        made = _called(f"{name}.nest.flatten", made)
    elif form.cast and form.kind == UNWRAP:
        made = _called("tuple", made)
    if form.cast:
        dtypes = ", ".join(form.declared.dtypes)
        structure = f"[{dtypes}]" if one else f"({dtypes})"
        made = _called(f"{name}.nest.map_structure", cst.parse_expression(f"{name}.cast"), made,
                       cst.parse_expression(structure))  # fmt: skip
    return _called("list", made) if call.listed and not one else made


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
