"""Tests of the tables of invented records, with expected values computed by hand."""

import csv
import math
import re

import numpy as np
import pandas as pd
import pytest
from examples import EXAMPLES
from pretended_results import GPU, LIMITS, METADATA, limit, only, record, save
from read_results import read, write_tables
from scipy import stats

from accelbench import project
from accelbench.analysis import frames, tables
from accelbench.analysis.verdicts import FASTER
from accelbench.model.names import PROTOCOL_VERSION

IMPLEMENTATION = METADATA["implementations"]["numpy_thing"]
ARTIFACT = {
    "implementation": "cython_typed",
    "source": "cython_typed.pyx",
    "device": None,
    "outcome": "ok",
    "path": "x.so",
    "log": "",
    "command": None,
    "seconds": 3.0,
    "compiler": "gcc",
    "recipe": "0",
    "page": None,
}
DESIGN_COLUMNS = """
    machine kernel options implementation backend device size dtype block_size threads outcome reason compute_s
    compute_ci_low_s compute_ci_high_s call_s end_to_end_s first_call_s speedup speedup_ci_low speedup_ci_high
    speedup_next_low speedup_next_high
    speedup_end_to_end bandwidth_gb_s gflop_s fraction_of_peak fraction_ci_low fraction_ci_high max_error
"""


def test_schemas(tmp_path):
    found = write_tables(save(tmp_path, record("numpy_thing", compute=1.0)))
    names = DESIGN_COLUMNS.split()
    assert list(found["timings"].columns[: len(names)]) == names
    assert {"verdict", "cache_resident", "implausible", "noisy", "repetitions", "case"} <= set(found["timings"].columns)
    names = ["best", "crossover", "launch", "measuring", "outcomes", "peaks", "regret", "scaling", "startup"]
    names += ["steps", "timings", "winners"]
    assert list(found) == names
    assert sorted(p.name for p in (tmp_path / "tables").iterdir()) == sorted(
        [f"{name}.csv" for name in names] + ["timings.parquet"]
    )
    for name, table in found.items():
        declared = tables.find()[name].COLUMNS
        assert list(table.columns) == [column for column in declared if column not in frames.WHERE_ANY]
        with (tmp_path / "tables" / f"{name}.csv").open(newline="") as stream:
            assert next(csv.reader(stream)) == list(table.columns)


@pytest.mark.processes
@pytest.mark.parametrize("machine", ["cpu", "h200x2"])
def test_rows_hold_no_column_that_is_not_declared(machine):
    analysis = read(EXAMPLES / machine)
    for name, table in tables.find().items():
        assert {column for row in table.rows(analysis) for column in row} <= table.COLUMNS.keys(), name


def test_best_parameters_and_winner(tmp_path):
    blocks = [record("pyopencl_raw", compute=s, parameters={"block_size": b}) for b, s in BLOCKS.items()]
    tied = record("cffi_api", compute=(1.0, 1.01, 1.02))
    found = write_tables(save(tmp_path, record("numpy_thing", compute=4.0), tied, *blocks))
    best = only(found["best"], implementation="pyopencl_raw")
    assert (best["block_size"], best["candidates"], best["held_out"]) == ("128", 3, True)
    assert best["tie"] == "threads=1/block_size=128 threads=1/block_size=256"
    winner = only(found["winners"], timing="compute")
    assert (winner["decision"], winner["winner"], winner["tie"]) == ("tie", None, "pyopencl_raw cffi_api")
    assert winner["tie_cases"].split() == [best["case"], "thing/cffi_api/float64/1000/cpu/threads=1"]
    assert [b for b in found["timings"]["block_size"] if not pd.isna(b)] == ["64", "128", "256"]


BLOCKS = {256: (1.01, 1.0, 1.02), 64: 2.0, 128: (1.0, 1.01, 1.0)}


