"""Tests of the speedups of cases over their baselines in the table of timings."""

import math

import numpy as np
import pandas as pd
import pytest
from pretended_results import GPU, REPETITIONS, only, record, save
from read_results import write_tables
from scipy import stats

from accelbench.analysis import gathering
from accelbench.analysis.scatter import Scatter
from accelbench.analysis.verdicts import AMBIGUOUS, FASTER, SAME, SLOWER
from accelbench.errors import InputError
from accelbench.statistics import median
from accelbench.store.load import load_results


def test_timings_row_worked_out_by_hand(tmp_path):
    options = {"vertices": 24, "width": 1048577}
    numpy = record("numpy_thing", compute=(0.2, 0.4, 0.2), repetitions=REPETITIONS, options=options)
    fast = record(
        "pyopencl_raw",
        device="NVIDIA H200",
        threads=None,
        parameters={"block_size": [16, 16], "unroll": 4},
        options=options,
        compute=(0.1, 0.2, 0.1),
        call=(0.11, 0.21, 0.11),
        end_to_end=(0.4, 0.8, 0.4),
        startup={"first_call_s": 0.7},
        bytes_read=3e9,
        bytes_written=1e9,
        flops=5e9,
        max_error=1e-16,
        noisy=False,
    )
    found = write_tables(save(tmp_path, numpy, fast))["timings"]
    row = only(found, implementation="pyopencl_raw")
    mean = 0.1 * 2 ** (1 / 3)
    # The three ratios agree, so their scatter is the prior's alone: 1.3 %, with 1.5 degrees of freedom.
    half = stats.t.ppf(0.975, 3.5) * math.sqrt(1.5 * 0.013**2 / 3.5 / 3)
    expected = {
        "machine": "here",
        "kernel": "thing",
        "options": "vertices=24 width=1048577",
        "block_size": "16x16",
        "parameters": "unroll=4",
        "threads": None,
        "outcome": "ok",
        "reason": None,
        "compute_s": pytest.approx(mean),
        "compute_ci_low_s": pytest.approx(mean * 0.99),
        "end_to_end_s": pytest.approx(4 * mean),
        "first_call_s": 0.7,
        "speedup": pytest.approx(2.0),
        "speedup_ci_low": pytest.approx(2.0 * math.exp(-half)),
        "speedup_ci_high": pytest.approx(2.0 * math.exp(half)),
        "speedup_next_high": pytest.approx(2.0 * math.exp(math.hypot(math.sqrt(2) * half, 2.776 * 0.014))),
        "verdict": FASTER,
        "speedup_end_to_end": pytest.approx(0.5),
        "verdict_end_to_end": SLOWER,
        "bandwidth_gb_s": pytest.approx(4 / mean),
        "gflop_s": pytest.approx(5 / mean),
        "fraction_of_peak": None,
        "implausible": None,
        "noisy": False,
        "cache_resident": None,
        "repetitions": 3,
        "samples": 12,
    }
    assert {name: row[name] for name in expected} == expected
    baseline = only(found, implementation="numpy_thing")
    # Host code is timed by the host's clock, so `call` and `end_to_end` equal `compute`.
    assert baseline["call_s"] == baseline["end_to_end_s"] == baseline["compute_s"]
    assert (baseline["speedup"], baseline["verdict"]) == (1.0, None)


@pytest.mark.parametrize(("threads", "used", "more"), [(1, 1.9, True), (1, 1.05, False), (2, 1.9, False)])
def test_timings_mark_more_busy_cores_than_threads(tmp_path, threads, used, more):
    record_ = record("numpy_thing", compute=1.0, threads=threads, cores_used=used)
    row = only(write_tables(save(tmp_path, record_))["timings"], implementation="numpy_thing")
    assert (row["cores_used"], row["more_cores"]) == (used, more)


