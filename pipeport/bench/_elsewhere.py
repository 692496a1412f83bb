"""Compile exported programs with JAX's client where this runs, compare and time them.

`pipeport bench --export FOLDER` puts this file into the folder, as run.py. It needs jax and NumPy alone, and
imports nothing of pipeport.
"""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

LISTING = "programs.json"
BITS, AGREED, DIFFERS, FAILED = "bits", "agreed", "differs", "failed"
_FINDING, _MISTAKE, _INTERRUPTED = 1, 2, 130
_LEAST = 5

Call = Callable[[], Any]


def made(recipe: Mapping[str, Any]) -> Any:
    """Return an input: its values, or numbers drawn in a way that NumPy promises not to change."""
    shape, dtype = tuple(recipe["shape"]), np.dtype(recipe["dtype"])
    if "values" in recipe:
        return np.array(recipe["values"], dtype).reshape(shape)
    low, high = recipe["low"], recipe["high"]
    drawn = np.random.RandomState(recipe["seed"]).random_sample(shape)
    if dtype.kind == "b":
        return drawn < 0.5
    if dtype.kind in "iu":
        return np.minimum(np.floor(low + drawn * (high - low + 1)), high).astype(dtype)
    return (low + drawn * (high - low)).astype(dtype)


def digest_of(results: Sequence[Any]) -> str:
    """Return a hash of the bits of results; one NaN is as good as another."""
    digest = hashlib.sha256()
    for result in results:
        one = np.ascontiguousarray(result)
        if one.dtype.kind in "fc":
            one = np.where(np.isnan(one), np.array(np.nan, one.dtype), one)
        digest.update(f"{one.dtype.name}{one.shape}".encode() + one.tobytes())
    return digest.hexdigest()


def difference(got: Any, want: Any) -> float:
    """Return the largest difference; infinite where a NaN or an infinity stands in one alone."""
    if got.shape != want.shape or got.dtype != want.dtype:
        return float("inf")
    wide = np.complex128 if got.dtype.kind == "c" else np.float64
    one, other = got.astype(wide), want.astype(wide)
    same = (one == other) | (np.isnan(one) & np.isnan(other))
    with np.errstate(invalid="ignore"):
        apart = np.where(same, 0.0, np.abs(one - other))
    return float(np.nan_to_num(apart, nan=np.inf).max(initial=0.0))


def allowed(agreement: Mapping[str, float], want: Any) -> float:
    """Return by how much a result may differ: by levels, or by units of the last place of large numbers."""
    if want.dtype.kind in "biu":
        return agreement["levels"]
    largest = float(np.abs(want[np.isfinite(want)]).max(initial=0.0))
    units = agreement["units"] * float(np.finfo(want.dtype).eps) * max(1.0, largest)
    return units + agreement["rtol"] * largest + agreement["atol"]


def compiled(text: str, device: Any) -> Call:
    """Return a function of arrays on a device that gives results on it, from the text of a program."""
    import jax.extend
    from jax._src import compiler
    from jax._src.interpreters import mlir
    from jax._src.lib import xla_client
    from jax._src.lib.mlir import ir

    with mlir.make_ir_context():
        backend = jax.extend.backend.get_backend(device.platform)
        options = compiler.get_compile_options(1, 1)
        devices = xla_client.DeviceList((device,))
        loaded = backend.compile_and_load(ir.Module.parse(text), devices, options)

    def run(*given: Any) -> Any:
        parts = loaded.execute_sharded(list(given)).disassemble_into_single_device_arrays()
        results = [one[0] for one in parts]
        for one in results:
            one.block_until_ready()
        return results

    return run


def median_ms(call: Call, seconds: float) -> float:
    """Return the median time of some calls, after one."""
    call()
    times: list[float] = []
    begin = time.perf_counter()
    while len(times) < _LEAST or time.perf_counter() - begin < seconds:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return float(np.median(times)) * 1e3


