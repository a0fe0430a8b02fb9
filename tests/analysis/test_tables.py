"""Tables from invented records: their truth is known by construction, worked out by hand or by SciPy."""

import csv
import json
import math
import random
from dataclasses import fields

import numpy as np
import pandas as pd
import pytest
import synthetic_results as made
from hypothesis import given, settings
from hypothesis import strategies as st
from read_results import write_tables
from scipy import stats

from accelbench.analysis import Analysis, frames, tables, verdicts
from accelbench.analysis.verdicts import AMBIGUOUS, FASTER, SAME, SLOWER, Comparison
from accelbench.errors import InputError
from accelbench.model.record import TIMINGS, Record, Startup, Timing
from accelbench.store.load import Results, load_records

# --- verdicts: what is a difference, and how sure is it ---------------------------------------------------------------


def sitting_samples(generator, seconds, sittings, between=0.008, within=0.02, count=21):
    """{sitting: samples} around `seconds`, which each sitting shifts by `between` and each sample by `within`."""
    shifts = generator.normal(0, between, sittings)
    noise = generator.normal(0, within, (sittings, count))
    return {f"s{i}": list(seconds * np.exp(shifts[i] + noise[i])) for i in range(sittings)}


def trials(ratio, sittings, count=600, **noise):
    """Comparisons of pairs whose true ratio is `ratio`."""
    generator = np.random.default_rng(20240229)
    return [
        verdicts.speedup(
            sitting_samples(generator, 1e-3 * ratio, sittings, **noise),
            sitting_samples(generator, 1e-3, sittings, **noise),
        )
        for _ in range(count)
    ]


def share(comparisons, *wanted):
    return sum(c.verdict in wanted for c in comparisons) / len(comparisons)


@pytest.mark.parametrize("sittings", [3, 5])
@pytest.mark.parametrize("ratio", [1.0, 1.05, 8.0])
def test_interval_covers_the_truth_as_often_as_it_says(ratio, sittings):
    covered = np.mean([c.low <= ratio <= c.high for c in trials(ratio, sittings)])
    # 600 trials at 95 % have a standard error of 0.9 %.
    assert 0.92 <= covered <= 0.98


@pytest.mark.parametrize("sittings", [3, 5])
def test_equal_cases_are_seldom_called_different(sittings):
    assert share(trials(1.0, sittings), FASTER, SLOWER) <= 0.04


def test_planted_differences_are_found():
    faster = trials(1.05, 5, between=0.006)
    assert share(faster, FASTER) >= 0.95
    assert share(faster, SLOWER) == 0
    assert share(trials(1 / 1.05, 5, between=0.006), SLOWER) >= 0.95
    assert np.median([c.ratio for c in faster]) == pytest.approx(1.05, abs=0.002)


def test_drift_that_both_share_does_not_matter():
    generator = np.random.default_rng(1)
    drift = {"a": 1.0, "b": 2.0, "c": 0.7}
    baseline = {s: list(d * 1.05 * np.exp(generator.normal(0, 0.005, 31))) for s, d in drift.items()}
    case = {s: list(d * np.exp(generator.normal(0, 0.005, 31))) for s, d in drift.items()}
    assert verdicts.speedup(baseline, case).verdict == FASTER
    shuffled = {"a": case["b"], "b": case["c"], "c": case["a"]}
    assert verdicts.speedup(baseline, shuffled).verdict == AMBIGUOUS


def test_interval_is_scipys_t_interval_over_log_ratios():
    baseline = {"a": [2.0, 2.2, 9.0], "b": [2.0], "c": [3.0, 3.3], "only here": [1.0]}
    case = {"c": [1.0], "b": [1.0], "a": [1.1, 1.0, 1.2], "only there": [1.0]}
    logs = np.log([2.2 / 1.1, 2.0, 3.15])
    expected = stats.t.interval(0.95, 2, loc=logs.mean(), scale=stats.sem(logs))
    assert verdicts.speedup(baseline, case) == (
        pytest.approx(math.exp(logs.mean())),
        *(pytest.approx(math.exp(end)) for end in expected),
        FASTER,
    )


def test_different_sittings_are_compared_through_the_baseline_with_welchs_interval():
    baseline = dict(zip("abcdefg", [1.0, 1.1, 0.9, 5.0, 5.5, 6.0, 5.2], strict=True))
    first = {"a": 0.50, "b": 0.56, "c": 0.46}
    second = {"d": 1.00, "e": 1.14, "f": 1.19, "g": 1.05}
    of_first, of_second = ([math.log(baseline[s] / own[s]) for s in own] for own in (first, second))
    test = stats.ttest_ind(of_second, of_first, equal_var=False)
    found = verdicts.between(first, second, baseline)
    assert found.ratio == pytest.approx(math.exp(np.mean(of_second) - np.mean(of_first)))
    assert (found.low, found.high) == pytest.approx(tuple(math.exp(v) for v in test.confidence_interval(0.95)))
    assert found.verdict == FASTER
    assert verdicts.between(first, second) == Comparison()


def test_drift_of_the_baseline_makes_no_winner_on_another_device():
    """A GPU's times are the same in both sittings; the cores that the baseline ran on were slower in the second."""
    baseline = dict(zip("abcdef", (10, 10.1, 9.9, 11, 11.1, 10.9), strict=True))
    early = dict(zip("abc", (5, 5.001, 4.999), strict=True))
    late = dict(zip("def", (5, 5.001, 4.999), strict=True))
    times = {"early": early, "late": late}
    assert verdicts.find_winner(times, baseline)[0] == "winner"
    assert verdicts.find_winner(times, baseline, elsewhere={"early", "late"})[:3:2] == ("tie", ("late", "early"))
    rounds = {key: {s: ([t, t], [0, 1]) for s, t in own.items()} for key, own in times.items()}
    assert verdicts.choose(rounds, baseline, elsewhere={"early", "late"}).tie == ("late", "early")
    # What both ways of comparing say is so.
    twice = {sitting: time / 2 for sitting, time in late.items()}
    found = verdicts.between(early, twice, baseline, elsewhere=True)
    plain, ratio = (verdicts.compare_apart(early, twice, b) for b in (dict.fromkeys("abcdef", 1.0), baseline))
    assert found.verdict == FASTER
    assert (found.low, found.high) == (pytest.approx(plain.low), pytest.approx(ratio.high))
    assert verdicts.order({**times, "twice": twice}, baseline, {"early", "twice"}) == ["twice", "late", "early"]


