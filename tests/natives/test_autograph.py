"""AutoGraph converts no function of the package, and goes on converting what users hand to one."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

import pipeport.albumentations as A
import pipeport.numpy as nat
import pipeport.random as rnd
from pipeport import _tensorflow_private, batched, config, cv2, idioms, port, seeds, skimage
from pipeport.contract import contract_of
from pipeport.errors import UnsupportedArgument
from pipeport.PIL import Image
from tests.catalog import arguments

RULES = "tensorflow.python.autograph.core.config"
SEED = (3, 4)
IMAGE = tf.constant(np.arange(12 * 12 * 3).reshape(12, 12, 3) % 251, tf.uint8)
BATCH = tf.stack([IMAGE, IMAGE])
DRAWN = ("pipeport.idioms", "pipeport.numpy.random", "pipeport.random")
# What functions of this file call the modules that have more than natives.
CALLED = {
    "PIL.Image": "Image",
    "albumentations": "A",
    "numpy": "nat",
    "numpy.random": "nat.random",
    "random": "rnd",
    "seeds": "seeds",
}


@pytest.fixture
def converted(monkeypatch):
    """The functions that AutoGraph converts while the test runs, by module and name."""
    api = importlib.import_module("tensorflow.python.autograph.impl.api")
    found, convert = [], api._convert_actual

    def spy(entity, context):
        found.append(f"{entity.__module__}.{entity.__qualname__}")
        return convert(entity, context)

    monkeypatch.setattr(api, "_convert_actual", spy)
    return found


def ours(found):
    return sorted({name for name in found if name.startswith("pipeport.")})


def trace(function):
    with arguments.run_once():
        tf.function(function).get_concrete_function()


def chosen():
    """Return the natives that draw, and one of every other façade."""
    found = {}
    for contract in arguments.here():
        place = contract.native.rpartition(".")[0]
        found.setdefault(contract.native if place in DRAWN else place, contract)
    return found.values()


def test_no_native_is_converted(converted):
    for contract in chosen():
        call = arguments.typical(contract).without_splines()
        with seeds.ambient(SEED):
            trace(lambda: call(**call.elements))  # noqa: B023
        assert not ours(converted), contract.native
    assert "tests.catalog.arguments.Call.__call__" in converted


def batches():
    angles = tf.constant([3.0, 4.0])
    batched(nat.fliplr)(BATCH)
    batched(nat.bincount)(tf.zeros([2, 5], tf.int32), minlength=3)  # one by one
    batched(skimage.transform.rotate)(BATCH, angles)
    batched(idioms.random_flip)(BATCH, seed=SEED)
    batched(idioms.random_flip_pair)(BATCH, BATCH, seed=SEED)
    batched(idioms.random_rotate)(BATCH, 20.0, seed=SEED)


def seeded():
    with seeds.ambient(SEED), seeds.keyed("a"):
        one = seeds.look_up()
    other, _ = tf.unstack(seeds.split(seeds.fold_in(one, 3)))
    seeds.bernoulli(one, 0.5)
    seeds.chance(seeds.bits(one), seeds.probability(0.5))
    seeds.choice(one, 5, (2,), p=[0.2] * 5)
    seeds.permutation(other, 5)
    seeds.normal(one), seeds.exponential(one), seeds.uniform(one), seeds.randint(one, 0, 5)


def drawn():
    draws, old, stream = nat.random.default_rng(7), nat.random.RandomState(7), rnd.Random(7)
    assert isinstance(draws, nat.random.Generator)
    draws.random(), draws.integers(0, 9), old.rand(2), old.randint(3), stream.random(), stream.randint(0, 9)
    with seeds.ambient(SEED):
        values = nat.array([1, 2, 3])
        nat.random.shuffle(values)
        rnd.shuffle(values)
        try:
            nat.random.seed(3)
        except UnsupportedArgument:
            rnd.seed  # noqa: B018 - as the other


def arrays():
    x = nat.array(IMAGE)
    nat.isscalar(3), nat.issubdtype(nat.dtype("uint8"), nat.integer), nat.ndim(x), nat.shape(x), nat.size(x)
    nat.finfo("float32"), nat.iinfo("uint8"), nat.floating, nat.number, nat.generic
    nat.uint8(3), nat.bool_(x), nat.float32(x.mean(axis=0)) + x.astype(nat.float64).std()
    x[2:4] = 0
    with config.use_jit("never"):
        return (x[..., 0] // 2).T.clip(0, 20)


def augmented():
    boxes, points = tf.constant([[1.0, 2.0, 7.0, 8.0, 0.0]]), tf.constant([[1.0, 2.0]])
    parts = [A.OneOf([A.HorizontalFlip(p=1), A.VerticalFlip(p=1)]), A.SomeOf([A.Transpose(p=1)], n=1)]
    A.Compose(parts, bbox_params=A.BboxParams("pascal_voc"))(image=IMAGE, bboxes=boxes, seed=SEED)
    A.Sequential([A.OneOrOther(A.HorizontalFlip(p=1), A.VerticalFlip(p=1))])(image=IMAGE, seed=SEED)
    params = A.KeypointParams("xy")
    A.ReplayCompose([A.HorizontalFlip(p=1)], keypoint_params=params)(image=IMAGE, keypoints=points, seed=SEED)


def pictures():
    small = (
        Image.Image(IMAGE, "RGB").resize((5, 4), Image.Resampling.BOX).transpose(Image.Transpose.ROTATE_90)
    )
    small.transform((3, 3), Image.Transform.AFFINE, (1, 0, 1, 0, 1, 0))
    cv2.createCLAHE(2.0, (2, 2)).apply(IMAGE[..., 0])
    assert callable(A.from_albumentations)


def halved(image):
    image = np.flipud(image)
    return image // 2 if image.mean() > 3 else image


def datasets():
    ported = port(halved)
    data = tf.data.Dataset.from_tensors(IMAGE).repeat(2)
    data.map(ported).batch(2).map(batched(nat.fliplr))
    data.apply(seeds.seeded_map(lambda image: ported(image) + idioms.random_flip(image), 1, epochs=2))
    return ported(IMAGE)


@pytest.mark.parametrize(
    "program", [batches, seeded, drawn, arrays, augmented, pictures, datasets], ids=lambda one: one.__name__
)
def test_nothing_of_ours_is_converted(converted, program):
    trace(program)
    assert f"{__name__}.{program.__name__}" in converted
    assert ours(converted) == []


def test_the_programs_above_have_what_is_no_native():
    text = Path(__file__).read_text(encoding="utf-8")
    for module, alias in CALLED.items():
        for name, value in vars(importlib.import_module(f"pipeport.{module}")).items():
            if (
                callable(value)
                and name[0] != "_"
                and contract_of(value) is None
                and ".numpy" not in repr(value)
            ):
                assert f"{alias}.{name}" in text, f"{module}.{name}"


def test_callbacks_of_users_are_converted(converted):
    def larger(value):
        if value > 1:
            return value + 3
        return value

    mapped = tf.data.Dataset.range(3).apply(seeds.seeded_map(larger, 1))
    assert list(mapped.as_numpy_iterator()) == [0, 1, 5]
    assert [name.rpartition(".")[2] for name in converted] == ["larger"]
    left = tf.data.Dataset.range(3).apply(
        seeds.seeded_map(tf.autograph.experimental.do_not_convert(lambda value: value), 1)
    )
    assert len(list(left)) == 3
    assert len(converted) == 1


def test_without_the_rule_it_is_noticed(converted, monkeypatch):
    rules = sys.modules[RULES]
    monkeypatch.setattr(rules, "CONVERSION_RULES", rules.CONVERSION_RULES[1:])
    trace(batches)
    assert any(name.startswith("pipeport._batched.") for name in ours(converted)), converted


def test_the_rule_is_there_whichever_is_loaded_first(monkeypatch):
    rules = sys.modules[RULES]
    assert [str(rule) for rule in rules.CONVERSION_RULES].count("DoNotConvert rule for pipeport") == 1
    monkeypatch.setattr(rules, "CONVERSION_RULES", rules.CONVERSION_RULES)
    _tensorflow_private.leave_unconverted("loaded")
    assert str(rules.CONVERSION_RULES[0]) == "DoNotConvert rule for loaded"
    monkeypatch.delitem(sys.modules, RULES)
    monkeypatch.setattr(sys.modules[RULES.rpartition(".")[0]], "config", rules)
    before = list(sys.meta_path)
    _tensorflow_private.leave_unconverted("later")
    later = importlib.import_module(RULES)
    assert str(later.CONVERSION_RULES[0]) == "DoNotConvert rule for later"
    assert sys.meta_path == before
