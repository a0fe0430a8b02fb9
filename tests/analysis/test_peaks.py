"""Tests of the measured peaks of the machine, and of the cases' shares of these peaks."""

import math

import pytest
from pretended_results import LIMITS, REPETITIONS, limit, only, record, save
from read_results import write_tables
from scipy import stats

from accelbench.model.names import PROTOCOL_VERSION


@pytest.mark.parametrize("baseline_ends", [True, False])
def test_peaks_is_not_taken_where_the_host_runs_its_baseline_alone(tmp_path, baseline_ends):
    large = {"read": 80e9, "size": 10**10}
    alone = [limit("read", "numpy", 8.0, **large)] if baseline_ends else []
    gpu = [limit("read", "cupy", 0.02, device="GPU", threads=None, **large)]
    gpu += [limit("read", "cupy", 0.004, read=8e9, device="GPU", threads=None)]
    found = write_tables(save(tmp_path, *alone, *gpu, *LIMITS))["peaks"]
    rates = {(r.device, r.threads): r.bytes_per_s for r in found.itertuples() if r.peak == "read"}
    assert sorted(rates.values()) == pytest.approx([10e9, 20e9, 4e12])


def test_peaks_is_the_baselines_where_it_is_faster_at_its_own_size(tmp_path):
    alone = limit("read", "numpy", 2.0, read=80e9, size=10**10)  # 40 GB/s
    found = write_tables(save(tmp_path, alone, *LIMITS))["peaks"]
    read = found[found["peak"] == "read"]
    assert dict(zip(read["threads"], read["bytes_per_s"], strict=True)) == pytest.approx({1: 40e9, 2: 40e9})
    assert set(read["case"]) == {"peak_read/numpy_read/float64/10000000000/cpu/threads=1"}


def test_peaks_of_the_bus_is_not_that_of_small_transfers(tmp_path):
    small = record("pyopencl_raw", compute=1.0, call=1.0, upload=1e-3, download=1e-3, bytes_read=2e6, bytes_written=2e7)
    found = write_tables(save(tmp_path, record("numpy_thing", compute=1.0), small))["peaks"]
    assert list(found["peak"]) == ["download"]


def test_peaks(tmp_path):
    device = record("pyopencl_raw", compute=1.0, call=1.0, upload=0.1, download=0.5, bytes_read=1e9, bytes_written=1e8)
    listed = record("python_list", compute=1.0, end_to_end=2.0, upload=1e-9, bytes_read=1e9, bytes_written=1e8)
    found = write_tables(save(tmp_path, record("numpy_thing", compute=1.0), device, listed, *LIMITS))["peaks"]
    rows = {(r.threads, r.peak): r for r in found.itertuples()}
    rates = {key: r.flop_per_s if key[1] == "matmul" else r.bytes_per_s for key, r in rows.items()}
    assert rates == pytest.approx(
        {
            (1, "read"): 10e9,
            (2, "read"): 20e9,
            (1, "copy"): 8e9,
            (1, "triad"): 9.6e9,
            (1, "matmul"): 1e11,
            (1, "upload"): 10e9,
            (1, "download"): 0.2e9,
        }
    )
    assert rows[1, "read"].implementation == "cffi_read"
    assert rows[1, "read"].case == "peak_read/cffi_read/float64/100000000/cpu/threads=1"


def test_peaks_of_more_threads_is_what_fewer_reach(tmp_path):
    slow_pool = limit("read", "cffi", 4.0, read=8e9, threads=2)
    found = write_tables(save(tmp_path, limit("read", "numpy", 1.0, read=8e9), slow_pool))["peaks"]
    row = only(found, threads=2, peak="read")
    assert (row["bytes_per_s"], row["implementation"]) == (8e9, "numpy_read")


