"""Tests of figures that compare implementations: values, recorded and measured ratios, claims and missing results."""

import numpy as np
import pytest
from lecture_figures import PART, ROWS, entry, put, record, shown
from scipy import stats

from accelbench.analysis.cases import Case
from accelbench.analysis.priors import Prior
from accelbench.analysis.scatter import Scatter
from accelbench.lectures import measured, page
from accelbench.store import files


def test_implausible_case_is_no_value_of_a_figure():
    class Timed:
        baseline, on_accelerator, ok = None, False, True

        def __init__(self, seconds):
            self.implausible = seconds < 1e-6
            self.seconds = lambda kind: seconds
            self.samples = lambda kind: {"a": {0: seconds}}
            self.levels = lambda kind: {"a": np.log(seconds)}

    lazy, right = Timed(1e-9), Timed(1e-3)
    found = measured.fastest([lazy, right])
    assert (found.seconds, found.case) == (pytest.approx(1e-3), right)
    assert measured.fastest([lazy]).reason == "implausible: faster than this machine can be"
    assert measured.fastest([lazy], "launch").seconds == pytest.approx(1e-9)  # peaks do not limit launch times


def test_interval_is_of_the_times_that_are_told():
    """The interval belongs to the reported times, which leave-one-repetition-out chooses.

    In each of the first two repetitions, one block is by chance far faster, and the time of the other is reported.
    """
    times = {64: [1.0, 5.0, 2.0, 2.0], 128: [4.0, 1.1, 2.2, 2.1]}
    scatter, cases = Scatter(priors={"host": Prior(1.0, 1e-12)}), []
    for block, seconds in times.items():
        case = Case(record("cffi_api", 1.0, repetitions=4), is_baseline=False, on_accelerator=False, scatter=scatter)
        samples = [[s] * 5 for s in seconds]
        case.record.timings["compute"] = case.record.timings["compute"].model_copy(update={"samples_s": samples})
        case.record.parameters["block_size"] = block
        cases.append(case)
    found = measured.fastest(cases)
    told = [4.0, 5.0, 2.2, 2.1]  # 64 is faster if the second repetition is left out, 128 if another is
    # Pseudo-values of the jackknife: the effect of each of the four repetitions on the mean
    without = [[5.0, 2.2, 2.1], [1.0, 2.0, 2.0], [4.0, 5.0, 2.1], [4.0, 5.0, 2.2]]
    said = [4 * np.log(told).mean() - 3 * np.log(others).mean() for others in without]
    low, high = np.exp(stats.t.interval(0.95, 3, loc=np.log(told).mean(), scale=stats.sem(said)))
    assert found.case.record.parameters["block_size"] == 64
    assert found.seconds == pytest.approx(stats.gmean(told))
    assert found.interval == pytest.approx((low, high))
    once = measured.fastest([replaced(cases[0], range(1, 9))])
    assert once.interval == pytest.approx((1, 8), rel=1e-2)  # one repetition: interval of its median by ranks


def moderated(times):
    """Return half the width of the interval of a time's logarithm, with the usual prior of a virtual machine."""
    freedom, squares = 1.5 + len(times) - 1, np.var(np.log(times)) * len(times)
    return stats.t.ppf(0.975, freedom) * np.sqrt((1.5 * 0.025**2 + squares) / freedom / len(times))


def replaced(case, samples):
    """Return a Case with these samples of one repetition."""
    alone = record("cffi_api", 1.0, repetitions=1)
    taken = {"samples_s": [[float(s) for s in samples]], "rounds": [[*range(len(samples))]]}
    alone.timings["compute"] = alone.timings["compute"].model_copy(update=taken)
    return Case(alone, is_baseline=False, on_accelerator=False, scatter=case.scatter)


def test_ratios_then_and_now_stand_side_by_side(home):
    own = entry()
    put(home, own, [record("numpy_sum", 8e-3), record("cffi_api", 2e-3)])
    view = shown(home, own)
    _, row = view.table.rows
    assert [row[column] for column in (0, 1, 2, 3, 4)] == ["C", "1.00\xa0ms", "2.00\xa0ms", "2.00×", "4.00×"]
    assert view.complete
    assert view.missing == []
    assert "1 of 1 recorded ratios are reproduced here within a factor of 2." in view.sentences
    assert "Then the same work took 0.250× to 0.500× as long as it takes here." in view.sentences