def test_timings_invent_no_end_to_end(tmp_path):
    device = record("cupy_raw", device="NVIDIA H200", threads=None, compute=0.1, call=0.2)
    converting = record("python_list", compute=0.5, end_to_end=2.0, upload=1.5)
    found = write_tables(save(tmp_path, record("numpy_thing", compute=1.0), device, converting))["timings"]
    row = only(found, implementation="cupy_raw")
    assert (row["end_to_end_s"], row["speedup_end_to_end"], row["verdict_end_to_end"]) == (None, None, None)
    row = only(found, implementation="python_list")
    assert (row["call_s"], row["end_to_end_s"], row["speedup_end_to_end"]) == (0.5, 2.0, 0.5)


def test_timings_baseline_is_the_fastest_thread_count(tmp_path):
    numpy = [record("numpy_thing", compute=s, threads=t) for s, t in ((4.0, 1), (2.0, 2), (3.0, 4))]
    cases = [record("cffi_openmp", compute=s, threads=t) for s, t in ((4.0, 1), (1.0, 4), (0.5, 8))]
    found = write_tables(save(tmp_path, *numpy, *cases))["timings"]
    rows = {t: only(found, implementation="cffi_openmp", threads=t) for t in (1, 4, 8)}
    assert [rows[t]["speedup"] for t in rows] == pytest.approx([0.5, 2.0, 4.0])
    assert set(found["baseline"]) == {"thing/numpy_thing/float64/1000/cpu/threads=2"}


@pytest.mark.parametrize("outcome", ["error", "wrong_result", "too_slow"])
def test_timings_of_a_failed_baseline_have_no_speedups(tmp_path, outcome):
    found = write_tables(
        save(
            tmp_path,
            record("numpy_thing", outcome=outcome),
            record("cffi_api", compute=1.0),
            record("numba_njit", compute=3.0),
        )
    )
    row = only(found["timings"], implementation="cffi_api")
    assert (row["compute_s"], row["speedup"], row["verdict"], row["baseline"]) == (1.0, None, None, None)
    assert only(found["outcomes"], outcome=outcome)["reason"] == "numpy_thing failed"
    assert only(found["winners"], timing="compute")["winner"] == "cffi_api"
    assert len(found["best"]) == 2
    assert found["crossover"].empty


def test_timings_of_a_wrong_result_are_never_shown(tmp_path):
    right, failed = record("numpy_thing", compute=1.0), {"outcome": "wrong_result", "reason": "off by 3"}
    timed = record("cffi_api", compute=0.001).model_copy(update=failed)
    with pytest.raises(InputError, match="timings: must be absent, since the outcome is wrong_result, not ok"):
        write_tables(save(tmp_path / "timed", right, timed))
    found = write_tables(save(tmp_path, right, record("cffi_api", **failed)))
    row = only(found["timings"], implementation="cffi_api")
    assert (row["compute_s"], row["speedup"], row["repetitions"], row["reason"]) == (None, None, 0, "off by 3")
    assert only(found["winners"], timing="compute")["winner"] == "numpy_thing"


def test_timings_where_nothing_is_ok(tmp_path):
    records = [record("numpy_thing", outcome="crashed"), record("cupy_raw", outcome="unavailable", device=None)]
    found = write_tables(save(tmp_path, *records))
    assert set(found["winners"]["decision"]) == {"no_result"}
    assert list(found["outcomes"]["cases"]) == [1, 1]
    assert only(found["outcomes"], outcome="unavailable")["case"] == "thing/cupy_raw/float64/1000/no-device/threads=1"
    assert all(found[name].empty for name in ("best", "crossover", "scaling", "peaks", "startup"))


def test_timings_of_one_process_have_ratios_and_no_verdicts(tmp_path):
    found = write_tables(
        save(
            tmp_path,
            record("numpy_thing", compute=(2.0,), repetitions=("p1",)),
            record("cffi_api", compute=(1.0,), repetitions=("p1",)),
        )
    )
    row = only(found["timings"], implementation="cffi_api")
    assert (row["speedup"], row["speedup_ci_low"], row["verdict"]) == (2.0, None, None)
    winner = only(found["winners"], timing="compute")
    assert (winner["winner"], winner["decision"], winner["tie"]) == (None, "one_process", None)
    assert winner["fastest"] == "cffi_api"
    crossover = only(found["crossover"], timing="compute")
    assert (crossover["crossover"], crossover["compared_sizes"], crossover["calls_to_repay"]) == (None, 0, None)


