"""Rewrite the tree of a function, so that the run time handles its operations.

Calls go through `call` or `method`, with the number of their place; assignments to elements, in-place
operators, element look-ups, `in`, `assert` and chains of comparisons likewise. What is left are names, plain
operators and control flow, which AutoGraph takes apart.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from pipeport.meanings import BOUNDARIES
from pipeport.porting.frontend._regions import Region, region_of
from pipeport.porting.frontend._scopes import appends, growing_lists, local_names, renamed_lists
from pipeport.porting.frontend._source import Source

RUNTIME = "pipeport_"
_OPERATORS = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv",
    ast.Mod: "mod", ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "and_", ast.BitOr: "or_",
    ast.BitXor: "xor", ast.LShift: "lshift", ast.RShift: "rshift",
}  # fmt: skip
_PLAIN = (ast.Name, ast.Constant)
# Control flow; `del`, after which AutoGraph knows a name without a value; and `not`.
_BRANCHING = (ast.If, ast.For, ast.While, ast.BoolOp, ast.Not, ast.Try, ast.Match, ast.Delete)


class Places:
    """Where the calls of a function stand, by number."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.found: list[tuple[int, str]] = []
        self.keys: list[str] = []
        self.regions: dict[int, Region] = {}

    def add(self, node: ast.Call | ast.Subscript | ast.Compare) -> int:
        """Give a call, an element or a comparison its number."""
        self.found.append((node.lineno, ast.unparse(node)))
        # By what is called, and how often that was called before: other calls do not move it.
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
        else:
            called = f"{ast.unparse(node.value)}[]" if isinstance(node, ast.Subscript) else "<"
        self.keys.append(f"{called}:{sum(key.rpartition(':')[0] == called for key in self.keys)}")
        return len(self.found) - 1

    def where(self, number: int) -> str:
        """Return the file and line of a call, and its text."""
        line, text = self.found[number]
        if number in self.regions:
            return f"{self.source.file}, {self.regions[number].lines}: {shortened(text)}"
        return f"{self.source.file}, line {line}: {shortened(text)}"


def shortened(text: str, most: int = 60) -> str:
    """Return a text of source, its end left out where it is long."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 3] + "..."


def is_boundary(node: ast.AST) -> bool:
    """Say whether a call hands its functions to Python: a lambda among its arguments stays as it is."""
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith(BOUNDARIES)


class _Noting(ast.NodeTransformer):
    """Sets a name to True where the loop around these statements breaks."""

    def __init__(self, name: str) -> None:
        self._name = name

    def noted(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Return statements that note where they break."""
        module: ast.Module = self.generic_visit(ast.Module(body, []))  # type: ignore[assignment]
        return module.body

    def visit_Break(self, node: ast.Break) -> Any:
        return [_assign(self._name, ast.Constant(True), node), node]

    def visit_For(self, node: ast.For | ast.While) -> Any:
        """Visit the `else` alone: a break in the body leaves this loop."""
        node.orelse = self.noted(node.orelse)
        return node

    visit_While = visit_For

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return node