def timed_too(measured, **others):
    """Return a copy of the record with more kinds of time, each taken from the `compute` of another record."""
    kinds = {kind: other.timings["compute"] for kind, other in others.items()}
    return measured.model_copy(update={"timings": measured.timings | kinds})


def test_row_that_does_not_compare_has_no_ratio(home):
    """A row of another problem, or with a launch time, has no ratio. A row with other work has no recorded ratio."""
    own = entry(rows=[
        *ROWS,
        {"label": "C, long", "implementation": "cffi_api", "size": 10**6},
        {"label": "C, launched", "implementation": "cffi_api", "size": 1000, "time": "launch"},
        {"label": "C, by ear", "implementation": "cffi_api", "size": 1000, "recorded_s": 1e-9, "unlike": "a guess"},
        {"label": "C, again", "implementation": "cffi_api", "size": 1000, "recorded_s": 1e-9, "over": "C, by ear"},
    ])  # fmt: skip
    fast = record("cffi_api", 2e-3)
    fast = timed_too(fast, launch=fast)
    put(home, own, [record("numpy_sum", 8e-3), fast, record("cffi_api", 3.0, size=10**6)])
    view = shown(home, own)
    ratios = {row[0]: row[3:6] for row in view.table.rows}
    assert ratios["C"][1] == "4.00×"
    assert ratios["C, long"] == ["–", "–", "none: different problems"]
    assert ratios["C, launched"] == ["–", "–", "none: launch times are not comparable"]
    assert ratios["C, by ear"][:2] == ["–", "4.00×"]
    assert ratios["C, again"][:2] == ["–", "1.00×"]
    assert "Not compared: C, by ear: a guess." in view.sentences
    assert "1 of 1 recorded ratios are reproduced here within a factor of 2." in view.sentences


def test_order_that_has_changed_is_said_to_have(home):
    own = entry(rows=[*ROWS, {"label": "Numba", "implementation": "numba_njit", "recorded_s": 0.0001}])
    put(home, own, [record("numpy_sum", 1e-3), record("cffi_api", 4e-3), record("numba_njit", 3e-3)])
    told = " ".join(shown(home, own).sentences)
    assert "these ratios are reversed here: C: 2.00× then, 0.250× here" in told
    assert "Does not hold: the order of the times. NumPy was slower than Numba and is faster here." in told


@pytest.mark.parametrize(
    ("least", "most", "word"), [(1, None, "holds here"), (5, None, "does not hold here"), (3, 5, "holds here")]
)
def test_claims_are_judged_by_the_numbers(home, least, most, word):
    claim = {"says": "C pays", "faster": "C", "than": "NumPy", "least": least, "most": most}
    own = entry(claims=[claim])
    put(home, own, [record("numpy_sum", 8e-3), record("cffi_api", 2e-3)])
    (told,) = [sentence for sentence in shown(home, own).sentences if "C pays" in sentence]
    assert told.startswith(f"“C pays” {word}: C is 4.00× as fast as NumPy (95 % interval ")


@pytest.mark.parametrize(("least", "word"), [(1, "holds here"), (5, "is not compared")])
def test_claim_of_how_much_faster_than_other_work_is_not_judged(home, least, word):
    """A claim of a factor is not judged if the work differs. A claim that one row is faster than another is judged."""
    numpy, *others = ROWS
    own = entry(
        rows=[{**numpy, "unlike": "ours does less"}, *others],
        claims=[{"says": "C pays", "faster": "C", "than": "NumPy", "least": least}],
    )
    put(home, own, [record("numpy_sum", 8e-3), record("cffi_api", 2e-3)])
    (told,) = [sentence for sentence in shown(home, own).sentences if "C pays" in sentence]
    assert told.startswith(f"“C pays” {word}: C is 4.00× as fast as NumPy (95 % interval ")


