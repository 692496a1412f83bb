"""What a refusal tells to write is written into the source, and ports."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import json
import re
import shlex
import warnings
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf
from bodies import REFUSED
from click.testing import CliRunner

import pipeport
from pipeport import seeds
from pipeport.cli import main
from pipeport.errors import PipeportError, PipeportWarning
from pipeport.porting import port
from tests.porting.test_bodies import specs_of

# Why no line does what they do.
STATE = "Elements are computed at once and in any order: no line in the body counts them."
NOTHING = {
    "counted": STATE,
    "counter": STATE,
    "running_mean": STATE,
    "crops": "`Dataset.from_generator` must be told the dtype of what it yields, which no text shows.",
    "grey_or_colour": "Whether grey or colour is meant, its author knows: each line gives other results.",
    "timed": "The time is its result.",
}
# In front of which line a statement is put.
BEFORE = re.compile(r"(?:The dtypes part in|; written to in) (\S+\.py), line (\d+)")


def traced(function, body):
    """Port a function, and trace it without sizes."""
    ported = port(function)

    def step(seed, *arguments):
        with seeds.ambient(seed):
            return ported(*arguments)

    signature = [tf.TensorSpec([2], tf.int64), *specs_of(body, body.inputs[0])]
    tf.function(step, input_signature=signature, autograph=False).get_concrete_function()


def told(body):
    with pytest.raises(PipeportError) as caught:
        traced(body.function, body)
    return "\n".join([str(caught.value), *getattr(caught.value, "__notes__", [])])


def as_module(source, folder):
    file = folder / "pasted.py"
    file.write_text(source)
    spec = importlib.util.spec_from_file_location("pasted", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def code_in(message):
    """Yield what stands between backticks and is a statement or a call."""
    for text in re.findall(r"`([^`\n]+)`", message):
        try:
            (statement,) = ast.parse(text).body
        except (SyntaxError, ValueError):
            continue
        value = getattr(statement, "value", None)
        if isinstance(statement, ast.Assign) or isinstance(value, (ast.Call, ast.List)):
            yield text, statement


def with_islands(name, message, folder):
    if "With islands=True and an example=" in message:
        body = REFUSED[name]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PipeportWarning)
            port(body.function, example=body.inputs[0], islands=True)
        yield "islands"


def with_dtypes(name, message, folder):
    if "`Tout`" in message:
        body = REFUSED[name]
        result = np.asarray(body.function(*body.inputs[0]))
        native = port(body.function, Tout=tf.as_dtype(result.dtype))
        tf.function(native, input_signature=specs_of(body, body.inputs[0])).get_concrete_function()
        yield "Tout"


def by_a_line(name, message, folder):
    for text, statement in code_in(message):
        function = REFUSED[name].function
        lines = Path(inspect.getsourcefile(function)).read_text().splitlines()
        if isinstance(statement, ast.Assign):
            number = int(BEFORE.search(message)[2]) - 1
            indent = re.match(" *", lines[number])[0]
            lines.insert(number, f"{indent}{text}")
        elif isinstance(statement.value, ast.List):
            place = message.index(f"`{text}`")
            number, call = re.findall(r"refused\.py, line (\d+): (.+)", message[:place])[-1]
            assert call in lines[int(number) - 1]
            lines[int(number) - 1] = lines[int(number) - 1].replace(call, text)
        elif "seeded_map" in text:
            continue
        else:
            cast = ast.unparse(statement.value.func.value)
            first = function.__code__.co_firstlineno
            (number,) = [one for one in range(first, first + 5) if cast in lines[one]]
            lines[number] = lines[number].replace(cast, text)
        traced(getattr(as_module("\n".join(lines), folder), name), REFUSED[name])
        yield text


def by_the_dataset(name, message, folder):
    """Leave the line out that is refused, and map as it is told."""
    for text, _ in code_in(message):
        if "leave it out" not in message or "seeded_map" not in text:
            continue
        lines = Path(inspect.getsourcefile(REFUSED[name].function)).read_text().splitlines()
        del lines[int(re.search(r"refused\.py, line (\d+): ", message)[1]) - 1]
        module = as_module("\n".join(lines), folder)
        ds = tf.data.Dataset.from_tensors(REFUSED[name].inputs[0]).repeat(3)
        mapped = eval(text, {"ds": ds, "pipeport": pipeport, "function": port(getattr(module, name))})
        assert len({one.tobytes() for one in mapped.as_numpy_iterator()}) == 3
        yield text


def by_a_command(name, message, folder):
    for text in re.findall(r"`pipeport ([^`\n]+)`", message):
        found = CliRunner().invoke(main, shlex.split(text))
        assert found.exit_code == 0, found.output
        yield text


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_refusal_tells_to_write_works(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "boxes.json").write_text(json.dumps({"boxes": [[1.0, 2.0]]}))
    np.save(tmp_path / "features.npy", np.ones([3, 4], np.float32))
    message = told(REFUSED[name])
    assert re.search(r"refused\.py\"?, line \d+", message)
    ways = (with_islands, with_dtypes, by_a_line, by_the_dataset, by_a_command)
    followed = [one for way in ways for one in way(name, message, tmp_path)]
    assert bool(followed) == (name not in NOTHING), message


def test_each_way_is_gone():
    """None of them is empty for all."""
    messages = {name: told(body) for name, body in REFUSED.items()}
    assert any("With islands=True" in one for one in messages.values())
    assert any("`Tout`" in one for one in messages.values())
    assert any("`pipeport catalog" in one for one in messages.values())
    kinds = [type(statement) for one in messages.values() for _, statement in code_in(one)]
    assert {ast.Assign, ast.Expr} <= set(kinds)
    assert any("seeded_map" in one for one in messages.values())
    assert any(
        isinstance(statement.value, ast.List) for one in messages.values() for _, statement in code_in(one)
    )
    assert set(REFUSED) > set(NOTHING)