@pytest.mark.processes
def test_winner_of_many_that_are_alike_is_not_reported_too_fast(tmp_path):
    """The fastest of twelve equal implementations is reported as twice as fast as NumPy, without selection bias.

    The times of processes scatter by 2 %.
    """
    generator, processes = np.random.default_rng(6), ["p1", "p2", "p3", "p4", "p5"]
    reported, inside = [], []
    for trial in range(60):
        times = {f"cffi_w{n:02}": 0.5 * np.exp(generator.normal(0, 0.02, 5)) for n in range(12)}
        records = [record(name, compute=tuple(map(float, own)), repetitions=processes) for name, own in times.items()]
        numpy = record("numpy_thing", compute=1.0, repetitions=processes)
        every = frames.rows(read(save(tmp_path / str(trial), numpy, *records)), "winners")
        (row,) = [row for row in every if row.timing == "compute"]
        assert row.seconds == pytest.approx(1 / row.speedup)
        assert (row.decision, row.case.split("/")[1]) == ("tie", row.fastest)
        reported.append(math.log(row.speedup / 2))
        inside.append(row.speedup_ci_low <= 2 <= row.speedup_ci_high)
    assert abs(np.mean(reported)) < 0.006  # the minimum of the twelve times would give 0.014
    assert np.mean(inside) >= 0.93


def test_crossover_and_repaying_the_startup(tmp_path):
    sizes = (10, 100, 1000, 10000)
    startup = {"import_s": 0.1, "context_s": 0.0, "build_s": 0.2, "first_call_s": 0.001}
    numpy = [record("numpy_thing", n, compute=n * 1e-6, startup={"import_s": 0.05}) for n in sizes]
    jit = [
        record(
            "numba_njit",
            n,
            compute=5e-5 + n * 5e-7,
            # Only the case of size 1000 pays for just-in-time compilation.
            startup=startup | {"first_call_s": 0.750 + 5e-5 + n * 5e-7} if n == 1000 else startup,
            source_lines=9,
        )
        for n in sizes
    ]
    # cupy_raw is always faster in `compute`, never in `end_to_end`.
    device = [
        record(
            "cupy_raw",
            n,
            compute=n * 1e-7,
            call=n * 1e-6 - 2e-6,
            end_to_end=n * 2e-6,
            device="NVIDIA H200",
            threads=None,
            startup=startup,
        )
        for n in sizes
    ]
    found = write_tables(save(tmp_path, *numpy, *jit, *device))["crossover"]
    assert set(found["implementation"]) == {"numba_njit", "cupy_raw"}
    for kind in ("compute", "call", "end_to_end"):
        row = only(found, implementation="numba_njit", timing=kind)
        assert [row[n] for n in ("crossover", "not_faster_size", "faster_from_size")] == ["from", 100, 1000]
        assert (row["faster_sizes"], row["largest_size"], row["source_lines"]) == ("1000 10000", 10000, 9)
        # Start-up takes 0.1 + 0.2 + 0.75 s instead of 0.05 s; a call saves 10 ms - 5.05 ms.
        assert row["startup_s"] == pytest.approx(1.05)
        assert row["calls_to_repay"] == math.ceil(1.0 / 4.95e-3) == 203
    rows = {kind: only(found, implementation="cupy_raw", timing=kind) for kind in ("compute", "call", "end_to_end")}
    assert rows["compute"]["crossover"] == "always"
    assert rows["call"]["crossover"] == "sometimes"  # the difference at 10000 is too small to matter
    assert (rows["end_to_end"]["crossover"], rows["end_to_end"]["calls_to_repay"]) == ("never", None)


def test_crossover_uses_the_best_block_size_of_each_size(tmp_path):
    def raw(size, block, seconds):
        return record("pyopencl_raw", size, compute=seconds, parameters={"block_size": block})

    numpy = [record("numpy_thing", n, compute=1.0) for n in (10, 100)]
    raws = [raw(10, 64, 2.0), raw(10, 256, 0.5), raw(100, 64, 0.5), raw(100, 256, 2.0)]
    row = only(write_tables(save(tmp_path, *numpy, *raws))["crossover"], timing="compute")
    assert (row["crossover"], row["faster_sizes"]) == ("always", "10 100")


def blocks_of(times, name="cupy_raw", **fields):
    return [record(name, compute=s, parameters={"block_size": b}, **GPU, **fields) for b, s in times.items()]