@pytest.mark.parametrize(
    ("ratios", "same_within", "verdict"),
    [
        ((1.030, 1.031, 1.032), 0.02, FASTER),
        ((1.030, 1.031, 1.032), 0.05, FASTER),
        ((1.010, 1.011, 1.012), 0.02, SAME),  # sure, but less than 2 %
        ((0.970, 0.969, 0.968), 0.02, SLOWER),
        ((0.99, 1.0, 1.01), 0.02, AMBIGUOUS),  # +-2.5 %
        ((0.99, 1.0, 1.01), 0.05, SAME),
        ((1.0, 1.0, 1.0), 0.02, SAME),
        ((1.00, 1.04, 1.08), 0.02, AMBIGUOUS),
        ((1.02,) * 3, 0.02, SAME),  # exactly 2 % does not exceed it
    ],
)
def test_verdicts_by_hand(ratios, same_within, verdict):
    baseline = {str(i): [ratio] for i, ratio in enumerate(ratios)}
    assert verdicts.speedup(baseline, {sitting: [1.0] for sitting in baseline}, same_within).verdict == verdict


@pytest.mark.parametrize(
    ("baseline", "case", "expected"),
    [
        ({"a": [2.0, 4.0]}, {"a": [1.0]}, Comparison(3.0)),
        ({"a": [3.0], "b": [3.0]}, {"b": [1.0], "c": [1.0]}, Comparison(3.0)),
        ({"a": [3.0], "b": [3.0]}, {"c": [1.0], "d": [1.0]}, Comparison()),
        ({"a": [3.0], "b": []}, {"a": [], "b": [1.0]}, Comparison()),
        ({"a": [3.0], "b": [0.0]}, {"a": [1.0], "b": [1.0]}, Comparison(3.0)),
        ({}, {}, Comparison()),
    ],
)
def test_one_sitting_gives_a_ratio_and_no_verdict(baseline, case, expected):
    found = verdicts.speedup(baseline, case)
    assert found[1:] == expected[1:]
    assert found.ratio == pytest.approx(expected.ratio)


some_times = st.dictionaries(st.sampled_from("abcdef"), st.floats(1e-9, 1e3))


@settings(deadline=None)
@given(some_times, some_times)
def test_comparison_is_antisymmetric(first, second):
    there, back = verdicts.compare(first, second), verdicts.compare(second, first)
    if there.ratio is None:
        assert back == Comparison()
        return
    assert there.ratio == pytest.approx(1 / back.ratio)
    assert (there.verdict is None) == (len(first.keys() & second.keys()) < 2)
    if there.verdict in (FASTER, SLOWER):
        assert {there.verdict, back.verdict} == {FASTER, SLOWER}
    if there.low is not None:
        assert there.low <= there.ratio * (1 + 1e-12)
        assert there.ratio <= there.high * (1 + 1e-12)


# --- choices ----------------------------------------------------------------------------------------------------------


def rounds_of(samples, first=0):
    return {sitting: (own, list(range(first, first + len(own)))) for sitting, own in samples.items()}


def test_best_of_many_equal_block_sizes_is_not_reported_too_fast():
    generator = np.random.default_rng(3)
    reported, naive, ties = [], [], []
    for _ in range(150):
        samples = {block: sitting_samples(generator, 1.0, 3, between=0, within=0.1, count=20) for block in range(12)}
        choice = verdicts.choose({block: rounds_of(own) for block, own in samples.items()})
        assert choice.held_out
        reported.append(np.mean([math.log(t) for t in choice.times[choice.best].values()]))
        naive.append(min(np.mean([math.log(np.median(s)) for s in own.values()]) for own in samples.values()))
        ties.append(len(choice.tie))
    # The standard error of the reported mean: a median of 10 samples has 0.1 * 1.25 / sqrt(10), over 3 sittings.
    error = 0.1 * 1.25 / math.sqrt(10 * 3 * 150)
    assert abs(np.mean(reported)) < 4 * error
    assert np.mean(naive) < -6 * error
    assert np.mean(ties) > 10


def test_best_is_chosen_on_even_rounds_and_reported_from_odd_ones():
    slow_even = {"a": ([3.0, 1.0, 3.0, 1.0], [0, 1, 2, 3]), "b": ([3.1, 1.0], [4, 5])}
    slow_odd = {"a": ([2.0, 5.0, 2.0, 5.0], [0, 1, 2, 3]), "b": ([5.1, 2.1], [7, 8])}
    choice = verdicts.choose({64: slow_even, 256: slow_odd})
    assert choice.best == 256
    assert choice.held_out
    assert choice.times == {64: {"a": 1.0, "b": 1.0}, 256: {"a": 5.0, "b": 5.1}}
    assert choice.tie == (256, 64)  # nothing says that 256 is the faster one


def test_best_separates_and_ties():
    fast, also, slow = ({s: ([t] * 4, [0, 1, 2, 3]) for s, t in zip("abc", ts, strict=True)} for ts in FAST_ALSO_SLOW)
    choice = verdicts.choose({"slow": slow, "also": also, "fast": fast})
    assert (choice.best, choice.tie) == ("fast", ("fast", "also"))


FAST_ALSO_SLOW = ((1.0, 1.1, 1.2), (1.01, 1.10, 1.21), (1.5, 1.6, 1.8))


def test_too_few_samples_to_halve_serve_for_both():
    one_each = {"a": ([1.0], [0]), "b": ([1.0], [1])}
    choice = verdicts.choose({1: one_each, 2: {"a": ([2.0], [0]), "b": ([2.0], [1])}})
    assert (choice.best, choice.held_out) == (1, False)
    assert choice.times[2] == {"a": 2.0, "b": 2.0}
    assert verdicts.choose({}) is None
    assert verdicts.choose({1: {"a": ([], [])}}) is None


def test_one_process_has_a_best_but_no_tie_and_no_winner():
    quick, slow = {"a": ([1.0] * 4, [0, 1, 2, 3])}, {"a": ([9.0] * 4, [0, 1, 2, 3])}
    choice = verdicts.choose({"slow": slow, "quick": quick})
    assert (choice.best, choice.tie) == ("quick", ())
    assert verdicts.choose({"quick": quick}).tie == ()
    winner = verdicts.find_winner({"slow": {"a": 9.0}, "quick": {"a": 1.0}})
    assert winner == ("one_process", "quick", (), (), ())
    assert verdicts.find_winner({}) == ("no_result", None, (), (), ())


