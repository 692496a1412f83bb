"""`pipeport bench --export`: programs that travel, and the script that runs them."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import types

import numpy as np
import pytest
from click.testing import CliRunner

from pipeport.bench import _elsewhere, _export
from pipeport.cli import main
from pipeport.errors import OutsideDomain

pytestmark = pytest.mark.newest_only

PAIRS = ("numpy.fliplr", "cv2.GaussianBlur", "cv2.imread")
SMALL = ("--size", "24x40", "--elements", "3")


def listing(folder):
    return json.loads((folder / "programs.json").read_text())


def results_of(folder, program):
    """Return the results that are stored of a program."""
    with np.load(folder / program["stored"]) as stored:
        return [stored[f"whole{number}"] for number in range(program["outputs"])]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("exported") / "programs"
    result = CliRunner().invoke(
        main, ["bench", "--export", str(path), *SMALL, *PAIRS], catch_exceptions=False
    )
    assert result.exit_code == 0, result.output
    assert "4 programs in" in result.output.replace("\n", " ")
    return path


def test_a_folder_tells_how_each_input_is_made_and_what_comes_of_it(folder):
    told = listing(folder)
    assert (told["elements"], told["size"]) == (3, [24, 40])
    programs = {program["name"]: program for program in told["programs"]}
    assert list(programs) == [
        "numpy.fliplr float32", "numpy.fliplr uint8", "cv2.GaussianBlur float32", "cv2.GaussianBlur uint8",
    ]  # fmt: skip
    assert any("cv2.imread" in line for line in told["left_out"])
    for name, program in programs.items():
        results = results_of(folder, program)
        assert _elsewhere.digest_of(results) == program["digest"]
        [image] = [_elsewhere.made(recipe) for recipe in program["inputs"]]
        assert image.dtype.name == name.split()[1]
        assert image.shape == (3, 24, 40, 3)
        assert np.ptp(image.astype(float)) > 0.8 * (
            program["inputs"][0]["high"] - program["inputs"][0]["low"]
        )
        if "fliplr" in name:
            np.testing.assert_array_equal(results[0], image[:, :, ::-1])
        text = (folder / program["file"]).read_text()
        assert "loc(" not in text
        assert "func.func @main(" in text
    assert programs["numpy.fliplr uint8"]["agreement"] == {"levels": 0, "units": 0, "rtol": 0.0, "atol": 0.0}
    assert programs["cv2.GaussianBlur float32"]["agreement"]["atol"] > 0


def test_the_script_needs_jax_and_numpy_alone(folder):
    imported = set()
    for node in ast.walk(ast.parse((folder / "run.py").read_text())):
        if isinstance(node, ast.Import):
            imported |= {one.name.partition(".")[0] for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module.partition(".")[0])
    assert imported - set(sys.stdlib_module_names) == {"numpy", "jax", "jaxlib", "cupy", "cupyx", "torch"}
    command = [sys.executable, folder / "run.py", "--help"]
    shown = subprocess.run(command, check=False, capture_output=True, text=True)
    assert shown.returncode == 0
    assert "Exit codes: 0 all agree" in " ".join(shown.stdout.split())


def test_an_interrupted_export_keeps_what_is_there_and_a_new_one_takes_its_place(tmp_path):
    def watch(step):
        if told and step.case:
            raise KeyboardInterrupt
        told.append(step.case)

    told = []
    found = _export.export(tmp_path, ("numpy.fliplr",), elements=2, size=(8, 8), watch=watch)
    assert (found.programs, found.interrupted) == (1, True)
    assert [one["name"] for one in listing(tmp_path)["programs"]] == told
    again = _export.export(tmp_path, ("numpy.flipud",), dtypes=("uint8",), elements=2, size=(8, 8))
    assert (again.programs, again.interrupted) == (1, False)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "0000.mlir", "0000.npz", "programs.json", "run.py",
    ]  # fmt: skip
    (tmp_path / "programs.json").unlink()
    with pytest.raises(OutsideDomain, match="with other files"):
        _export.export(tmp_path, ("numpy.fliplr",))


def test_of_large_results_two_elements_are_stored(monkeypatch, tmp_path):
    monkeypatch.setattr(_export, "_SMALL", 100)
    _export.export(tmp_path, ("numpy.fliplr",), dtypes=("uint8",), elements=3, size=(8, 8))
    [program] = listing(tmp_path)["programs"]
    [image] = map(_elsewhere.made, program["inputs"])
    right = image[:, :, ::-1].copy()
    assert _elsewhere.compared(tmp_path, program, [right]) == {"equal": "bits", "difference": 0.0}
    for place, equal in ((0, "differs"), (1, "agreed"), (2, "differs")):
        wrong = right.copy()
        wrong[place, 0, 0, 0] ^= 1
        assert _elsewhere.compared(tmp_path, program, [wrong])["equal"] == equal


def test_ported_bodies_and_pipelines_with_seeds_travel(tmp_path):
    from pipeport.bench._factories import beside
    from pipeport.bench._suites import root

    with beside(root()):
        from travelling import PROGRAMS
    kinds = [name.partition(".")[0] for name in PROGRAMS]
    assert (kinds.count("bodies"), kinds.count("albumentations")) == (5, 2)
    program = _export._of_other("body", PROGRAMS["bodies.rotation_about_centre"], 2, (16, 16))
    entry = _export._written(tmp_path, 0, program)
    images, seeds = map(_elsewhere.made, entry["inputs"])
    assert seeds.tolist() == [[42, 0], [42, 1]]
    [turned] = results_of(tmp_path, entry)
    assert turned.shape == images.shape
    assert (turned != images).any(axis=(1, 2, 3)).all()


def test_a_native_travels_without_its_reference():
    left_out = []
    tasks = list(_export._tasks(("tensorflow_addons.image.rotate",), ("uint8", "bool"), 2, (8, 8), left_out))
    assert [name for name, _ in tasks] == ["tensorflow_addons.image.rotate uint8"]
    assert left_out == ["pipeport.tensorflow_addons.image.rotate: does not take bool."]


def test_what_does_not_go_together_is_refused(tmp_path):
    for options, words in (
        (["--export", tmp_path, "--rounds", "2"], "--export with --rounds"),
        (["--export", tmp_path, "--size", "unknown", "numpy.fliplr"], "one static size"),
        (["--elements", "3"], "--elements alone"),
        (["--suites", "--export", tmp_path], "--suites with --export"),
    ):
        result = CliRunner().invoke(main, ["bench", *map(str, options)])
        assert result.exit_code != 0
        assert words in " ".join((result.output + str(result.exception)).split())


def test_text_for_other_versions_names_no_files_and_spells_truths():
    text = """#loc1 = loc("a(b")
  %0 = x %arg0 : tensor<2xi1> loc(fused[#loc1, "path/to(file).py":1:2])
  func.func @f(%arg0: tensor<i1> loc("x(1"), %arg1: tensor<i1> loc(unknown)) -> tensor<i1> {
  %c = stablehlo.constant dense<"0x0D"> : tensor<2x2xi1> loc(#loc1)
  %1 = call @g(%0) {mhlo.frontend_attributes = {inlineable = "false", xla_cpu_small_call = "true"}} : ()
"""
    assert (
        _export.portable(text)
        == """  %0 = x %arg0 : tensor<2xi1>
  func.func @f(%arg0: tensor<i1>, %arg1: tensor<i1>) -> tensor<i1> {
  %c = stablehlo.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %1 = call @g(%0) : ()
"""
    )


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float16", "float64"])
def test_inputs_are_drawn_within_what_is_told(dtype):
    recipe = {"shape": [1000], "dtype": dtype, "seed": 3, "low": 0, "high": 1 if dtype == "bool" else 7}
    drawn = _elsewhere.made(recipe)
    assert drawn.dtype == dtype
    np.testing.assert_array_equal(drawn, _elsewhere.made(recipe))
    assert drawn.min() <= 0.1 * recipe["high"]
    assert 0.9 * recipe["high"] <= drawn.max() <= recipe["high"]


def test_a_digest_is_of_bits_and_any_nan_is_one():
    one = np.array([1.0, np.nan, 0.0], np.float32)
    other = one.copy()
    other.view(np.int32)[1] += 1
    assert _elsewhere.digest_of([one]) == _elsewhere.digest_of([other])
    assert _elsewhere.digest_of([one]) != _elsewhere.digest_of([one * [1, 1, -1]])
    assert _elsewhere.digest_of([one]) != _elsewhere.digest_of([one.astype(np.float64)])
    assert _elsewhere.difference(one, one * 2) == 1.0
    assert _elsewhere.difference(one, np.nan_to_num(one)) == np.inf


class FakeJax(types.ModuleType):
    """What the script takes of jax, on arrays of NumPy."""

    __version__ = "0.0"
    config = types.SimpleNamespace(update=lambda *_: None)

    @staticmethod
    def devices(*_):
        return [types.SimpleNamespace(platform="cpu", device_kind="fake")]

    @staticmethod
    def device_put(array, _device):
        return array


@pytest.fixture
def run(folder, tmp_path, monkeypatch, capsys):
    """Return what runs the script here, with results that a function has changed."""
    monkeypatch.setitem(sys.modules, "jax", FakeJax("jax"))
    monkeypatch.setitem(sys.modules, "jaxlib", FakeJax("jaxlib"))

    def called(change, *arguments):
        programs = iter(listing(folder)["programs"])

        def compiled(_text, _device):
            program = next(programs)
            return lambda *_: [change(program["name"], one) for one in results_of(folder, program)]

        monkeypatch.setattr(_elsewhere, "compiled", compiled)
        file = tmp_path / "out.json"
        code = _elsewhere.main([*arguments, "--folder", str(folder), "--json", str(file), "--seconds", "0"])
        report = json.loads(file.read_text()) if file.exists() else None
        return code, report, capsys.readouterr()

    return called


def test_equal_results_are_equal_by_their_bits(run):
    code, report, shown = run(lambda _, one: one)
    assert code == 0
    assert [row["equal"] for row in report["programs"]] == ["bits"] * 4
    assert not report["interrupted"]
    assert "4 bits, 0 agreed, 0 differs, 0 failed" in shown.out


def test_results_agree_within_the_contract_and_no_further(run, folder):
    def moved(by):
        def change(name, one):
            return (one + np.array(by if "GaussianBlur float32" in name else 0)).astype(one.dtype)

        return change

    within = listing(folder)["programs"][2]["agreement"]
    bound = within["atol"] + within["units"] * 2**-23
    code, report, _ = run(moved(0.9 * bound))
    assert (code, report["programs"][2]["equal"]) == (0, "agreed")
    assert 0 < report["programs"][2]["difference"] <= bound
    code, report, _ = run(moved(2 * bound))
    assert (code, [row["equal"] for row in report["programs"]]) == (1, ["bits", "bits", "differs", "bits"])
    # One bit of what the contract gives bit for bit.
    code, report, _ = run(lambda name, one: one ^ 1 if name == "numpy.fliplr uint8" else one)
    assert (code, report["programs"][1]["equal"]) == (1, "differs")


def test_a_program_that_fails_leaves_the_others(run):
    def change(name, one):
        if name == "numpy.fliplr uint8":
            raise RuntimeError("no such fusion")
        return one

    code, report, shown = run(change)
    assert code == 1
    assert [row["equal"] for row in report["programs"]] == ["bits", "failed", "bits", "bits"]
    assert "no such fusion" in shown.out


def test_ctrl_c_keeps_what_is_there(run):
    def change(name, one):
        if name == "cv2.GaussianBlur float32":
            raise KeyboardInterrupt
        return one

    code, report, _ = run(change)
    assert (code, len(report["programs"]), report["interrupted"]) == (130, 2, True)


def test_programs_are_chosen_by_pattern(run):
    code, report, _ = run(lambda _, one: one, "numpy.*")
    assert (code, len(report["programs"])) == (0, 2)
    code, report, shown = run(lambda _, one: one, "nothing")
    assert code == 2
    assert "no program is named nothing" in shown.err


def test_without_jax_the_script_says_so(folder, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "jax", None)
    assert _elsewhere.main(["--folder", str(folder)]) == 2
    assert "pip install jax" in capsys.readouterr().err
    assert _elsewhere.main(["--folder", str(folder.parent)]) == 2
    assert "Run `pipeport bench --export FOLDER`" in capsys.readouterr().err