def measured(folder: Path, program: Mapping[str, Any], device: Any, seconds: float) -> dict[str, Any]:
    """Compile one program for a device; return how its results compare and how long it takes."""
    import jax

    row: dict[str, Any] = {"program": program["name"], "device": str(device)}
    try:
        arrays = [made(recipe) for recipe in program["inputs"]]
        begin = time.perf_counter()
        run = compiled((folder / program["file"]).read_text(encoding="utf-8"), device)
        row["compile_s"] = time.perf_counter() - begin
        given = [jax.device_put(one, device) for one in arrays]
        results = [np.asarray(one) for one in run(*given)]
        row |= compared(folder, program, results)
        if seconds:
            row["resident_ms"] = median_ms(lambda: run(*given), seconds)

            def fed() -> Any:
                return [np.asarray(one) for one in run(*(jax.device_put(one, device) for one in arrays))]

            row["fed_ms"] = median_ms(fed, seconds)
            row["elements_s"] = program["elements"] / row["resident_ms"] * 1e3
    except Exception as error:  # one that does not compile must not end the others
        row |= {"equal": FAILED, "error": f"{type(error).__name__}: {str(error)[:300]}"}
    return row


def compared(folder: Path, program: Mapping[str, Any], results: Sequence[Any]) -> dict[str, Any]:
    """Compare results with TensorFlow's: all of them by their digest, those that are stored by value."""
    if digest_of(results) == program["digest"]:
        return {"equal": BITS, "difference": 0.0}
    most, within = 0.0, len(results) == program["outputs"]
    with np.load(folder / program["stored"]) as stored:
        for number, result in enumerate(results[: program["outputs"]]):
            for place, name in ((0, "first"), (-1, "last"), (slice(None), "whole")):
                if (key := f"{name}{number}") in stored:
                    want = stored[key]
                    found = difference(result[place], want)
                    most, within = max(most, found), within and found <= allowed(program["agreement"], want)
    return {"equal": AGREED if within else DIFFERS, "difference": min(most, sys.float_info.max)}