@pytest.mark.parametrize(
    ("read", "written", "flops", "seconds", "fraction", "implausible"),
    [
        (10e9, 0, None, 2.0, 0.5, False),  # only reads: peak of 10 GB/s
        (4e9, 4e9, None, 2.0, 0.5, False),  # reads and writes in the proportion of a copy: 8 GB/s
        (6.4e9, 3.2e9, None, 2.0, 0.5, False),  # reads and writes in the proportion of a triad: 9.6 GB/s
        (8e9, 1.6e9, None, 2.0, 0.49, False),  # 5/6 reads: halfway between 1/9.6 and 1/10
        (0, 10e9, None, 2.0, 0.5, False),  # only writes, without a measured peak: the highest peak applies
        (10e9, 0, 4e11, 5.0, 0.8, False),  # computing takes longer than reading
        (10e9, 0, 4e11, 4 / 1.07, 1.07, True),  # a cache does not make computing faster
        (10e9, 0, None, 1 / 1.04, 1.04, False),
        (10e9, 0, None, 1 / 1.06, 1.06, False),  # its interval of 1 % on either side includes 1.05
        (10e9, 0, None, 1 / 1.07, 1.07, True),
        (0, 0, 0, 1.0, None, None),
        (None, None, None, 1.0, None, None),
    ],
)
def test_peaks_fraction(tmp_path, read, written, flops, seconds, fraction, implausible):
    numbers = {"bytes_read": read, "bytes_written": written, "flops": flops}
    cases = [record("numpy_thing", compute=seconds, **numbers, cache_resident=False)]
    cases += [record("cffi_api", compute=seconds, **numbers, cache_resident=True)]
    cases += [record("cffi_openmp", compute=seconds, **numbers, threads=3)]
    found = write_tables(save(tmp_path, *cases, *LIMITS))["timings"]
    row = only(found, implementation="numpy_thing")
    assert row["fraction_of_peak"] == (fraction and pytest.approx(fraction))
    assert row["implausible"] == implausible
    resident = only(found, implementation="cffi_api")
    # Data in the cache are compared with the peak of operations only.
    computing = fraction is not None and flops is not None
    assert (resident["fraction_of_peak"] is not None) == computing
    assert resident["implausible"] == (implausible if computing else None)
    # No peak was measured with three threads.
    assert only(found, implementation="cffi_openmp")["fraction_of_peak"] is None


@pytest.mark.parametrize(("seconds", "implausible"), [(0.5, False), (0.05, True)])
def test_operations_say_nothing_of_how_near_the_cache_is(tmp_path, seconds, implausible):
    """A case whose data are in the cache is limited by its operations, but not by the bandwidth of memory.

    The bandwidth of the cache is unknown. Here, 10e9 bytes from memory take 1 s, and 1e10 operations take 0.1 s.
    """
    numbers = {"bytes_read": 10e9, "bytes_written": 0, "flops": 1e10, "cache_resident": True}
    found = write_tables(save(tmp_path, record("cffi_api", compute=seconds, **numbers), *LIMITS))["timings"]
    row = only(found, implementation="cffi_api")
    assert (row["fraction_of_peak"], row["implausible"]) == (None, implausible)


def watched(seconds, *, threads=1, device="cpu", name="read", moved_bytes=8e8):
    """Return metadata in which a peak program takes `seconds` in three repetitions, beside the cases of size 1000."""
    return [
        {
            "problem": "thing/float64/1000",
            "repetition": repetition,
            "peaks": [
                {"samples_s": [own] * 4, "rounds": [0, 1, 2, 3], "loops": 1, "name": name, "device": device,
                 "threads": threads, "moved_bytes": moved_bytes}
            ],
        }
        for repetition, own in zip(REPETITIONS, seconds, strict=True)
    ]  # fmt: skip


def test_fraction_is_paired_with_the_peak_beside_the_case(tmp_path):
    """In one repetition, the memory and the case were slower. A peak measured earlier would give a share of 40 %."""
    case = record("numpy_thing", compute=(0.2, 0.4, 0.2), bytes_read=8e9, cache_resident=False)
    metadata = {"thing": {"watched": watched((0.01, 0.02, 0.01))}}
    row = only(write_tables(save(tmp_path, case, *LIMITS, kernels=metadata))["timings"], kernel="thing")
    half = stats.t.ppf(0.975, 3.5) * math.sqrt(1.5 * 0.013**2 / 3.5 / 3)
    assert row["fraction_of_peak"] == pytest.approx(0.5)
    ends = (0.5 * math.exp(-half), 0.5 * math.exp(half))
    assert (row["fraction_ci_low"], row["fraction_ci_high"]) == pytest.approx(ends)


