"""The catalog: every pair, found by walking the façades; nothing is registered by hand."""

from __future__ import annotations

import difflib
import fnmatch
import functools
import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from typing import Any

import pipeport
from pipeport.contract import Contract, contract_of
from pipeport.errors import NotPorted, explain

FACADES = (
    "PIL",
    "albumentations",
    "cv2",
    "idioms",
    "keras",
    "numpy",
    "random",
    "scipy",
    "skimage",
    "tensorflow_addons",
)
_PACKAGE = "pipeport."
_ALLOWED = "a name printed by `pipeport catalog`"
# What people import the libraries as.
_IMPORTED_AS = {
    "A": "albumentations",
    "cv": "cv2",
    "ndi": "scipy.ndimage",
    "ndimage": "scipy.ndimage",
    "np": "numpy",
    "sk": "skimage",
    "tfa": "tensorflow_addons",
}
# What people import functions from that a library has elsewhere, too.
_FOUND_AT = {
    "tf.keras.": "keras.",
    "tensorflow.keras.": "keras.",
    "keras_preprocessing.": "keras.preprocessing.",
    "keras.utils.np_utils.": "keras.utils.",
}
_SHORTENED = {"tensorflow_addons": "tfa"}
# What makes a name a pattern.
_SIGNS = "*?["


def _modules(package: str) -> list[str]:
    root = importlib.import_module(package)
    return [package] + [found.name for found in pkgutil.walk_packages(root.__path__, prefix=package + ".")]


@functools.cache
def pairs() -> Mapping[str, Contract]:
    """Return every pair.

    Returns
    -------
    mapping of str to Contract
        By the native's dotted name, sorted.
    """
    found = {name: contract for facade in FACADES for name, contract in of_facade(facade).items()}
    return dict(sorted(found.items()))


@functools.cache
def of_facade(facade: str) -> Mapping[str, Contract]:
    """Return the pairs of one façade, of which alone the modules are imported.

    Parameters
    ----------
    facade : str
        One of `FACADES`; there are none of one that is not there.

    Returns
    -------
    mapping of str to Contract
        By the native's dotted name.
    """
    found: dict[str, Contract] = {}
    if all(module.name != facade for module in pkgutil.iter_modules(pipeport.__path__)):
        return found
    for name in _modules(f"{_PACKAGE}{facade}"):
        for value in vars(importlib.import_module(name)).values():
            contract = contract_of(value)
            if contract is not None:
                found[contract.native] = contract
    return found


def names_of(contract: Contract) -> tuple[str, ...]:
    """Return every name a pair answers to.

    Parameters
    ----------
    contract : Contract
        The pair.

    Returns
    -------
    tuple of str
        The native's name, the reference's, the aliases.
    """
    return (contract.native, contract.reference, *contract.aliases)


def find(name: str) -> Contract:
    """Return the pair of that name.

    Parameters
    ----------
    name : str
        Dotted name of the native, the reference or an alias, or its last parts when they
        are unambiguous ('transform.rotate'); the usual short names of libraries are known
        ('np.rot90').

    Returns
    -------
    Contract
        The pair.

    Raises
    ------
    NotPorted
        No pair or more than one has that name; the message lists the nearest.
    """
    given = _in_full(name)
    found = _called(given) or _ending(given)
    if len(found) == 1:
        return found[0]
    raise _not_one(name, found)


def matching(name: str) -> tuple[Contract, ...]:
    """Return every pair that a name may mean.

    Parameters
    ----------
    name : str
        A name as `find` takes it, the end of several names ('rotate'), a library or module
        ('cv2', 'skimage.transform'), or a pattern as shells have it ('cv2.*').

    Returns
    -------
    tuple of Contract
        One pair at least, sorted by the native's name.

    Raises
    ------
    NotPorted
        There is none; the message lists the nearest.
    """
    given = _in_full(name)
    if any(sign in given for sign in _SIGNS):
        found = [c for c in pairs().values() if any(fnmatch.fnmatchcase(n, given) for n in _all_names(c))]
    else:
        found = _called(given) or _below(given) or _ending(given, within=True)
    if not found:
        raise _not_one(name, found)
    return tuple(found)