class Transform(ast.NodeTransformer):
    """Transforms one function; nested functions are part of it."""

    def __init__(self, source: Source) -> None:
        self.places = Places(source)
        self._local: list[set[str]] = []
        self._growing: list[set[str]] = []
        self._made = 0

    # Expressions.

    def _run(self, name: str, *arguments: ast.expr, at: Any) -> ast.Call:
        function = ast.Attribute(ast.Name(RUNTIME, ast.Load()), name, ast.Load())
        call = ast.Call(function, list(arguments), [])
        return ast.copy_location(call, at)

    def visit_Call(self, node: ast.Call) -> Any:
        place = self.places.add(node)
        number = ast.Constant(place)
        region = region_of(node)
        if region is not None:
            self.places.regions[place] = region
            self.places.found[-1] = (node.lineno, region.text)
            return self._run("region", number, *node.args, at=node)
        function = node.func
        if isinstance(function, ast.Attribute):
            inner = self.visit(function.value)
            made = self._run("method", number, inner, ast.Constant(function.attr), at=node)
        else:
            made = self._run("call", number, self.visit(function), at=node)
        boundary = is_boundary(node)

        def handed(argument: ast.expr) -> Any:
            return argument if boundary and isinstance(argument, ast.Lambda) else self.visit(argument)

        made.args += map(handed, node.args)
        made.keywords = [
            ast.copy_location(ast.keyword(one.arg, handed(one.value)), one) for one in node.keywords
        ]
        return made

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if not isinstance(node.ctx, ast.Load):
            return self.generic_visit(node)
        return self._run("attribute", self.visit(node.value), ast.Constant(node.attr), at=node)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        if not isinstance(node.ctx, ast.Load):
            return self.generic_visit(node)
        number = ast.Constant(self.places.add(node))
        return self._run("item", number, self.visit(node.value), self._key(node.slice), at=node)

    def _key(self, node: ast.expr) -> ast.expr:
        """Return a key as an expression that stands outside of brackets."""
        if isinstance(node, ast.Slice):
            parts = [ast.Constant(None) if part is None else self.visit(part)
                     for part in (node.lower, node.upper, node.step)]  # fmt: skip
            return self._run("slice", *parts, at=node)
        if isinstance(node, ast.Tuple):
            return ast.copy_location(ast.Tuple([self._key(one) for one in node.elts], ast.Load()), node)
        found: ast.expr = self.visit(node)
        return found

    def visit_Compare(self, node: ast.Compare) -> Any:
        number = self.places.add(node)
        sides = [self.visit(one) for one in (node.left, *node.comparators)]
        if len(node.ops) == 1:
            return self._compared(node.ops[0], sides[0], sides[1], node, number)
        # `a < f() < c` calls `f` once: what is between is named first.
        named: list[ast.expr] = []
        for position, side in enumerate(sides):
            if 0 < position < len(sides) - 1 and not isinstance(side, _PLAIN):
                side = self._run("between", ast.Constant(self._number()), side, at=node)
            named.append(side)
        parts: list[ast.expr] = []
        for position, operator in enumerate(node.ops):
            left = named[position]
            if isinstance(left, ast.Call) and _is_run(left, "between"):
                left = self._run("again", left.args[0], at=node)
            parts.append(self._compared(operator, left, named[position + 1], node, number))
        return ast.copy_location(ast.BoolOp(ast.And(), parts), node)

    def _number(self) -> int:
        self._made += 1
        return self._made

    def _compared(
        self, operator: ast.cmpop, left: ast.expr, right: ast.expr, at: Any, number: int
    ) -> ast.expr:
        if isinstance(operator, (ast.In, ast.NotIn)):
            negated = ast.Constant(isinstance(operator, ast.NotIn))
            return self._run("contains", ast.Constant(number), right, left, negated, at=at)
        if isinstance(operator, (ast.Eq, ast.NotEq)):
            return self._run("equal", left, right, ast.Constant(isinstance(operator, ast.NotEq)), at=at)
        if isinstance(operator, (ast.Is, ast.IsNot)):
            return self._run("identical", left, right, ast.Constant(isinstance(operator, ast.IsNot)), at=at)
        return ast.copy_location(ast.Compare(left, [operator], [right]), at)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        if isinstance(node.op, ast.Mult) and any(
            isinstance(one, ast.List) for one in (node.left, node.right)
        ):
            return self._run("repeated", self.visit(node.left), self.visit(node.right), at=node)
        if not isinstance(node.op, ast.Mod):  # the others are of the operands; a pattern would take any text
            return self.generic_visit(node)
        return self._run("modulo", self.visit(node.left), self.visit(node.right), at=node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:
        parts = [
            self._run("text", self.visit(one.value), ast.Constant(one.conversion), _format(one), at=node)
            if isinstance(one, ast.FormattedValue)
            else one
            for one in node.values
        ]
        return self._run("joined", *parts, at=node)

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        """Have the run time choose: AutoGraph leaves the inner ones of nested expressions as they are."""
        test, *sides = map(self.visit, (node.test, node.body, node.orelse))
        return self._run("either", test, *(ast.Lambda(_parameters(), one) for one in sides), at=node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Any:
        return ast.copy_location(ast.NamedExpr(node.target, self.visit(node.value)), node)

    def visit_ListComp(self, node: Any) -> Any:
        """Have the run time decide how often what is left of it runs, each time for a list of one element.

        Of one loop with conditions it is given, for each element, what tests it and what it becomes.
        """
        name = self._temporary()
        first = node.generators[0]
        named = any(isinstance(part, ast.NamedExpr) for one in first.ifs for part in ast.walk(one))
        if first.ifs and len(node.generators) == 1 and not named:
            test = first.ifs[0] if len(first.ifs) == 1 else ast.BoolOp(ast.And(), first.ifs)
            pair: list[ast.expr] = [ast.Lambda(_parameters(), self.visit(one)) for one in (test, node.elt)]
            part = ast.comprehension(first.target, ast.Name(name, ast.Load()), [], 0)
            made: Any = ast.ListComp(ast.Tuple(pair, ast.Load()), [part])
            run = "filtered" if isinstance(node, ast.ListComp) else "filtered_one_by_one"
            return self._run(run, self.visit(first.iter), ast.Lambda(_parameters(name), made), at=node)
        values = self.visit(node.generators[0].iter)
        node.generators[0].iter = ast.Name(name, ast.Load())
        run = "collected" if isinstance(node, ast.ListComp) else "generated"
        self._comprehension(node, node.generators[1:])
        made = ast.ListComp(node.elt, node.generators)
        return self._run(run, values, ast.Lambda(_parameters(name), made), at=node)

    visit_GeneratorExp: Any = visit_ListComp

    def visit_SetComp(self, node: Any) -> Any:
        self._comprehension(node, node.generators)
        return node

    visit_DictComp: Any = visit_SetComp

    def _comprehension(self, node: Any, listed: Any) -> None:
        for part in listed:
            part.iter = self._run("listed", part.iter, at=node)
            part.iter.args = [self.visit(one) for one in part.iter.args]
        for part in node.generators:
            part.ifs = [self._run("truth", self.visit(one), at=node) for one in part.ifs]
        for name in ("elt", "key", "value"):
            if hasattr(node, name):
                setattr(node, name, self.visit(getattr(node, name)))

    # Statements.

    def visit_Assign(self, node: ast.Assign) -> Any:
        written, value = self._written(node)
        made = self._assigned(node, value if written else self.visit(value))
        return [*written, *made] if isinstance(made, list) else [*written, made]

    def visit_Return(self, node: ast.Return) -> Any:
        if node.value is None:
            return node
        written, value = self._written(node)
        node.value = value if written else self.visit(node.value)
        return [*written, node]

    def _written(self, statement: Any) -> tuple[list[ast.stmt], Any]:
        """Name anew what the call of a statement may write to, by `out=name`."""
        value = statement.value
        given = (
            [one.value for one in value.keywords if one.arg == "out"] if isinstance(value, ast.Call) else []
        )
        if not given or not isinstance(given[0], ast.Name) or given[0].id not in self._local[-1]:
            return [], value
        name, result = given[0].id, self._temporary()
        made = _assign(result, self.visit(value), statement)
        found = ast.copy_location(ast.Name(result, ast.Load()), value)
        owner = self._run("written", ast.Name(name, ast.Load()), found, at=value)
        return [made, _assign(name, owner, statement)], found

    def _assigned(self, node: ast.Assign, value: ast.expr) -> Any:
        if len(node.targets) == 1 and not _holds_more(node.targets[0]):
            node.value = self._parted(node.targets[0], value, node)
            return node
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Subscript):
            return self._stored(node.targets[0], value, node)
        name = self._temporary()
        made: list[ast.stmt] = [_assign(name, value, node)]
        for target in node.targets:
            made += self._unpacked(target, ast.Name(name, ast.Load()), node)
        return made

    def _unpacked(self, target: Any, value: ast.expr, at: Any) -> list[ast.stmt]:
        if isinstance(target, ast.Subscript):
            return [self._stored(target, value, at)]
        value = self._parted(target, value, at)
        if isinstance(target, (ast.Tuple, ast.List)) and _holds_more(target):
            names = [self._temporary() for _ in target.elts]
            into = ast.Tuple([ast.Name(name, ast.Store()) for name in names], ast.Store())
            made: list[ast.stmt] = [ast.copy_location(ast.Assign([into], value), at)]
            for one, name in zip(target.elts, names, strict=True):
                made += self._unpacked(one, ast.Name(name, ast.Load()), at)
            return made
        return [ast.copy_location(ast.Assign([target], value), at)]

    def _parted(self, target: Any, value: ast.expr, at: Any) -> ast.expr:
        """Have a value taken apart by the number of its targets: of arrays the graph may know it alone."""
        literal = (ast.Tuple, ast.List)
        if not isinstance(target, literal):
            return value
        starred = [place for place, one in enumerate(target.elts) if isinstance(one, ast.Starred)]
        if starred:  # the list of the others is one value
            before, behind = starred[0], len(target.elts) - starred[0] - 1
            target.elts[before] = target.elts[before].value  # type: ignore[attr-defined]
            return self._run("parted_around", value, ast.Constant(before), ast.Constant(behind), at=at)
        if isinstance(value, literal):
            return value
        return self._run("parted", value, ast.Constant(len(target.elts)), at=at)

    def _temporary(self) -> str:
        return f"{RUNTIME}{self._number()}"

    def _stored(self, target: ast.Subscript, value: ast.expr, at: Any) -> Any:
        """Assign to an element: the container is named anew, as an array may be another then."""
        container = self.visit(_loaded(target.value))
        made = self._run("set", container, self._key(target.slice), value, at=at)
        return self._bound(target.value, made, at)

    def _bound(self, target: Any, value: ast.expr, at: Any) -> Any:
        if isinstance(target, ast.Name) and target.id in self._local[-1]:
            return _assign(target.id, value, at)
        if isinstance(target, ast.Subscript):  # rows[0][k] = v
            container = self.visit(_loaded(target.value))
            made = self._run("put_back", container, self._key(target.slice), value, at=at)
            return self._bound(target.value, made, at)
        return ast.copy_location(ast.Expr(value), at)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        value = self.visit(node.value)
        name = ast.Constant(_OPERATORS[type(node.op)])
        if isinstance(node.target, ast.Name):
            old = ast.Name(node.target.id, ast.Load())
            return _assign(node.target.id, self._run("update", name, old, value, at=node), node)
        if isinstance(node.target, ast.Subscript):
            number = ast.Constant(self.places.add(node.target))
            key = self._temporary()
            first = _assign(key, self._key(node.target.slice), node)
            container = self.visit(_loaded(node.target.value))
            found = ast.Name(key, ast.Load())
            made = self._run("update_item", number, name, container, found, value, at=node)
            return [first, self._bound(node.target.value, made, node)]
        return self.generic_visit(node)  # an attribute: refused by `_check`

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_Assert(self, node: ast.Assert) -> Any:
        message = ast.Constant("") if node.msg is None else self.visit(node.msg)
        line = ast.Constant(node.lineno)
        made = self._run("check", line, self.visit(node.test), message, at=node)
        return ast.copy_location(ast.Expr(made), node)

    def visit_Raise(self, node: ast.Raise) -> Any:
        if node.exc is not None:
            node.exc = self._run("raised", ast.Constant(node.lineno), self.visit(node.exc), at=node)
        return node

    def visit_For(self, node: ast.For) -> Any:
        node.iter = self._run("rounds", self.visit(node.iter), at=node.iter)
        # AutoGraph takes what a loop names as set anew at its end, too.
        name = self._temporary()
        before = self._unpacked(node.target, ast.Name(name, ast.Load()), node)
        node.target = ast.copy_location(ast.Name(name, ast.Store()), node.target)
        first, last = self._unless_broken(node)
        node.body = before + self._block(node.body)
        return [*first, node, *last]

    def visit_While(self, node: ast.While) -> Any:
        first, last = self._unless_broken(node)
        return [*first, self.generic_visit(node), *last]

    def _unless_broken(self, node: ast.For | ast.While) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """Take the `else` out of a loop, which notes where it breaks; return what comes before and behind."""
        if not node.orelse:
            return [], []
        name = self._temporary()
        node.body = _Noting(name).noted(node.body)
        test = ast.copy_location(ast.UnaryOp(ast.Not(), ast.Name(name, ast.Load())), node.orelse[0])
        behind = ast.copy_location(ast.If(test, self._block(node.orelse), []), node.orelse[0])
        node.orelse = []
        return [_assign(name, ast.Constant(False), node)], [behind]

    def visit_If(self, node: ast.If) -> Any:
        named = self._walrus(node)
        node.test = self.visit(node.test)
        node.body, node.orelse = self._block(node.body), self._block(node.orelse)
        return [*named, node]

    def visit_Try(self, node: ast.Try) -> Any:
        """Leave the body, where what it raises is only told otherwise."""
        return self._block([*node.body, *node.orelse, *node.finalbody])

    def visit_Match(self, node: ast.Match) -> Any:
        """Compare with one pattern after the other."""
        name = self._temporary()
        made = self._cases(ast.Name(name, ast.Load()), node.cases, node)
        return [_assign(name, self.visit(node.subject), node), *self._block(made)]

    def _cases(self, subject: ast.Name, cases: list[ast.match_case], at: Any) -> list[ast.stmt]:
        if not cases:
            return []
        first, *others = cases
        tests = [*_pattern_tests(subject, first.pattern), *([first.guard] if first.guard else [])]
        named = getattr(first.pattern, "name", None)
        made: list[ast.stmt] = [] if named is None else [_assign(named, subject, first.pattern)]
        if not tests:
            return [*made, *first.body]
        test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
        branch = ast.If(test, first.body, self._cases(subject, others, at))
        return [*made, ast.fix_missing_locations(ast.copy_location(branch, first.pattern))]

    def visit_Expr(self, node: ast.Expr) -> Any:
        written, _ = self._written(node)
        if written:
            return written
        owner = appends(node)
        if owner in self._growing[-1]:
            call: Any = node.value
            number, name = ast.Constant(self.places.add(call)), ast.Constant(call.func.attr)
            value = self.visit(call.args[0])
            loaded = ast.Name(owner, ast.Load())
            return _assign(owner, self._run("appended", number, loaded, name, value, at=call), node)
        named = self._walrus(node)
        node.value = self.visit(node.value)
        return [*named, node]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        node.args.defaults = [self.visit(one) for one in node.args.defaults]
        node.args.kw_defaults = [None if one is None else self.visit(one) for one in node.args.kw_defaults]
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            argument.annotation = None
        node.returns = None
        node.body = renamed_lists(node)
        self._local.append(local_names(node))
        self._growing.append(growing_lists(node))
        node.body = self._block(node.body)
        self._local.pop()
        self._growing.pop()
        return node

    def _block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in body:
            found = self.visit(statement)
            made += found if isinstance(found, list) else [found]
        return made

    def visit(self, node: Any) -> Any:
        named = self._walrus(node) if isinstance(node, (ast.Return, ast.Assign)) else []
        found = super().visit(node)
        return [*named, *(found if isinstance(found, list) else [found])] if named else found

    def _walrus(self, test: Any) -> list[ast.stmt]:
        """Assign before the statement what a `:=` at its beginning names."""
        for parent, name, inner in first_evaluated(test):
            if isinstance(inner, ast.NamedExpr):
                made = _assign(inner.target.id, self.visit(inner.value), inner)
                plain = ast.copy_location(ast.Name(inner.target.id, ast.Load()), inner)
                if isinstance(name, int):
                    parent[name] = plain
                else:
                    setattr(parent, name, plain)
                return [made]
        return []


def first_evaluated(statement: Any) -> Iterator[tuple[Any, Any, ast.expr]]:
    """Yield the nodes that a statement always evaluates first, outermost first: parent, field, node."""
    node = statement
    parent: Any
    name: Any
    while True:
        if isinstance(node, (ast.If, ast.IfExp)):
            parent, name = node, "test"
        elif isinstance(node, (ast.Expr, ast.Return, ast.Assign, ast.Subscript)):
            parent, name = node, "value"
        elif isinstance(node, (ast.Compare, ast.BinOp)):
            parent, name = node, "left"
        elif isinstance(node, ast.UnaryOp):
            parent, name = node, "operand"
        elif isinstance(node, ast.BoolOp):
            parent, name = node.values, 0
        elif isinstance(node, ast.Call) and node.args and isinstance(node.func, (ast.Name, ast.Attribute)):
            parent, name = node.args, 0
        else:
            return
        node = parent[name] if name == 0 else getattr(parent, name)
        yield parent, name, node


def _pattern_tests(subject: ast.Name, pattern: ast.pattern) -> list[ast.expr]:
    """Return the comparisons that a pattern makes."""
    if isinstance(pattern, ast.MatchOr):
        tests = [test for one in pattern.patterns for test in _pattern_tests(subject, one)]
        return [ast.copy_location(ast.BoolOp(ast.Or(), tests), pattern)]
    if isinstance(pattern, (ast.MatchValue, ast.MatchSingleton)):
        same = isinstance(pattern, ast.MatchSingleton)
        given: Any = pattern.value
        value = ast.copy_location(ast.Constant(given), pattern) if same else given
        operator = ast.Is() if same else ast.Eq()
        return [ast.copy_location(ast.Compare(subject, [operator], [value]), pattern)]
    return []


def _assign(name: str, value: ast.expr, at: Any) -> ast.Assign:
    return ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value), at)