def peers(device: Any, elements: int, side: int) -> Iterator[tuple[str, Callable[[], Call]]]:
    """Give what people would call instead: a name, and a function that returns the call."""
    recipe = {"seed": 0, "shape": (elements, side, side, 3), "dtype": "float32", "low": 0.0, "high": 1.0}
    angles, half = np.linspace(-40, 40, elements), side // 2

    def jax_rotation() -> Call:
        import jax
        import jax.numpy as jnp

        on = jax.device_put(made(recipe), device)
        turns = jax.device_put(np.radians(angles).astype(np.float32), device)

        def one(image: Any, turn: Any) -> Any:
            at = jnp.arange(side, dtype=jnp.float32) - (side - 1) / 2
            rows = jnp.cos(turn) * at[:, None] + jnp.sin(turn) * at + (side - 1) / 2
            columns = jnp.cos(turn) * at - jnp.sin(turn) * at[:, None] + (side - 1) / 2
            planes = [
                jax.scipy.ndimage.map_coordinates(image[..., k], [rows, columns], 1, mode="nearest")
                for k in range(3)
            ]
            return jnp.stack(planes, -1)

        call = jax.jit(jax.vmap(one))
        return lambda: call(on, turns).block_until_ready()

    def jax_resize() -> Call:
        import jax

        on = jax.device_put(made(recipe), device)
        call = jax.jit(lambda x: jax.image.resize(x, (elements, half, half, 3), "linear"))
        return lambda: call(on).block_until_ready()

    def jax_flip() -> Call:
        import jax

        on = jax.device_put(made(recipe), device)
        call = jax.jit(lambda x: x[:, :, ::-1])
        return lambda: call(on).block_until_ready()

    def cupy_each(name: str) -> Callable[[], Call]:
        def make() -> Call:
            import cupy
            import cupyx.scipy.ndimage as ndimage

            on, wait = cupy.asarray(made(recipe)), cupy.cuda.Device().synchronize
            calls: dict[str, Call] = {
                "rotation": lambda: [
                    ndimage.rotate(one, float(angle), (1, 0), False, order=1, mode="nearest")
                    for one, angle in zip(on, angles, strict=True)
                ],
                "spline": lambda: ndimage.rotate(on[..., 0], 17.0, (2, 1), False, order=3),
                "blur": lambda: ndimage.gaussian_filter(on, (0, 2, 2, 0), mode="nearest"),
            }
            return lambda: (calls[name](), wait())

        return make

    def torch_each(name: str) -> Callable[[], Call]:
        def make() -> Call:
            import torch

            where = "cuda" if torch.cuda.is_available() else "cpu"
            wait = torch.cuda.synchronize if where == "cuda" else (lambda: None)
            on = torch.as_tensor(made(recipe), device=where).permute(0, 3, 1, 2).contiguous()
            turns = torch.as_tensor(np.radians(angles), device=where, dtype=torch.float32)
            cosine, sine, zero = turns.cos(), turns.sin(), torch.zeros_like(turns)
            rows = [torch.stack(row, -1) for row in ([cosine, -sine, zero], [sine, cosine, zero])]
            theta, nn = torch.stack(rows, 1), torch.nn.functional

            def rotation() -> Any:
                grid = nn.affine_grid(theta, on.shape, align_corners=False)
                return nn.grid_sample(on, grid, mode="bilinear", padding_mode="border", align_corners=False)

            calls: dict[str, Call] = {
                "rotation": rotation,
                "resize": lambda: nn.interpolate(on, (half, half), mode="bilinear"),
                "flip": lambda: torch.flip(on, (3,)),
            }
            return lambda: (calls[name](), wait())

        return make

    yield "jax: rotation by map_coordinates, order 1", jax_rotation
    yield "jax: image.resize to a half, linear", jax_resize
    yield "jax: flip", jax_flip
    yield "cupy: ndimage.rotate, order 1, image by image", cupy_each("rotation")
    yield "cupy: ndimage.rotate, order 3, one angle", cupy_each("spline")
    yield "cupy: ndimage.gaussian_filter", cupy_each("blur")
    yield "torch: rotation by grid_sample", torch_each("rotation")
    yield "torch: interpolate to a half, bilinear", torch_each("resize")
    yield "torch: flip", torch_each("flip")


def peer_row(name: str, make: Callable[[], Call], device: Any, elements: int, seconds: float) -> Any:
    """Measure one peer; None where its library is not installed or cannot work here."""
    try:
        found = median_ms(make(), seconds)
    except Exception as error:  # no library, no GPU, another version: the programs count
        print(f"{name}: left out, {type(error).__name__}: {str(error)[:120]}", file=sys.stderr, flush=True)
        return None
    return {"peer": name, "device": str(device), "resident_ms": found, "elements_s": elements / found * 1e3}


def told(row: Mapping[str, Any]) -> str:
    """Return a row of the table."""
    name = row.get("program") or row["peer"]
    parts = [f"{name:46.46s} {row['device']:9.9s}"]
    if "equal" in row:
        apart = f" {row['difference']:.2g}" if row["equal"] in (AGREED, DIFFERS) else ""
        parts.append(f"{row['equal'] + apart:16s}")
    if "compile_s" in row:
        parts.append(f"compiled in {row['compile_s']:5.1f} s")
    if "resident_ms" in row:
        parts.append(f"stays {row['resident_ms']:9.2f} ms")
    if "fed_ms" in row:
        parts.append(f"copied {row['fed_ms']:9.2f} ms")
    if "elements_s" in row:
        parts.append(f"{row['elements_s']:10.0f} elements/s")
    return "  ".join([*parts, row.get("error", "")]).rstrip()