def test_parameters_seen_in_one_sitting_do_not_shadow_those_seen_in_several():
    once = {"a": ([0.1] * 4, [0, 1, 2, 3])}
    often = {sitting: ([1.0] * 4, [0, 1, 2, 3]) for sitting in "abc"}
    choice = verdicts.choose({"once": once, "often": often})
    assert (choice.best, choice.tie) == ("often", ("often",))


def test_winner_tie_and_what_cannot_be_compared():
    fast, also, slow = (dict(zip("abc", ts, strict=True)) for ts in FAST_ALSO_SLOW)
    winner = verdicts.find_winner({"slow": slow, "fast": fast})
    assert winner == ("winner", "fast", ("fast",), (), ())
    once = {"a": 0.001}
    winner = verdicts.find_winner({"once": once, "slow": slow, "also": also, "fast": fast})
    assert winner == ("tie", "fast", ("fast", "also"), (), ("once",))


def test_what_is_slower_than_something_proven_slower_does_not_tie_by_scattering():
    fast, also, slow = (dict(zip("abc", ts, strict=True)) for ts in FAST_ALSO_SLOW)
    wild = {"a": 1.0, "b": 4.0, "c": 60.0}  # five times as slow as the fastest, and its interval includes 1
    winner = verdicts.find_winner({"wild": wild, "slow": slow, "also": also, "fast": fast})
    assert verdicts.compare(wild, fast).verdict == "AMBIGUOUS"
    assert winner == ("tie", "fast", ("fast", "also"), ("wild",), ())
    assert verdicts.find_winner({"wild": wild, "slow": slow, "fast": fast})[:4] == (
        "winner",
        "fast",
        ("fast",),
        ("wild",),
    )
    assert verdicts.find_winner({"wild": wild, "fast": fast})[:3] == ("tie", "fast", ("fast", "wild"))
    blocks = {name: {s: ([t] * 4, [0, 1, 2, 3]) for s, t in own.items()} for name, own in
              {"wild": wild, "slow": slow, "also": also, "fast": fast}.items()}  # fmt: skip
    assert verdicts.choose(blocks).tie == ("fast", "also")


def test_later_sittings_compete_through_the_baseline():
    baseline = dict(zip("abcdef", (10, 10.1, 9.9, 20, 20.1, 19.9), strict=True))
    early = dict(zip("abc", (5, 5.04, 4.96), strict=True))  # twice as fast as the baseline
    late = dict(zip("def", (5, 5.04, 4.96), strict=True))  # four times, though the times are the same
    assert verdicts.find_winner({"early": early, "late": late}, baseline)[:3] == ("winner", "late", ("late",))
    stranger = {"x": 0.1, "y": 0.1}
    winner = verdicts.find_winner({"early": early, "late": late, "stranger": stranger}, baseline)
    assert (winner.fastest, winner.incomparable) == ("late", ("stranger",))


@pytest.mark.parametrize(
    ("by_size", "expected"),
    [
        ({10: FASTER, 100: FASTER}, ("always", None, 10, (10, 100))),
        ({10: SLOWER, 100: AMBIGUOUS}, ("never", 100, None, ())),
        ({1000: FASTER, 10: SLOWER, 100: SAME, 10000: FASTER}, ("from", 100, 1000, (1000, 10000))),
        ({10: FASTER, 100: SLOWER, 1000: FASTER}, ("from", 100, 1000, (10, 1000))),
        ({10: FASTER, 100: FASTER, 1000: SLOWER}, ("sometimes", 1000, None, (10, 100))),
        ({10: SLOWER, 100: None, 1000: FASTER, 10000: None}, ("from", 10, 1000, (1000,))),
        ({10: None}, (None, None, None, ())),
        ({}, (None, None, None, ())),
    ],
)
def test_overtaking(by_size, expected):
    assert verdicts.overtaking(by_size) == expected


# --- tables -----------------------------------------------------------------------------------------------------------

SITTINGS = ("p1", "p2", "p3")
MACHINE = made.machine() | {"name": "here"}
CARD = made.plain_card("thing", "numpy_thing")
IMPLEMENTATION = CARD["implementations"]["numpy_thing"]
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


def timing(seconds, sittings, loops=1):
    """A Timing with the given seconds per sitting (one number for all), 4 equal samples each."""
    values = [seconds] * len(sittings) if isinstance(seconds, float) else list(seconds)
    mean = math.exp(sum(map(math.log, values)) / len(values))
    return Timing(
        samples_s=[[v] * 4 for v in values],
        rounds=[[0, 1, 2, 3]] * len(values),
        loops=[loops] * len(values),
        median_s=mean,
        ci_low_s=mean * 0.99,
        ci_high_s=mean * 1.01,
        converged=True,
    )


def record(implementation, size=1000, *, sittings=SITTINGS, outcome="ok", startup=None, **fields):
    """A Record of the kernel `thing`; `compute=0.1` and other kinds become its timings."""
    kinds = {k: fields.pop(k) for k in TIMINGS if k in fields}
    defaults = {
        "machine": "here",
        "kernel": "thing",
        "backend": implementation.split("_")[0],
        "device": "cpu",
        "dtype": "float64",
        "threads": 1,
        "sittings": list(sittings) if outcome == "ok" else [],
        "timings": {k: timing(v, sittings) for k, v in kinds.items()},
        "startup": startup and Startup(**startup),
        "reason": None if outcome == "ok" else f"{implementation} failed",
    }
    return Record(implementation=implementation, size=size, outcome=outcome, **defaults | fields)


def save(folder, *records, virtualised=False, devices=(), cards=None):
    """Write a results folder holding these records."""
    (folder / "timings").mkdir(parents=True, exist_ok=True)
    (folder / "kernels").mkdir(exist_ok=True)
    found = [{"index": {}, "limits": {}, "versions": {}, "unsupported_dtypes": {}, **device} for device in devices]
    backends = {"pyopencl": {"available": True, "reason": None, "versions": {}, "devices": found}}
    machine = MACHINE | {"virtualised": virtualised, "backends": backends}
    (folder / "machine.json").write_text(json.dumps(machine))
    for kernel in {r.kernel for r in records}:
        baseline = "numpy_thing" if kernel == "thing" else f"numpy_{kernel.removeprefix('limit_')}"
        card = CARD | {"kernel": kernel, "baseline": baseline}
        (folder / "kernels" / f"{kernel}.json").write_text(json.dumps(card | (cards or {}).get(kernel, {})))
        lines = [r.model_dump_json() for r in records if r.kernel == kernel]
        (folder / "timings" / f"{kernel}.jsonl").write_text("".join(line + "\n" for line in lines))
    return folder


