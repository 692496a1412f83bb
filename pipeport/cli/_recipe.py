"""`pipeport recipe`: migrations and pitfalls as stories, listed by symptom, printed or copied."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeport.cli import _output

if TYPE_CHECKING:
    from pipeport import recipes_index

# Longer lines of prose are hard to read; the programs in the recipes are narrower than this.
WIDTH = 110


@click.command("recipe")
@click.argument("name", required=False)
@_output.json_option
@click.option("--raw", is_flag=True, help="Print the recipe's Markdown as it is.")
@click.option("--path", "show_path", is_flag=True, help="Print the path of the recipe's folder.")
@click.option(
    "--copy",
    "target",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write the recipe's files to DIR/NAME; existing files are never overwritten.",
)
def command(name: str | None, as_json: bool, raw: bool, show_path: bool, target: Path | None) -> None:
    """List the recipes by symptom, or print one: a migration or a pitfall of tf.function, with its proof.

    NAME is a name from the list: pipeport recipe rotation.
    """
    from pipeport import recipes_index

    ways = {"--json": as_json, "--raw": raw, "--path": show_path, "--copy": target is not None}
    chosen = [way for way, wanted in ways.items() if wanted]
    if len(chosen) > 1:
        raise click.UsageError(f"{' and '.join(chosen)} exclude each other; give one of them.")
    if name is None:
        if chosen and not as_json:
            names = ", ".join(recipe.name for recipe in recipes_index.recipes())
            raise click.UsageError(f"{chosen[0]} needs the NAME of a recipe: {names}.")
        _list(recipes_index.recipes(), as_json)
        return

    recipe = recipes_index.find(name)
    if as_json:
        _output.write_json({"format": 1, **_plain(recipe), "sections": dict(recipe.sections)})
    elif raw:
        _output.write(recipe.text.rstrip())
    elif show_path:
        _output.write(str(recipe.folder))
    elif target is not None:
        for file in recipe.copy_to(target):
            _output.write(str(file))
    else:
        from rich.markdown import Markdown

        console = _output.console()
        console.print(Markdown(recipe.text, code_theme="ansi_dark"), width=min(console.width, WIDTH))


def _list(recipes: tuple[recipes_index.Recipe, ...], as_json: bool) -> None:
    from pipeport import recipes_index

    if as_json:
        _output.write_json({"format": 1, "recipes": [_plain(recipe) for recipe in recipes]})
        return
    widest = max(len(recipe.name) for recipe in recipes)
    for group, members in recipes_index.by_group(recipes).items():
        _output.write_bold(group)
        table = _output.new_table("recipe", "symptom")
        table.show_header = False
        table.columns[0].min_width = widest
        for recipe in members:
            table.add_row(recipe.name, recipe.symptom)
        _output.console().print(table)
    _output.write("One whole recipe: pipeport recipe NAME")
    _output.write("Its programs: pipeport recipe NAME --copy DIR")


def _plain(recipe: recipes_index.Recipe) -> dict[str, object]:
    return {
        "name": recipe.name,
        "symptom": recipe.symptom,
        "form": recipe.form,
        "groups": list(recipe.groups),
        "folder": str(recipe.folder),
        "files": [file.name for file in recipe.files],
    }