def test_regret_is_what_the_default_block_costs(tmp_path):
    slower = (1.15, 1.26, 1.21)
    reported = (1.01, 1.0, 1.0)  # without the first repetition, 1024 would be chosen
    found = write_tables(
        save(
            tmp_path,
            record("numpy_thing", compute=9.0),
            *blocks_of({32: 3.0, 256: slower, 512: 1.0, 1024: (1.01, 0.995, 1.0)}),
            *blocks_of({64: 2.0, 256: 1.0}, "pycuda_raw"),
        )
    )["regret"]
    row = only(found, implementation="cupy_raw")
    expected = {
        "device": "NVIDIA H200",
        "default_block_size": "256",
        "default_outcome": "ok",
        "default_s": pytest.approx(stats.gmean(slower)),
        "best_block_size": "512",
        "best_s": pytest.approx(stats.gmean(reported)),
        "regret": pytest.approx(stats.gmean(slower) / stats.gmean(reported)),
        "verdict": FASTER,
        "tie": "512 1024",
        "candidates": 4,
        "held_out": True,
    }
    assert {name: row[name] for name in expected} == expected
    logs = np.log(slower) - np.log(reported)
    variance = (0.002**2 + 2 * logs.var(ddof=1)) / 3  # combined with the usual prior of device times
    interval = stats.t.interval(0.95, 3, loc=logs.mean(), scale=math.sqrt(variance / 3))
    assert (row["regret_ci_low"], row["regret_ci_high"]) == pytest.approx(tuple(np.exp(interval)))
    row = only(found, implementation="pycuda_raw")
    assert (row["best_block_size"], row["regret"], row["verdict"], row["tie"]) == ("256", 1.0, None, "256")


def test_regret_comes_from_other_repetitions_than_the_choice(tmp_path):
    """All repetitions together choose block 64, because of the first repetition. Without it, block 256 is chosen."""
    cases = blocks_of({64: (1.0, 2.2, 2.2), 256: 2.0})
    row = only(write_tables(save(tmp_path, record("numpy_thing", compute=9.0), *cases))["regret"])
    best = stats.gmean((2.0, 2.2, 2.2))
    assert [row[n] for n in ("best_block_size", "best_s", "default_s", "regret")] == [
        "64",
        *map(pytest.approx, (best, 2.0, 2.0 / best)),
    ]


def test_regret_of_two_dimensional_blocks_and_of_defaults_that_cannot_run(tmp_path):
    flat = blocks_of({(8, 8): 3.0, (16, 16): 2.0, (32, 4): 1.0}, size=5, options={"vertices": 24})
    broken = blocks_of({64: 1.0}, "pycuda_raw")
    broken.append(record("pycuda_raw", outcome="unsupported", parameters={"block_size": 256}, **GPU))
    absent = blocks_of({64: 1.0, 128: 2.0}, "numba_cuda_jit")
    alone = blocks_of({256: 1.0}, "cupy_elementwise")
    unrolled = blocks_of({64: 1.0, 256: 2.0}, "pyopencl_raw")
    unrolled += [r.model_copy(update={"parameters": r.parameters | {"unroll": 2}}) for r in unrolled]
    found = write_tables(save(tmp_path, *flat, *broken, *absent, *alone, *unrolled, *LIMITS))["regret"]
    row = only(found, size=5)
    assert (row["default_block_size"], row["best_block_size"], row["regret"]) == ("16x16", "32x4", pytest.approx(2.0))
    row = only(found, implementation="pycuda_raw")
    assert (row["default_block_size"], row["default_outcome"], row["regret"]) == ("256", "unsupported", None)
    row = only(found, implementation="numba_cuda_jit")
    assert (row["default_block_size"], row["default_outcome"], row["best_block_size"]) == (None, None, "64")
    assert "cupy_elementwise" not in set(found["implementation"])
    unrolled = found[found["implementation"] == "pyopencl_raw"]
    assert list(unrolled["parameters"]) == ["", "unroll=2"]