def only(table, **where):
    """The one row of a table with these values, as a dict with None for null."""
    for name, value in where.items():
        table = table[table[name] == value]
    assert len(table) == 1, table
    return {k: None if pd.isna(v) else v for k, v in table.iloc[0].items()}


DESIGN_COLUMNS = """
    machine kernel options implementation backend device size dtype block_size threads outcome reason compute_s
    compute_ci_low_s compute_ci_high_s call_s end_to_end_s first_call_s speedup speedup_ci_low speedup_ci_high
    speedup_end_to_end bandwidth_gb_s gflop_s fraction_of_limit max_error
"""


def test_schemas(tmp_path):
    found = write_tables(save(tmp_path, record("numpy_thing", compute=1.0)))
    names = DESIGN_COLUMNS.split()
    assert list(found["timings"].columns[: len(names)]) == names
    assert {"verdict", "speedup_same_threads", "cache_resident", "implausible", "noisy", "sittings", "case"} <= set(
        found["timings"].columns
    )
    names = ["best", "crossover", "launch", "limits", "measuring", "outcomes", "regret", "scaling", "startup"]
    names += ["timings", "winners"]
    assert list(found) == names
    assert sorted(p.name for p in (tmp_path / "tables").iterdir()) == sorted(
        [f"{name}.csv" for name in names] + ["timings.parquet"]
    )
    for name, table in found.items():
        assert list(table.columns) == [column.name for column in fields(tables.find()[name])]
        with (tmp_path / "tables" / f"{name}.csv").open(newline="") as stream:
            assert next(csv.reader(stream)) == list(table.columns)


def test_a_row_worked_out_by_hand(tmp_path):
    numpy = record("numpy_thing", compute=(0.2, 0.4, 0.2), sittings=SITTINGS)
    fast = record(
        "pyopencl_raw",
        device="NVIDIA H200",
        threads=None,
        parameters={"block_size": [16, 16], "unroll": 4},
        options={"vertices": 24, "width": 1048577},
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
    numpy.options = dict(fast.options)
    found = write_tables(save(tmp_path, numpy, fast))["timings"]
    row = only(found, implementation="pyopencl_raw")
    mean = 0.1 * 2 ** (1 / 3)
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
        "speedup_ci_low": pytest.approx(2.0),
        "speedup_ci_high": pytest.approx(2.0),
        "verdict": FASTER,
        "speedup_end_to_end": pytest.approx(0.5),
        "verdict_end_to_end": SLOWER,
        "speedup_same_threads": None,
        "bandwidth_gb_s": pytest.approx(4 / mean),
        "gflop_s": pytest.approx(5 / mean),
        "fraction_of_limit": None,
        "implausible": None,
        "noisy": False,
        "cache_resident": None,
        "sittings": 3,
        "samples": 12,
    }
    assert {name: row[name] for name in expected} == expected
    baseline = only(found, implementation="numpy_thing")
    # Host code is timed on the host's clock: a call, and end to end, is what compute is.
    assert baseline["call_s"] == baseline["end_to_end_s"] == baseline["compute_s"]
    assert (baseline["speedup"], baseline["verdict"]) == (1.0, None)


@pytest.mark.parametrize(("threads", "used", "more"), [(1, 1.9, True), (1, 1.05, False), (2, 1.9, False)])
def test_what_keeps_more_cores_busy_than_it_has_threads_is_marked(tmp_path, threads, used, more):
    record_ = record("numpy_thing", compute=1.0, threads=threads, cores_used=used)
    row = only(write_tables(save(tmp_path, record_))["timings"], implementation="numpy_thing")
    assert (row["cores_used"], row["more_cores"]) == (used, more)


def test_a_device_without_end_to_end_gets_no_invented_one(tmp_path):
    device = record("cupy_raw", device="NVIDIA H200", threads=None, compute=0.1, call=0.2)
    converting = record("python_list", compute=0.5, end_to_end=2.0, upload=1.5)
    found = write_tables(save(tmp_path, record("numpy_thing", compute=1.0), device, converting))["timings"]
    row = only(found, implementation="cupy_raw")
    assert (row["end_to_end_s"], row["speedup_end_to_end"], row["verdict_end_to_end"]) == (None, None, None)
    row = only(found, implementation="python_list")
    assert (row["call_s"], row["end_to_end_s"], row["speedup_end_to_end"]) == (0.5, 2.0, 0.5)


def test_baseline_is_the_fastest_thread_count_and_thread_for_thread_stands_beside(tmp_path):
    numpy = [record("numpy_thing", compute=s, threads=t) for s, t in ((4.0, 1), (2.0, 2), (3.0, 4))]
    cases = [record("cffi_openmp", compute=s, threads=t) for s, t in ((4.0, 1), (1.0, 4), (0.5, 8))]
    found = write_tables(save(tmp_path, *numpy, *cases))["timings"]
    rows = {t: only(found, implementation="cffi_openmp", threads=t) for t in (1, 4, 8)}
    assert [rows[t]["speedup"] for t in rows] == pytest.approx([0.5, 2.0, 4.0])
    assert [rows[t]["speedup_same_threads"] for t in (1, 4)] == pytest.approx([1.0, 3.0])
    assert rows[8]["speedup_same_threads"] is None
    assert set(found["baseline"]) == {"thing/numpy_thing/float64/1000/cpu/threads=2"}


@pytest.mark.parametrize("outcome", ["error", "wrong_result", "too_slow"])
def test_a_failed_baseline_leaves_times_without_speedups(tmp_path, outcome):
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


def test_times_of_a_wrong_result_are_never_shown(tmp_path):
    wrong = record("cffi_api", compute=0.001).model_copy(update={"outcome": "wrong_result", "reason": "off by 3"})
    found = write_tables(save(tmp_path, record("numpy_thing", compute=1.0), wrong))
    row = only(found["timings"], implementation="cffi_api")
    assert (row["compute_s"], row["speedup"], row["sittings"], row["reason"]) == (None, None, 0, "off by 3")
    assert only(found["winners"], timing="compute")["winner"] == "numpy_thing"


def test_nothing_ok_at_all(tmp_path):
    records = [record("numpy_thing", outcome="crashed"), record("cupy_raw", outcome="unavailable", device=None)]
    found = write_tables(save(tmp_path, *records))
    assert set(found["winners"]["decision"]) == {"no_result"}
    assert list(found["outcomes"]["cases"]) == [1, 1]
    assert only(found["outcomes"], outcome="unavailable")["case"] == "thing/cupy_raw/float64/1000/no-device/threads=1"
    assert all(found[name].empty for name in ("best", "crossover", "scaling", "limits", "startup"))