def test_peak_of_other_threads_or_another_device_is_none_of_its(tmp_path):
    case = record("numpy_thing", compute=0.2, bytes_read=8e9, cache_resident=False)
    for where in ({"threads": 2}, {"device": "NVIDIA H200", "threads": None}):
        metadata = {"thing": {"watched": watched((0.01,) * 3, **where)}}
        row = only(write_tables(save(tmp_path, case, kernels=metadata))["timings"], kernel="thing")
        assert row["fraction_of_peak"] is None


@pytest.mark.parametrize(("seconds", "implausible"), [((0.1, 0.1, 0.1), True), ((0.21, 0.19, 0.1), False)])
def test_implausible_is_what_is_faster_for_all_that_its_interval_leaves_open(tmp_path, seconds, implausible):
    case = record("numpy_thing", compute=seconds, bytes_read=8e9, cache_resident=False)
    metadata = {"thing": {"watched": watched((0.02,) * 3)}}
    row = only(write_tables(save(tmp_path, case, kernels=metadata))["timings"], kernel="thing")
    assert row["fraction_of_peak"] > 1.05
    assert row["implausible"] == implausible


CARD = {"device": "GPU", "threads": None}


def on_card(tmp_path, *peaks, seconds, beside):
    """Return the row of a GPU case that reads 8e9 bytes in `seconds`; a peak program reads 8e8 bytes in `beside`."""
    case = record("cupy_thing", compute=seconds, bytes_read=8e9, cache_resident=False, **CARD)
    metadata = {"thing": {"watched": watched((beside,) * 3, **CARD)}}
    return only(write_tables(save(tmp_path, case, *peaks, kernels=metadata))["timings"], kernel="thing")


@pytest.mark.parametrize(("beside", "fraction"), [(0.4, 0.5), (0.1, 0.5), (0.05, 0.25)])
def test_what_a_device_has_shown_it_can_do_again(tmp_path, beside, fraction):
    """The peak of a device is the highest bandwidth measured, either earlier (8e9 bytes in 1 s) or beside the case."""
    shown = limit("read", "cupy", 1.0, read=8e9, **CARD)
    assert on_card(tmp_path, shown, seconds=2.0, beside=beside)["fraction_of_peak"] == pytest.approx(fraction)


@pytest.mark.parametrize(("seconds", "implausible"), [(0.9, False), (0.7, True)])
def test_memory_that_copies_faster_can_read_faster(tmp_path, seconds, implausible):
    """A bandwidth of reading is implausible only if it exceeds the peaks of reading and of copying.

    Reading reached 8 GB/s, copying 10 GB/s. A case at 8.9 GB/s may be better than the program that measured the peak. A
    case at 11.4 GB/s does not read everything.
    """
    read = limit("read", "cupy", 1.0, read=8e9, **CARD)
    copy = limit("copy", "cupy", 1.6, read=8e9, written=8e9, **CARD)
    row = on_card(tmp_path, read, copy, seconds=seconds, beside=0.1)
    assert row["fraction_of_peak"] > 1.05
    assert row["implausible"] == implausible


def test_bandwidth_of_memory_says_nothing_of_data_in_a_cache(tmp_path):
    case = record("numpy_thing", compute=0.01, bytes_read=8e9, cache_resident=True)
    row = only(write_tables(save(tmp_path, case, *LIMITS))["timings"], kernel="thing")
    assert (row["fraction_of_peak"], row["implausible"]) == (None, None)


def ran(instance, repetitions, run="r"):
    """Return the metadata of a run that measured `repetitions` on `instance`."""
    about = {"started": "2026-01-01T00:00:00+00:00", "wall_s": 1, "in_samples_s": 1, "cases": 1, "command": ""}
    return about | {"commit": None, "dirty": None, "config": {}, "run": run, "instance": instance,
                    "repetitions": list(repetitions), "protocol_version": PROTOCOL_VERSION}  # fmt: skip


