"""`pipeport inspect`: answers, exit codes, and errors that say one thing."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from pipeport.cli import main
from pipeport.inspection import _text

PIPELINES = "tests.inspection.pipelines"


def invoke(*arguments):
    result = CliRunner(env={"COLUMNS": "80"}).invoke(main, ("inspect", *arguments))
    return result.exit_code, result.stdout, result.stderr


def test_the_command_prints_stages_boundaries_and_reasons():
    code, out, _ = invoke(f"{PIPELINES}:turned", "--seconds", "0.1")
    assert code == 1
    assert "Ran:" in out
    assert "from_tensor_slices" in out
    assert "turn" in out
    assert "no obstacle found" in out
    assert "All that it calls has a native: pipeport.numpy.rot90" in " ".join(out.split())
    assert max(map(len, out.splitlines())) <= 80


def test_the_file_of_a_package_is_named_from_the_package_on():
    assert _text.place("/opt/lib/python3.11/site-packages/numpy/lib/x.py", 62) == "numpy/lib/x.py:62"
    assert _text.place("/usr/lib/python3/dist-packages/cv2/x.py", 1) == "cv2/x.py:1"
    assert _text.place("/elsewhere/train.py", 7) == "/elsewhere/train.py:7"


def test_a_picture_is_asked_for_in_time(tmp_path):
    picture = str(tmp_path / "nowhere" / "stages.svg")
    code, _, err = invoke(f"{PIPELINES}:turned", "--plot", picture)
    assert (code, "a folder that exists" in err) == (2, True)
    code, _, err = invoke(f"{PIPELINES}:turned", "--plot", picture, "--seconds", "0")
    assert (code, "no times to draw" in err) == (2, True)


def test_json_holds_all_that_is_known():
    code, out, _ = invoke("--json", f"{PIPELINES}:turned", "--elements", "40", "--seconds", "1")
    assert code == 1
    found = json.loads(out)
    assert found["name"] == f"{PIPELINES}:turned"
    assert [one["name"] for one in found["stages"]] == ["from_tensor_slices", "map", "batch"]
    assert found["boundaries"][0]["function"] == "turn"
    assert found["run"]["elements"] == 40
    assert found["run"]["elements_of_pass"] == 16
    assert found["boundaries"][0]["seconds"] > 0


@pytest.mark.parametrize("name", ["no_python", "made"])
def test_without_boundaries_the_exit_code_is_0(name):
    code, out, _ = invoke(f"{PIPELINES}:{name}", "--seconds", "0")
    assert code == 0
    assert "no Python found" in out


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("nonsense", "module:dataset_factory"),
        ("tests.inspection.nowhere:make", "no module 'tests.inspection.nowhere'"),
        (f"{PIPELINES}:nobody", "has no 'nobody'"),
        (f"{PIPELINES}:with_arguments", "a factory with arguments (missing a required argument: 'folder')"),
        (f"{PIPELINES}:empty", "got an empty one"),
        (f"{PIPELINES}:nothing", "an object of builtins.NoneType"),
        (f"{PIPELINES}:SIDE", "an object of builtins.int"),
    ],
)
def test_mistakes_are_answered_by_one_error(target, said):
    code, out, err = invoke(target)
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert said in err


def test_a_dataset_that_raises_shows_the_users_lines():
    code, _, err = invoke(f"{PIPELINES}:failing")
    assert code == 2
    assert "KeyError: 'no such label'" in err
    assert "in look_up" in err
    assert "_meter" not in err


def test_after_ctrl_c_what_was_measured_is_shown(monkeypatch):
    from pipeport.inspection import _measure, _run

    def interrupted(dataset, seconds, elements=None, **options):
        def stop(count):
            raise KeyboardInterrupt

        return _run.run(dataset, seconds, elements, tell=stop)

    monkeypatch.setattr(_measure, "run", interrupted)
    code, out, _ = invoke(f"{PIPELINES}:without_end")
    assert code == 130
    assert "Interrupted" in out
    assert "turn" in out


def test_ctrl_c_in_a_later_measurement_keeps_the_first(monkeypatch):
    from pipeport.inspection import _gains

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(_gains, "steady", interrupted)
    code, out, _ = invoke(f"{PIPELINES}:without_end", "--seconds", "0.1")
    assert code == 130
    assert "Interrupted" in out
    assert "share of the time" not in out


def test_a_factory_that_raises_shows_the_users_lines():
    code, _, err = invoke(f"{PIPELINES}:raising")
    assert code == 2
    assert "ValueError: the folder is empty" in err
    assert "in raising" in err
    assert "_inspect_target" not in err
