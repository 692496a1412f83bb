"""Every folder under recipes/ is a whole recipe of one of two forms, tested, and shows its own programs."""

from __future__ import annotations

import ast
import inspect
import re
import sys

import pytest

from pipeport import recipes_index
from pipeport.errors import NotPorted, OutsideDomain
from tests.recipes import (
    test_albumentations_by_name,
    test_arithmetic,
    test_custom_op,
    test_data_dependent_if,
    test_data_from_python,
    test_detector,
    test_eager_debugging,
    test_elastic_volumes,
    test_frozen_randomness,
    test_image_data_generator,
    test_in_place_edits,
    test_input_signature,
    test_keras_sequence,
    test_lists_in_loops,
    test_log_mel,
    test_loops_over_python_data,
    test_lost_static_shape,
    test_nifti_patches,
    test_npz_to_tfrecord,
    test_numpy_constants,
    test_ocr_labels,
    test_off_tensorflow_addons,
    test_own_augmentation,
    test_paired_flip,
    test_port_a_body,
    test_py_function,
    test_python_side_effects,
    test_python_state,
    test_read_resize_normalise,
    test_resume_in_mid_epoch,
    test_retracing_by_python_arguments,
    test_retracing_by_shapes,
    test_rotation,
    test_run_a_script,
    test_scale_out,
    test_small_functions,
    test_tracing_cost,
    test_variables_in_a_function,
    test_volume_rotation,
    test_when_not_to_migrate,
    test_xla_by_shape,
)
from tests.recipes.recipe_tools import FORMS, MIGRATIONS, NAMES, PITFALLS, RECIPES, program

pytestmark = pytest.mark.newest_only

TESTS = {
    "albumentations-by-name": test_albumentations_by_name,
    "arithmetic": test_arithmetic,
    "custom-op": test_custom_op,
    "data-dependent-if": test_data_dependent_if,
    "data-from-python": test_data_from_python,
    "detector": test_detector,
    "eager-debugging": test_eager_debugging,
    "elastic-volumes": test_elastic_volumes,
    "frozen-randomness": test_frozen_randomness,
    "image-data-generator": test_image_data_generator,
    "in-place-edits": test_in_place_edits,
    "input-signature": test_input_signature,
    "keras-sequence": test_keras_sequence,
    "lists-in-loops": test_lists_in_loops,
    "log-mel": test_log_mel,
    "loops-over-python-data": test_loops_over_python_data,
    "lost-static-shape": test_lost_static_shape,
    "nifti-patches": test_nifti_patches,
    "npz-to-tfrecord": test_npz_to_tfrecord,
    "numpy-constants": test_numpy_constants,
    "ocr-labels": test_ocr_labels,
    "off-tensorflow-addons": test_off_tensorflow_addons,
    "own-augmentation": test_own_augmentation,
    "paired-flip": test_paired_flip,
    "port-a-body": test_port_a_body,
    "py-function": test_py_function,
    "python-side-effects": test_python_side_effects,
    "python-state": test_python_state,
    "read-resize-normalise": test_read_resize_normalise,
    "resume-in-mid-epoch": test_resume_in_mid_epoch,
    "retracing-by-python-arguments": test_retracing_by_python_arguments,
    "retracing-by-shapes": test_retracing_by_shapes,
    "rotation": test_rotation,
    "run-a-script": test_run_a_script,
    "scale-out": test_scale_out,
    "small-functions": test_small_functions,
    "tracing-cost": test_tracing_cost,
    "variables-in-a-function": test_variables_in_a_function,
    "volume-rotation": test_volume_rotation,
    "when-not-to-migrate": test_when_not_to_migrate,
    "xla-by-shape": test_xla_by_shape,
}
FILES = {
    "migration": ["README.md", "after.py", "before.py", "pitfalls.py"],
    "tf-function": ["README.md", "after.py", "before.py", "count.py"],
}
MORE = {"custom-op": ["running_mean.cc"], "scale-out": ["serve.py"]}
SECTIONS = {
    "migration": [
        "Symptom",
        "Why",
        "Before",
        "After",
        "What differs",
        "Bugs on the way",
        "Proof",
        "Measured",
    ],
    "tf-function": ["Symptom", "Cause", "Before", "After", "What differs", "Claims", "Proof", "Measured"],
}
# One screen of code.
MOST_LINES = 40
# Where NumPy is the mistake, and where pipeport is the fix.
ALSO = {
    ("custom-op", "before.py"): {"numpy"},
    ("frozen-randomness", "before.py"): {"numpy"},
    ("frozen-randomness", "after.py"): {"pipeport"},
    ("lost-static-shape", "before.py"): {"numpy"},
    ("lost-static-shape", "after.py"): {"pipeport"},
    ("numpy-constants", "before.py"): {"numpy"},
    ("when-not-to-migrate", "before.py"): {"numpy", "pipeport"},
    ("when-not-to-migrate", "after.py"): {"numpy"},
}
# Functions of pitfalls.py that serve the others.
HELPERS = {
    "boxes",
    "convert_once",
    "drawn",
    "gain",
    "images",
    "large",
    "moved",
    "numbers",
    "of_file",
    "place_of",
    "read",
    "refused",
    "resumed",
    "saved",
    "seeded",
    "slowly",
    "stock_kernel",
    "through",
    "two_workers",
    "volume",
    "words",
}