@pytest.mark.parametrize(
    ("on", "fraction"),
    [(("card 1",) * 3, 0.5), (("card 2",) * 3, None), (("card 1", "card 1", "card 2"), None), (("",) * 3, None)],
)
def test_fraction_of_a_peak_that_another_instance_reached_is_none(tmp_path, on, fraction):
    case = record("numpy_thing", compute=2.0, bytes_read=10e9, bytes_written=0, cache_resident=False)
    case = case.model_copy(update={"repetitions": ["c1", "c2", "c3"]})
    thing = [ran(card, [name], run=f"on {card}") for card, name in zip(on, case.repetitions, strict=True)]
    kernels = {"thing": {"runs": thing}}
    kernels |= {peak.kernel: {"runs": [ran("card 1", REPETITIONS)]} for peak in LIMITS}
    row = only(write_tables(save(tmp_path, case, *LIMITS, kernels=kernels))["timings"], kernel="thing")
    assert row["fraction_of_peak"] == fraction


@pytest.mark.parametrize("kernel", ["matmul", "peak_matmul"])
def test_the_rate_of_a_matrix_product_judges_not_the_program_that_set_it(tmp_path, kernel):
    """The fastest matrix product defines the peak, so it has no share of the peak and is never implausible.

    Another run of this program may be 10 % faster. If another program is that fast, its timer did not wait.
    """
    numbers = {"bytes_read": 1e6, "bytes_written": 1e6, "flops": 1e11, "kernel": kernel, "cache_resident": False}
    again = [] if kernel == "peak_matmul" else [record("numpy_matmul", compute=0.9, **numbers)]
    lazy = record("numba_lazy", compute=0.9, **numbers | {"kernel": "matmul"})
    slow = record("cffi_api", compute=2.0, **numbers | {"kernel": "matmul"})
    found = write_tables(save(tmp_path, *again, lazy, slow, *LIMITS))["timings"]
    itself = only(found, kernel=kernel, implementation="numpy_matmul")
    assert (itself["fraction_of_peak"], itself["implausible"]) == (None, None)
    assert only(found, implementation="numba_lazy")["implausible"]
    assert only(found, implementation="cffi_api")["fraction_of_peak"] == pytest.approx(0.5)


def test_a_program_of_that_name_in_another_kernel_is_judged(tmp_path):
    case = record("numpy_matmul", compute=2.0, flops=1e11, bytes_read=1e3, bytes_written=0, cache_resident=False)
    row = only(write_tables(save(tmp_path, case, *LIMITS))["timings"], kernel="thing")
    assert row["fraction_of_peak"] == pytest.approx(0.5)


def test_operations_that_take_longer_than_moving_are_what_a_case_is_held_against(tmp_path):
    """A case is compared with the limit that takes longer: 1e11 operations take 1 s, 8e9 bytes take 0.1 s.

    The bandwidth measured beside the case does not change this.
    """
    case = record("numpy_thing", compute=2.0, bytes_read=8e9, flops=1e11, cache_resident=False)
    metadata = {"thing": {"watched": watched((0.01,) * 3)}}
    row = only(write_tables(save(tmp_path, case, LIMITS[-1], kernels=metadata))["timings"], kernel="thing")
    found = (row["fraction_ci_low"], row["fraction_of_peak"], row["fraction_ci_high"])
    assert found == pytest.approx((0.5 / 1.01, 0.5, 0.5 / 0.99))  # only the case's time is uncertain
    few = case.model_copy(update={"flops": 1e9})
    row = only(write_tables(save(tmp_path / "few", few, LIMITS[-1], kernels=metadata))["timings"], kernel="thing")
    assert row["fraction_of_peak"] == pytest.approx(0.05)
    assert row["fraction_ci_low"] < 0.05


def test_implausible_case_wins_leads_and_ties_with_nothing(tmp_path):
    """At 10 GB/s the bytes take 1 s, so a time of 0.1 s means that the timer did not wait for the work."""
    numbers = {"bytes_read": 10e9, "bytes_written": 0, "cache_resident": False}
    blocks = [
        record("pyopencl_raw", compute=s, device="PoCL EPYC", parameters={"block_size": b}, **numbers)
        for b, s in {64: 0.1, 128: 1.5, 256: 3.0}.items()
    ]
    cases = [record("numpy_thing", compute=4.0, **numbers), record("cffi_api", compute=2.0, **numbers)]
    cases += [record("numba_lazy", compute=0.1, **numbers)]
    devices = [{"name": "PoCL EPYC", "kind": "cpu"}]
    found = write_tables(save(tmp_path, *cases, *blocks, *LIMITS, devices=devices))
    winner = only(found["winners"], kernel="thing", timing="compute")
    assert (winner["winner"], winner["tie"], winner["candidates"]) == ("pyopencl_raw", "pyopencl_raw", 3)
    lazy = only(found["best"], implementation="numba_lazy")
    assert (lazy["implausible"], lazy["verdict"], lazy["tie"]) == (True, None, None)
    assert only(found["timings"], implementation="numba_lazy")["verdict"] is None
    tuned = only(found["best"], implementation="pyopencl_raw")
    assert (tuned["block_size"], tuned["implausible"]) == ("128", False)
    assert only(found["regret"], implementation="pyopencl_raw")["best_block_size"] == "128"
    assert only(found["crossover"], implementation="numba_lazy", timing="compute")["crossover"] is None
    assert only(found["crossover"], implementation="cffi_api", timing="compute")["crossover"] == "always"


