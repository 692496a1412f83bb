"""The recipe for many machines: workers in other processes give the elements and the draws of this one."""

from __future__ import annotations

import re
import sys

import pytest
import tensorflow as tf
from click.testing import CliRunner

import pipeport
from pipeport.cli import main
from tests.recipes.recipe_tools import RECIPES, boundaries, collected, photographs, program

before, after = program("scale-out", "before"), program("scale-out", "after")
serve, pitfalls = program("scale-out", "serve"), program("scale-out", "pitfalls")

COUNT = 12


@pytest.fixture(scope="module")
def paths(tmp_path_factory) -> list[str]:
    folder = tmp_path_factory.mktemp("images")
    for number, image in enumerate(photographs(COUNT)):
        tf.io.write_file(str(folder / f"{number}.jpg"), tf.io.encode_jpeg(image))
    return sorted(map(str, folder.iterdir()))


@pytest.fixture(scope="module")
def target():
    """A dispatcher and two workers, each a process."""
    with serve.fleet() as found:
        yield found


def hashed(images) -> list[bytes]:
    return sorted(image.tobytes() for image in images)


def test_before_and_after_agree(paths):
    """With the same draws: `example` hands those of one to the other."""
    ported = pipeport.port(before.augment, example=(paths[0].encode(),), Tout=tf.uint8)
    assert ported.original is before.augment
    assert len(collected(before.build_dataset(paths))) == len(collected(after.build_dataset(paths))) == COUNT


def test_the_workers_give_the_same_elements(paths, target):
    for epoch in range(2):
        dataset = after.build_dataset(paths, epoch=epoch)
        found = [image for batch in collected(serve.through(dataset, target, batch=5)) for image in batch]
        assert hashed(found) == hashed(collected(dataset))
    assert hashed(found) != hashed(collected(after.build_dataset(paths)))


def test_before_stays_in_its_process(paths, target):
    with pytest.raises(tf.errors.OpError, match="Could not find callback"):
        collected(serve.through(before.build_dataset(paths), target))


def test_the_script(paths, target, monkeypatch, capsys):
    monkeypatch.syspath_prepend(str(RECIPES / "scale-out"))
    monkeypatch.setattr(serve, "fleet", lambda: _here(target))
    serve.main(*paths)
    assert capsys.readouterr().out == f"{COUNT} images\n"


class _here:
    def __init__(self, target):
        self._target = target

    def __enter__(self):
        return self._target

    def __exit__(self, *error):
        return False


def test_boundaries(paths):
    assert boundaries(after.build_dataset(paths)) == set()
    assert boundaries(before.build_dataset(paths)) == {"PyFunc"}


def test_static_shapes(paths):
    assert after.build_dataset(paths).element_spec.shape == (224, 224, 3)


def test_the_command_under_proof(monkeypatch):
    folder = RECIPES / "scale-out"
    words = re.search(
        r'pipeport (verify before:augment --port --agreement levels:1) --input "(.+)"',
        (folder / "README.md").read_text(),
    )
    monkeypatch.chdir(folder)
    monkeypatch.delitem(sys.modules, "before", raising=False)
    few = ("--examples", "2", "--engine", "eager,graph")
    done = CliRunner().invoke(main, [*words[1].split(), "--input", words[2], *few])
    sys.modules.pop("before", None)
    assert done.exit_code == 0, done.output
    assert "2 cases: 2 passed" in done.output


def test_tried_in_one_process():
    assert pitfalls.tried_in_one_process() == [0, 2, 4]


def test_no_index():
    message = pitfalls.no_index()
    assert "index: got none" in message
    assert "index=lambda number, image: number" in message


def test_counted_by_the_workers():
    assert pitfalls.counted_by_the_workers() > 0


def test_all_of_it_from_each():
    assert pitfalls.all_of_it_from_each() == (800, 400)


def test_data_in_the_graph():
    images, names = pitfalls.data_in_the_graph()
    assert images > 1200
    assert names < 20