def test_launches_at_the_smallest_size_and_the_usual_block(tmp_path):
    def raw(size, block, launch, call):
        about = {"parameters": {"block_size": block}, "compute": 1.0, "end_to_end": 1.0} | GPU
        return record("cupy_raw", size, launch=launch, call=call, **about)

    cases = [raw(10, 64, 1e-6, 9e-6), raw(10, 256, 2e-6, 1e-5), raw(100, 256, 1e-7, 1e-7)]
    twodim = record("cupy_jit", 10, launch=4e-6, call=5e-6, parameters={"block_size": (16, 16)}, compute=1.0, **GPU)
    host = record("numpy_thing", 10, compute=1.0)
    silent = record("pycuda_raw", 10, compute=1.0, call=1.0, **GPU)
    found = write_tables(save(tmp_path, host, silent, twodim, *cases, *LIMITS))["launch"]
    assert list(found["implementation"]) == ["cupy_jit", "cupy_raw"]
    row = only(found, implementation="cupy_raw")
    shown = ("size", "block_size", "device", "launch_s", "call_s", "launch_ci_low_s")
    assert [row[n] for n in shown] == [10, "256", "NVIDIA H200", *map(pytest.approx, (2e-6, 1e-5, 1.98e-6))]
    assert only(found, implementation="cupy_jit")["block_size"] == "16x16"


def test_scaling(tmp_path):
    openmp = [record("cffi_openmp", compute=s, threads=t) for t, s in ((1, 4.0), (2, 2.0), (4, 1.6))]
    found = write_tables(save(tmp_path, record("numpy_thing", compute=4.0), *openmp))["scaling"]
    assert set(found["implementation"]) == {"cffi_openmp"}
    assert list(found["threads"]) == [1, 2, 4]
    assert list(found["scaling"]) == pytest.approx([1.0, 2.0, 2.5])
    assert list(found["efficiency"]) == pytest.approx([1.0, 1.0, 0.625])
    assert list(found["verdict"].isna()) == [True, False, False]


def test_startup_takes_the_case_that_paid(tmp_path):
    early = record("cython_typed", 10, compute=1e-3, startup={"import_s": 0.2, "build_s": 0.01, "first_call_s": 0.5})
    later = record("cython_typed", 100, compute=1e-2, startup={"import_s": 0.1, "first_call_s": 0.02})
    none = record("numpy_thing", 10, compute=1.0)
    metadata = {"implementations": {"cython_typed": IMPLEMENTATION | {"build": [ARTIFACT]}}}
    found = write_tables(save(tmp_path, early, later, none, kernels={"thing": metadata}))["startup"]
    row = only(found, implementation="cython_typed")
    assert [row[n] for n in ("import_s", "context_s", "build_s", "first_call_s")] == [0.2, None, 0.01, 0.5]
    assert row["first_call_extra_s"] == pytest.approx(0.499)
    assert row["startup_s"] == pytest.approx(0.2 + 0.01 + 0.499)
    assert row["compile_s"] == 3.0


def test_outcomes_add_up_to_all_cases(tmp_path):
    records = [record("numpy_thing", n, compute=1.0) for n in (10, 100, 1000)]
    records += [record("cffi_api", 10, compute=1.0), record("cffi_api", 100, outcome="timeout")]
    records += [record("cffi_api", 1000, outcome="too_slow")]
    found = write_tables(save(tmp_path, *records))["outcomes"]
    assert found["cases"].sum() == len(records)
    counts = found.groupby(["implementation", "outcome"])["cases"].sum().to_dict()
    assert counts == {
        ("numpy_thing", "ok"): 3,
        ("cffi_api", "ok"): 1,
        ("cffi_api", "timeout"): 1,
        ("cffi_api", "too_slow"): 1,
    }
    timeout = only(found, outcome="timeout")
    assert (timeout["reason"], timeout["size"]) == ("cffi_api failed", 100)
    assert timeout["case"] == "thing/cffi_api/float64/100/cpu/threads=1"


def run(cases, wall, inside, **steps):
    about = {"started": "2026-01-01", "command": "", "commit": None, "dirty": None, "config": {}}
    about |= {"protocol_version": PROTOCOL_VERSION}
    return {"cases": cases, "wall_s": wall, "in_samples_s": inside, "steps_s": steps, **about}


