"""Write the sources of the site: the documents of the project, and the pages of the catalog.

    python -m docs.site.pages        # into build/docs/source; `nox -s docs` then builds them

Documents keep their places beside each other, so that their links hold; README.md becomes the first page.
Pages of the catalog are made from contracts and the newest release. Neither TensorFlow nor a reference is
imported.
"""

from __future__ import annotations

import ast
import html
import importlib
import inspect
import json
import os
import re
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from sphinx.ext.autodoc.mock import mock
from sphinx.util.inventory import InventoryFile

from docs.site import notebooks, speed
from pipeport import _describe, _figures, _releases, catalog, cli
from pipeport.contract import Contract

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "docs"
API = Path("docs") / "api"
# What docs/site/gallery.py draws; a site without it has no pictures.
PICTURES = BUILD / "pictures"
# Where recipes are, and how the names of their pictures begin.
RECIPES = "recipes/"
INVENTORIES = Path(__file__).parent / "inventories"
# What is taken over as it is; pages, and what they link to or show.
DOCUMENTS = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "SKILL.md",
    "bench/README.md",
    "bench/results/*.svg",
    "docs/**/*.md",
    "recipes/*/*.*",
    "tests/guide/project/**/*.*",
)
# Which pages lead to which others. A name may be a pattern.
CONTENTS = {
    "README.md": (
        "Guides <docs/guides/index>",
        "Recipes <docs/recipes>",
        "tf.function <docs/trace>",
        "Codes <docs/codes>",
        "API <docs/api/index>",
        "Project <CONTRIBUTING>",
    ),
    "docs/guides/index.md": (
        "../migrate-a-repository",
        "../run",
        "../scan",
        "../rewrite",
        "../porting",
        "../arrays",
        "../randomness",
        "masks-boxes-keypoints",
        "keras",
        "saved-model-and-serving",
        "../scale-out",
        "../threads",
        "mixed-precision",
        "accelerators",
        "../inspect",
        "../verify",
        "../versions",
        "comparison",
        "../../SKILL",
    ),
    "docs/recipes.md": ("../recipes/*/README",),
    "docs/trace.md": ("claims",),
    "CONTRIBUTING.md": (
        "docs/add-a-pair",
        "docs/decisions/*",
        "docs/bodies",
        "bench/README",
        "CHANGELOG",
    ),
}
# Families of functions on arrays and numbers share a page: that of the module which defines them.
SHARED = ("numpy", "random")
# Public modules beside the mirrors.
TOOLS = ("", "seeds", "arrays", "config", "trace", "verify", "errors")
# What the API's own pages say above their tables.
HEAD = """\
*Supported* is what a parameter takes, within the reference's own limits; what is left out of that stands
under the differences. *Drawn in the proof* is the part of it that the examples come from, and no limit; where
it is empty, all that is supported is drawn. *Data* varies per element; *static* parameters are Python values;
the others take either. An engine with a star is served in part, with the reason beside it.
"""
NOT_MEASURED = "not measured"
# The entry that is explained, and what its lines mean.
EXPLAINED = "numpy.rot90"
LINES = {
    "replaces": "the reference, which defines the right result; an entry is also found by its other names",
    "proven against": "the versions of the reference that the proof used, and in which of two environments",
    "agreement": "how outputs are compared; dtype, shape and errors must always match",
    "proof": "how many examples each engine passed, in the release named at the end: 200 eagerly and 100 in "
    "every other engine; natives of everyday NumPy get 80 and 30",
    "engines": "how the native was run: eagerly, in a graph, under XLA, in `Dataset.map`, on a batch; a star "
    "marks partial support, with the reason below",
    "Parameters": "name, default and kind: a *static* parameter takes a Python value, a tensor may differ "
    "per element; the text below says which inputs are supported; others raise an error or are not promised",
    "drawn": "the range of the examples in the proof; the native accepts more if the reference does",
    "Differences from the reference": "known differences, each tested on an input that shows it",
    "Stock op": "the nearest TensorFlow or Keras op, and how its result differs",
    "Throughput": "measured ratios with an interval: 75 % from three rounds, 95 % from six",
}


# --- documents -------------------------------------------------------------------------------------