def _parameters(*names: str) -> ast.arguments:
    return ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])


def _loaded(node: Any) -> Any:
    node.ctx = ast.Load()
    return node


def _holds_more(target: Any) -> bool:
    """Whether a target is or holds an element, or holds a target of several names."""
    inner = ast.walk(target)
    next(inner)
    several = any(isinstance(node, (ast.Tuple, ast.List)) for node in inner)
    return several or any(isinstance(node, ast.Subscript) for node in ast.walk(target))


def _is_run(node: ast.Call, name: str) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr == name and _is_runtime(node.func.value)


def _is_runtime(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == RUNTIME


def _format(node: ast.FormattedValue) -> ast.expr:
    return ast.Constant("") if node.format_spec is None else node.format_spec


def transformed(source: Source) -> tuple[ast.FunctionDef, Places]:
    """Transform a function.

    `source`: its tree is used up. Returns: the tree, and where its calls stand.
    """
    transform = Transform(source)
    # Its defaults are those of the original, evaluated already.
    arguments = source.tree.args
    arguments.defaults = [ast.Constant(None) for _ in arguments.defaults]
    arguments.kw_defaults = [None if one is None else ast.Constant(None) for one in arguments.kw_defaults]
    tree = transform.visit(source.tree)
    names = [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    tree.body[:0] = [
        _assign(name, transform._run("owned", ast.Name(name, ast.Load()), at=tree.body[0]), tree.body[0])
        for name in (names if arguments.vararg is None and arguments.kwarg is None else ())
    ]
    return ast.fix_missing_locations(tree), transform.places


def branches(tree: ast.FunctionDef) -> bool:
    """Say whether a transformed function has statements or operators that AutoGraph has to take apart.

    `tree`: the transformed definition. Returns: False where each statement runs once, in its order.
    """
    return any(isinstance(node, _BRANCHING) for node in ast.walk(tree))