def pitfalls_of(name: str) -> list[str]:
    tree = ast.parse((RECIPES / name / "pitfalls.py").read_text())
    return [n.name for n in tree.body if isinstance(n, ast.FunctionDef) and n.name not in HELPERS]


def test_every_folder_has_tests():
    assert sorted(TESTS) == NAMES, "a recipe without a line in TESTS, or a line without a recipe"


def test_a_forgotten_folder_is_noticed(tmp_path, monkeypatch):
    (tmp_path / "new").mkdir()
    monkeypatch.setattr(sys.modules[__name__], "NAMES", [*NAMES, "new"])
    with pytest.raises(AssertionError):
        test_every_folder_has_tests()


@pytest.mark.parametrize("name", NAMES)
def test_files(name):
    files = sorted(f.name for f in (RECIPES / name).iterdir() if f.name != "__pycache__")
    assert files == sorted(FILES[FORMS[name]] + MORE.get(name, []))


@pytest.mark.parametrize("name", MIGRATIONS)
def test_every_kind_of_test_is_there(name):
    """Agreement, no boundary, a check that fires, shapes, and one test per pitfall."""
    wanted = {"test_before_and_after_agree", "test_boundaries", "test_static_shapes"}
    wanted |= {f"test_{pitfall}" for pitfall in pitfalls_of(name)}
    assert wanted <= set(vars(TESTS[name])), wanted - set(vars(TESTS[name]))


@pytest.mark.parametrize("name", PITFALLS)
def test_every_kind_of_test_of_tf_function_is_there(name):
    wanted = {"test_before_has_the_problem_and_after_has_not", "test_before_and_after_agree"}
    wanted |= {"test_claims"} if claims_something(name) else set()
    assert wanted <= set(vars(TESTS[name])), wanted - set(vars(TESTS[name]))


def claims_something(name: str) -> bool:
    return hasattr(program(name, "count"), "claims")


@pytest.mark.parametrize("name", MIGRATIONS)
def test_every_pitfall_test_uses_its_pitfall(name):
    for pitfall in pitfalls_of(name):
        source = inspect.getsource(vars(TESTS[name])[f"test_{pitfall}"])
        assert f"pitfalls.{pitfall}()" in source
        assert "assert " in source


@pytest.mark.parametrize("name", NAMES)
def test_sections(name):
    recipe = recipes_index.find(name)
    sections = SECTIONS[recipe.form]
    if recipe.form == "tf-function" and not claims_something(name):
        sections = [section for section in sections if section != "Claims"]
    assert list(recipe.sections) == sections
    assert all(recipe.sections.values()), "an empty section"
    assert recipe.symptom.endswith(".")
    assert len(recipe.symptom) < 160


@pytest.mark.parametrize("line", ["", "<!-- recipe: story; slow -->\n", "<!-- recipe: migration; dull -->\n"])
def test_a_recipe_of_no_form_or_group_is_refused(line, tmp_path, monkeypatch):
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "README.md").write_text(f"{line}# New\n\n## Symptom\n\nIt is slow.\n")
    monkeypatch.setattr(recipes_index, "root", lambda: tmp_path)
    with pytest.raises(OutsideDomain, match=r"^recipe: got .*first line <!-- recipe: FORM; GROUP, GROUP -->"):
        recipes_index.recipes()


def test_every_group_has_a_recipe():
    assert all(recipes_index.by_group(recipes_index.recipes()).values())


@pytest.mark.parametrize("name", PITFALLS)
def test_programs_fit_a_screen(name):
    lines = [(RECIPES / name / f"{file}.py").read_text().count("\n") for file in ("before", "after")]
    assert max(lines) <= MOST_LINES