def selected(names: Iterable[str]) -> tuple[Contract, ...]:
    """Return the pairs that a user selects, each once.

    Parameters
    ----------
    names : iterable of str
        Names as `find` takes them, libraries and modules ('cv2', 'skimage.transform'), and patterns
        ('cv2.*'). None for the whole catalog.

    Returns
    -------
    tuple of Contract
        In the order of the names; those of a library or a pattern sorted.

    Raises
    ------
    NotPorted
        A name means no pair, or the end of more than one.
    """
    chosen: dict[Contract, None] = {}
    for name in names:
        given = _in_full(name)
        several = any(sign in given for sign in _SIGNS) or (_below(given) and not _called(given))
        chosen.update(dict.fromkeys(matching(name) if several else (find(name),)))
    return tuple(chosen) or tuple(pairs().values())


def short(contract: Contract) -> str:
    """Return the shortest name that means one pair and says which library it mirrors.

    Parameters
    ----------
    contract : Contract
        The pair.

    Returns
    -------
    str
        The native's name without the package's, with TensorFlow Addons under its usual short name.
    """
    name = contract.native.removeprefix(_PACKAGE)
    library, _, rest = name.partition(".")
    return f"{_SHORTENED.get(library, library)}.{rest}"


def exported(name: str) -> tuple[str, Any] | None:
    """Return an exported object without a pair, such as a composition of albumentations.

    Parameters
    ----------
    name : str
        Dotted name of the native or of what it replaces: 'albumentations.Compose'.

    Returns
    -------
    (str, callable) or None
        The dotted name to import it by, and the function or class; None where there is none.
    """
    module, _, last = _in_full(name.removeprefix(_PACKAGE)).rpartition(".")
    if module.partition(".")[0] not in FACADES or last.startswith("_"):
        return None
    try:
        found = vars(importlib.import_module(f"{_PACKAGE}{module}")).get(last)
    except ImportError:
        return None
    return (f"{_PACKAGE}{module}.{last}", found) if callable(found) else None


def usual(name: str) -> str:
    """Return the dotted name that a function of a library is known by here.

    Parameters
    ----------
    name : str
        Dotted name, as 'tf.keras.utils.to_categorical'.

    Returns
    -------
    str
        As 'keras.utils.to_categorical'; the same of most names.
    """
    for place, known in _FOUND_AT.items():
        name = known + name.removeprefix(place) if name.startswith(place) else name
    return name


def _in_full(name: str) -> str:
    """Return a name with its library in full, whatever short name people import it under."""
    first, dot, rest = usual(name).partition(".")
    return _IMPORTED_AS.get(first, first) + dot + rest


def _all_names(contract: Contract) -> tuple[str, ...]:
    return (contract.native.removeprefix(_PACKAGE), *names_of(contract))


def _called(name: str) -> list[Contract]:
    """Return the pair of that whole name."""
    if name in pairs():  # as nearly all callers give it; there are hundreds of pairs to look through
        return [pairs()[name]]
    return [contract for contract in pairs().values() if name in names_of(contract)][:1]


def _below(name: str) -> list[Contract]:
    """Return the pairs of a library or a module."""
    return [c for c in pairs().values() if any(full.startswith(f"{name}.") for full in _all_names(c))]


def _ending(name: str, *, within: bool = False) -> list[Contract]:
    """Return the pairs one of whose names ends so; with `within`, or has it between two dots."""
    return [
        contract
        for contract in pairs().values()
        if any(full.endswith(f".{name}") or (within and f".{name}." in full) for full in names_of(contract))
    ]


def _near(name: str) -> list[str]:
    """Return the nearest names: in the same module, or of all where there is no such module."""
    known = {full.lower(): full for contract in pairs().values() for full in _all_names(contract)[::-1]}
    module, _, last = name.lower().rpartition(".")
    inside = {full.rpartition(".")[2]: full for full in known if module and full.startswith(f"{module}.")}
    if inside:
        return [known[inside[end]] for end in difflib.get_close_matches(last, inside)]
    return [known[full] for full in difflib.get_close_matches(name.lower(), known)]


def _not_one(name: str, found: list[Contract]) -> NotPorted:
    """Return the error for a name that means no pair, or several."""
    given = _in_full(name)
    ambiguous = " (ambiguous)" if found else ""
    near = [short(contract) for contract in found] or _near(given)
    parts = given.split(".")
    modules = [".".join(parts[:cut]) for cut in range(len(parts) - 1, 0, -1)]
    module = next((module for module in modules if _below(module)), None)
    if near:
        advice = f"Nearest: {', '.join(near)}."
    elif module is not None:
        here = [short(contract).removeprefix(f"{module}.") for contract in _below(module)]
        advice = f"{module} has {', '.join(here)}."
    else:
        advice = "Run `pipeport catalog` for the list."
    return NotPorted(explain("pair", repr(name) + ambiguous, _ALLOWED, advice))
