"""After: an op of one's own, compiled with the flags that TensorFlow reports."""

import atexit
import functools
import os
import subprocess
import tempfile
from pathlib import Path

import tensorflow as tf

DECAY = 0.9
SOURCE = Path(__file__).with_name("running_mean.cc")


@functools.cache
def op():
    """Compile once per process; a product keeps the library beside its code."""
    library = Path(tempfile.gettempdir()) / f"running_mean_{os.getpid()}.so"
    if not library.exists():
        flags = [*tf.sysconfig.get_compile_flags(), *tf.sysconfig.get_link_flags()]
        command = ["g++", "-shared", "-fPIC", "-O2", str(SOURCE), "-o", str(library), *flags]
        subprocess.run(command, check=True)
        atexit.register(library.unlink, missing_ok=True)
    return tf.load_op_library(str(library)).pipeport_running_mean


@tf.function
@tf.custom_gradient
def running_mean(x):
    def gradient(upstream):
        return tf.reverse(op()(tf.reverse(upstream, [-1]), decay=DECAY), [-1])

    return op()(x, decay=DECAY), gradient