def documents() -> Iterator[Path]:
    """Return the files to take over, relative to the project."""
    for pattern in DOCUMENTS:
        for file in sorted(ROOT.glob(pattern)):
            if "__pycache__" not in file.parts:
                yield file.relative_to(ROOT)


def toctree(pages: Iterable[str]) -> str:
    """Return a table of contents that only the navigation shows; names with a star are patterns."""
    lines = [":::{toctree}", ":hidden:", ":glob:", "", *pages, ":::"]
    return "\n" + "\n".join(lines) + "\n"


def _linked(file: Path, text: str, target: str) -> str:
    """Return a link of a document: README.md in the top folder is the first page, a folder is not a page."""
    place, mark, anchor = target.partition("#")
    if "://" in place:
        return f"[{text}]({target})"
    if place and (ROOT / file.parent / place).is_dir():
        return text
    if place and os.path.normpath(file.parent / place) == "README.md":
        place = f"{place.removesuffix('README.md')}index.md"
    return f"[{text}]({place}{mark}{anchor})"


def page(file: Path, text: str, pictures: Mapping[str, Any]) -> str:
    """Return a document as the site has it.

    Parameters
    ----------
    file : Path
        Where it is, relative to the project.
    text : str
        What it says.
    pictures : mapping of str to mapping
        What `drawn` returns.

    Returns
    -------
    str
        The same with a table of contents at its end, and with links to what the site has. A recipe has its
        picture behind the second program, and some guides a notebook to download.
    """
    if file.as_posix() in notebooks.GUIDES:
        title, _, rest = text.partition("\n")
        text = f"{title}\n\nThis page is also {{download}}`a notebook <{file.stem}.ipynb>`.\n{rest}"
    if picture := pictures.get(file.parent.as_posix()):
        shown = f"![Elements of before.py, then of after.py](../../{API}/pictures/{picture['file']})"
        text = text.replace("\n## What differs\n", f"\n{shown}\n\n## What differs\n")
    text = re.sub(r"\[([^][\n]*)\]\(([^)\s]+)\)", lambda found: _linked(file, found[1], found[2]), text)
    contents = CONTENTS.get(file.as_posix())
    return text + toctree(contents) if contents else text


# --- the catalog -----------------------------------------------------------------------------------


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """Return the lines of a table."""
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return lines + ["| " + " | ".join(map(_cell, row)) + " |" for row in rows]


def _what_to_run(name: str) -> str:
    return f"{_releases.NOT_YET}: run `pipeport verify {name}`, `pipeport bench {name}`"


def elsewhere() -> dict[str, str]:
    """Return the role by which each function that other projects document is linked to there."""
    found = {}
    for file in INVENTORIES.glob("*.inv"):
        for names in InventoryFile.loads(file.read_bytes(), uri="").data.values():
            for name in names:
                found[name] = f"{{external+{file.stem}:py:obj}}`{name}`"
    return found


def section(entry: Mapping[str, Any], links: Mapping[str, str]) -> list[str]:
    """Return what a contract states and a release proved, as lines.

    Parameters
    ----------
    entry : mapping
        What `pipeport catalog NAME --json` has.
    links : mapping of str to str
        What stands for the names of references, where it is not the name itself.

    Returns
    -------
    list of str
        Markdown.
    """
    names = ", ".join(links.get(name, f"`{name}`") for name in (entry["reference"], *entry["aliases"]))
    lines = [
        f"- Replaces: {names}",
        f"- Proven against: `{entry['proven_against']}` (environment `{entry['environment']}`)",
        f"- Proof: {entry['proof'] or _what_to_run(entry['short'])}",
        f"- Agreement: {entry['agreement']}",
        f"- Engines: {', '.join(entry['engines'])}",
        *(f"- In part, {limit['engine']}: {limit['reason']}" for limit in entry["cannot_serve"]),
        *(f"- Difference: {summary}" for summary in entry["differences"]),
    ]
    if entry["large_images"]:
        lines.append(f"- Large images: {entry['large_images']}")
    others = [("Stock op", entry["stock"]), *(("Peer", peer) for peer in entry["peers"])]
    lines += [f"- {label}: `{x['name']}`; {x['differs'] or 'same answer'}" for label, x in others if x]
    rows = [
        (
            f"`{p['name']}`" + " (ours)" * p["extra"],
            "required" if p["default"] is None else f"`{p['default']}`",
            p["supported"],
            p["drawn"],
            p["given_as"],
        )
        for p in entry["parameters"]
    ]
    lines += ["", *table(("parameter", "default", "supported", "drawn in the proof", "given as"), rows), ""]
    return lines


