"""The meaning of dotted names of libraries, for `port` and `scan`, without TensorFlow.

`port` looks calls up as objects, `scan` as text. What both know by name is here; what has a native is
read from the catalog and from what the façades export.
"""

from __future__ import annotations

import ast
import functools
import importlib
import sys
import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from pipeport import catalog
from pipeport._nearest import NEAREST
from pipeport._unseeded import ADVICE, OP_SEED, SEEDING, draws_unseeded, is_seeded, sets_seed
from pipeport.arrays._missing import INSTEAD

# Kinds of meanings, for `port` and `scan`.
KINDS = ("native", "draw", "built-in", "own function", "TensorFlow", "Python", "island", "refused")
NATIVE, DRAW, BUILT_IN, OWN, TENSORFLOW, PYTHON, ISLAND, REFUSED = KINDS
# Kinds that only text needs: what a graph can never do, what is no matter of input pipelines, what is
# refused until a line is changed, what only prints or logs, and names nobody here knows.
NEVER, ELSEWHERE, CHANGE, LOG, UNKNOWN = "never", "elsewhere", "change", "log", "unknown"


def names(text: str) -> frozenset[str]:
    """Return the words of a text.

    `text`: names, with spaces between them. Returns: each once.
    """
    return frozenset(text.split())


# Modules whose functions on Python's values may run while tracing: the answer depends on the arguments alone.
PURE = ("posixpath", "ntpath", "os.path", "fractions", "decimal", "itertools", "functools", "string", "re",
        "collections", "copy", "dataclasses", "typing", "enum", "pathlib", "datetime")  # fmt: skip
NOT_PURE = frozenset(
    {"exists", "isfile", "isdir", "getsize", "getmtime", "expanduser", "abspath", "realpath"}
    | {"now", "utcnow", "today"}
)

# Libraries that compute: what they are given and is known while tracing, Python computes with them.
COMPUTING = ("numpy", "scipy", "skimage", "cv2", "librosa", "pywt", "string", "unicodedata", "textwrap")
# But for modules and functions that read, write, show, draw, or set state.
_NOT_COMPUTING = names(
    "random io data datasets testing f2py ctypeslib distutils rvs memmap fromfile genfromtxt setRNGSeed "
    "theRNG randn randu randShuffle kmeans seterr seterrcall setbufsize set_printoptions "
    "set_string_function setNumThreads setUseOptimized setUseOpenVX getTickCount getCPUTickCount "
    "FileStorage VideoCapture VideoWriter waitKey imshow imread imreadmulti imwrite imwritemulti "
    "imdecode imencode empty empty_like show_config show_runtime lookfor source info example ex stream "
    "load save savez savez_compressed savetxt"
)

NO_NATIVE = "It has no native equivalent."
# Why a name, or a library, has no native, and what to do instead.
WHY = {
    "time": "The clock would be read once, while tracing. Measure outside of the function.",
    "datetime": "The clock would be read once, while tracing. Measure outside of the function.",
    "input": "Nothing can be asked for in a graph.",
    "os": "It would run once, while tracing. Do it outside, or with tf.io.gfile.",
}

_GENERATOR = "Use Dataset.from_generator for generators."
_NO_STATE = "A graph keeps no state of Python"
# Statements a ported function cannot hold: what they are called, and what to write instead.
_STATEMENTS: dict[type, tuple[str, str]] = {
    ast.Try: (
        "try",
        "What fails in a graph cannot be caught: check before, or use ds.ignore_errors().",
    ),
    ast.Global: ("global", f"{_NO_STATE}: return the value, or carry it in the dataset's elements."),
    ast.Nonlocal: ("nonlocal", f"{_NO_STATE}: return the value."),
    ast.Yield: ("yield", _GENERATOR),
    ast.YieldFrom: ("yield from", _GENERATOR),
    ast.Await: ("await", "Nothing can be awaited in a graph."),
    ast.ClassDef: ("class", "Define the class outside of the function."),
    ast.Match: ("match", "Write it with `if`, or with constants and names as its patterns."),
}

_NO_OBJECT = "A graph keeps none. Return it, or carry it in the dataset's elements."


def stands_alone(node: ast.Try) -> bool:
    """Say whether the body of a `try` does what the statement does: its handlers only raise again.

    What follows in `finally` must be reached whatever the body does.
    """
    handled = all(
        isinstance(handler.body[-1], ast.Raise)
        and all(isinstance(one, (ast.Expr, ast.Raise)) for one in handler.body)
        for handler in node.handlers
    )
    leaves = (ast.Return, ast.Break, ast.Continue)
    ends = any(isinstance(part, leaves) for one in (*node.body, *node.orelse) for part in ast.walk(one))
    return handled and not (node.finalbody and ends)