def test_one_process_gives_ratios_and_no_verdicts(tmp_path):
    found = write_tables(
        save(
            tmp_path,
            record("numpy_thing", compute=(2.0,), sittings=("p1",)),
            record("cffi_api", compute=(1.0,), sittings=("p1",)),
        )
    )
    row = only(found["timings"], implementation="cffi_api")
    assert (row["speedup"], row["speedup_ci_low"], row["verdict"]) == (2.0, None, None)
    winner = only(found["winners"], timing="compute")
    assert (winner["winner"], winner["decision"], winner["tie"]) == (None, "one_process", None)
    assert winner["fastest"] == "cffi_api"
    crossover = only(found["crossover"], timing="compute")
    assert (crossover["crossover"], crossover["compared_sizes"], crossover["calls_to_repay"]) == (None, 0, None)


def test_speedups_pair_the_sittings_that_both_saw(tmp_path):
    numpy = record("numpy_thing", compute=(1.0, 1.0, 1.0, 5.0, 5.0, 5.0), sittings=("p1", "p2", "p3", "q1", "q2", "q3"))
    late = record("cffi_api", compute=2.5, sittings=("q1", "q2", "q3"))
    early = record("numba_njit", compute=0.8, sittings=("p1", "p2", "p3"))
    stray = record("ctypes_c", compute=0.1, sittings=("x1", "x2"))
    found = write_tables(save(tmp_path, numpy, late, early, stray))
    speedups = found["timings"].set_index("implementation")["speedup"]
    assert speedups["cffi_api"] == pytest.approx(2.0)
    assert speedups["numba_njit"] == pytest.approx(1.25)
    assert pd.isna(speedups["ctypes_c"])
    winner = only(found["winners"], timing="compute")
    assert (winner["winner"], winner["incomparable"], winner["candidates"]) == ("cffi_api", 1, 4)


def test_a_kind_missing_in_one_sitting_is_paired_without_it(tmp_path):
    device = record("pyopencl_raw", compute=1.0, call=1.0, end_to_end=(4.0, 4.0, 4.0))
    device.timings["end_to_end"].samples_s[0] = []
    device.timings["end_to_end"].rounds[0] = []
    found = write_tables(save(tmp_path, record("numpy_thing", compute=(9.0, 8.0, 8.0)), device))["timings"]
    row = only(found, implementation="pyopencl_raw")
    assert (row["speedup_end_to_end"], row["verdict_end_to_end"]) == (pytest.approx(2.0), FASTER)


def test_virtual_machine_widens_same(tmp_path):
    records = [record("numpy_thing", compute=1.0), record("cffi_api", compute=(0.99, 1.0, 1.01))]
    verdict = {}
    for virtualised in (False, True):
        found = write_tables(save(tmp_path, *records, virtualised=virtualised))["timings"]
        verdict[virtualised] = only(found, implementation="cffi_api")["verdict"]
    assert verdict == {False: AMBIGUOUS, True: SAME}


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


def test_crossover_and_repaying_the_startup(tmp_path):
    sizes = (10, 100, 1000, 10000)
    startup = {"import_s": 0.1, "context_s": 0.0, "build_s": 0.2, "first_call_s": 0.001}
    numpy = [record("numpy_thing", n, compute=n * 1e-6, startup={"import_s": 0.05}) for n in sizes]
    jit = [
        record(
            "numba_njit",
            n,
            compute=5e-5 + n * 5e-7,
            # Just-in-time compilation befalls the case that comes first.
            startup=startup | {"first_call_s": 0.750 + 5e-5 + n * 5e-7} if n == 1000 else startup,
            source_lines=9,
        )
        for n in sizes
    ]
    # On resident data always faster, never from end to end.
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
        # 0.1 + 0.2 + 0.75 against 0.05 s of start-up; a call saves 10 ms - 5.05 ms.
        assert row["startup_s"] == pytest.approx(1.05)
        assert row["calls_to_repay"] == math.ceil(1.0 / 4.95e-3) == 203
    rows = {kind: only(found, implementation="cupy_raw", timing=kind) for kind in ("compute", "call", "end_to_end")}
    assert rows["compute"]["crossover"] == "always"
    assert rows["call"]["crossover"] == "sometimes"  # at 10000 the difference is no longer worth speaking of
    assert (rows["end_to_end"]["crossover"], rows["end_to_end"]["calls_to_repay"]) == ("never", None)


def test_crossover_uses_the_best_block_size_of_each_size(tmp_path):
    def raw(size, block, seconds):
        return record("pyopencl_raw", size, compute=seconds, parameters={"block_size": block})

    numpy = [record("numpy_thing", n, compute=1.0) for n in (10, 100)]
    raws = [raw(10, 64, 2.0), raw(10, 256, 0.5), raw(100, 64, 0.5), raw(100, 256, 2.0)]
    row = only(write_tables(save(tmp_path, *numpy, *raws))["crossover"], timing="compute")
    assert (row["crossover"], row["faster_sizes"]) == ("always", "10 100")


GPU = {"device": "NVIDIA H200", "threads": None}


def test_what_takes_as_long_to_launch_as_to_run_is_launch_bound(tmp_path):
    short = record("cupy_raw", **GPU, compute=1e-5, call=2e-5, launch=0.9e-5)
    long = record("cupy_array", **GPU, compute=1e-5, call=2e-5, launch=0.7e-5)
    found = write_tables(save(tmp_path, record("numpy_thing", compute=1e-5), short, long))["timings"]
    assert [only(found, implementation=n)["launch_bound"] for n in ("cupy_raw", "cupy_array")] == [True, False]
    assert only(found, implementation="numpy_thing")["launch_bound"] is None


def test_the_largest_shift_of_a_reference_case_stands_beside_a_case(tmp_path):
    shifted = record("numpy_thing", compute=1.0, environment={"reference_shift": [0.01, None, 0.2]})
    found = write_tables(save(tmp_path, shifted, record("cffi_thing", compute=1.0)))["timings"]
    assert only(found, implementation="numpy_thing")["reference_shift"] == 0.2
    assert only(found, implementation="cffi_thing")["reference_shift"] is None


def test_resident_call_and_both_ways_end_to_end_are_told_apart(tmp_path):
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
    # What has no page-locked memory of its own has no such time, but takes part with the one it has.
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


