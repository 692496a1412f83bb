"""Variables created in a function: the second model raises before, and answers after."""

from __future__ import annotations

import tensorflow as tf

from tests.recipes.recipe_tools import claimed, counted, loaded

NAME = "variables-in-a-function"


def test_before_has_the_problem_and_after_has_not():
    before, after = counted(NAME)
    assert list(before.values()) == [[4.0, 4.0], "ValueError", "ValueError", 1]
    assert list(after.values()) == [[4.0, 4.0], [4.0, 4.0], [4.0, 4.0], 3]


def test_claims():
    assert list(claimed(NAME).values()) == ["ValueError", 2.0, 2]


def test_before_and_after_agree():
    """On the first model."""
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    models = [program.Model() for program in loaded(NAME)]
    answers = [
        program.predictor(model)(x).numpy().tolist()
        for program, model in zip(loaded(NAME), models, strict=True)
    ]
    assert answers == [[3.0, 7.0]] * 2


def test_models_called_once_outside_share_a_function():
    """As the README says: their variables are there before the function is traced."""
    before, _after = loaded(NAME)
    models = [before.Model() for _ in range(3)]
    x = tf.ones([2, 4])
    for model in models:
        model(x)
    assert [before.predict(model, x).numpy().tolist() for model in models] == [[4.0, 4.0]] * 3
    assert before.predict.experimental_get_tracing_count() == 3
