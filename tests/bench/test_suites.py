"""Suites by name and by file, and what is refused in them before anything is imported."""

from __future__ import annotations

import pytest

from pipeport.bench import _plans
from pipeport.bench._choice import Options, choose
from pipeport.bench._plans import expand
from pipeport.bench._suites import find_suite, read_suite, suites
from pipeport.errors import NotPorted, OutsideDomain, UnsupportedArgument
from tests.bench.programs import program, side, suite

pytestmark = pytest.mark.newest_only

NAMES = [
    "axes",
    "bodies",
    "first_element",
    "geometry",
    "headline",
    "islands",
    "pipelines",
    "reading",
    "recipes",
    "service",
]


def test_every_suite_goes_by_name_and_says_what_it_is_for():
    assert [one.name for one in suites()] == NAMES
    for one in suites():
        assert find_suite(one.name) == one.path
        assert read_suite(one.name).name == one.name
        assert one.about.endswith(".")


def test_a_file_is_never_taken_for_a_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    own = suite(tmp_path, program(), name="geometry")
    assert find_suite("geometry").parent != tmp_path
    assert find_suite("geometry.toml").resolve() == own
    assert find_suite("./geometry.toml").resolve() == own
    (tmp_path / "geometry").write_text(own.read_text())
    assert find_suite("geometry").resolve() == tmp_path / "geometry"


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ("geometri", NotPorted, "axes, bodies, first_element, geometry.*Nearest: geometry"),
        ("xyz", NotPorted, "--suites"),
        ("./geometry", OutsideDomain, "no such file"),
        ("geometry.toml", OutsideDomain, "no such file"),
    ],
)
def test_a_suite_that_is_not_there(given, error, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=said):
        read_suite(given)


def test_a_program_is_one_case_per_native_side(tmp_path):
    text = program(about="float32, 6x8", elements=32, difference=1)
    text += side(name="brighter", kind="native", factory="pipelines.py:after", arguments={"plus": 0.5})
    text += side(name="no flip", kind="stock", factory="pipelines.py:shuffled", differs="not flipped")
    plan = read_suite(suite(tmp_path, text))
    [found] = plan.programs
    plain, brighter = expand(plan).cases
    assert (plain.program, plain.variant, plain.pair) == ("flip", "", "")
    assert (plain.short_name, plain.conditions) == ("flip", "float32, 6x8")
    assert brighter.conditions == "float32, 6x8, brighter"
    names = [[one.name for one in found.sides_of(case)] for case in (plain, brighter)]
    assert names == [["before", "after", "no flip"], ["before", "brighter", "no flip"]]
    assert [type(plain).from_dict(case.as_dict()) for case in (plain, brighter)] == [plain, brighter]


def test_words_do_not_make_another_case(tmp_path):
    [first] = expand(read_suite(suite(tmp_path / "a", program(about="old")))).cases
    [second] = expand(read_suite(suite(tmp_path / "b", program(about="new")))).cases
    assert first == second
    assert first.conditions != second.conditions


def test_sides_may_all_be_tables(tmp_path):
    text = program(before=None, after=None)
    text += side(name="old", kind="reference", factory="pipelines.py:before")
    text += side(name="new", kind="native", factory="pipelines.py:after")
    [case] = expand(read_suite(suite(tmp_path, text))).cases
    assert case.variant == ""


def test_listing_imports_nothing_of_a_program(tmp_path):
    path = suite(tmp_path, program(before="no_such_module_anywhere:f", after="absent.py:f"))
    assert expand(choose(Options(suite=path))).cases


def test_the_time_covers_programs(tmp_path):
    one, two = (read_suite(suite(tmp_path / str(n), text)) for n, text in enumerate(two_lengths()))
    of_one, of_two = (expand(plan).seconds - _plans.START_S for plan in (one, two))
    assert of_two == pytest.approx(2 * of_one)
    assert of_one > one.rounds * one.seconds * 2
    longer = choose(Options(suite=one.programs[0].suite, rounds=30))
    assert expand(longer).seconds > of_one + 27 * 2


def two_lengths():
    return program(), program() + program(name="again")


def test_a_missing_package_leaves_a_program_out(tmp_path):
    text = program() + program(name="off", needs=["tensorflow", "no_such_package"])
    expanded = expand(read_suite(suite(tmp_path, text)))
    assert [case.program for case in expanded.cases] == ["flip"]
    assert expanded.left_out == ["off: needs no_such_package, which cannot be imported here."]


def test_names_choose_programs_of_a_suite(tmp_path):
    path = suite(tmp_path, program() + program(name="turn") + program(name="turn twice"))
    chosen = choose(Options(suite=path, pairs=("turn*",)))
    assert [case.program for case in expand(chosen).cases] == ["turn", "turn twice"]
    with pytest.raises(NotPorted, match=r"flip, turn, turn twice\. Nearest: flip"):
        choose(Options(suite=path, pairs=("flop",)))


@pytest.mark.parametrize(
    ("axes", "said"),
    [
        ({"dtypes": ("uint8",)}, "--dtype"),
        ({"sizes": ("32",), "batched": True}, "--size, --batched"),
        ({"unknown_sizes": False}, "--static"),
        ({"device": "gpu"}, "--device"),
    ],
)
def test_a_program_has_no_axes(axes, said, tmp_path):
    with pytest.raises(UnsupportedArgument, match=f"{said} for programs"):
        choose(Options(suite=suite(tmp_path, program()), **axes))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rounds = 'many'", "rounds = 'many'; allowed: a whole number"),
        ("seconds = 0", "seconds = 0; allowed: a number above 0"),
        ("[[cases]]\npairs = 'fliplr'", "cases 1: got pairs = 'fliplr'; allowed: a list of texts"),
        ("", "The suite names nothing"),
        (program(previous="x.py:f"), "program 'flip': got key 'previous'; allowed: name, about, before"),
        (program(name=None), "program 1: got no key 'name'"),
        (program() + program(), "the name 'flip' twice"),
        (program(after=None), "got reference; allowed: one reference, and one native"),
        (program(before="pipelines.py"), "allowed: MODULE:FUNCTION"),
        (program(elements=0), "elements = 0; allowed: a whole number"),
        (program(difference=-1), "difference = -1; allowed: a number, 0"),
        (program(random="yes"), "random = 'yes'; allowed: true or false"),
        (program(batch=8, batched=True), "batch and batched"),
        (
            program() + side(name="x", kind="rival", factory="a:b"),
            "side 'x': got kind = 'rival'; allowed: ref",
        ),
        (program() + side(name="x", kind="peer"), "side 'x': got no key 'factory'"),
        (program() + side(name="after", kind="peer", factory="a:b"), "the name 'after' twice"),
        (program() + side(name="x", kind="reference", factory="a:b"), "reference, native, reference"),
    ],
)
def test_mistakes_in_a_suite(text, said, tmp_path):
    with pytest.raises((OutsideDomain, UnsupportedArgument)) as caught:
        choose(Options(suite=suite(tmp_path, text)))
    assert said in str(caught.value)