def test_without_page_locked_memory_there_is_no_word_of_it(tmp_path):
    pocl = record("pyopencl_raw", device="PoCL EPYC", compute=1.0, call=1.0, end_to_end=1.6)
    found = write_tables(save(tmp_path, record("numpy_thing", compute=8.0), pocl))
    for name in ("winners", "crossover"):
        assert set(found[name]["timing"]) == {"compute", "call", "end_to_end"}


def blocks_of(times, name="cupy_raw", **fields):
    return [record(name, compute=s, parameters={"block_size": b}, **GPU, **fields) for b, s in times.items()]


def test_regret_is_what_the_default_block_costs(tmp_path):
    slower = (1.15, 1.26, 1.21)
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
        "best_s": 1.0,
        "regret": pytest.approx(stats.gmean(slower)),
        "verdict": FASTER,
        "tie": "512 1024",
        "candidates": 4,
        "held_out": True,
    }
    assert {name: row[name] for name in expected} == expected
    interval = stats.t.interval(0.95, 2, loc=np.log(slower).mean(), scale=stats.sem(np.log(slower)))
    assert (row["regret_ci_low"], row["regret_ci_high"]) == pytest.approx(tuple(np.exp(interval)))
    row = only(found, implementation="pycuda_raw")
    assert (row["best_block_size"], row["regret"], row["verdict"], row["tie"]) == ("256", 1.0, None, "256")