def test_implausible_cases_alone_have_no_winner(tmp_path):
    numbers = {"bytes_read": 10e9, "bytes_written": 0, "cache_resident": False}
    cases = [record("numpy_thing", compute=0.5, **numbers), record("numba_lazy", compute=0.1, **numbers)]
    found = write_tables(save(tmp_path, *cases, *LIMITS))["winners"]
    winner = only(found, kernel="thing", timing="compute")
    assert (winner["decision"], winner["fastest"]) == ("no_result", None)


def test_peaks_of_writing_holds_for_writes_alone(tmp_path):
    """If a sixth of the bytes is read, the ns per byte are a third of the way from writing (1/12) to copying (1/8)."""
    cases = [record("numpy_thing", compute=1.0, bytes_read=0, bytes_written=6e9)]
    cases += [record("cffi_api", compute=1.0, bytes_read=1e9, bytes_written=5e9)]
    found = write_tables(save(tmp_path, *cases, *LIMITS, limit("write", "numpy", 1.0, read=0, written=12e9)))["timings"]
    assert only(found, implementation="numpy_thing", kernel="thing")["fraction_of_peak"] == pytest.approx(0.5)
    third = 6 * (1 / 12 + (1 / 8 - 1 / 12) / 3)
    assert only(found, implementation="cffi_api")["fraction_of_peak"] == pytest.approx(third)


def test_peaks_of_the_same_cores_hold_for_every_device_made_of_them(tmp_path):
    devices = [{"name": "PoCL EPYC", "kind": "cpu"}, {"name": "NVIDIA H200", "kind": "gpu"}]
    fields = {"compute": 1.0, "bytes_read": 5e9, "bytes_written": 0, "dtype": "int64"}
    pocl = record("pyopencl_raw", device="PoCL EPYC", **fields)
    gpu = record("pyopencl_raw", device="NVIDIA H200", **fields)
    found = write_tables(save(tmp_path, pocl, gpu, *LIMITS, devices=devices))["timings"]
    assert only(found, device="PoCL EPYC")["fraction_of_peak"] == 0.5  # an int64 has as many bytes as a float64
    assert only(found, device="NVIDIA H200")["fraction_of_peak"] is None


@pytest.mark.parametrize(("timed", "fraction"), [(True, 0.5), (False, None)])
def test_cores_compute_as_fast_as_numpys_product_on_as_many_threads_or_nobody_knows(tmp_path, timed, fraction):
    """The peak of cores is NumPy's matrix product with the same number of threads, never another program's loop."""
    devices = [{"name": "PoCL EPYC", "kind": "cpu"}]
    product = {"read": 1e6, "written": 1e6, "flops": 1e11, "threads": 2}
    loop = limit("matmul", "pyopencl", 0.9, device="PoCL EPYC", **product)
    own = [limit("matmul", "numpy", 0.4, **product)] if timed else []
    case = record("cffi_openmp", compute=0.8, threads=2, flops=1e11)
    found = write_tables(save(tmp_path, case, loop, *own, *LIMITS, devices=devices))["timings"]
    assert only(found, kernel="thing")["fraction_of_peak"] == (fraction and pytest.approx(fraction))


def test_peaks_take_no_part_in_choices(tmp_path):
    found = write_tables(save(tmp_path, record("numpy_thing", compute=1.0), *LIMITS))
    assert len(found["timings"]) == 1 + len(LIMITS)
    for name in ("best", "winners", "crossover", "scaling"):
        assert set(found[name]["kernel"]) <= {"thing"}
