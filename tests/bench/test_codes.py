"""Which code a figure was measured on."""

from __future__ import annotations

import pytest

from pipeport._reach import code_of
from pipeport.bench import _codes

pytestmark = pytest.mark.newest_only

PROGRAM = "from pipeport.numpy import flip\n\n\ndef f(x):\n    return flip(x, 0)\n"


def test_a_native():
    assert _codes.of_native("pipeport.numpy.flip") == code_of("pipeport.numpy.flip")
    assert _codes.of_native("pipeport.numpy.gone") == ""


def test_a_program_is_its_own_text_and_what_it_takes_from_the_package(tmp_path):
    def code(text, root=_codes.ROOT):
        (tmp_path / "p.py").write_text(text)
        return _codes.of_programs([tmp_path / "p.py"], root)

    first = code(PROGRAM)
    assert code("# words\n" + PROGRAM) == first
    assert code(PROGRAM.replace("0", "1")) != first
    assert code(PROGRAM.replace("flip", "flipud")) != first
    other = tmp_path / "pipeport"
    (other / "numpy").mkdir(parents=True)
    (other / "__init__.py").write_text("")
    (other / "numpy" / "__init__.py").write_text("def flip(x, axis):\n    return x\n")
    assert code(PROGRAM, other) != first
    attribute = "import pipeport.numpy as np\n\n\ndef f(x):\n    return np.flip(x, 0)\n"
    assert code(attribute, other) != code(attribute)


def test_verbs_are_followed_to_where_they_are_defined(tmp_path):
    file = tmp_path / "p.py"
    file.write_text("import pipeport\n\nnative = pipeport.port(len)\n")
    other = tmp_path / "pipeport"
    (other / "porting").mkdir(parents=True)
    (other / "__init__.py").write_text("")
    (other / "porting" / "__init__.py").write_text("def port(f):\n    return f\n")
    here, there = (_codes.of_programs([file], root) for root in (_codes.ROOT, other))
    assert here != there
    assert _codes.of_programs([file], other, through=["pipeport.porting.port"]) == there
    file.write_text("import pipeport\n")
    here, there = (_codes.of_programs([file], root) for root in (_codes.ROOT, other))
    assert here == there
