"""The parts of a release: a proof of a pair in an engine, or what is measured of a pair or a program.

Each is made in a process of its own and kept in bench/results as soon as it is there, which goes from one
machine to the next with the repository. It holds while the code that it reaches is the same, and in its own
environment the versions of the packages too.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from pipeport import catalog
from pipeport.bench import _codes, _environment, _results, _run
from pipeport.bench._arguments import accepts
from pipeport.bench._factories import Factories
from pipeport.bench._plans import Plan, Selection, expand
from pipeport.bench._programs import Program
from pipeport.bench._selections import contracts_of
from pipeport.bench._suites import read_suite
from pipeport.contract import ENGINES
from pipeport.verify._case import Plan as ProofPlan
from pipeport.verify._case import whole_proof
from pipeport.verify._fingerprint import code, environment, is_current
from pipeport.verify._report import CaseRecord
from pipeport.verify._results import Results
from pipeport.verify._runner import run_contracts

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "bench" / "results"
MAIN, ADDONS = ENVIRONMENTS = ("main", "addons")
# Pairs first as these suites measure them, then the others; then programs.
OF_PAIRS = ("headline", "geometry")
OF_PROGRAMS = ("reading", "recipes", "pipelines", "bodies")
RECIPES = "recipes/"


class Unfinished(Exception):
    """A part could not be made; the text says why."""


@dataclass(frozen=True)
class Part:
    """What one process does: `make` makes it, keeps it, and returns what is told of it."""

    name: str
    make: Callable[[], str]


@dataclass(frozen=True)
class Group:
    """Parts that are made alike: so many at the same time."""

    parts: list[Part]
    jobs: int = 1


def left(where: str, only: str = "*", *, proofs: bool = False) -> list[Group]:
    """Return the parts of an environment that are not there, or hold no more.

    Parameters
    ----------
    where : {'main', 'addons'}
        The environment they belong to.
    only : str
        A shell pattern of names, as `pipeport catalog` or a suite has them.
    proofs : bool
        Whether only proofs count.
    """

    def chosen(parts: Iterator[tuple[str, Part]]) -> list[Part]:
        return [part for name, part in parts if fnmatchcase(name, only)]

    groups = [Group(chosen(_proofs(where)), jobs=os.cpu_count() or 1)]
    if proofs:
        return groups
    return [*groups, Group(chosen(_figures() if where == MAIN else _figures_of_addons()))]


# --- proofs ----------------------------------------------------------------------------------------


def proofs_file(where: str) -> Path:
    """Return the file that keeps the proofs of an environment."""
    return FOLDER / f"proofs_{where}.json"


def is_whole(record: CaseRecord | None, name: str, engine: str, where: str) -> bool:
    """Say whether a proof is all that a release asks for, and of the code that is here."""
    contract = catalog.pairs()[name]
    if record is None or record.status == "failed" or record.wanted < whole_proof(contract, engine):
        return False
    same = record.fingerprint == code(contract, engine)
    return same and (where != environment() or is_current(record, contract))


def _proofs(where: str) -> Iterator[tuple[str, Part]]:
    kept = Results(proofs_file(where)).load()
    for name, contract in catalog.pairs().items():
        for engine in ENGINES:
            if contract.environment == where and not is_whole(
                kept.get(f"{name}|{engine}"), name, engine, where
            ):
                short = catalog.short(contract)
                yield short, Part(f"proof of {short} in {engine}", functools.partial(prove, name, engine))


def prove(name: str, engine: str) -> str:
    """Prove a pair in an engine, whole."""
    contract = catalog.pairs()[name]
    plan = ProofPlan(examples=whole_proof(contract, engine))
    file = proofs_file(contract.environment)
    [record] = run_contracts([contract], (engine,), plan, results=file, resume=True)
    if record.failure is not None:
        raise Unfinished(f"{record.failure.reason}\n{record.failure.snippet}")
    return f"{record.status}, {record.examples} examples"


# --- figures ---------------------------------------------------------------------------------------


def figures_file(suite: str, name: str) -> Path:
    """Return the file that keeps what is measured of a pair or a program."""
    return FOLDER / "figures" / f"{suite}-{name}.json"


def plans() -> Iterator[tuple[str, str, Plan]]:
    """Yield suite, name and plan of everything that is measured, in parts of one pair or program.

    A pair of no suite is measured in uint8, or where it takes none in float32, at 256x256.
    """
    done = set()
    for suite in OF_PAIRS:
        plan = read_suite(suite)
        named = [{c.native for c in contracts_of(selection)[0]} for selection in plan.selections]
        for name in sorted(set().union(*named)):
            of_pair = [
                replace(selection, pairs=(name,))
                for selection, names in zip(plan.selections, named, strict=True)
                if name in names
            ]
            yield suite, _short(name), replace(plan, selections=tuple(of_pair), roofline=False)
            done.add(name)
    for contract in contracts_of(Selection())[0]:
        if contract.native not in done:
            dtype = "uint8" if accepts(contract, "uint8") else "float32"
            selections = (Selection(pairs=(contract.native,), dtypes=(dtype,)),)
            plan = Plan(name="others", selections=selections, seconds=0.4, roofline=False)
            yield "others", _short(contract.native), plan
    for suite in OF_PROGRAMS:
        plan = read_suite(suite)
        for program in plan.programs:
            yield suite, program.name, replace(plan, name=suite, selections=(), programs=(program,))


def _short(name: str) -> str:
    return catalog.short(catalog.pairs()[name])


def _figures() -> Iterator[tuple[str, Part]]:
    here = _environment.versions() if environment() == MAIN else None
    for suite, name, plan in plans():
        file = figures_file(suite, name)
        if expand(plan).cases and not are_whole(file, plan, here):
            make = functools.partial(measure, file, plan)
            yield name, Part(f"figures of {name} ({suite})", make)


def are_whole(file: Path, plan: Plan, versions: dict[str, str] | None) -> bool:
    """Say whether a file has all cases of a plan, of the code that is here; None takes any versions."""
    if not file.exists():
        return False
    report = _results.read(file)
    if versions is not None and without_ours(report.environment["versions"]) != without_ours(versions):
        return False
    found = {result.case: result.code for result in report.cases}
    return all(found.get(case) == _code(plan, case) for case in expand(plan).cases)


def without_ours(versions: dict[str, str]) -> dict[str, str]:
    """Return the versions of the other packages: what a case reaches of this one, its code says."""
    return {name: version for name, version in versions.items() if name != "pipeport"}


def _code(plan: Plan, case: Any) -> str:
    if case.pair:
        return _codes.of_native(case.pair)
    return Factories().code(plan.program_of(case), case)


def measure(file: Path, plan: Plan) -> str:
    """Measure the cases of a plan, and keep them."""
    report = _run.run(plan)
    if report.interrupted:
        raise KeyboardInterrupt
    file.parent.mkdir(parents=True, exist_ok=True)
    _results.write(report, file)
    if len(report.cases) < len(expand(plan).cases):
        raise Unfinished("\n".join(report.left_out))
    return f"{len(report.cases)} cases"


def recipe_of(program: Program) -> str:
    """Return the name under which a release has a program: that of its recipe, or its own."""
    factory = program.sides[0].factory
    return factory.removeprefix(RECIPES).partition("/")[0] if factory.startswith(RECIPES) else program.name


# --- figures beside TensorFlow Addons ----------------------------------------------------------------


ADDONS_FILE = FOLDER / "figures_addons.json"
ADDONS_SCRIPT = ROOT / "bench" / "addons.py"
OFF_ADDONS = f"{RECIPES}off-tensorflow-addons"


def natives_beside_addons() -> list[str]:
    """Return the natives that bench/addons.py measures."""
    return [name for name, one in catalog.pairs().items() if one.environment == ADDONS]


def figures_of_addons() -> dict[str, list[dict[str, Any]]]:
    """Return what bench/addons.py has measured, by native and recipe."""
    if not ADDONS_FILE.exists():
        return {}
    found: dict[str, list[dict[str, Any]]] = json.loads(ADDONS_FILE.read_text(encoding="utf-8"))["ratios"]
    return found


def _figures_of_addons() -> Iterator[tuple[str, Part]]:
    kept = figures_of_addons()
    for name in (*natives_beside_addons(), OFF_ADDONS):
        now = _codes.of_recipe(ROOT / name) if name == OFF_ADDONS else _codes.of_native(name)
        if not kept.get(name) or any(figure["code"] != now for figure in kept[name]):
            told = name.removeprefix(RECIPES) if name == OFF_ADDONS else _short(name)
            make = functools.partial(measure_beside_addons, told.rpartition(".")[2])
            yield told, Part(f"figures of {told} (addons)", make)


def measure_beside_addons(short: str) -> str:
    """Measure a function of TensorFlow Addons, or the recipe that leaves it."""
    subprocess.run([sys.executable, ADDONS_SCRIPT, short, "--output", ADDONS_FILE], check=True)
    return "measured"