def measured(entry: Mapping[str, Any]) -> list[str]:
    """Return what a release measured of a native, as lines; none where it measured nothing."""
    rows = [(r["case"], r["against"], _figures.ratio_text(r)) for r in entry["ratios"]]
    return [*table(("case", "against", "native / other"), rows), ""] if rows else []


def _rst(*lines: str) -> list[str]:
    return ["```{eval-rst}", *lines, "```", ""]


def described(contract: Contract) -> list[str]:
    """Return the directive that shows a native's docstring."""
    kind = "class" if inspect.isclass(_object(contract.native)) else "function"
    return _rst(f".. auto{kind}:: {contract.native}")


def _object(name: str) -> Any:
    module, _, last = name.rpartition(".")
    return getattr(importlib.import_module(module), last)


def drawn() -> dict[str, dict[str, Any]]:
    """Return what the pictures that there are show, by native or recipe."""
    index = PICTURES / "index.json"
    rows = json.loads(index.read_text(encoding="utf-8")) if index.exists() else {}
    return {name: row for name, row in rows.items() if row["file"]}


def alternative(name: str, row: Mapping[str, Any]) -> str:
    """Return what a picture shows, in words."""
    last = name.rpartition(".")[2]
    if not row["parameter"]:
        return f"A {row['of']}, and what {last} makes of it"
    return f"A {row['of']}, and what {last} makes of it with {row['parameter']} = {', '.join(row['values'])}"


def place(contract: Contract) -> str:
    """Return the name of a native's page: its own, or its family's."""
    package = contract.native.split(".")[1]
    if package not in SHARED:
        return contract.native
    return _object(contract.native).__module__


def pages() -> dict[str, list[Contract]]:
    """Return the natives of each page of the catalog."""
    found: dict[str, list[Contract]] = defaultdict(list)
    for contract in catalog.pairs().values():
        found[place(contract)].append(contract)
    return dict(found)


def lead(module: str) -> str:
    """Return what a module says of itself in its first line, where that is more than names."""
    source = Path(importlib.import_module(module).__file__ or "").read_text(encoding="utf-8")
    first = (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]
    return "" if re.fullmatch(r"[\w, .]+\.", first) and " " not in first.replace(", ", "") else first


def of_catalog(
    name: str,
    contracts: list[Contract],
    release: _releases.Release | None,
    links: Mapping[str, str],
    pictures: Mapping[str, Any],
) -> str:
    """Return a page of the catalog.

    Parameters
    ----------
    name : str
        The page's name.
    contracts : list of Contract
        Its natives.
    release : Release or None
        Whose proofs and figures are told.
    links : mapping of str to str
        What stands for the names of references.
    pictures : mapping of str to mapping
        What `drawn` returns.

    Returns
    -------
    str
        Markdown.
    """
    alone = name == contracts[0].native
    heading = "## {}".format if alone else "**{}**".format
    if alone:
        lines = [f"# {name}", ""]
    else:
        module = contracts[0].native.rpartition(".")[0]
        natives = [contract.native.rpartition(".")[2] for contract in contracts]
        more = f" and {len(natives) - 3} more" if len(natives) > 3 else ""
        lines = [f"# {module}: {', '.join(natives[:3])}{more}", "", lead(name), ""]
    for contract in contracts:
        if not alone:
            lines += [f"## {contract.native}", ""]
        entry = _describe.entry(contract, release)
        if picture := pictures.get(contract.native):
            lines += [f"![{alternative(contract.native, picture)}](pictures/{picture['file']})", ""]
        lines += [*described(contract), heading("Contract"), "", *section(entry, links)]
        if entry["ratios"]:
            lines += [heading("Measured"), "", *measured(entry)]
    told = f"Proofs and ratios: {release.origin()}." if release else ""
    return "\n".join([*lines, "---", "", HEAD, told, ""])