def written(report: Mapping[str, Any], path: Path | None) -> None:
    """Write the report, all of it or nothing."""
    if path is not None:
        beside = path.with_name(path.name + ".part")
        beside.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
        beside.replace(path)


def options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description="Compile the programs of this folder with JAX's client, hold their results against "
        "TensorFlow's, and time them.",
        epilog="Columns: 'bits' all results are equal bit for bit; 'agreed' those stored differ no more than "
        "the contract allows, by how much; 'differs' by more. 'stays': batch and results stay on the device; "
        "'copied': there and back. Exit codes: 0 all agree, 1 one differs or fails, 2 no jax or no programs, "
        "130 after Ctrl-C, with what was finished in the JSON.",
    )
    here = Path(__file__).resolve().parent
    parser.add_argument("patterns", nargs="*", metavar="PATTERN", help="programs, as 'cv2.*'; all without")
    parser.add_argument("--folder", type=Path, default=here, help="where the programs are; beside this file")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows and what they are of")
    parser.add_argument("--seconds", type=float, default=0.5, help="timed seconds each; 0 compares alone")
    parser.add_argument("--cpu", action="store_true", help="the CPU alone, also where there is a GPU")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    chosen = options(arguments)
    try:
        listing = json.loads((chosen.folder / LISTING).read_text(encoding="utf-8"))
    except FileNotFoundError:
        print(f"{chosen.folder}: no {LISTING}. Run `pipeport bench --export FOLDER`.", file=sys.stderr)
        return _MISTAKE
    try:
        import jax
        import jaxlib
    except ImportError:
        print("jax is not installed: pip install jax, or jax[cuda13] for a GPU.", file=sys.stderr)
        return _MISTAKE
    jax.config.update("jax_enable_x64", True)
    wanted = [
        one
        for one in listing["programs"]
        if not chosen.patterns or any(fnmatch.fnmatchcase(one["name"], each) for each in chosen.patterns)
    ]
    if not wanted:
        print(f"no program is named {' or '.join(chosen.patterns) or 'at all'}.", file=sys.stderr)
        return _MISTAKE
    devices = [jax.devices("cpu")[0]]
    if not chosen.cpu and jax.devices()[0].platform != "cpu":
        devices.insert(0, jax.devices()[0])
    report: dict[str, Any] = {
        "format": 1,
        "jaxlib": jaxlib.__version__,
        "jax": jax.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "devices": [f"{one}: {one.device_kind}" for one in devices],
        "xla_flags": os.environ.get("XLA_FLAGS", ""),
        "made_with": listing["made_with"],
        "interrupted": True,
        "programs": [],
        "peers": [],
    }
    print(f"jaxlib {jaxlib.__version__}, {', '.join(report['devices'])}, {len(wanted)} programs", flush=True)
    try:
        for number, program in enumerate(wanted, 1):
            for device in devices:
                if sys.stderr.isatty():
                    print(f"{number}/{len(wanted)} {program['name']}", end="\r", file=sys.stderr, flush=True)
                row = measured(chosen.folder, program, device, chosen.seconds)
                report["programs"].append(row)
                print(told(row), flush=True)
                written(report, chosen.json)
        if chosen.seconds:
            elements, side = listing["elements"], listing["size"][0]
            for name, make in peers(devices[0], elements, side):
                if row := peer_row(name, make, devices[0], elements, chosen.seconds):
                    report["peers"].append(row)
                    print(told(row), flush=True)
        report["interrupted"] = False
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    written(report, chosen.json)
    verdicts = [row["equal"] for row in report["programs"]]
    counts = ", ".join(f"{verdicts.count(one)} {one}" for one in (BITS, AGREED, DIFFERS, FAILED))
    print(f"{len(verdicts)} results: {counts}")
    if report["interrupted"]:
        return _INTERRUPTED
    return _FINDING if DIFFERS in verdicts or FAILED in verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
