"""The real pipelines: elements, bodies, boundaries, and every pair of the catalog on them."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
import tensorflow as tf

from pipeport import catalog
from pipeport.bench import _answers, _arguments, _bodies, _pipelines, _sides
from pipeport.bench._case import Case
from pipeport.bench._selections import Selection, cases_of, contracts_of
from pipeport.bench._variants import PLAIN, VARIANTS, variant_of, variants_of
from pipeport.contract import Peer, Stock
from pipeport.errors import NotPorted

pytestmark = pytest.mark.newest_only

FLIP = catalog.find("pipeport.numpy.fliplr")
SMALL = Case(pair=FLIP.native, dtype="float32", size=(24, 32))


def prepared(case, contract=FLIP, variant=PLAIN, *, roofline=False):
    arguments = _arguments.arguments_for(contract, case)
    source = _pipelines.Source(case, arguments)
    return _sides.prepare(contract, variant, case, arguments, source, roofline=roofline)


def by_kind(sides):
    return {side.kind: side for side in sides}


def cases_of_every_pair():
    """Give the plain cases; a second dtype only where a pair is called differently by dtype."""
    for contract in contracts_of(Selection())[0]:
        dtypes = ("float32", "uint8") if contract.native in VARIANTS else ("float32",)
        cases = list(cases_of(Selection(dtypes=dtypes), [contract], []))
        for case in cases or list(cases_of(Selection(dtypes=("uint8",)), [contract], [])) or [None]:
            yield pytest.param(contract, case, id=f"{contract.native}-{case and case.conditions}")


def test_a_number_keeps_its_dtype():
    full = catalog.find("pipeport.numpy.full")
    found = prepared(Case(pair=full.native, dtype="uint8", size=(24, 32)), full)
    for dataset in found.datasets.values():
        assert dataset.element_spec.dtype == tf.uint8


@pytest.mark.filterwarnings("ignore:.* encountered in:RuntimeWarning")  # NumPy's, of logarithms of zero
@pytest.mark.parametrize(("contract", "case"), list(cases_of_every_pair()))
def test_every_pair_does_the_same_work_on_both_sides(contract, case):
    assert case is not None, "no case of its own"
    variant = variant_of(contract.native, case.variant)
    # Large enough for the windows and blocks that contracts call typical.
    case = replace(case, size=(32, 48))
    found = prepared(case, contract, variant)
    sides = by_kind(found.sides)
    reference, native = (
        _answers.first_batch(found.datasets[sides[kind].name]) for kind in ("reference", "native")
    )
    stock_and_peers = (contract.stock is not None) + sum(case.dtype in peer.dtypes for peer in contract.peers)
    assert found.notes == []
    assert len(found.sides) == 2 + stock_and_peers * variant.compared
    described = [_answers.described(answer) for answer in (native, reference)]
    if _bodies.is_random(contract):  # sizes may be drawn as well
        described = [re.sub(r"\d+(?=[,\]])", "n", text) for text in described]
    assert described[0] == described[1]
    if not _bodies.is_random(contract):
        apart = _answers.largest_difference(native, reference)
        assert apart is None or apart <= (1 if native[0].dtype == np.uint8 else 1e-3)
    specs = [found.datasets[sides[kind].name].element_spec for kind in ("reference", "native")]
    stated, found_out = map(tf.nest.flatten, specs)
    # Sizes that stand in the files, or follow from values: the bench states them for the reference, or pads.
    if contract.kind == "reader" or not all(spec.shape.is_fully_defined() for spec in stated):
        assert all(own.is_compatible_with(given) for own, given in zip(found_out, stated, strict=True))
    else:
        assert stated == found_out


def test_a_contract_without_a_variant_has_the_plain_call():
    assert variants_of("pipeport.numpy.fliplr", "uint8") == (PLAIN,)


def test_the_reference_side_has_the_boundary_and_no_other_side():
    found = prepared(SMALL, roofline=True)
    for side in found.sides:
        functions = _functions_of(found.datasets[side.name])
        names = {node.op for function in functions for node in function.graph.as_graph_def().node}
        assert ("PyFunc" in names) == (side.kind in ("reference", "peer"))


def _functions_of(dataset):
    while dataset is not None:
        if hasattr(dataset, "_map_func"):
            yield dataset._map_func.function
        dataset = getattr(dataset, "_input_dataset", None)


def test_unknown_sizes_are_unknown_to_the_native_and_padded_alike():
    found = prepared(replace(SMALL, size=None), roofline=True)
    shapes = {side.name: _answers.first_batch(found.datasets[side.name])[0].shape for side in found.sides}
    assert set(shapes.values()) == {(32, 256, 256, 3)}
    for dataset in found.datasets.values():
        assert tf.nest.flatten(dataset.element_spec)[0].shape.as_list() == [32, None, None, 3]


def test_batched_sides_agree():
    found = prepared(replace(SMALL, batched=True))
    batches = [_answers.first_batch(found.datasets[side.name])[0] for side in found.sides]
    assert [side.kind for side in found.sides] == ["reference", "native"]
    assert batches[0].shape == (32, 24, 32, 3)
    assert np.array_equal(*batches)


def test_one_thread_is_in_the_options():
    dataset = prepared(replace(SMALL, cores="one")).datasets[FLIP.native]
    assert dataset.options().threading.private_threadpool_size == 1
    assert prepared(SMALL).datasets[FLIP.native].options().threading.private_threadpool_size is None


@pytest.mark.parametrize("size", [(24, 32), None])
def test_jpeg_files_are_read_and_removed(size):
    case = replace(SMALL, scope="pipeline", size=size)
    arguments = _arguments.arguments_for(FLIP, case)
    with _pipelines.source_of(case, arguments) as source:
        files = [path.decode() for path in source._one_epoch.map(lambda e: e["m"]).as_numpy_iterator()]
        assert tf.io.gfile.exists(files[0])
        decoded = next(iter(source.elements()))["m"].numpy()
        original = arguments.arrays["m"][0]
        assert decoded.shape == original.shape
        # Quality 95 without chroma subsampling: nearly the photograph.
        assert np.abs(decoded - original).mean() < 0.02
    assert not tf.io.gfile.exists(files[0])


def test_values_are_the_same_in_every_run():
    contract = catalog.find("pipeport.skimage.transform.rotate")
    case = Case(pair=contract.native, dtype="float32", size=(24, 32))
    first, second = (_arguments.arguments_for(contract, case) for _ in range(2))
    angles = first.per_element_values["angle"]
    assert np.array_equal(angles, second.per_element_values["angle"])
    assert len(set(angles.tolist())) == 32


def test_numbers_per_axis_are_drawn_about_the_typical_ones():
    contract = catalog.find("pipeport.scipy.ndimage.shift")
    shifts = _arguments.arguments_for(
        contract, Case(pair="x", dtype="float32", size=(24, 32))
    ).per_element_values["shift"]
    share = shifts[:, :2] / np.array(contract.domain["shift"].typical[:2])
    assert (shifts[:, 2] == 0).all()  # nobody shifts colours
    assert (share >= 0.5).all()
    assert (share <= 1.5).all()
    assert len(np.unique(shifts[:, 0])) == 32


@pytest.mark.parametrize(
    ("name", "dtype", "count"), [("PIL.Image.merge", "uint8", 3), ("numpy.stack", "float32", 2)]
)
def test_a_list_has_as_many_arrays_as_it_takes(name, dtype, count):
    contract = catalog.find(name)
    case = Case(pair=contract.native, dtype=dtype, size=(24, 32))
    assert len(_arguments.arguments_for(contract, case).arrays) == count
    assert by_kind(prepared(case, contract).sides)["native"] is not None


def test_coordinates_stay_near_their_pixels():
    contract = catalog.find("pipeport.scipy.ndimage.map_coordinates")
    given = _arguments.arguments_for(contract, Case(pair="x", dtype="float32", size=(24, 32)))
    coordinates = given.per_element_values["coordinates"][0]
    assert coordinates.shape == (3, 24, 32, 3)
    assert np.abs(coordinates - np.indices((24, 32, 3))).max() <= 3


def test_a_required_parameter_without_a_typical_value_has_one_of_its_domain():
    contract = catalog.find("pipeport.numpy.digitize")
    bins = contract.domain["bins"]
    assert bins.typical is None
    given = _arguments.arguments_for(contract, Case(pair=contract.native, dtype="float32", size=(24, 32)))
    assert given.fixed == {"bins": bins.values[-1]}


def test_draws_have_a_seed_per_element_and_the_size_of_a_photograph():
    contract = catalog.find("pipeport.numpy.random.normal")
    given = _arguments.arguments_for(contract, Case(pair=contract.native, size=(24, 32)))
    assert given.fixed == {"size": (24, 32)}
    assert given.shared == (_arguments.ELEMENT,)
    assert len(np.unique(given.ours["seed"], axis=0)) == 32


def test_transforms_are_made_once_and_draw_per_element():
    contract = catalog.find("pipeport.albumentations.Rotate")
    case = Case(pair=contract.native, dtype="uint8", size=(24, 32))
    given = _arguments.arguments_for(contract, case)
    assert (given.fixed, given.shared) == ({"p": 1.0}, ("image",))
    found = prepared(case, contract)
    first, again = (_answers.first_batch(found.datasets[contract.native])[0] for _ in range(2))
    assert np.array_equal(first, again)
    turns = {one.tobytes() for one in first}
    assert len(turns) == 32


def test_matrices_differ_from_element_to_element():
    contract = catalog.find("pipeport.numpy.linalg.det")
    given = _arguments.arguments_for(contract, Case(pair=contract.native))
    assert not given.arrays
    assert len(np.unique(given.per_element_values["a"], axis=0)) == 32


def test_results_of_many_sizes_are_padded_on_every_side():
    contract = catalog.find("pipeport.numpy.flatnonzero")
    found = prepared(replace(SMALL, pair=contract.native), contract)
    shapes = [_answers.first_batch(found.datasets[side.name])[0].shape for side in found.sides]
    assert shapes[0] == shapes[1]
    sizes = {len(np.flatnonzero(image)) for image in found_images(contract)}
    assert len(sizes) > 1
    assert shapes[0] == (32, max(sizes))


def found_images(contract):
    return _arguments.arguments_for(contract, SMALL).arrays["a"]


def test_missing_stock_and_peers_are_notes():
    contract = replace(
        FLIP,
        stock=Stock("tf.nothing", "", "pipeport.references.nowhere.nothing"),
        peers=(Peer("lib.f", "", "pipeport.references.nowhere.f"),),
    )
    found = prepared(SMALL, contract)
    assert [side.kind for side in found.sides] == ["reference", "native"]
    assert len(found.notes) == 2
    assert all("nowhere" in note for note in found.notes)


def test_a_peer_that_lacks_a_parameter_is_not_called_without_it():
    contract = replace(FLIP, peers=(Peer("lib.f", "", "os.path.basename"),))
    arguments = _arguments.arguments_for(FLIP, SMALL)
    bodies, missing = _bodies.peer_bodies(contract, "float32", arguments)
    assert bodies == []
    assert "no parameter 'm'" in missing[0]


def test_resolving_what_is_not_there():
    with pytest.raises(NotPorted, match=r"no\.such\.function"):
        _bodies.resolve("no.such.function")
    assert not _bodies.can_resolve("no.such.function")


def test_largest_difference():
    ours, theirs = np.array([1.0, np.nan, 3.0]), np.array([1.5, 2.0, 3.0])
    assert _answers.largest_difference([ours], [theirs]) == 0.5
    assert _answers.largest_difference([ours], [theirs[:2]]) is None
    assert _answers.largest_difference([np.uint8([0])], [np.uint8([255])]) == 255.0
