"""What the recipe counts and times."""

import tensorflow as tf

STEPS = 500


def counts(program):
    calls = {"step": 0}
    step = program.step

    def counted(value):
        calls["step"] += 1
        return step(value)

    program.step = counted
    settled = float(program.settled(tf.constant(0.0), tf.constant(STEPS)))
    program.step = step
    return {f"after {STEPS} steps": settled, "calls of `step` by Python": calls["step"]}


def timed(program):
    value, steps = tf.constant(0.0), tf.constant(STEPS)
    program.settled(value, steps)
    return {f"{STEPS} steps": lambda: program.settled(value, steps)}