def test_timings_pair_the_repetitions_that_both_saw(tmp_path):
    numpy = record(
        "numpy_thing", compute=(1.0, 1.0, 1.0, 5.0, 5.0, 5.0), repetitions=("p1", "p2", "p3", "q1", "q2", "q3")
    )
    late = record("cffi_api", compute=2.5, repetitions=("q1", "q2", "q3"))
    early = record("numba_njit", compute=0.8, repetitions=("p1", "p2", "p3"))
    stray = record("ctypes_c", compute=0.1, repetitions=("x1", "x2"))
    found = write_tables(save(tmp_path, numpy, late, early, stray))
    speedups = found["timings"].set_index("implementation")["speedup"]
    assert speedups["cffi_api"] == pytest.approx(2.0, rel=1e-3)
    assert speedups["numba_njit"] == pytest.approx(1.25, rel=1e-3)
    assert pd.isna(speedups["ctypes_c"])
    winner = only(found["winners"], timing="compute")
    assert (winner["winner"], winner["incomparable"], winner["candidates"]) == ("cffi_api", 1, 4)


def test_timings_pair_without_a_repetition_that_lacks_a_kind(tmp_path):
    device = record("pyopencl_raw", compute=1.0, call=1.0, end_to_end=(4.0, 4.0, 4.0))
    device.timings["end_to_end"].samples_s[0] = []
    device.timings["end_to_end"].rounds[0] = []
    found = write_tables(save(tmp_path, record("numpy_thing", compute=(9.0, 8.0, 8.0)), device))["timings"]
    row = only(found, implementation="pyopencl_raw")
    assert (row["speedup_end_to_end"], row["verdict_end_to_end"]) == (pytest.approx(576 ** (1 / 3) / 4), FASTER)


def test_timings_of_a_virtual_machine_widen_same(tmp_path):
    records = [record("numpy_thing", compute=1.0), record("cffi_api", compute=(0.98, 1.0, 1.02))]
    verdict = {}
    for virtualised in (False, True):
        found = write_tables(save(tmp_path, *records, virtualised=virtualised))["timings"]
        verdict[virtualised] = only(found, implementation="cffi_api")["verdict"]
    assert verdict == {False: AMBIGUOUS, True: SAME}


def test_what_a_device_takes_apart_from_launching_is_not_launch_bound(tmp_path):
    """A case with long launches is launch-bound if its time `compute` includes launches.

    `compute` includes launches if calls wait for the device, if launches cannot be separated, or in older results.
    """
    kinds = {"throughput": 1e-5, "launch": 1e-5, "call": 2e-5, **GPU}
    folder = save(
        tmp_path,
        record("numpy_thing", compute=1e-4),
        record("cupy_raw", compute=2e-6, synchronises=False, unseen=False, **kinds),
        record("cupy_array", compute=1e-5, synchronises=True, unseen=False, **kinds),
        record("pyopencl_raw", compute=1e-5, synchronises=False, unseen=True, **kinds),
        record("pycuda_raw", compute=1e-5, **{k: v for k, v in kinds.items() if k != "throughput"}),
    )
    found = write_tables(folder)["timings"]
    rows = {name: only(found, implementation=name) for name in found["implementation"]}
    bound = {name: row["launch_bound"] for name, row in rows.items()}
    marked = {"cupy_array": True, "pyopencl_raw": True, "pycuda_raw": True}
    assert bound == {"numpy_thing": None, "cupy_raw": False} | marked
    marks = {name: (row["synchronises"], row["unseen"]) for name, row in rows.items()}
    assert marks["cupy_raw"] == (False, False)
    assert marks["cupy_array"] == (True, False)
    assert marks["pyopencl_raw"] == (False, True)
    assert marks["pycuda_raw"] == marks["numpy_thing"] == (None, None)
    assert rows["cupy_raw"]["speedup"] == pytest.approx(50, rel=0.05)
    assert rows["cupy_raw"]["speedup_throughput"] == pytest.approx(10, rel=0.05)
    low, high = (rows["cupy_raw"][f"speedup_throughput_ci_{end}"] for end in ("low", "high"))
    assert low < 10 < high
    # Cases on the host, and older results, have no `throughput`. They use `compute`.
    assert rows["numpy_thing"]["throughput_s"] == rows["numpy_thing"]["compute_s"]
    assert rows["pycuda_raw"]["speedup_throughput"] == rows["pycuda_raw"]["speedup"]


