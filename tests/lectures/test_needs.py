"""Tests of the measurements that a figure needs."""

import pretended_results.cpu
import pytest
from lecture_figures import CLAIM, PART, ROWS, entry

from accelbench import backends, config
from accelbench.errors import InputError
from accelbench.lectures import entries, needs
from accelbench.model.machine import Machine


def test_part_without_sizes_is_measured_at_the_kernels_own():
    """As measure.plan documents, sizes for GPUs apply only to GPUs and the baseline."""
    (need,) = needs.of(entries.find("icsc23-peer"), needs.read_configuration())
    spec = need.config.kernel.spec
    assert (need.config.sizes, need.config.sizes_gpu) == (spec.sizes["lecture"], spec.sizes_gpu)
    (own,) = needs.of(entry(measure=[{"kernel": "peer_copy"}]), config.Config(preset="smoke"))
    assert max(spec.sizes_gpu) in own.config.sizes_gpu
    (given,) = needs.of(entry(measure=[{"kernel": "peer_copy", "sizes": [7]}]), needs.read_configuration())
    assert (given.config.sizes, given.config.sizes_gpu) == ((7,), ())


def test_gpu_figure_is_not_measured_without_one(tmp_path, monkeypatch):
    """Sizes for a comparison with a GPU are not measured without a GPU: NumPy's svd of 800 MB takes minutes."""
    pretended_results.cpu.write(tmp_path / "results" / "synthetic")
    asked = []
    monkeypatch.setattr(needs.measure, "measure_repetition", lambda config, *_, **__: asked.append(
        (config.kernel.name, config.sizes, config.protocol.max_call_s)))  # fmt: skip
    monkeypatch.setattr(needs.measure, "merge_repetitions", lambda *_, **__: None)
    whole, base = entries.find("icsc23-arrays"), needs.read_configuration()
    home = tmp_path / "results" / "synthetic"
    needs.measure_figure(whole, base, "synthetic", home=home, tell=lambda line: None)
    assert ("svd", (1000,), 30) in asked
    assert {10000, 100000000} & {size for _, sizes, _ in asked for size in sizes} == set()
    monkeypatch.setattr(Machine, "has_gpu", True)
    needs.measure_figure(whole, base, "synthetic", home=home, tell=lambda line: None)
    assert ("svd", (10000,), 200) in asked


def test_repetitions_of_a_figures_parts_are_interleaved_and_each_part_is_merged_once(tmp_path, monkeypatch):
    pretended_results.cpu.write(tmp_path / "results" / "synthetic")
    home, done = tmp_path / "results" / "synthetic", []
    monkeypatch.setattr(needs.measure, "measure_repetition", lambda config, *_, number, **__: done.append(
        (number, config.kernel.name, config.sizes)))  # fmt: skip
    monkeypatch.setattr(needs.measure, "merge_repetitions", lambda config, *_, output, **__: done.append(
        (output.name, config.kernel.name, config.sizes)))  # fmt: skip
    figure, base = entries.find("icsc23-arrays"), needs.read_configuration()
    needs.measure_figure(figure, base, "synthetic", home=home, tell=lambda line: None)
    merged = [job for job in done if not isinstance(job[0], int)]
    assert len(merged) == len({output for output, *_ in merged}) > 1
    parts = [part for _, *part in merged]
    numbers = range(1, base.protocol.repetitions.max + 1)
    assert done == [*((number, *part) for number in numbers for part in parts), *merged]


def test_part_is_a_configuration_of_its_own():
    base = needs.read_configuration()
    fast, slow = needs.of(entries.find("esrf-speedups"), base)
    assert slow.config.protocol.max_call_s == 900
    assert fast.config.protocol.max_call_s == base.protocol.max_call_s < 900
    assert fast.config.sizes == (1024,)
    assert "python_tuples" not in fast.config.implementations
    assert fast.config.kernel.spec.baseline in slow.config.implementations


def test_on_a_gpu_all_lines_over_an_option_are_measured_at_one_size():
    dg = entries.find("gtc2010-dg")
    parts = [need for need in needs.of(dg, needs.read_configuration()) if need.config]
    largest = {}
    for need in parts:
        for name in need.config.implementations:
            largest[name] = max(largest.get(name, 0), *need.config.sizes)
    assert {largest[name] for name in largest if dg.draws(name)} == {10_000}
    assert {"pyopencl_raw", "cupy_matmul", "numpy_blocked"} <= largest.keys()


def test_block_sizes_are_the_usual_one_a_list_or_the_whole_sweep():
    base = needs.read_configuration()
    chosen = [None, "sweep", [33, 64]]
    parts = [PART | ({"block_sizes": blocks} if blocks else {}) for blocks in chosen]
    found = [need.config.block_sizes("gpu") for need in needs.of(entry(measure=parts), base)]
    assert [[*map(str, blocks)] for blocks in (found[0], found[2])] == [["256"], ["33", "64"]]
    assert found[1] == base.block_sizes
    assert {"1", "33", "100", "1024"} <= {*map(str, base.block_sizes)}
    (flat,) = needs.of(entry(measure=[PART | {"kernel": "matmul", "implementations": ["cupy_*"]}]), base)
    assert [*map(str, flat.config.block_sizes("gpu"))] == ["16x16"]


def test_part_that_cannot_be_measured_is_left_out_and_listed():
    wrong = {
        "'fortran_*' matches no implementation": {"implementations": ["cffi_api", "fortran_*"]},
        "'int8' is not one of its dtypes": {"dtypes": ["float64", "int8"]},
        "no option 'width'": {"options": {"width": 3}},
        "there is no kernel nosuch": {"kernel": "nosuch"},
    }
    own, base = entry(measure=[PART, *(PART | changes for changes in wrong.values())]), needs.read_configuration()
    right, *others = needs.of(own, base)
    assert set(right.config.implementations) == {"cffi_api", right.config.kernel.spec.baseline}
    assert right.config.dtypes == ("float64",)
    assert right.missing == []
    assert {need.config for need in others} == {None}
    for problem, need in zip(wrong, others, strict=True):
        assert problem in need.missing[0]
    with pytest.raises(InputError) as caught:
        needs.check([own], base)
    for problem in ("own-sum: ", *wrong):
        assert problem in str(caught.value)


def test_figures_of_what_has_no_environment_are_made_of_the_others(monkeypatch):
    """Without an environment for PyOpenCL, cases of other backends are planned for all figures, without an error."""
    monkeypatch.setattr(backends.modules()["pyopencl"], "ENVIRONMENT", "own", raising=False)
    every, base = entries.read().values(), needs.read_configuration()
    configs = [need.config for entry in every for need in needs.of(entry, base) if need.config]
    measured = {i.backend for each in configs for i in each.implementations.values()}
    assert "pyopencl" not in measured
    assert {"numpy", "cupy", "cffi"} <= measured
    assert needs.missing(every, base) == {}


def test_row_that_nothing_measures_is_a_mistake():
    own = entry(rows=[*ROWS, {"label": "Numba", "implementation": "numba_njti"}])
    assert needs.missing([own], needs.read_configuration()) == {
        "own-sum": ["the row 'Numba' shows numba_njti, which the figure does not measure"]
    }


def test_claim_about_a_size_that_nothing_measures_is_a_mistake():
    own = entry(claims=[CLAIM | {"size": 77}, CLAIM | {"size": 1000}])
    assert needs.missing([own], needs.read_configuration()) == {
        "own-sum": ["the claim 'C is faster' refers to size 77, which the figure does not measure"]
    }
