"""The recipes: one folder per migration or pitfall, found in the installed package or in the repository."""

from __future__ import annotations

import difflib
import importlib.util
import re
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from pipeport import _shipped
from pipeport.errors import NotPorted, OutsideDomain, explain

# What a recipe is of: a pipeline that leaves Python, or a mistake with tf.function.
MIGRATION, TF_FUNCTION = "migration", "tf-function"
GROUPS = ("slow", "wrong", "not reproducible", "cannot be saved or served", "crashes")

# The first line of a README: <!-- recipe: FORM; GROUP, GROUP -->.
_KIND = re.compile(r"<!-- recipe: (?P<form>[^;\n]+); (?P<groups>[^\n]+) -->\n")
_MARK = re.compile(r"<!--.*?-->\n?")
_SECTION = re.compile(r"^## (?P<title>.+)\n(?P<body>(?:(?!## ).*\n?)*)", re.MULTILINE)


@dataclass(frozen=True)
class Recipe:
    """One migration or pitfall, told in a README with programs beside it.

    `text`: the README, without the marks around generated blocks. `symptom`: what brings a reader here, in
    one line: the first sentence under "Symptom". `form`: {'migration', 'tf-function'}; which sections and
    programs it has. `groups`: the kinds of trouble it is listed under, from `GROUPS`. `files`: the README and
    the programs, sorted by name.
    """

    name: str
    folder: Path
    text: str
    title: str
    sections: Mapping[str, str]
    symptom: str
    form: str
    groups: tuple[str, ...]
    files: tuple[Path, ...]

    def load(self, program: str) -> ModuleType:
        """Import one of the recipe's programs: this runs it.

        `program`: its file's name, without the suffix.
        """
        path = self.folder / f"{program}.py"
        name = f"recipe_{self.name}_{program}".replace("-", "_")
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None or spec.loader is None or not path.is_file():
            has = ", ".join(file.stem for file in self.files if file.suffix == ".py")
            raise NotPorted(explain("program", repr(program), has, "Name one of the recipe's programs."))
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # AutoGraph looks functions up by their module
        spec.loader.exec_module(module)
        return module

    def copy_to(self, target: Path) -> tuple[Path, ...]:
        """Write the recipe's files into a folder of its name under `target`.

        `target`: a folder; made if it does not exist.
        """
        folder = target / self.name
        present = [folder / file.name for file in self.files if (folder / file.name).exists()]
        if present:
            advice = "Choose another folder, or remove the files first."
            given = ", ".join(map(str, present))
            raise OutsideDomain(explain("copy", f"existing files {given}", "files that do not exist", advice))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            return tuple(Path(shutil.copyfile(file, folder / file.name)) for file in self.files)
        except OSError as error:
            advice = "Choose another folder."
            raise OutsideDomain(
                explain("copy", f"{target} ({error.strerror})", "a folder one may write to", advice)
            ) from error


def root() -> Path:
    """Return the folder that holds the recipes.

    Returns: `_recipes` inside an installed package, `recipes` beside the package in the repository.
    """
    return _shipped.require("recipes", "_recipes", "recipes")


def _read(folder: Path) -> Recipe:
    written = (folder / "README.md").read_text(encoding="utf-8")
    form, groups = _kind(folder / "README.md", written)
    text = _MARK.sub("", written)
    sections = {found["title"]: found["body"].strip() for found in _SECTION.finditer(text)}
    symptom = " ".join(sections["Symptom"].split())
    return Recipe(
        name=folder.name,
        folder=folder,
        text=text,
        title=text.partition("\n")[0].removeprefix("# "),
        sections=sections,
        symptom=re.split(r"(?<=\.) ", symptom, maxsplit=1)[0],
        form=form,
        groups=groups,
        files=tuple(sorted(file for file in folder.iterdir() if file.suffix in {".cc", ".md", ".py"})),
    )


def _kind(file: Path, text: str) -> tuple[str, tuple[str, ...]]:
    """Return the form and the groups that the first line of a README states."""
    found = _KIND.match(text)
    form, groups = (found["form"], tuple(found["groups"].split(", "))) if found else ("", ())
    if form not in (MIGRATION, TF_FUNCTION) or not groups or not set(groups) <= set(GROUPS):
        forms, kinds = f"{MIGRATION} or {TF_FUNCTION}", ", ".join(GROUPS)
        raise OutsideDomain(
            explain(
                "recipe",
                f"{file} that begins with {text.partition(chr(10))[0]!r}",
                f"a first line <!-- recipe: FORM; GROUP, GROUP -->, FORM of {forms}, GROUP of {kinds}",
                "State the topic of the recipe.",
            )
        )
    return form, groups


def recipes() -> tuple[Recipe, ...]:
    """Read all recipes."""
    return tuple(_read(readme.parent) for readme in sorted(root().glob("*/README.md")))


def by_group(of: Iterable[Recipe]) -> dict[str, list[Recipe]]:
    """Return recipes by the kinds of trouble they are listed under.

    Returns: in the order of `GROUPS`; a recipe stands in each of its groups.
    """
    found = list(of)
    return {group: [recipe for recipe in found if group in recipe.groups] for group in GROUPS}


def find(name: str) -> Recipe:
    """Return the recipe of that name.

    `name`: as `pipeport recipe` lists it.
    """
    known = {recipe.name: recipe for recipe in recipes()}
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
    advice = f"Nearest: {near[0]}." if near else "Run `pipeport recipe` for the list."
    raise NotPorted(explain("recipe", repr(name), ", ".join(known), advice))
