"""The machines: a dispatcher, and workers that do what the dataset says. They need TensorFlow alone.

    python serve.py dispatcher 5050                    on one machine
    python serve.py worker MACHINE:5050 5051 NAME      on each of the others, of that name

`python serve.py *.jpg` starts a dispatcher and two workers here, takes an epoch of the images, and ends them.
"""

import contextlib
import subprocess
import sys

import tensorflow as tf

serving = tf.data.experimental.service


def dispatcher(port=0, journal=""):
    """Hand out work; with the folder of a journal, another one on the same port goes on with it."""
    config = serving.DispatcherConfig(
        port=int(port), work_dir=journal or None, fault_tolerant_mode=bool(journal)
    )
    wait_for(serving.DispatchServer(config))


def worker(address, port=0, name="localhost"):
    """Do the work of a dispatcher."""
    config = serving.WorkerConfig(dispatcher_address=address, worker_address=f"{name}:%port%", port=int(port))
    wait_for(serving.WorkerServer(config))


def wait_for(server):
    print(getattr(server, "target", "ready"), flush=True)  # with the port that was free
    server.join()


@contextlib.contextmanager
def started(*arguments):
    """Run this file in a process of its own until the end of the block."""
    with subprocess.Popen(
        [sys.executable, __file__, *arguments], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@contextlib.contextmanager
def fleet(workers=2):
    """Give the address of a dispatcher that has workers."""
    with contextlib.ExitStack() as running:
        target = running.enter_context(started("dispatcher")).stdout.readline().strip()
        address = target.removeprefix("grpc://")
        processes = [running.enter_context(started("worker", address)) for _ in range(workers)]
        for process in processes:
            process.stdout.readline()
        yield target


def through(dataset, target, batch=32):
    """Let workers make the dataset: each element once, whole batches over the wire."""
    distribute = serving.distribute(
        processing_mode=serving.ShardingPolicy.DYNAMIC, service=target, compression=None
    )
    return dataset.batch(batch).apply(distribute)


def main(role, *arguments):
    roles = {"dispatcher": dispatcher, "worker": worker}
    if role in roles:
        roles[role](*arguments)
    else:
        from after import build_dataset

        with fleet() as target:
            images = through(build_dataset([role, *arguments]), target)
            print(sum(len(batch) for batch in images), "images")


if __name__ == "__main__":
    main(*sys.argv[1:])
