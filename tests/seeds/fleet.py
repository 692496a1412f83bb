"""A tf.data service whose dispatcher, workers and clients are processes that may be killed at any time."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tensorflow as tf
from tensorflow.python.data.experimental.ops import data_service_ops

# Forked from one process that has imported TensorFlow and run nothing: a start takes milliseconds.
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload([__name__, "pipeport.seeds"])

serving = tf.data.experimental.service
# Of the dispatcher: a worker that is silent for so long is gone.
WORKER_TIMEOUT_MS = 10_000


def free_ports(count: int) -> list[int]:
    """Return ports that nobody listens on."""
    with contextlib.ExitStack() as open_:
        sockets = [open_.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("localhost", 0))
        return [one.getsockname()[1] for one in sockets]


def dispatch(ready: Any, port: int, journal: str | None, workers: list[str]) -> None:
    """Be the dispatcher."""
    config = serving.DispatcherConfig(
        port=port,
        work_dir=journal,
        fault_tolerant_mode=journal is not None,
        worker_addresses=workers,
        worker_timeout_ms=WORKER_TIMEOUT_MS,
        job_gc_check_interval_ms=2000,
    )
    server = serving.DispatchServer(config)
    ready.send(port)
    server.join()


def work(ready: Any, dispatcher: int, port: int) -> None:
    """Be a worker."""
    config = serving.WorkerConfig(
        f"localhost:{dispatcher}", f"localhost:{port}", port, heartbeat_interval_ms=1000
    )
    server = serving.WorkerServer(config)
    ready.send(port)
    server.join()


def distributed(dataset: Any, target: str, mode: str) -> Any:
    """Return a dataset that a service makes."""
    # As `distribute`, which asks for the end of a task once a second.
    distribute = data_service_ops._distribute(
        processing_mode=serving.ShardingPolicy[mode], service=target, task_refresh_interval_hint_ms=10
    )
    return dataset.apply(distribute)


def consume(out: Any, dataset: Any, target: str, mode: str) -> None:
    """Be a client: send the elements of the dataset that a function makes, then how it ended."""
    try:
        for element in distributed(dataset(), target, mode).as_numpy_iterator():
            out.send(tuple(part.item() for part in element))
    except tf.errors.OpError as error:
        out.send(f"{type(error).__name__}: {error.message.splitlines()[0]}")
    else:
        out.send("the end")


class Process:
    """A process with a pipe."""

    def __init__(self, target: Any, *arguments: Any) -> None:
        self.pipe, inside = _CONTEXT.Pipe(duplex=False)
        self._process = _CONTEXT.Process(target=target, args=(inside, *arguments), daemon=True)
        self._process.start()
        inside.close()

    def kill(self) -> None:
        """End it at once: what it holds is lost."""
        self._process.kill()
        self._process.join()

    def stop(self) -> None:
        """Let it do nothing, and answer nobody."""
        os.kill(self._process.pid, signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it go on."""
        os.kill(self._process.pid, signal.SIGCONT)


class Fleet:
    """A dispatcher and workers on ports that are known beforehand.

    Parameters
    ----------
    workers : int
        How many.
    journal : Path or None
        The folder of the dispatcher's journal.
    listed : bool
        Whether the dispatcher is told its workers, as shards of files and data need it.
    """

    def __init__(self, workers: int, journal: Path | None, *, listed: bool) -> None:
        self.port, self.spare_port, *self.worker_ports = free_ports(workers + 2)
        self._journal = journal and str(journal)
        self._listed = [f"localhost:{port}" for port in self.worker_ports] if listed else []
        self.target = f"grpc://localhost:{self.port}"
        self._all: list[Process] = []
        self.dispatcher = self.start_dispatcher()
        self.workers = [self.start_worker(port) for port in self.worker_ports]

    def start_dispatcher(self) -> Process:
        """Start one on the port of the first."""
        return self._started(dispatch, self.port, self._journal, self._listed)

    def start_worker(self, port: int) -> Process:
        """Start a worker, which serves on this port."""
        return self._started(work, self.port, port, wait=False)

    def start_client(self, dataset: Any, mode: str) -> Process:
        """Start a client, which sends what it is given."""
        return self._started(consume, dataset, self.target, mode, wait=False)

    def _started(self, target: Any, *arguments: Any, wait: bool = True) -> Process:
        process = Process(target, *arguments)
        self._all.append(process)
        if wait:
            assert process.pipe.poll(30)
            process.pipe.recv()
        return process

    def end(self) -> None:
        """End all of it."""
        for process in self._all:
            process.kill()


@contextlib.contextmanager
def fleet(workers: int = 2, journal: Path | None = None, *, listed: bool = True) -> Iterator[Fleet]:
    """Give a fleet that is ended with the block, whatever happened to it."""
    one = Fleet(workers, journal, listed=listed)
    try:
        for worker in one.workers:
            assert worker.pipe.poll(30)
            worker.pipe.recv()
        yield one
    finally:
        one.end()


def received(client: Process, until: float, most: int | None = None) -> tuple[list[Any], str]:
    """Return what a client sends until a time, and how it ended: '' if it goes on."""
    found: list[Any] = []
    while len(found) != most:
        left = until - time.monotonic()
        if left <= 0 or not client.pipe.poll(left):
            break
        told = client.pipe.recv()
        if isinstance(told, str):
            return found, told
        found.append(told)
    return found, ""