TWO = {"baseline": "numpy_sum", "baselines": ["numpy_matmul"]}
FIVE = ("p1", "p2", "p3", "p4", "p5")


def test_baseline_is_the_fastest_candidate_of_each_problem_by_the_other_repetitions(tmp_path):
    """At size 2000, numpy_sum is by chance the fastest in the first repetition, and is not chosen."""
    times = {
        ("numpy_sum", 1000): (1.0, 1.01, 0.99, 1.0, 1.0),
        ("numpy_matmul", 1000): (2.0, 2.01, 1.99, 2.0, 2.0),
        ("numpy_sum", 2000): (0.5, 4.0, 4.0, 4.04, 3.96),
        ("numpy_matmul", 2000): (2.0, 2.0, 2.02, 1.98, 2.0),
        ("cffi_api", 1000): (0.5,) * 5,
        ("cffi_api", 2000): (0.5,) * 5,
    }
    records = [record(name, size, compute=s, repetitions=FIVE) for (name, size), s in times.items()]
    rows = write_tables(save(tmp_path, *records, kernels={"thing": TWO}))["timings"]
    found = {(row["implementation"], row["size"]): row for row in rows.to_dict("records")}
    for size, name, ratio in ((1000, "numpy_sum", 2.0), (2000, "numpy_matmul", 4.0)):
        row = found["cffi_api", size]
        assert row["baseline"] == f"thing/{name}/float64/{size}/cpu/threads=1"
        assert row["speedup"] == pytest.approx(ratio, rel=1e-2)
        assert found[name, size]["speedup"] == 1.0
    assert found["numpy_matmul", 1000]["speedup"] == pytest.approx(0.5, rel=1e-2)
    assert found["numpy_sum", 2000]["verdict"] != FASTER


def test_scatter_is_not_estimated_from_what_is_divided_by_itself(tmp_path, monkeypatch):
    """No two times are equal, so a log ratio of 0 would come from a time divided by itself.

    At some sizes, leave-one-repetition-out chooses NumPy with one thread in some repetitions, and with two threads in
    others.
    """
    generator, pooled = np.random.default_rng(8), {}
    records = [
        record("numpy_sum", size, compute=tuple(generator.uniform(0.9, 1.1, 5).tolist()), repetitions=FIVE, threads=n)
        for size in range(1000, 1020)
        for n in (1, 2)
    ]
    results = load_results(save(tmp_path, *records, kernels={"thing": TWO}))
    monkeypatch.setattr(gathering, "estimate", lambda pools, **_: pooled.update(pools) or Scatter())
    chosen = [{own.record.threads for own in case.baseline.chosen.values()} for case in gathering.gather(results)]
    assert any(len(each) == 2 for each in chosen)
    logs = [value for comparison in pooled["host"] for value in comparison.values()]
    assert len(logs) > 60
    assert 0.0 not in logs


def test_timings_mark_launch_bound_cases(tmp_path):
    short = record("cupy_raw", **GPU, compute=1e-5, call=2e-5, launch=0.9e-5)
    long = record("cupy_array", **GPU, compute=1e-5, call=2e-5, launch=0.7e-5)
    found = write_tables(save(tmp_path, record("numpy_thing", compute=1e-5), short, long))["timings"]
    assert [only(found, implementation=n)["launch_bound"] for n in ("cupy_raw", "cupy_array")] == [True, False]
    assert only(found, implementation="numpy_thing")["launch_bound"] is None


def test_timings_say_the_largest_shift_of_a_reference_case(tmp_path):
    shifted = record("numpy_thing", compute=1.0, environment={"reference_shift": [0.01, None, 0.2]})
    found = write_tables(save(tmp_path, shifted, record("cffi_thing", compute=1.0)))["timings"]
    assert only(found, implementation="numpy_thing")["reference_shift"] == 0.2
    assert only(found, implementation="cffi_thing")["reference_shift"] is None


