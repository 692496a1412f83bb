"""`pipeport bench` as it is typed."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

from pipeport.bench import _measure, _memory, _results, _run
from pipeport.bench._case import Case
from pipeport.bench._results import MemoryResult
from pipeport.cli import _bench_output, main
from pipeport.errors import PipeportError
from tests.bench.builders import case_result, report
from tests.bench.test_run import instantly

pytestmark = pytest.mark.newest_only

ONE = ["numpy.fliplr", "--dtype", "float32", "--size", "24x32"]


@pytest.fixture
def bench():
    def call(*arguments):
        return CliRunner().invoke(main, ["bench", *map(str, arguments)])

    return call


@pytest.fixture
def instant(monkeypatch):
    monkeypatch.setattr(_run, "interleaved", instantly)
    monkeypatch.setitem(_run.run.__kwdefaults__, "measure", instantly)


def test_list_measures_nothing(bench, monkeypatch, tmp_path):
    monkeypatch.setattr(_measure, "measure_once", None)
    done = bench(*ONE, "--list", "--json", tmp_path / "l.json")
    assert done.exit_code == 0
    assert "float32, 24x32" in done.output
    assert "1 cases, 3 rounds of 1 s" in done.output
    listing = json.loads((tmp_path / "l.json").read_text())
    assert [case["pair"] for case in listing["cases"]] == ["pipeport.numpy.fliplr"]


@pytest.mark.parametrize("option", ["--quick", "--full", "--memory"])
def test_list_of_whole_plans(bench, option):
    done = bench(option, "--list")
    assert done.exit_code == 0
    assert "rotate" in done.output


def test_a_run_is_printed_written_and_drawn(bench, instant, tmp_path):
    json_file, plot_file = tmp_path / "a.json", tmp_path / "a.svg"
    done = bench(*ONE, "--json", json_file, "--plot", plot_file)
    assert done.exit_code == 0, done.output
    assert "4.00x" in done.stdout
    assert "faster" in done.stdout
    assert "75 % interval" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    table, _, closing = done.stdout.rpartition("\n\n")
    assert "faster" in table
    first, *marks = closing.splitlines()
    assert re.match(r"\d+ s, 3 rounds, \d+ cores? of .*, TensorFlow \d", first)
    assert marks == ["*: another answer."]
    assert _results.read(json_file).cases[0].ratios()[0][1].verdict == "faster"
    assert plot_file.stat().st_size > 0


@pytest.mark.parametrize("name", ["albumentations.Rotate", "A.Rotate"])
def test_a_transform_is_measured(bench, tmp_path, name):
    file = tmp_path / "a.json"
    short = ("--dtype", "uint8", "--size", "32", "--rounds", 1, "--seconds", 0.01)
    done = bench(name, *short, "--json", file)
    assert done.exit_code == 0, done.output
    assert "albumentations.Rotate" in done.stdout
    [case] = _results.read(file).cases
    assert [side.kind for side in case.sides] == ["reference", "native", "roofline"]
    assert all(side.rounds[0].elements > 0 for side in case.sides)


def test_ctrl_c_prints_and_writes_what_is_finished(bench, monkeypatch, tmp_path):
    def interrupted(sides, protocol, **more):
        instantly(sides, type(protocol)(rounds=2), **more)
        raise KeyboardInterrupt

    monkeypatch.setitem(_run.run.__kwdefaults__, "measure", interrupted)
    path = tmp_path / "a.json"
    done = bench(*ONE, "--json", path)
    assert done.exit_code == 130
    assert "4.00x" in done.stdout
    assert "Interrupted: " in done.stdout
    assert _results.read(path).interrupted


def test_a_run_that_is_killed_has_written_finished_cases(bench, monkeypatch, tmp_path):
    path, calls = tmp_path / "a.json", []

    def killed_later(sides, protocol, **more):
        calls.append(1)
        if len(calls) == 2:
            written = _results.read(path)
            assert written.interrupted
            assert [result.case.dtype for result in written.cases] == ["float32"]
        return instantly(sides, protocol, **more)

    monkeypatch.setitem(_run.run.__kwdefaults__, "measure", killed_later)
    done = bench("numpy.fliplr", "--dtype", "float32", "--dtype", "uint8", "--size", "24x32", "--json", path)
    assert done.exit_code == 0, done.output
    assert calls == [1, 1]
    assert not _results.read(path).interrupted


@pytest.mark.parametrize("device", ["gpu", "all"])
def test_no_gpu_is_a_mistake_before_anything_is_measured(bench, instant, device, tmp_path):
    import tensorflow as tf

    if tf.config.list_physical_devices("GPU"):
        pytest.skip("needs a machine without a GPU")
    done = bench(*ONE, "--device", device, "--json", tmp_path / "a.json")
    assert done.exit_code == 2
    assert f"--device: got '{device}'; allowed: cpu here: TensorFlow sees 1 CPU and no GPU." in done.stderr
    assert done.stdout == ""
    assert not (tmp_path / "a.json").exists(), "nothing was measured"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["no.such.pair"], "no.such.pair"),
        (["--size", "12x"], "HEIGHTxWIDTH"),
        (["--dtype", "int7"], "int7"),
        (["--quick", "--full"], "--quick and --full"),
        (["--rounds", "0"], "--rounds"),
        (["--seconds", "0"], "--seconds"),
        (["--json", "no/such/folder/a.json"], "folder that exists"),
        (["--plot", "a.xyz"], "a.xyz"),
        (["--list", "--plot", "a.png"], "--list with --plot"),
        (["--memory", "--plot", "a.png"], "--memory alone with --plot"),
        (["--compare", "a.json", "b.json"], "does not exist"),
    ],
)
def test_mistakes_are_named(bench, arguments, said):
    done = bench(*arguments)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_side_whose_memory_cannot_be_measured_does_not_cost_the_others(bench, monkeypatch, tmp_path):
    def measured(side):
        if side.jit == "always":
            raise PipeportError("memory: got an accident")
        return MemoryResult(name=side.name, kind=side.kind, peak_bytes=9, baseline_bytes=4, method="VmHWM")

    monkeypatch.setattr(_memory, "peak_memory", measured)
    path = tmp_path / "m.json"
    done = bench("--memory", "--json", path)
    assert done.exit_code == 0
    assert "memory: got an accident" in done.stderr
    assert "1 left out: 1 other." in done.stdout
    assert [entry.name for entry in _results.read(path).memory] == [
        "skimage.transform.rotate",
        "native, plain graph",
    ]


@pytest.fixture
def files(tmp_path):
    def write(*reports):
        paths = [tmp_path / f"{i}.json" for i in range(len(reports))]
        for path, written in zip(paths, reports, strict=True):
            _results.write(written, path)
        return paths

    return write


OLD = case_result(reference=(100,) * 6, native=(400,) * 6)


def test_compare(bench, files, tmp_path):
    new = case_result(reference=(100,) * 6, native=(200,) * 6)
    done = bench("--compare", *files(report(OLD), report(new)), "--json", tmp_path / "c.json")
    assert done.exit_code == 1
    assert "0.50x" in done.stdout
    assert "1 of the natives became slower." in done.stdout
    changes = json.loads((tmp_path / "c.json").read_text())["changes"]
    assert [change["ratio"]["verdict"] for change in changes] == ["no difference", "slower"]
    assert bench("--compare", *files(report(new), report(OLD))).exit_code == 0


def test_compare_refuses_unlike_machines(bench, files):
    done = bench("--compare", *files(report(OLD), report(OLD, machine={"cpu": "Other"})))
    assert done.exit_code == 2
    assert "machine.cpu is 'Some Processor 3000' in the first and 'Other' in the second" in done.stderr


def test_compare_takes_no_other_option(bench, files):
    done = bench("--compare", *files(report(OLD), report(OLD)), "--quick", "--dtype", "uint8")
    assert done.exit_code == 2
    assert "--compare with --quick, --dtype" in done.stderr


def test_every_table_fits_80_columns(capsys):
    """Long names, large numbers, intervals of several levels, marks, memory and first elements."""
    sides = {"reference": (10_000,) * 6, "native": (2_345_678,) * 6, "stock": (9, 8, 9)}
    long = case_result(Case(pair="pipeport.skimage.transform.downscale_local_mean", dtype="float32"), **sides)
    few = case_result(reference=(100, 101, 130), native=(400, 401, 402), peer=(1, 1, 1))
    for side in (*long.sides, *few.sides):
        side.name = side.name if side.kind == "native" else "tf.raw_ops.ImageProjectiveTransformV3"
        side.differs = "it truncates" if side.kind in ("stock", "peer") else ""
        side.first_element_s = [12.3, 4.5]
    entry = MemoryResult(
        name="skimage.transform.rotate, 4096x4096x3 float32",
        kind="reference",
        peak_bytes=2**34,
        baseline_bytes=1,
        method="VmHWM",
    )
    left_out = [f"a.b{number}: does not take uint8." for number in range(1000)]
    _bench_output.show(report(long, few, memory=[entry], left_out=left_out))
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert "95 %: 234.57 to 234.57" in out
    assert "tf.raw_ops.ImageProjectiveTransformV3 *" in out
    assert (
        len(out.splitlines()) - out.splitlines().index(next(x for x in out.splitlines() if "16,384" in x))
        == 4
    )


def test_what_fails_is_told_on_standard_error(capsys):
    lines = [f"numpy.flip (uint8, {n}x9): could not be measured: ValueError: no" for n in range(1, 13)]
    _bench_output.show(report(OLD, left_out=lines))
    captured = capsys.readouterr()
    told = captured.err.splitlines()
    assert told[:10] == lines[:10]
    assert told[10:] == ["... and 2 more; --json FILE keeps all."]
    assert "12 left out: 12 failed." in captured.out