@pytest.mark.parametrize("name", PITFALLS)
def test_readme_shows_the_figures(name):
    """What the blocks say is compared with bench/results/pitfalls.json by tests/test_readme.py."""
    shown = re.findall(r"<!-- generated: (c\w+ .+) -->", (RECIPES / name / "README.md").read_text())
    claims = [f"claims {name}"] if claims_something(name) else []
    more = [f"code {file}" for file in MORE.get(name, [])]
    assert shown == ["code before.py", "code after.py", *more, *claims, f"counted {name}"]


@pytest.mark.parametrize("name", MIGRATIONS)
def test_readme_shows_every_program_and_pitfall(name):
    """The text of the blocks is compared with the files by tests/test_readme.py."""
    shown = set(re.findall(r"<!-- generated: code (.+) -->", (RECIPES / name / "README.md").read_text()))
    wanted = {"before.py", "after.py"} | {f"pitfalls.py {pitfall}" for pitfall in pitfalls_of(name)}
    assert wanted <= shown


@pytest.mark.parametrize("name", NAMES)
def test_readme_has_no_code_but_the_programs(name):
    """A block that is not generated could drift; shell lines are checked below."""
    text = (RECIPES / name / "README.md").read_text()
    unmarked = re.sub(r"<!-- generated: .*?<!-- end -->", "", text, flags=re.DOTALL)
    assert re.findall(r"^```(\w+)", unmarked, flags=re.MULTILINE) == ["sh"]


@pytest.mark.parametrize("name", NAMES)
def test_proof_command(name, request):
    """The command under "Proof" names a pair of the catalog, a function of the recipe, or tests."""
    from pipeport import catalog

    proof = recipes_index.find(name).sections["Proof"]
    command = re.search(r"```sh\n(.+)\n```", proof)[1]
    if own := re.search(r"pipeport verify (\w+):(\w+) --port ", command):
        assert callable(getattr(program(name, own[1]), own[2]))
        assert "test_the_command_under_proof" in vars(TESTS[name])
    elif command.startswith("pipeport verify "):
        assert catalog.find(command.split()[-1])
    keyword = re.search(r"python -m pytest tests/recipes -k (\w+)", proof)[1]
    assert TESTS[name].__name__.endswith(f"test_{keyword}")


def imports(name: str, file: str) -> set[str]:
    tree = ast.parse((RECIPES / name / file).read_text())
    imported = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    imported |= {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    return {dotted.partition(".")[0] for dotted in imported}


@pytest.mark.parametrize("name", PITFALLS)
def test_programs_of_tf_function_need_nothing_but_tensorflow(name):
    """Beside the standard library; what else there is, is imported."""
    for file in ("before.py", "after.py", "count.py"):
        others = imports(name, file) - {"tensorflow", *sys.stdlib_module_names}
        assert others == ALSO.get((name, file), set())


def calls_port(name: str) -> bool:
    """Say whether a recipe ports its body: that one still imports what it did."""
    tree = ast.parse((RECIPES / name / "after.py").read_text())
    called = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return bool(called & {"port", "pipeport.port", "pipeport.install"})


@pytest.mark.parametrize("name", MIGRATIONS)
def test_after_imports_nothing_but_tensorflow_and_pipeport(name):
    allowed = {"tensorflow", "pipeport"} | (imports(name, "before.py") if calls_port(name) else set())
    assert imports(name, "after.py") <= allowed


def test_recipes_that_port():
    """Else the test of imports would let every recipe import what it likes."""
    assert [name for name in MIGRATIONS if calls_port(name)] == [
        "albumentations-by-name",
        "detector",
        "elastic-volumes",
        "image-data-generator",
        "keras-sequence",
        "log-mel",
        "nifti-patches",
        "ocr-labels",
        "own-augmentation",
        "port-a-body",
        "resume-in-mid-epoch",
        "run-a-script",
        "scale-out",
    ]


@pytest.mark.parametrize("name", MIGRATIONS)
@pytest.mark.parametrize("file", ["before", "after"])
def test_programs_build_a_dataset(name, file):
    if (name, file) == ("off-tensorflow-addons", "before"):
        pytest.importorskip("tensorflow_addons", reason="cannot be loaded beside this TensorFlow")
    assert "parallel_calls" in inspect.signature(program(name, file).build_dataset).parameters


def test_a_program_that_is_not_there_is_named_with_those_that_are():
    with pytest.raises(NotPorted, match=r"program: got 'afterwards'; allowed: .*after"):
        recipes_index.find("rotation").load("afterwards")