def test_timings_tell_resident_calls_from_both_ways_end_to_end(tmp_path):
    numpy = record("numpy_thing", compute=(8.0, 8.4, 7.6))
    kinds = {"compute": 0.1, "call": 0.2, "end_to_end": 4.0, "end_to_end_pinned": 2.0, "launch": 1e-6}
    gpu = record("cupy_raw", **GPU, **kinds, occupancy=0.75, registers=24, energy_j=0.5)
    pocl = record("pyopencl_raw", device="PoCL EPYC", compute=1.0, call=1.0, end_to_end=1.6)
    found = write_tables(save(tmp_path, numpy, gpu, pocl))
    row = only(found["timings"], implementation="cupy_raw")
    mean = (8.0 * 8.4 * 7.6) ** (1 / 3)
    for kind, seconds in (("", 0.1), ("_call", 0.2), ("_end_to_end", 4.0), ("_end_to_end_pinned", 2.0)):
        assert row[f"speedup{kind}"] == pytest.approx(mean / seconds)
        assert row[f"speedup{kind}_ci_low"] < row[f"speedup{kind}"] < row[f"speedup{kind}_ci_high"]
    assert [row[n] for n in ("occupancy", "registers", "energy_j")] == [0.75, 24, 0.5]
    assert row["launch_s"] == pytest.approx(1e-6)
    # A case without transfers through page-locked memory has no `end_to_end_pinned`. It is ranked by `end_to_end`.
    for other in ("numpy_thing", "pyopencl_raw"):
        row = only(found["timings"], implementation=other)
        assert (row["end_to_end_pinned_s"], row["speedup_end_to_end_pinned"], row["registers"]) == (None,) * 3
    winners = {row.timing: row.winner for row in found["winners"].itertuples()}
    assert winners == {
        "compute": "cupy_raw",
        "call": "cupy_raw",
        "end_to_end": "pyopencl_raw",
        "end_to_end_pinned": "pyopencl_raw",
    }
    crossover = only(found["crossover"], implementation="cupy_raw", timing="end_to_end_pinned")
    assert crossover["crossover"] == "always"


def test_timings_without_page_locked_memory(tmp_path):
    pocl = record("pyopencl_raw", device="PoCL EPYC", compute=1.0, call=1.0, end_to_end=1.6)
    found = write_tables(save(tmp_path, record("numpy_thing", compute=8.0), pocl))
    for name in ("winners", "crossover"):
        assert set(found[name]["timing"]) == {"compute", "call", "end_to_end"}


@pytest.mark.parametrize("unseen", [True, False])
def test_ratios_are_told_by_medians(tmp_path, unseen):
    """Three of ten samples are too short, as if the start of a device was observed late. The median stays the same."""
    seconds, numpy = [0.01] * 3 + [0.1] * 7, record("numpy_thing", compute=1.0)
    case = record("jax_jit", compute=0.1, unseen=unseen, **GPU)
    for one, own in ((case, seconds), (numpy, [1.0] * 10)):
        timing = one.timings["compute"]
        ten = {"samples_s": [own] * len(REPETITIONS), "rounds": [list(range(10))] * len(REPETITIONS)}
        one.timings["compute"] = timing.model_copy(update=ten)
    found = write_tables(save(tmp_path, numpy, case))["timings"]
    assert only(found, implementation="jax_jit")["speedup"] == pytest.approx(10.0)


def test_two_calls_before_the_first_round_both_count(tmp_path):
    """In older results, both calls before the first round have the round number 0."""
    case = record("python_slow", compute=9.0)
    samples = {"samples_s": [[7.0, 9.0, 11.0]] * len(REPETITIONS), "rounds": [[0, 0, 1]] * len(REPETITIONS)}
    case.timings["compute"] = case.timings["compute"].model_copy(update=samples)
    (found,) = gathering.gather(load_results(save(tmp_path, case)))
    assert [median(rounds.values()) for rounds in found.samples("compute").values()] == [9.0] * len(REPETITIONS)