def test_regret_comes_from_other_rounds_than_the_choice(tmp_path):
    """By the even rounds 64 is the better one, by the odd ones 256: it is 64 that would have been taken."""
    cases = blocks_of({64: 1.0, 256: 1.0})
    for case, samples in zip(cases, ([1.0, 5.0] * 2, [2.0, 4.0] * 2), strict=True):
        case.timings["compute"].samples_s = [samples] * 3
    row = only(write_tables(save(tmp_path, record("numpy_thing", compute=9.0), *cases))["regret"])
    assert [row[n] for n in ("best_block_size", "best_s", "default_s", "regret")] == [
        "64",
        *map(pytest.approx, (5.0, 4.0, 0.8)),
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


def limit(kind, implementation, seconds, *, read, written=0.0, flops=None, **fields):
    return record(
        f"{implementation}_{kind}",
        fields.pop("size", 10**8),
        kernel=f"limit_{kind}",
        compute=seconds,
        bytes_read=read,
        bytes_written=written,
        flops=flops,
        **fields,
    )


LIMITS = (
    limit("read", "numpy", 1.0, read=8e9),
    limit("read", "cffi", 0.8, read=8e9),  # 10 GB/s
    limit("read", "cffi", 1e-6, read=8e6, size=10**5, cache_resident=True),
    limit("read", "cffi", 0.4, read=8e9, threads=2),  # 20 GB/s
    limit("copy", "numpy", 2.0, read=8e9, written=8e9),  # 8 GB/s
    limit("triad", "numpy", 2.5, read=16e9, written=8e9),  # 9.6 GB/s
    limit("matmul", "numpy", 1.0, read=1e6, written=1e6, flops=1e11),
)


@pytest.mark.parametrize("baseline_ends", [True, False])
def test_a_size_at_which_the_host_runs_its_baseline_alone_is_no_limit_of_the_host(tmp_path, baseline_ends):
    large = {"read": 80e9, "size": 10**10}
    alone = [limit("read", "numpy", 8.0, **large)] if baseline_ends else []
    gpu = [limit("read", "cupy", 0.02, device="GPU", threads=None, **large)]
    gpu += [limit("read", "cupy", 0.004, read=8e9, device="GPU", threads=None)]
    found = write_tables(save(tmp_path, *alone, *gpu, *LIMITS))["limits"]
    rates = {(r.device, r.threads): r.bytes_per_s for r in found.itertuples() if r.limit == "read"}
    assert sorted(rates.values()) == pytest.approx([10e9, 20e9, 4e12])


def test_the_baseline_is_a_limit_where_it_is_faster_still_at_a_size_of_its_own(tmp_path):
    alone = limit("read", "numpy", 2.0, read=80e9, size=10**10)  # 40 GB/s
    found = write_tables(save(tmp_path, alone, *LIMITS))["limits"]
    read = found[found["limit"] == "read"]
    assert dict(zip(read["threads"], read["bytes_per_s"], strict=True)) == pytest.approx({1: 40e9, 2: 40e9})
    assert set(read["case"]) == {"limit_read/numpy_read/float64/10000000000/cpu/threads=1"}


def test_small_transfers_are_no_limit_of_the_bus(tmp_path):
    small = record("pyopencl_raw", compute=1.0, call=1.0, upload=1e-3, download=1e-3, bytes_read=2e6, bytes_written=2e7)
    found = write_tables(save(tmp_path, record("numpy_thing", compute=1.0), small))["limits"]
    assert list(found["limit"]) == ["download"]


def test_limits(tmp_path):
    device = record("pyopencl_raw", compute=1.0, call=1.0, upload=0.1, download=0.5, bytes_read=1e9, bytes_written=1e8)
    listed = record("python_list", compute=1.0, end_to_end=2.0, upload=1e-9, bytes_read=1e9, bytes_written=1e8)
    found = write_tables(save(tmp_path, record("numpy_thing", compute=1.0), device, listed, *LIMITS))["limits"]
    rows = {(r.threads, r.limit): r for r in found.itertuples()}
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
    assert rows[1, "read"].case == "limit_read/cffi_read/float64/100000000/cpu/threads=1"


def test_more_threads_are_limited_by_what_fewer_reach(tmp_path):
    slow_pool = limit("read", "cffi", 4.0, read=8e9, threads=2)
    found = write_tables(save(tmp_path, limit("read", "numpy", 1.0, read=8e9), slow_pool))["limits"]
    row = only(found, threads=2, limit="read")
    assert (row["bytes_per_s"], row["implementation"]) == (8e9, "numpy_read")


@pytest.mark.parametrize(
    ("read", "written", "flops", "seconds", "fraction", "implausible"),
    [
        (10e9, 0, None, 2.0, 0.5, False),  # reads alone: 10 GB/s
        (4e9, 4e9, None, 2.0, 0.5, False),  # as a copy: 8 GB/s
        (6.4e9, 3.2e9, None, 2.0, 0.5, False),  # as a triad: 9.6 GB/s
        (8e9, 1.6e9, None, 2.0, 0.49, False),  # 5/6 reads: halfway between 1/9.6 and 1/10
        (0, 10e9, None, 2.0, 0.5, False),  # writes alone: the fastest limit there is
        (10e9, 0, 4e11, 5.0, 0.8, False),  # computing takes longer than reading
        (10e9, 0, None, 1 / 1.04, 1.04, False),
        (10e9, 0, None, 1 / 1.06, 1.06, True),
        (0, 0, 0, 1.0, None, None),
        (None, None, None, 1.0, None, None),
    ],
)
def test_fraction_of_limit(tmp_path, read, written, flops, seconds, fraction, implausible):
    numbers = {"bytes_read": read, "bytes_written": written, "flops": flops}
    cases = [record("numpy_thing", compute=seconds, **numbers, cache_resident=False)]
    cases += [record("cffi_api", compute=seconds, **numbers, cache_resident=True)]
    cases += [record("cffi_openmp", compute=seconds, **numbers, threads=3)]
    found = write_tables(save(tmp_path, *cases, *LIMITS))["timings"]
    row = only(found, implementation="numpy_thing")
    assert row["fraction_of_limit"] == (fraction and pytest.approx(fraction))
    assert row["implausible"] == implausible
    resident = only(found, implementation="cffi_api")
    assert resident["fraction_of_limit"] == row["fraction_of_limit"]
    assert resident["implausible"] in (None, False)
    # No limit was measured at three threads.
    assert only(found, implementation="cffi_openmp")["fraction_of_limit"] is None


def test_what_is_implausible_wins_leads_and_ties_with_nothing(tmp_path):
    """Read at 10 GB/s the bytes take 1 s: what takes 0.1 s was not waited for, and is no best block either."""
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


def test_where_all_is_implausible_nothing_wins(tmp_path):
    numbers = {"bytes_read": 10e9, "bytes_written": 0, "cache_resident": False}
    cases = [record("numpy_thing", compute=0.5, **numbers), record("numba_lazy", compute=0.1, **numbers)]
    found = write_tables(save(tmp_path, *cases, *LIMITS))["winners"]
    winner = only(found, kernel="thing", timing="compute")
    assert (winner["decision"], winner["fastest"]) == ("no_result", None)


def test_writes_alone_are_held_to_the_limit_of_writing_where_it_was_measured(tmp_path):
    """And a sixth of reads to a third of the way from there, 1/12, to a copy, 1/8."""
    cases = [record("numpy_thing", compute=1.0, bytes_read=0, bytes_written=6e9)]
    cases += [record("cffi_api", compute=1.0, bytes_read=1e9, bytes_written=5e9)]
    found = write_tables(save(tmp_path, *cases, *LIMITS, limit("write", "numpy", 1.0, read=0, written=12e9)))["timings"]
    assert only(found, implementation="numpy_thing", kernel="thing")["fraction_of_limit"] == pytest.approx(0.5)
    third = 6 * (1 / 12 + (1 / 8 - 1 / 12) / 3)
    assert only(found, implementation="cffi_api")["fraction_of_limit"] == pytest.approx(third)


def test_limits_of_the_same_cores_hold_for_every_device_made_of_them(tmp_path):
    devices = [{"name": "PoCL EPYC", "kind": "cpu"}, {"name": "NVIDIA H200", "kind": "gpu"}]
    fields = {"compute": 1.0, "bytes_read": 5e9, "bytes_written": 0, "dtype": "int64"}
    pocl = record("pyopencl_raw", device="PoCL EPYC", **fields)
    gpu = record("pyopencl_raw", device="NVIDIA H200", **fields)
    found = write_tables(save(tmp_path, pocl, gpu, *LIMITS, devices=devices))["timings"]
    assert only(found, device="PoCL EPYC")["fraction_of_limit"] == 0.5  # an int64 is moved like a float64
    assert only(found, device="NVIDIA H200")["fraction_of_limit"] is None


def test_limits_take_no_part_in_choices(tmp_path):
    found = write_tables(save(tmp_path, record("numpy_thing", compute=1.0), *LIMITS))
    assert len(found["timings"]) == 1 + len(LIMITS)
    for name in ("best", "winners", "crossover", "scaling"):
        assert set(found[name]["kernel"]) <= {"thing"}


def test_startup_takes_the_case_that_paid(tmp_path):
    early = record("cython_typed", 10, compute=1e-3, startup={"import_s": 0.2, "build_s": 0.01, "first_call_s": 0.5})
    later = record("cython_typed", 100, compute=1e-2, startup={"import_s": 0.1, "first_call_s": 0.02})
    none = record("numpy_thing", 10, compute=1.0)
    card = {"implementations": {"cython_typed": IMPLEMENTATION | {"build": [ARTIFACT]}}}
    found = write_tables(save(tmp_path, early, later, none, cards={"thing": card}))["startup"]
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


def test_measuring_adds_runs_and_kernels(tmp_path):
    def run(cases, wall, inside):
        about = {"started": "", "command": "", "commit": None, "dirty": None, "config": {}}
        return {"cases": cases, "wall_s": wall, "in_samples_s": inside, **about}

    cards = {"thing": {"runs": [run(10, 20.0, 8.0), run(10, 5.0, 2.0)]}, "limit_read": {"runs": [run(0, 0.0, 0.0)]}}
    other = limit("read", "numpy", 1.0, read=1e9)
    found = write_tables(save(tmp_path, record("numpy_thing", compute=1.0), other, cards=cards))["measuring"]
    assert list(found["kernel"]) == ["limit_read", "thing", "total"]
    for kernel in ("thing", "total"):
        row = only(found, kernel=kernel)
        assert [row[n] for n in ("cases", "wall_s", "in_samples_s")] == [20, 25.0, 10.0]
        assert (row["in_samples_share"], row["wall_per_case_s"]) == (0.4, 1.25)
    assert only(found, kernel="limit_read")["in_samples_share"] is None


def test_files_hold_the_same_as_the_frames_and_do_not_depend_on_the_order_of_lines(tmp_path):
    generator = random.Random(4)
    records = [
        record(name, n, dtype=dtype, compute=[generator.uniform(1e-9, 1) for _ in SITTINGS], bytes_read=n * 8.0)
        for name in ("numpy_thing", "cffi_api", "numba_njit")
        for n in (7, 1000, 10**8)
        for dtype in ("float32", "float64")
    ]
    records.append(record("cffi_abi", outcome="error").model_copy(update={"reason": 'said "no", then\nä ;, quit'}))
    folder = save(tmp_path / "one", *records)
    found = write_tables(folder)
    again = pd.read_parquet(folder / "tables" / "timings.parquet")
    pd.testing.assert_frame_equal(again, found["timings"])
    with (folder / "tables" / "timings.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    for name in ("compute_s", "speedup", "speedup_ci_low", "bandwidth_gb_s"):
        assert [float(row[name] or "nan") for row in rows] == pytest.approx(list(found["timings"][name]), 0, 0, True)
    assert [row["reason"] or None for row in rows] == [None if pd.isna(r) else r for r in found["timings"]["reason"]]
    generator.shuffle(records)
    other = tmp_path / "elsewhere"
    write_tables(save(tmp_path / "two", *records), other)
    for file in sorted((folder / "tables").glob("*.csv")):
        assert (other / file.name).read_bytes() == file.read_bytes(), file.name
    assert not (tmp_path / "two" / "tables").exists()


def test_infinite_interval_ends_are_null(tmp_path):
    few = record("numpy_thing", compute=1.0)
    few.timings["compute"].ci_low_s, few.timings["compute"].ci_high_s = -math.inf, math.inf
    folder = save(tmp_path, few)
    # What Python's json writes, which pydantic's own writer would turn into null.
    (folder / "timings" / "thing.jsonl").write_text(json.dumps(few.model_dump()) + "\n")
    row = only(write_tables(folder)["timings"], implementation="numpy_thing")
    assert (row["compute_ci_low_s"], row["compute_ci_high_s"]) == (None, None)


# --- damaged and foreign files ----------------------------------------------------------------------------------------


def spoil_line(number, change):
    def spoil(folder):
        path = folder / "timings" / "thing.jsonl"
        lines = path.read_text().splitlines(keepends=True)
        lines[number] = change(lines[number])
        path.write_text("".join(lines))

    return spoil


def edited(**fields):
    return lambda line: json.dumps(json.loads(line) | fields) + "\n"


def shorten_rounds(line):
    value = json.loads(line)
    value["timings"]["compute"]["rounds"].pop()
    return json.dumps(value) + "\n"


@pytest.mark.parametrize(
    ("spoil", "place", "words"),
    [
        (spoil_line(1, lambda line: line[: len(line) // 2]), "thing.jsonl:2", ("cut", "make report")),
        (spoil_line(0, lambda line: "[1, 2]\n"), "thing.jsonl:1", ("object",)),
        (spoil_line(0, edited(schema_version=2)), "thing.jsonl:1", ("schema_version 2", "not 1")),
        (spoil_line(1, edited(outcome="fine")), "thing.jsonl:2", ("outcome",)),
        (spoil_line(1, edited(extra=1)), "thing.jsonl:2", ("extra",)),
        (spoil_line(1, shorten_rounds), "thing.jsonl:2", ("timings.compute", "sittings")),
        (spoil_line(1, edited(machine="there")), "thing.jsonl:2", ("'there'", "'here'")),
        (spoil_line(1, edited(implementation="numpy_thing")), "thing.jsonl:2", ("repeats", "thing.jsonl:1")),
        (lambda folder: (folder / "machine.json").unlink(), "", ("holds no machine.json", "accelbench run")),
        (lambda folder: (folder / "machine.json").write_text("{"), "machine.json", ("not complete JSON",)),
        (lambda folder: (folder / "kernels" / "thing.json").unlink(), "thing.json", ("cannot be read",)),
        (lambda folder: (folder / "kernels" / "thing.json").write_text("{}"), "thing.json", ("schema_version None",)),
        (lambda folder: (folder / "timings" / "thing.jsonl").unlink(), "timings", ("no measurements", "make report")),
    ],
)
def test_damage_is_one_clear_error_and_writes_nothing(tmp_path, spoil, place, words):
    folder = save(tmp_path, record("numpy_thing", compute=1.0), record("cffi_api", compute=2.0))
    write_tables(folder)
    before = {path: path.read_bytes() for path in (folder / "tables").iterdir()}
    spoil(folder)
    with pytest.raises(InputError) as error:
        write_tables(folder)
    assert error.value.where.endswith(place)
    assert all(word in str(error.value) for word in words), str(error.value)
    assert error.value.remedy
    assert {path: path.read_bytes() for path in (folder / "tables").iterdir()} == before


def test_load_records_returns_what_was_written(tmp_path):
    records = [record("numpy_thing", compute=1.0), record("cffi_api", outcome="crashed")]
    assert load_records(save(tmp_path, *records)) == records


def test_not_a_folder(tmp_path):
    with pytest.raises(InputError, match="no measurements"):
        load_records(tmp_path / "nowhere")


# --- anything that may come -------------------------------------------------------------------------------------------

sitting_sets = st.sampled_from([("p1",), ("p1", "p2", "p3"), ("p2", "p3"), ("q1", "q2")])
any_case = st.builds(
    lambda name, size, threads, block, sittings, seconds, outcome: (
        (name, size, threads, block),
        {"sittings": sittings, "compute": [seconds] * len(sittings), "outcome": outcome},
    ),
    st.sampled_from(["numpy_thing", "cffi_api", "pyopencl_raw"]),
    st.sampled_from([0, 1, 1000]),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([None, 64, [16, 16]]),
    sitting_sets,
    st.floats(1e-9, 100),
    st.sampled_from(["ok", "ok", "ok", "timeout"]),
)


@settings(deadline=None, max_examples=60)
@given(planned=st.lists(any_case, min_size=1, max_size=12, unique_by=lambda case: str(case[0])))
def test_every_case_gets_a_row_and_choices_are_consistent(planned):
    records = []
    for (name, size, threads, block), values in planned:
        parameters = {} if block is None else {"block_size": block}
        if values["outcome"] != "ok":
            values = {"outcome": values["outcome"]}
        records.append(record(name, size, threads=threads, parameters=parameters, **values))
    found = frames.make(Analysis(Results({"backends": {}}, {"thing": {"baseline": "numpy_thing"}}, records)))
    timings = found["timings"]
    assert len(timings) == timings["case"].nunique() == found["outcomes"]["cases"].sum() == len(records)
    assert set(timings["verdict"].dropna()) <= set(verdicts.VERDICTS)
    repeated = timings["sittings"] >= 2
    assert not timings["verdict"].notna()[~repeated].any()
    for row in found["winners"].itertuples():
        assert (row.decision == "winner") == (not pd.isna(row.winner))
        assert (row.decision in ("winner", "tie")) == (not pd.isna(row.tie))
        assert (row.decision == "no_result") == (row.candidates == 0)
        if row.decision == "winner":
            assert row.tie == row.winner == row.fastest
            assert row.tie_cases == row.case
    assert set(found["best"]["case"]) <= set(timings["case"][timings["outcome"] == "ok"])
    overtaken = found["crossover"]
    assert list(overtaken["compared_sizes"] > 0) == list(overtaken["crossover"].notna())