@pytest.mark.parametrize("least", [1, 5])
def test_claim_without_an_interval_is_not_settled(home, least):
    """A claim that is measured in one repetition has no interval and is undecided, however large the ratio."""
    own = entry(claims=[{"says": "C pays", "faster": "C", "than": "NumPy", "least": least}])
    put(
        home, own, [record(name, seconds, repetitions=1) for name, seconds in (("numpy_sum", 8e-3), ("cffi_api", 2e-3))]
    )
    (told,) = [sentence for sentence in shown(home, own).sentences if "C pays" in sentence]
    assert told.startswith("“C pays” is undecided here: C is 4.00× as fast as NumPy (without an interval")


@pytest.mark.parametrize(("least", "word"), [(3.8, "holds here"), (4.2, "does not hold here")])
def test_claim_against_what_was_recorded_has_the_interval_of_what_is_measured(home, least, word):
    """A claim against a recorded time (8 ms) uses the interval of the measured time (2 ms).

    Repetitions differ by 0.1 %, so the prior of a virtual machine determines most of the interval.
    """
    rows = [{"label": "then", "recorded_s": 8e-3}, *ROWS]
    own = entry(rows=rows, claims=[{"says": "C pays", "faster": "C", "than": "then", "least": least}])
    put(home, own, [record("numpy_sum", 8e-3), record("cffi_api", 2e-3)])
    (told,) = [sentence for sentence in shown(home, own).sentences if "C pays" in sentence]
    times = [2e-3, 2.002e-3, 2.004e-3]
    half = moderated(times)
    low, high = (f"{8e-3 / np.exp(np.mean(np.log(times)) + sign * half):.2f}×" for sign in (1, -1))
    assert told.startswith(f"“C pays” {word}: C is {8 / 2.002:.2f}× as fast as then (95 % interval {low} – {high}")


def test_claim_is_looked_at_at_every_size_and_says_what_counts(home):
    claim = {"says": "C pays", "faster": "cffi_api", "than": "numpy_sum", "least": 1.5, "but": "the compiler is new"}
    own = entry(kind="size", rows=[], over="numpy_sum", claims=[claim])
    times = {10: (1e-6, 2e-6), 1000: (8e-3, 2e-3), 10**6: (8.0, 2.0)}
    put(
        home,
        own,
        [r for n, (slow, fast) in times.items() for r in (record("numpy_sum", slow, n), record("cffi_api", fast, n))],
    )
    told = shown(home, own).sentences[-1]
    assert told.startswith("“C pays” holds here: cffi_api is 4.00× as fast as numpy_sum at size 10⁶ (95 % interval ")
    assert told.endswith("; the claim requires at least 1.50×), but not at 10; the compiler is new.")


def test_ratio_with_transfers_is_said(home):
    own = entry(rows=[ROWS[0], ROWS[1] | {"device": "gpu"}], show="ratio")
    there = record("cffi_api", 1e-3, device="NVIDIA H200", threads=None)
    slow, pinned = record("cffi_api", 16e-3), record("cffi_api", 2e-3)
    there = timed_too(there, end_to_end=slow, end_to_end_pinned=pinned)
    put(home, own, [record("numpy_sum", 8e-3), there])
    view = shown(home, own)
    (row,) = view.table.rows
    assert "8.00×" in row
    assert "0.500× (4.00×)" in row
    lines = entry(kind="size", rows=[], show="ratio", over="numpy_sum", id="own-lines")
    put(home, lines, [record("numpy_sum", 8e-3), there])
    told = "With transfers, at 10³: cffi_api · H200 0.500× (4.00×)."
    assert told in shown(home, lines).sentences


def test_transfer_that_was_timed_is_no_second_time(home):
    """If a case on a GPU has no separate `end_to_end`, its `compute` includes the transfer."""
    own = entry(rows=[ROWS[0], ROWS[1] | {"device": "gpu"}])
    there = record("cffi_api", 1e-3, device="NVIDIA H200", threads=None)
    put(home, own, [record("numpy_sum", 8e-3), there])
    assert "with transfers" not in shown(home, own).table.columns


def test_missing_value_is_not_faked(home):
    own = entry(claims=[{"says": "C pays", "faster": "C", "than": "NumPy"}])
    why = "no such device"
    put(home, own, [record("numpy_sum", 8e-3), record("cffi_api", 0, outcome="unavailable", reason=why, device=None)])
    view = shown(home, own)
    assert view.missing == ["C: no such device"]
    assert view.table.rows[1][2:5] == ["no such device", "2.00×", "–"]
    assert any("cannot be judged here: C: no such device." in sentence for sentence in view.sentences)
    assert view.complete


