"""What the recipe counts."""

import contextlib
import io
import os
import sys
import tempfile

import tensorflow as tf

BATCHES = [tf.fill([4], float(number)) for number in range(5)]


def printed(call):
    """Return the lines that a call prints: Python's, and what TensorFlow writes to standard error."""
    with tempfile.TemporaryFile() as file, contextlib.redirect_stdout(io.StringIO()) as text:
        sys.stderr.flush()
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            call()
        finally:
            os.dup2(kept, 2)
            os.close(kept)
        file.seek(0)
        return [line for line in (text.getvalue() + file.read().decode()).splitlines() if "loss" in line]


def counts(program):
    losses = []
    lines = printed(lambda: losses.extend(program.train(BATCHES)))
    repeated = printed(lambda: program.train(BATCHES))
    return {
        f"lines printed by {len(BATCHES)} steps": len(lines),
        "of which hold a number": sum(line.split()[1].replace(".", "").isdigit() for line in lines),
        f"lines printed by {len(BATCHES)} steps more": len(repeated),
        "losses kept": len(losses),
        "of which are numbers": sum(not tf.is_symbolic_tensor(loss) for loss in losses),
    }