def _first_figure(entry: Mapping[str, Any]) -> tuple[str, str]:
    """Return the verdict of the first measured case, and its figure."""
    if not entry["ratios"]:
        return NOT_MEASURED, NOT_MEASURED if entry["released"] else _releases.NOT_YET
    first = entry["ratios"][0]
    return first["verdict"], f"{first['ratio']:.2f}x"


def index_rows(release: _releases.Release | None) -> list[dict[str, str]]:
    """Return the filterable index: what each native replaces, how exactly, and how fast.

    Parameters
    ----------
    release : Release or None
        Whose figures are told.

    Returns
    -------
    list of dict
        Of each `native`, `page`, `reference`, `package`, `kind`, `agreement`, `speed`, `figure`, `summary`.
    """
    rows = []
    for contract in catalog.pairs().values():
        entry = _describe.entry(contract, release)
        speed, figure = _first_figure(entry)
        rows.append(
            {
                "native": contract.native,
                "page": f"{place(contract)}.html#{contract.native}",
                "reference": contract.reference,
                "package": contract.native.split(".")[1],
                "kind": entry["kind"],
                "agreement": entry["agreement_short"],
                "speed": speed,
                "figure": figure,
                "summary": entry["summary"],
            }
        )
    return rows


# The columns by which the index is filtered.
FILTERS = ("package", "kind", "agreement", "speed")


def index_page(rows: list[dict[str, str]], packages: Iterable[str]) -> str:
    """Return the index as a page, whole without a script; `index.js` filters it.

    Parameters
    ----------
    rows : list of dict
        What `index_rows` returns.
    packages : iterable of str
        The packages, which have pages of their own.

    Returns
    -------
    str
        Markdown with a table in HTML.
    """
    chosen = []
    for column in FILTERS:
        values = sorted({row[column] for row in rows})
        options = "".join(f"<option>{html.escape(value)}</option>" for value in values)
        chosen.append(
            f'<label>{column} <select data-column="{column}">'
            f'<option value="">any</option>{options}</select></label>'
        )
    body = []
    for row in rows:
        data = " ".join(f'data-{column}="{html.escape(row[column])}"' for column in FILTERS)
        cells = (
            f'<a href="{html.escape(row["page"])}"><code>{html.escape(row["native"])}</code></a>'
            f"<br>{html.escape(row['summary'])}",
            *(html.escape(row[column]) for column in ("kind", "agreement")),
            html.escape(row["figure"]) + (f", {row['speed']}" if row["speed"] != NOT_MEASURED else ""),
        )
        body.append(f"<tr {data}>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    lines = [
        "# API",
        "",
        "Every native, what it replaces, how equal its results are, and the first ratio that the release "
        "measured: the throughput of the native over that of `tf.numpy_function` around the reference. "
        'The same as <a href="../../_static/catalog.json">JSON</a>. [Tools](tools.md) have the rest, and '
        "[an entry](entry.md) is explained.",
        "",
        "```{raw} html",
        '<form id="catalog-filter" role="search">',
        '<label>name <input type="search" data-column="text" placeholder="rotate"></label>',
        *chosen,
        '<output aria-live="polite"></output>',
        "</form>",
        '<div class="pst-scrollable-table-container">',
        '<table class="table" id="catalog-index">',
        "<thead><tr><th>native</th><th>kind</th><th>agreement</th><th>speed</th></tr></thead>",
        "<tbody>",
        *body,
        "</tbody></table></div>",
        "```",
    ]
    return "\n".join(lines) + toctree(["entry", "beside", "gallery", "speed", "tools", *packages])


def _own(module: str) -> list[str]:
    """Return the public functions and classes of a module that are ours and have no contract."""
    loaded = importlib.import_module(module)
    names = getattr(loaded, "__all__", None) or [name for name in vars(loaded) if not name.startswith("_")]
    found = []
    for name in names:
        value = getattr(loaded, name)
        ours = getattr(value, "__module__", None) or ""
        if callable(value) and ours.startswith("pipeport.") and f"{module}.{name}" not in catalog.pairs():
            found.append(name)
    return sorted(found)