def test_gpu_figure_says_so_where_there_is_none(home):
    on_gpu = [
        {"label": "C, large", "implementation": "cffi_api", "size": 10**6},
        ROWS[1] | {"label": "C, GPU", "device": "gpu"},
    ]
    parts = [PART, PART | {"sizes": [10**6], "needs": "gpu"}]
    own = entry(rows=[*ROWS, *on_gpu], measure=parts)
    put(home, own, [record("numpy_sum", 8e-3, 1000)])
    assert [row[2] for row in shown(home, own).table.rows[1:]] == ["not measured", *["there is no GPU here"] * 2]
    machine = files.read_json(home / "machine.json")
    machine["backends"]["pyopencl"]["devices"].append(machine["backends"]["pyopencl"]["devices"][0] | {"kind": "gpu"})
    files.write_json(home / "machine.json", machine)
    assert [row[2] for row in shown(home, own).table.rows[1:]] == ["not measured"] * 3


def test_figure_without_any_number_says_why(home):
    own = entry(kind="size", rows=[], over=None)
    put(home, own, [record("cffi_api", 0, outcome="unavailable", reason="no GPU", device=None)])
    view = shown(home, own)
    assert not view.complete
    assert view.summary == "Not made here: no GPU"


def test_hardware_that_a_figure_needs_and_does_not_have_is_named(home):
    told = dict.fromkeys(("cpu", "gpu", "two gpus"), "")
    for need in told:
        own = entry(id=f"own-{need.replace(' ', '-')}", needs=need)
        put(home, own, [record("numpy_sum", 8e-3), record("cffi_api", 2e-3)])
        told[need] = " ".join(shown(home, own).missing)
    assert told["cpu"] == ""
    assert told["gpu"] == "the complete figure needs a GPU, and this machine has no GPU"
    assert told["two gpus"].startswith("the complete figure needs two GPUs")


def test_figure_of_two_gpus_names_both(home):
    """A figure of two GPUs names both, although the name of a case contains only the GPU that it runs on."""
    machine = files.read_json(home / "machine.json")
    both = [{"name": f"NVIDIA L4 #{number}", "kind": "gpu"} for number in (1, 2)]
    found = machine["backends"]["pyopencl"]["devices"]
    machine["backends"]["pyopencl"]["devices"] = [found[0] | device for device in both]
    files.write_json(home / "machine.json", machine)
    for needed, named in (("two gpus", "L4 #1, NVIDIA L4 #2"), ("cpu", "cores")):
        own = entry(id=f"own-{needed.replace(' ', '-')}", needs=needed)
        put(home, own, [record("numpy_sum", 8e-3), record("cffi_api", 2e-3)])
        assert page.hardware(own, measured.read(home, own)).removesuffix(", a virtual machine").endswith(named)


def test_number_whose_interval_spans_more_than_a_factor_of_three_is_not_printed(home):
    """Two repetitions of 2 and 5 ms have such an interval. The figure states how many repetitions would suffice."""
    numpy, *others = ROWS
    own = entry(rows=[numpy, *({**row, "recorded_s": None} for row in others)])
    times = [[2e-3] * 5, [5e-3] * 5]
    unsure = record("cffi_api", 10**0.5 * 1e-3, repetitions=2)
    unsure.timings["compute"] = unsure.timings["compute"].model_copy(update={"samples_s": times})
    put(home, own, [record("numpy_sum", 8e-3, repetitions=2), unsure])
    view = shown(home, own)

    def width(repetitions):  # with the weakest prior, which adds one degree of freedom
        return stats.t.ppf(0.975, repetitions) / repetitions**0.5

    half = moderated([2, 5])
    needed = next(number for number in range(3, 99) if half * width(number) / width(2) <= np.log(3) / 2)
    assert np.exp(2 * half) > 3
    words = f"too uncertain ({needed} repetitions would help)"
    assert view.table.rows[1][view.table.columns.index("here")] == words
    assert f"C: {words}." in view.sentences
    assert view.chart.texts[1].startswith("too uncertain")
    assert "3.16" not in view.summary
