"""The real pipelines: elements, bodies, boundaries, and every pair of the catalog on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import tensorflow as tf

from pipeport import catalog
from pipeport.bench import _answers, _arguments, _bodies, _pipelines, _sides
from pipeport.bench._case import Case
from pipeport.bench._variants import PLAIN, VARIANTS, variants_of
from pipeport.contract import Peer, Stock
from pipeport.errors import NotPorted, OutsideDomain

FLIP = catalog.find("pipeport.numpy.fliplr")
SMALL = Case(pair=FLIP.native, dtype="float32", size=(24, 32))
BENCHED = [c for c in catalog.pairs().values() if c.bench and _bodies.can_resolve(c.reference)]


def prepared(case, contract=FLIP, variant=PLAIN, *, roofline=False):
    arguments = _arguments.arguments_for(contract, case)
    source = _pipelines.Source(case, arguments)
    return _sides.prepare(contract, variant, case, arguments, source, roofline=roofline)


def by_kind(sides):
    return {side.kind: side for side in sides}


@pytest.mark.parametrize(
    ("contract", "variant", "dtype"),
    [
        pytest.param(contract, variant, dtype, id=f"{contract.native}-{dtype}-{variant.name}")
        for contract in BENCHED
        for dtype in ("float32", "uint8")
        # Two dtypes only where a pair is called differently by dtype.
        if _arguments.accepts(contract, dtype) and (dtype == "float32" or contract.native in VARIANTS)
        for variant in variants_of(contract.native, dtype)
    ],
)
def test_every_pair_does_the_same_work_on_both_sides(contract, variant, dtype):
    # Large enough for the windows and blocks that contracts call typical.
    case = Case(pair=contract.native, dtype=dtype, size=(32, 48), variant=variant.name)
    found = prepared(case, contract, variant)
    stock_and_peers = (contract.stock is not None) + sum(dtype in peer.dtypes for peer in contract.peers)
    assert found.notes == []
    assert len(found.sides) == 2 + stock_and_peers * variant.compared
    sides = by_kind(found.sides)
    reference, native = (
        _answers.first_batch(found.datasets[sides[kind].name]) for kind in ("reference", "native")
    )
    assert _answers.described(native) == _answers.described(reference)
    specs = [found.datasets[sides[kind].name].element_spec for kind in ("reference", "native")]
    stated, found_out = map(tf.nest.flatten, specs)
    if contract.kind == "reader":  # the sizes stand in the files; the bench states them for the reference
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
    angles = first.drawn["angle"]
    assert np.array_equal(angles, second.drawn["angle"])
    assert len(set(angles.tolist())) == 32


def test_numbers_per_axis_are_drawn_about_the_typical_ones():
    contract = catalog.find("pipeport.scipy.ndimage.shift")
    drawn = _arguments.arguments_for(contract, Case(pair="x", dtype="float32", size=(24, 32))).drawn["shift"]
    share = drawn[:, :2] / np.array(contract.domain["shift"].typical[:2])
    assert (drawn[:, 2] == 0).all()  # nobody shifts colours
    assert (share >= 0.5).all()
    assert (share <= 1.5).all()
    assert len(np.unique(drawn[:, 0])) == 32


def test_coordinates_stay_near_their_pixels():
    contract = catalog.find("pipeport.scipy.ndimage.map_coordinates")
    given = _arguments.arguments_for(contract, Case(pair="x", dtype="float32", size=(24, 32)))
    coordinates = given.drawn["coordinates"][0]
    assert coordinates.shape == (3, 24, 32, 3)
    assert np.abs(coordinates - np.indices((24, 32, 3))).max() <= 3


def test_a_parameter_without_a_value_is_named():
    contract = catalog.find("pipeport.numpy.pad")
    domain = dict(contract.domain)
    domain["pad_width"] = replace(domain["pad_width"], typical=None, per_element=False)
    with pytest.raises(OutsideDomain, match=r"domain\['pad_width'\].*typical"):
        _arguments.arguments_for(replace(contract, domain=domain), Case(pair="x", dtype="float32"))


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