def _listed(module: str) -> list[str]:
    """Return directives for the public functions and classes of a module without a contract."""
    lines = []
    for name in _own(module):
        value = _object(f"{module}.{name}")
        if not (value.__doc__ or "").strip():
            continue
        kind = "class" if inspect.isclass(value) else "function"
        lines += _rst(f".. auto{kind}:: {module}.{name}")
    return lines


def package_page(package: str, contracts: list[Contract]) -> str:
    """Return the page of a package: its natives by module, and what else it exports."""
    lines = [f"# pipeport.{package}", ""]
    modules: dict[str, list[Contract]] = defaultdict(list)
    for contract in contracts:
        modules[contract.native.rpartition(".")[0]].append(contract)
    for module, natives in sorted(modules.items()):
        lines += [f"## {module}", ""]
        rows = [(f"{{py:obj}}`{c.native.rpartition('.')[2]} <{c.native}>`", c.summary) for c in natives]
        lines += [*table(("native", "what it does"), rows), ""]
        rest = _listed(module)
        lines += ["Without a contract:", "", *rest] if rest else []
    return "\n".join(lines) + toctree(sorted({place(contract) for contract in contracts}))


def entry_page() -> str:
    """Return the page that explains what `pipeport catalog NAME` prints."""
    printed = CliRunner().invoke(cli.main, ["catalog", EXPLAINED], env={"COLUMNS": "80"})
    lines = ["# How to read an entry", "", "```sh", "pipeport catalog", "pipeport catalog 'cv2.*'"]
    lines += [f"pipeport catalog {EXPLAINED}", "```", ""]
    lines += ["The first command lists all natives, the second a part; the third prints:", "", "```text"]
    lines += [line.rstrip() for line in printed.output.rstrip().splitlines()]
    lines += ["```", "", *table(("line", "meaning"), ((f"`{name}`", text) for name, text in LINES.items()))]
    return "\n".join([*lines, ""])


def beside_page(release: _releases.Release | None) -> str:
    """Return the page of natives for which TensorFlow has a nearest function.

    Parameters
    ----------
    release : Release or None
        Whose figures are told.

    Returns
    -------
    str
        Markdown.
    """
    rows = []
    for contract in catalog.pairs().values():
        entry = _describe.entry(contract, release)
        if stock := entry["stock"]:
            found = [row for row in entry["ratios"] if row["against"] == stock["name"]]
            figures = "; ".join(f"{row['case']} {row['ratio']:.2f}x" for row in found)
            native = f"{{py:obj}}`{entry['short']} <{contract.native}>`"
            rows.append((native, f"`{stock['name']}`", stock["differs"] or "same answer", figures))
    lines = [
        "# Beside TensorFlow",
        "",
        "Natives for which TensorFlow has a nearest function: how its result differs from that of the "
        "reference, and the throughput of the native over that of TensorFlow's function.",
        "",
        *table(("native", "nearest function", "how it differs", "native / nearest"), rows),
        "",
        f"Ratios: {release.origin()}." if release else "",
    ]
    return "\n".join([*lines, ""])


def codes_page() -> str:
    """Return the page of all codes: those of `pipeport scan`, then those of `pipeport run`."""
    from pipeport import acceleration, scan

    said = [("rules.md", rule.code, rule.title) for rule in scan.RULES.values()]
    said += [("run.md", reason.code, reason.said) for reason in acceleration.REASONS.values()]
    rows = []
    for file, code, words in said:
        anchor = re.sub(r"[^\w -]", "", f"{code} {words}").lower().replace(" ", "-")
        rows.append((f"[{code}]({file}#{anchor})", words))
    lines = [
        "# Codes",
        "",
        "What `pipeport scan` finds: PP001 to PP006 are verdicts, from PP101 on they are bugs. From PP201 "
        "on: why `pipeport run` leaves a boundary in Python. `--explain CODE` of either prints the same.",
        "",
        *table(("code", "says"), rows),
    ]
    return "\n".join(lines) + "\n" + toctree(["rules", "run"])


