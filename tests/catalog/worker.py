"""A tf.data service worker in a process of its own: what it runs must not need this process's Python."""

from __future__ import annotations

import sys

import tensorflow as tf


def main() -> None:
    """Serve the dispatcher at argv[1] until standard input is closed."""
    # Port 0 lets the system choose; the address is what the dispatcher tells clients.
    config = tf.data.experimental.service.WorkerConfig(
        dispatcher_address=sys.argv[1], worker_address="localhost:%port%", port=0
    )
    server = tf.data.experimental.service.WorkerServer(config)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.read()
    del server


if __name__ == "__main__":
    main()