def is_plain_pattern(pattern: ast.pattern) -> bool:
    """Say whether a pattern of `match` is a constant, several of them, or a name."""
    if isinstance(pattern, ast.MatchOr):
        return all(isinstance(one, (ast.MatchValue, ast.MatchSingleton)) for one in pattern.patterns)
    if isinstance(pattern, ast.MatchAs):
        return pattern.pattern is None
    return isinstance(pattern, (ast.MatchValue, ast.MatchSingleton))


def refused_in(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield what a graph cannot hold of a statement itself, and what to do instead.

    Parameters
    ----------
    node : ast.AST
        Any node; what is in its parts is not looked at.

    Yields
    ------
    (str, str)
        What, and the advice.
    """
    if isinstance(node, ast.Try) and stands_alone(node):
        return
    if isinstance(node, ast.Match) and all(is_plain_pattern(case.pattern) for case in node.cases):
        return
    if type(node) in _STATEMENTS:
        what, advice = _STATEMENTS[type(node)]
        yield f"`{what}`", advice
    elif isinstance(node, ast.Delete) and any(not isinstance(one, ast.Name) for one in node.targets):
        yield "`del` of an element", "Make a new list or array without it."
    elif isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for part in (part for target in targets for part in ast.walk(target)):
            if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
                if part.attr in ("shape", "dtype"):
                    yield f"assignment to `{ast.unparse(part)}`", "Use reshape or astype."
                else:
                    yield f"state kept on an object (`{ast.unparse(part)}`)", _NO_OBJECT


def cast_at_once(nodes: Iterable[ast.AST]) -> Iterator[ast.expr]:
    """Yield the expressions whose result is cast at once, by `astype`, `np.array(..., dtype)` or a dtype.

    Parameters
    ----------
    nodes : iterable of ast.AST
        Of a program.

    Yields
    ------
    ast.expr
        Such an expression.
    """
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        named = ast.unparse(node.func).rpartition(".")[2]
        stated = len(node.args) > 1 or any(one.arg == "dtype" for one in node.keywords)
        if named == "astype" and isinstance(node.func, ast.Attribute):
            yield node.func.value
        elif node.args and (named in np.sctypeDict or (stated and named in ("array", "asarray"))):
            yield node.args[0]


# Calls that hand a function to Python, by their last name.
BOUNDARIES = ("numpy_function", "py_function", "py_func", "from_generator")

# Python's functions that `port` serves on arrays, or lets run as they are.
BUILT_INS = names(
    "abs all any bool bytes callable chr complex dict divmod enumerate filter float frozenset getattr "
    "hasattr int isinstance issubclass len list map max min ord pow print range repr reversed round set "
    "slice sorted str sum tuple type zip functools.reduce numpy.errstate numpy.printoptions numpy.ndindex "
    "warnings.catch_warnings numpy.copyto numpy.fill_diagonal numpy.place numpy.put numpy.putmask "
    "numpy.put_along_axis numpy.lib.stride_tricks.as_strided "
    "numpy.add.at numpy.subtract.at numpy.multiply.at numpy.maximum.at numpy.minimum.at "
    "sys.getdefaultencoding sys.getfilesystemencoding"
) | {
    f"numpy.{ufunc}.{method}"
    for ufunc in names("add multiply maximum minimum fmax fmin logical_and logical_or bitwise_and bitwise_or")
    for method in ("reduce", "accumulate", "outer")
}
# Readers of files that `port` serves beside those with a native.
READERS = names(
    "builtins.open io.open struct.unpack builtins.int.from_bytes "
    "numpy.loadtxt numpy.genfromtxt numpy.fromfile numpy.frombuffer numpy.fromstring "
    "scipy.io.wavfile.read soundfile.read librosa.load librosa.core.load librosa.core.audio.load "
    "matplotlib.image.imread matplotlib.pyplot.imread "
    "os.path.exists nibabel.load nibabel.Nifti1Image.get_fdata nibabel.Nifti1Image.header.get_zooms "
    "nibabel.Nifti1Image.header.get_data_shape "
    "keras.utils.load_img keras.preprocessing.image.load_img"
)
# Keras' object for augmentation: its methods that `port` serves, and what to write instead of others.
IMAGE_GENERATOR = "keras.preprocessing.image.ImageDataGenerator"
_AS_DATASET = (
    "Write `Dataset.map` of a ported function that calls `random_transform(image)` and `standardize(image)`; "
    "files are read by keras.utils.load_img."
)
GENERATOR_METHODS = ("apply_transform", "get_random_transform", "random_transform", "standardize")
GENERATOR_REFUSED = {
    "fit": "Fit it outside of the function: `mean` and `std` are read from it.",
    **dict.fromkeys(("flow", "flow_from_dataframe", "flow_from_directory"), _AS_DATASET),
}
_OPERATORS = frozenset(
    f"operator.{name}"
    for name in names(
        "add sub mul truediv floordiv mod pow neg lt le gt ge eq ne and_ or_ xor matmul itemgetter"
    )
)
# Functions of `math` that `port` serves on drawn numbers.
MATH = names(
    "sqrt exp expm1 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh atan2 pow log log2 "
    "log10 hypot floor ceil trunc fabs degrees radians isnan isinf isfinite"
)
# Methods of arrays, as those of pipeport.arrays, with what every array of NumPy has beside them.
ARRAY_METHODS = names(
    "all any argmax argmin argsort astype clip conj conjugate copy cumprod cumsum diagonal dot fill flatten "
    "item max mean min nonzero prod ravel repeat reshape round sort squeeze std sum swapaxes take tolist "
    "trace transpose var"
)
# Methods of NumPy's arrays that have no native, and what to write. `resize` is one of images, too.
ARRAY_METHODS_REFUSED = {name: advice for name, advice in INSTEAD.items() if name != "resize"} | {
    "tobytes": "It leaves TensorFlow: write tf.io.serialize_tensor(x), or tf.io.encode_png(x)."
}
PYTHON_METHODS = frozenset(
    name
    for kind in (str, bytes, list, dict, set, tuple, int, float)
    for name in vars(kind)
    if not name.startswith("__")
)

# Names a library had before.
_MOVED = {
    "scipy.ndimage.interpolation": "scipy.ndimage",
    "scipy.ndimage.filters": "scipy.ndimage",
    "scipy.ndimage.measurements": "scipy.ndimage",
    "scipy.ndimage.morphology": "scipy.ndimage",
    "numpy.core.multiarray": "numpy",
    "numpy.matlib": "numpy",
    "skimage.transform._warps": "skimage.transform",
    "tensorflow_addons.image.transform_ops": "tensorflow_addons.image",
    "albumentations.augmentations.transforms": "albumentations",
    "albumentations.core.composition": "albumentations",
    "albumentations.augmentations.geometric.transforms": "albumentations",
    "imageio.v2": "imageio",
    "imageio.v3": "imageio",
}
# What the objects are that a library's function gives, where its methods have names of their own.
GIVES = {
    "PIL.Image.open": "PIL.Image.Image",
    "PIL.Image.fromarray": "PIL.Image.Image",
    "PIL.Image.new": "PIL.Image.Image",
    "PIL.Image.Image.resize": "PIL.Image.Image",
    "PIL.Image.Image.convert": "PIL.Image.Image",
    "PIL.Image.Image.crop": "PIL.Image.Image",
    "PIL.Image.Image.rotate": "PIL.Image.Image",
    "PIL.Image.Image.transform": "PIL.Image.Image",
    "PIL.Image.Image.transpose": "PIL.Image.Image",
    "nibabel.load": "nibabel.Nifti1Image",
    "numpy.random.default_rng": "numpy.random.Generator",
    "numpy.random.RandomState": "numpy.random",
    "random.Random": "random",
    **dict.fromkeys(
        (
            "tensorflow.random.Generator.from_seed",
            "tensorflow.random.Generator.from_non_deterministic_state",
            "tensorflow.random.get_global_generator",
        ),
        "tensorflow.random.Generator",
    ),
}

_TOKENS = "it works on text, with tables and loops of Python"
_METRIC = "it computes a metric, in training rather than in the input pipeline"
# What is no matter of input pipelines: what it is instead, and the usual way.
_ELSEWHERE: dict[str, tuple[str, str]] = {
    **dict.fromkeys(
        ("transformers", "tokenizers", "sentencepiece", "nltk", "spacy", "jieba", "youtokentome", "konlpy",
         "MeCab", "tiktoken", "sacremoses", "tensorflow_datasets.deprecated.text", "gensim",
         "tensorflow_datasets.features.text", "keras.preprocessing.text",
         "tensorflow.keras.preprocessing.text"),
        (_TOKENS, "Leave it, tokenise before the pipeline, or see TensorFlow Text and tf.lookup."),
    ),
    **dict.fromkeys(
        ("sklearn.metrics", "pycocotools", "scipy.optimize.linear_sum_assignment", "seqeval", "sacrebleu",
         "nltk.translate", "rouge", "rouge_score", "motmetrics", "lap", "editdistance"),
        (_METRIC, "Leave it, or compute it with tf.keras.metrics."),
    ),
    **dict.fromkeys(
        ("gym", "gymnasium", "gym_super_mario_bros", "retro", "unityagents", "mlagents_envs"),
        ("it steps an environment, which is state of Python", "Leave it."),
    ),
    **dict.fromkeys(
        ("tensorflow.train.Example", "tensorflow.train.SequenceExample", "tensorflow.train.Feature",
         "tensorflow.train.Features", "tensorflow.train.BytesList", "tensorflow.train.FloatList",
         "tensorflow.train.Int64List"),
        ("it writes records, which is done once, before training", "Leave it, or write in a loop outside."),
    ),
}  # fmt: skip

_SCIENTIFIC = "Convert the files once, for instance to TFRecord: pipeport recipe npz-to-tfrecord."
_AUDIO = "Decode WAV with tf.audio.decode_wav and use tf.signal, or convert the files once."
_OUTSIDE = "Do it before the pipeline, or leave it in a tf.numpy_function of its own."
# What no graph can do: what to do instead.
_NEVER: dict[str, str] = {
    **dict.fromkeys(
        ("nibabel", "pydicom", "SimpleITK", "h5py", "tables", "zarr", "tifffile", "rasterio", "openslide",
         "netCDF4", "xarray", "scipy.io", "medpy.io", "pyarrow", "gdal", "osgeo", "mne", "wfdb", "OpenEXR",
         "lmdb", "mat73", "itk", "nrrd", "Bio", "pysam", "obspy", "astropy", "pyedflib"),
        _SCIENTIFIC,
    ),
    **dict.fromkeys(
        ("pickle", "joblib", "dill", "cloudpickle", "marshal"),
        f"A graph cannot run pickles. {_SCIENTIFIC}",
    ),
    **dict.fromkeys(
        ("librosa", "soundfile", "audioread", "torchaudio", "pydub", "scipy.io.wavfile",
         "python_speech_features", "sox", "pyworld", "parselmouth", "madmom", "resampy"),
        _AUDIO,
    ),
    **dict.fromkeys(
        ("pretty_midi", "mido", "music21", "note_seq"), f"No graph reads MIDI. {_SCIENTIFIC}",
    ),
    **dict.fromkeys(
        ("cv2.VideoCapture", "decord", "moviepy", "skvideo", "ffmpeg", "av", "imageio.get_reader"),
        "Decode the frames once, to files of images.",
    ),
    **dict.fromkeys(
        ("requests", "urllib", "boto3", "google.cloud", "subprocess", "socket", "http", "sqlite3", "psycopg2",
         "pymongo", "redis", "multiprocessing", "threading", "queue", "tempfile", "shutil", "glob", "zipfile",
         "tarfile", "gzip", "csv", "json", "yaml", "xml", "lxml", "bs4"),
        _OUTSIDE,
    ),
    **dict.fromkeys(
        ("torch", "torchvision", "jax", "onnxruntime", "mxnet", "paddle", "caffe", "dlib", "mediapipe",
         "face_recognition", "pybullet", "rdkit", "geopandas", "networkx", "ray", "pandas", "polars", "faiss",
         "numba.cuda"),
        _OUTSIDE,
    ),
    "builtins.input": WHY["input"],
    "tensorflow.io.gfile": "Read with tf.io.read_file.",
    "tensorflow.gfile": "Read with tf.io.read_file.",
    "tensorflow.compat.v1.gfile": "Read with tf.io.read_file.",
    "numpy.savez": _OUTSIDE, "numpy.save": _OUTSIDE, "numpy.savetxt": _OUTSIDE, "cv2.imwrite": _OUTSIDE,
    "cv2.imshow": _OUTSIDE, "cv2.waitKey": _OUTSIDE, "matplotlib": _OUTSIDE,
    "numpy.genfromtxt": _SCIENTIFIC,
}  # fmt: skip
_LOG = ("logging", "absl.logging", "wandb", "tensorflow.summary", "tensorflow.compat.v1.summary",
        "tensorflow.logging", "builtins.print", "sys.stdout", "sys.stderr", "warnings", "loguru", "tqdm",
        "tensorflow.print", "mlflow", "pdb", "ipdb")  # fmt: skip
_CHANGE = {
    "numpy.random.seed": SEEDING,
    "random.seed": SEEDING,
    "time": WHY["time"],
    "os": WHY["os"],
    "sys": "It is state of Python: ask for it outside of the function.",
    "gc": "A graph keeps no state of Python: leave it out.",
    "builtins.super": "Name what you need.",
    "builtins.locals": "Name what you need.",
    "builtins.globals": "Name what you need.",
    "builtins.vars": "Name what you need.",
    "builtins.eval": "Name what you need.",
    "builtins.exec": "Name what you need.",
    "builtins.setattr": f"{_NO_STATE}: return the value.",
    "builtins.iter": "Write a `for` loop.",
    "builtins.next": "A generator stands still in a graph: index an array, or use Dataset.from_generator.",
}
# Libraries that are not code of the user's, whatever lies beside a file.
LIBRARIES = (
    frozenset(catalog.FACADES) - {"idioms"}
    | {name.partition(".")[0] for table in (_ELSEWHERE, _NEVER, _CHANGE, WHY) for name in table}
    | {"tensorflow", "imgaug", "imageio", "sklearn", "scipy", "tensorflow_probability", "tensorflow_io",
       "tensorflow_datasets", "tensorflow_hub", "keras_cv", "keras_nlp", "mahotas", "pywt", "numba", "kornia",
       "cupy", "einops", "absl", "wandb", "mlflow", "loguru", "tqdm", "shapely", "trimesh", "open3d"}
) - {"input"}  # fmt: skip


@dataclass(frozen=True)
class Meaning:
    """The meaning of a name.

    `kind`: one of the kinds above. `native`: dotted name of what replaces it; empty without one. `advice`:
    why it is refused, or where it belongs, and the nearest way.
    """

    kind: str
    native: str = ""
    advice: str = ""


def computes(name: str) -> bool:
    """Say whether Python may call a function of a library while tracing, with known arguments.

    `name`: dotted name. Returns: whether it belongs to a library that computes, and is none of what reads,
    writes, draws or sets state.
    """
    parts = name.split(".")
    return parts[0] in COMPUTING and len(parts) > 1 and not _NOT_COMPUTING.intersection(parts)


def current(name: str) -> str:
    """Return the name under which a library has a function today.

    `name`: dotted name. Returns: the same where it did not move.
    """
    for old, new in _MOVED.items():
        if name.startswith(f"{old}."):
            return new + name[len(old) :]
    return name


@functools.cache
def meaning(name: str) -> Meaning:
    """Return the meaning of a library's function.

    `name`: dotted name, with the library in full ('numpy.clip', 'builtins.open'). Returns: of kind `UNKNOWN`
    where nobody here knows the library.
    """
    name = current(name)
    if (native := natives_of("keras").get(catalog.usual(name))) is not None:
        return Meaning(DRAW if ".random_" in native else NATIVE, native)
    module, _, last = name.rpartition(".")
    top = name.partition(".")[0]
    if catalog.usual(name) in READERS:
        return Meaning(BUILT_IN)
    if (found := _of_generator(catalog.usual(name))) is not None:
        return found
    if (where := _longest(name, _ELSEWHERE)) is not None:
        return Meaning(ELSEWHERE, advice=". ".join(_ELSEWHERE[where]))
    if (where := _longest(name, _NEVER)) is not None:
        return Meaning(NEVER, advice=_NEVER[where])
    plain = name.removeprefix("builtins.")
    if _longest(name, _LOG) is not None and plain not in BUILT_INS | {"print"}:
        return Meaning(LOG, advice="It would run once, while tracing. Use tf.print, or leave it out.")
    if name == "builtins.print":
        return Meaning(LOG)
    if plain in BUILT_INS or name in _OPERATORS or (module == "math" and last in MATH):
        return Meaning(BUILT_IN)
    if (where := _longest(name, _CHANGE)) is not None and not (where == "os" and module == "os.path"):
        return Meaning(CHANGE, advice=_CHANGE[where])
    if module == "builtins":
        known = getattr(__import__("builtins"), last, None)
        exception = isinstance(known, type) and issubclass(known, BaseException)
        return Meaning(BUILT_IN) if exception else Meaning(REFUSED, advice=NO_NATIVE)
    if is_seeded(name):
        return Meaning(DRAW)
    if sets_seed(module, last):
        return Meaning(CHANGE, advice=SEEDING)
    if draws_unseeded(module, last):
        return Meaning(CHANGE, advice=ADVICE)
    if top in ("tensorflow", "keras") and not name.startswith(("tensorflow.contrib", "keras.preprocessing")):
        return Meaning(TENSORFLOW)
    if module == "math":
        return Meaning(PYTHON)
    pure = any(module == one or module.startswith(f"{one}.") for one in PURE)
    if pure and (last not in NOT_PURE):
        return Meaning(PYTHON)
    if pure:
        return Meaning(CHANGE, advice=WHY.get(top, WHY["os"]))
    return _of_facade(name)


def _of_generator(name: str) -> Meaning | None:
    """Return the meaning of Keras' generator of images and of its methods."""
    if name == IMAGE_GENERATOR:
        return Meaning(PYTHON)
    owner, _, method = name.rpartition(".")
    if owner != IMAGE_GENERATOR:
        return None
    if method in GENERATOR_REFUSED:
        return Meaning(CHANGE, advice=GENERATOR_REFUSED[method])
    return Meaning(BUILT_IN) if method in GENERATOR_METHODS else None


def _longest(name: str, table: Mapping[str, object] | tuple[str, ...]) -> str | None:
    """Return the longest entry of a table that is the name or a module of it."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        known = ".".join(parts[:cut])
        if known in table:
            return known
    return None


def _of_facade(name: str) -> Meaning:
    module, _, last = name.rpartition(".")
    top = name.partition(".")[0]
    if top not in catalog.FACADES:
        if top in LIBRARIES or top in sys.stdlib_module_names:
            return Meaning(REFUSED, advice=NO_NATIVE)
        return Meaning(UNKNOWN)
    natives = natives_of(top)
    native = natives.get(name)
    # The methods of a generator are the functions of the module, as far as it has them.
    if native is None and module == "numpy.random.Generator":
        short = {"integers": "randint", "standard_normal": "standard_normal"}.get(last, last)
        native = natives.get(f"numpy.random.{short}")
    if native is not None:
        draws = name.startswith(("numpy.random.", "random.")) and last not in (
            "default_rng", "RandomState", "Generator", "Random",
        )  # fmt: skip
        return Meaning(DRAW if draws or top == "albumentations" else NATIVE, native)
    return Meaning(REFUSED, advice=f"{NO_NATIVE} {NEAREST.get(name, '')}".strip())


@functools.cache
def natives_of(facade: str) -> Mapping[str, str]:
    """Return the functions of a library that have a native.

    `facade`: one of `catalog.FACADES`. Returns: names of the library, to names of natives: those of pairs,
    and what the façade exports beside them.
    """
    contracts = catalog.of_facade(facade).values()
    found: dict[str, str] = {}
    todo = [f"pipeport.{facade}"]
    while todo:
        name = todo.pop()
        try:
            exported = vars(importlib.import_module(name))
        except ImportError:
            continue
        for key, value in exported.items():
            if key.startswith("_"):
                continue
            if isinstance(value, types.ModuleType):
                if value.__name__ == f"{name}.{key}":
                    todo.append(value.__name__)
            elif callable(value) or name == "pipeport.numpy":
                found[f"{name.removeprefix('pipeport.')}.{key}"] = f"{name}.{key}"
    for contract in contracts:
        for known in (contract.reference, *contract.aliases):
            found[known] = contract.native
    if facade == "numpy":  # a function of NumPy may have several names
        objects = {id(value): name for name, value in vars(np).items() if f"numpy.{name}" in found}
        for name, value in vars(np).items():
            if callable(value) and id(value) in objects:
                found.setdefault(f"numpy.{name}", found[f"numpy.{objects[id(value)]}"])
    return found


@functools.cache
def refused_parameters(name: str) -> Mapping[str, str]:
    """Return the parameters of a function that its native refuses, each with the reason.

    `name`: dotted name of the function. Returns: empty for what has no native.
    """
    top = name.partition(".")[0]
    if is_seeded(name) and ".Generator." not in name:
        return {"seed": OP_SEED.removesuffix(".")}
    if top not in catalog.FACADES:
        return {}
    for contract in catalog.of_facade(top).values():
        if current(name) in (contract.reference, *contract.aliases):
            return dict(contract.refused)
    return {}