def test_steps_add_up_to_the_wall_time_of_runs_that_recorded_them(tmp_path):
    thing = [
        run(5, 80.0, 40.0, sample=50.0, inputs=4.0, compare=2.0),
        run(5, 20.0, 9.0, checking=4.0),
        run(1, 9.0, 1.0),
    ]
    kernels = {"thing": {"runs": thing}, "peak_read": {"runs": [run(1, 10.0, 5.0, sample=9.0, energy=1.0)]}}
    other = limit("read", "numpy", 1.0, read=1e9)
    found = write_tables(save(tmp_path, record("numpy_thing", compute=1.0), other, kernels=kernels))["steps"]
    shown = found[found["kernel"] == "thing"]
    assert [tuple(row) for row in shown[["step", "part", "seconds", "share"]].itertuples(index=False)] == [
        ("sample", "sampling", 50.0, 0.5),
        ("between steps", "rest", 40.0, 0.4),
        ("inputs", "checking", 4.0, 0.04),
        ("checking", "checking", 4.0, 0.04),
        ("compare", "checking", 2.0, 0.02),
    ]
    total = found[found["kernel"] == "total"]
    assert dict(zip(total["step"], total["seconds"], strict=True)) == {
        **{"sample": 59.0, "between steps": 40.0, "inputs": 4.0, "checking": 4.0, "compare": 2.0, "energy": 1.0}
    }
    assert total["share"].sum() == pytest.approx(1.0)


def test_speedups_name_the_numpy_that_they_are_over(tmp_path):
    """The baseline of each size is the fastest candidate that the kernel declares."""
    times = {"numpy_thing": {10: 1.0, 100: 3.0}, "numpy_other": {10: 2.0, 100: 2.0}, "numpy_mere": {10: 0.1, 100: 0.1}}
    numpy = [record(name, n, compute=s) for name, own in times.items() for n, s in own.items()]
    cffi = [record("cffi_api", n, compute=0.5) for n in (10, 100)]
    saved = save(tmp_path, *numpy, *cffi, kernels={"thing": {"baselines": ["numpy_other"]}})
    found = write_tables(saved)
    for size, baseline, speedup in ((10, "numpy_thing", 2.0), (100, "numpy_other", 4.0)):
        best = only(found["best"], implementation="cffi_api", size=size)
        assert (best["baseline"], best["speedup"]) == (baseline, pytest.approx(speedup))
        assert only(found["winners"], timing="compute", size=size)["baseline"] == baseline


def test_measuring_adds_runs_and_kernels(tmp_path):
    kernels = {"thing": {"runs": [run(10, 20.0, 8.0), run(10, 5.0, 2.0)]}, "peak_read": {"runs": [run(0, 0.0, 0.0)]}}
    other = limit("read", "numpy", 1.0, read=1e9)
    found = write_tables(save(tmp_path, record("numpy_thing", compute=1.0), other, kernels=kernels))["measuring"]
    assert list(found["kernel"]) == ["peak_read", "thing", "total"]
    for kernel in ("thing", "total"):
        row = only(found, kernel=kernel)
        assert [row[n] for n in ("cases", "wall_s", "in_samples_s")] == [20, 25.0, 10.0]
        assert (row["in_samples_share"], row["wall_per_case_s"]) == (0.4, 1.25)
    assert only(found, kernel="peak_read")["in_samples_share"] is None


def test_queries_of_the_documentation_name_columns_of_the_timings():
    page = (project.ROOT / "docs" / "results.md").read_text("utf-8")
    queries = re.findall(r"^    duckdb -c \"(.*)\"$", page, re.M)
    assert len(queries) == 3
    columns = tables.find()["timings"].COLUMNS.keys()
    for query in queries:
        code = re.sub("'[^']*'", "", query)
        known = columns | {"arg_min", "min", "coalesce", "true"} | set(re.findall(r"AS (\w+)", code))
        assert set(re.findall(r"\b[a-z_]\w*", code)) <= known