def gallery_page(pictures: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the page of all pictures."""
    lines = ["# Gallery", ""]
    if not pictures:
        return "\n".join([*lines, "This site was built without pictures; `nox -s pictures` draws them.", ""])
    lines += [
        "What each native makes of a photograph that scikit-image ships, at some values of its main "
        "parameter; what draws is shown at some seeds. Masks are blue, boxes yellow, keypoints green. "
        "Natives of signals are shown on a tone that rises, as lines, or as heat where they give "
        "frequencies. [Speed](speed.md) draws what a release measured.",
        "",
    ]
    packages: dict[str, list[str]] = defaultdict(list)
    for name in pictures:
        if not name.startswith(RECIPES):
            packages[name.split(".")[1]].append(name)
    for package, names in packages.items():
        lines += [f"## {package}", "", "::::{grid} 1", ":gutter: 2", ""]
        for name in names:
            lines += [
                f":::{{grid-item-card}} {name.removeprefix('pipeport.')}",
                f":link: {place(catalog.find(name))}",
                ":link-type: doc",
                f":img-bottom: pictures/{pictures[name]['file']}",
                f":img-alt: {alternative(name, pictures[name])}",
                ":::",
                "",
            ]
        lines += ["::::", ""]
    return "\n".join(lines)


def tools_page() -> str:
    """Return the page of what is not a native."""
    lines = ["# Tools", ""]
    for name in TOOLS:
        module = f"pipeport.{name}" if name else "pipeport"
        lines += [f"## {module}", "", *_listed(module)]
    return "\n".join(lines)


# --- writing ---------------------------------------------------------------------------------------


def sources(release: _releases.Release | None) -> dict[Path, str]:
    """Return every page that is made of the catalog, by its path."""
    links = elsewhere()
    pictures = drawn()
    made = {
        API / f"{name}.md": of_catalog(name, found, release, links, pictures)
        for name, found in pages().items()
    }
    packages: dict[str, list[Contract]] = defaultdict(list)
    for contract in catalog.pairs().values():
        packages[contract.native.split(".")[1]].append(contract)
    made |= {API / f"{name}.md": package_page(name, found) for name, found in packages.items()}
    with mock(["tensorflow"]):  # as autodoc does
        made[API / "tools.md"] = tools_page()
        made[Path("docs") / "codes.md"] = codes_page()
    made[API / "entry.md"] = entry_page()
    made[API / "beside.md"] = beside_page(release)
    made[API / "gallery.md"] = gallery_page(pictures)
    entries = {name: f"{place(contract)}.html#{name}" for name, contract in catalog.pairs().items()}
    made[API / "speed.md"] = speed.page(release, entries)
    made[API / "index.md"] = index_page(index_rows(release), packages)
    return made


def _write(file: Path, text: str) -> None:
    """Write a file, unless it says that already: Sphinx reads again what is newer."""
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")


def main() -> None:
    """Write all sources, and remove what is none any more."""
    release = _releases.newest()
    target = BUILD / "source"
    made = sources(release)
    kept, pictures = set(made), drawn()
    for file, text in made.items():
        _write(target / file, text)
    for file in documents():
        to = Path("index.md") if file == Path("README.md") else file
        kept.add(to)
        if file.suffix == ".md":
            text = (ROOT / file).read_text(encoding="utf-8")
            _write(target / to, page(file, text, pictures))
            if file.as_posix() in notebooks.GUIDES:
                kept.add(to.with_suffix(".ipynb"))
                found = json.dumps(notebooks.notebook(text), indent=1) + "\n"
                _write(target / to.with_suffix(".ipynb"), found)
        else:
            (target / to).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, target / to)
    for row in pictures.values():
        kept.add(API / "pictures" / row["file"])
        (target / API / "pictures").mkdir(parents=True, exist_ok=True)
        shutil.copy2(PICTURES / row["file"], target / API / "pictures")
    for file in target.rglob("*.*"):
        if file.is_file() and file.relative_to(target) not in kept:
            file.unlink()
    _write(BUILD / "static" / "catalog.json", json.dumps(index_rows(release), indent=1) + "\n")


if __name__ == "__main__":
    main()
