"""Tests of cases that leave a race (get no further repetitions), and of the reports about these cases."""

import math

import pytest
from pretended_results import machine, metadata, record
from scipy import stats

from accelbench.analysis import Analysis, choices, racing
from accelbench.analysis.gathering import beside_baselines, gather, own_scatter
from accelbench.analysis.priors import DEVICE, DEVICE_10_US, DEVICE_25_US, HOST, Moments, Prior, fit, usual_of_cores
from accelbench.analysis.scatter import Scatter
from accelbench.analysis.verdicts import FASTER
from accelbench.decide import Answers, words
from accelbench.model.machine import Machine
from accelbench.model.metadata import KernelMetadata
from accelbench.model.record import Left
from accelbench.model.results import Results

NAMES = ["x-r1g1", "x-r2g1", "x-r3g1", "x-r4g1"]
CALM = [{HOST: (100, -1600.0, 26000.0)}]  # Moments of variances near 0.0003**2
GPU = {"device": "NVIDIA H200", "threads": None}


def results_of(*records):
    known = KernelMetadata.model_validate(metadata("thing", "numpy_thing", algorithms={"main": "the main one"}))
    return Results(Machine.model_validate(machine()), {"thing": known}, list(records))


def timed(name, seconds, **fields):
    return record(name, repetitions=fields.pop("repetitions", NAMES), compute=seconds, **fields)


def first(record, count):
    """Return a copy of `record` with only its first `count` repetitions."""
    kept = {name: timing.model_copy(update=lists(timing, count)) for name, timing in record.timings.items()}
    return record.model_copy(update={"repetitions": record.repetitions[:count], "timings": kept})


def lists(timing, count):
    return {name: getattr(timing, name)[:count] for name in ("samples_s", "rounds", "loops")}


def left(*records, least=2, most=4, moments=CALM):
    """Return {implementation or block size: number of repetitions after which it leaves the race}."""
    found = {}
    for after in range(1, most):
        results = results_of(*(first(record, after) for record in records))
        scatter = racing.judging(own_scatter(results, moments, {}))
        cases = [c for c in beside_baselines(results, results.records, scatter) if c.id not in found]
        found |= {
            case.id: (case, own.after) for case, own in racing.departures(cases, after=after, least=least).items()
        }
    return {
        str(case.record.parameters.get("block_size", case.record.implementation)): after
        for case, after in found.values()
    }


def test_what_is_far_behind_leaves_but_for_the_best_of_a_backend_nearby():
    numpy = timed("numpy_thing", 1.0)
    slow = timed("cffi_slow", 0.5), timed("numba_njit", 0.2), timed("cython_far", 0.5)
    assert left(numpy, timed("cffi_fast", 0.1), *slow) == {"cffi_slow": 2, "cython_far": 2}
    assert left(numpy, timed("cffi_fast", 0.1), *slow, least=3) == {"cffi_slow": 3, "cython_far": 3}
    assert left(numpy, timed("cffi_fast", 0.1), *slow, most=2) == {}


def test_what_may_tie_or_is_open_against_numpy_stays():
    numpy = timed("numpy_thing", 1.0)
    unsure = timed("cffi_open", [0.9, 1.2, 0.8, 1.1])
    assert left(numpy, timed("numba_a", 0.1), timed("numba_b", 0.101), unsure) == {}
    assert left(numpy, timed("numba_a", 0.1), timed("numba_b", 0.15), timed("cffi_c", 0.9)) == {
        "numba_b": 2,
        "cffi_c": 2,
    }


def test_a_decision_uses_no_later_repetition():
    numpy, fast = timed("numpy_thing", 1.0), timed("cffi_fast", 0.1)
    later = timed("cffi_slow", [0.5, 0.5, 0.01, 0.01])
    assert left(numpy, fast, later) == {"cffi_slow": 2}
    early = timed("cffi_slow", [0.1, 0.1, 0.5, 0.5])
    assert left(numpy, fast, early, most=3) == {}


def test_with_a_wide_prior_two_repetitions_prove_less():
    numpy, fast, slow = timed("numpy_thing", 1.0), timed("cffi_a", 0.1), timed("cffi_b", 0.13)
    assert left(numpy, fast, slow) == {"cffi_b": 2}
    assert left(numpy, fast, slow, moments=[], most=3) == {}  # the usual prior of a virtual machine


def test_the_leader_from_host_to_host_stays_though_it_is_far_behind_on_the_device():
    numpy = timed("numpy_thing", 1.0)
    on_gpu = timed("cupy_raw", 0.001, throughput=0.001, end_to_end=2.0, end_to_end_pinned=1.5, **GPU)
    assert left(numpy, on_gpu, timed("cffi_fast", 0.5), timed("cffi_slow", 0.9)) == {"cffi_slow": 2}


def test_base_has_a_race_of_its_own():
    strict = {"algorithm": "main", "math": "strict", "target": "native"}
    numpy, fast = timed("numpy_thing", 1.0, **strict), timed("cffi_fast", 0.01, math="fast")
    cases = timed("cffi_strict", 0.5, **strict), timed("numba_far", 0.8, math="fast")
    assert left(numpy, fast, *cases) == {"numba_far": 2}


def test_slow_block_sizes_leave_after_the_first_repetition_and_the_default_stays():
    times = {64: 0.1, 128: 0.102, 256: 0.2, 512: 0.104}
    blocks = [
        timed("cupy_raw", [s, s / 9, s / 9, s / 9], parameters={"block_size": b}, **GPU) for b, s in times.items()
    ]
    found = left(timed("numpy_thing", 1.0), *blocks)
    assert found["512"] == 1
    assert found.get("256") != 1
    assert not {"64", "128"} & found.keys()
    assert left(timed("numpy_thing", 1.0), *blocks, most=1) == {}


def raced():
    """Return Results of a race with a case that left; its verdict does not follow from its repetitions."""
    gone = timed("cffi_gone", [0.2, 0.3], repetitions=NAMES[:2], left=Left(after=2, verdict=FASTER))
    return results_of(timed("numpy_thing", 1.0), timed("cffi_fast", [0.19, 0.31, 0.24, 0.25]), gone)


def test_who_left_never_leads_or_ties_and_keeps_its_verdict():
    analysis = Analysis(raced())
    case = next(case for case in analysis.cases if case.record.left)
    assert case.speedup("compute").verdict == FASTER
    (best,) = analysis.fastest("compute").values()
    assert [each.record.implementation for each in best.tie] == ["cffi_fast"]
    assert best.compared[case].verdict == FASTER
    other = next(b for b in analysis.bests("compute", choices.by_implementation) if b.case is case)
    assert words.repetitions(other) == "2 of 4 repetitions"
    assert words.slower(best, other).endswith("× slower (2 of 4 repetitions)")
    assert analysis.cases[0].record.left is None
    assert words.repetitions(best) == "4 repetitions"


def test_a_first_look_has_intervals_by_the_prior_alone():
    records = timed("numpy_thing", 1.0, repetitions=NAMES[:1]), timed("cffi_a", 0.5, repetitions=NAMES[:1])
    assert all(case.speedup("compute").low in (None, 1.0) for case in gather(results_of(*records)))
    case = next(c for c in gather(results_of(*records), first_look=True) if not c.is_baseline)
    half = stats.t.ppf(0.975, 1.5) * 0.025
    assert case.speedup("compute").low == pytest.approx(2 * math.exp(-half))
    assert case.speedup("compute").verdict == FASTER
    analysis = Analysis(results_of(*records), first_look=True)
    (best,) = analysis.fastest("compute").values()
    assert best.decision == "winner"


@pytest.mark.parametrize(
    ("seconds", "tie", "told"), [(0.55, 2, "open: "), (0.65, 1, "fastest in the only repetition: ")]
)
def test_a_first_look_proves_nothing_and_names_what_its_prior_does_not_separate(seconds, tie, told):
    """After one repetition, the prior does not separate candidates whose times differ by less than 18 %."""
    times = {"numpy_thing": 1.0, "cffi_a": 0.5, "cffi_b": seconds}
    records = [timed(name, s, repetitions=NAMES[:1]) for name, s in times.items()]
    analysis = Analysis(results_of(*records), first_look=True)
    (best,) = analysis.fastest("compute").values()
    assert len(best.tie) == tie
    answers = Answers(analysis)
    (family,) = answers.sizes
    answer = answers.at(family, answers.sizes[family][-1], place="pageable")
    assert words.verdict(answer).startswith(told)
    assert words.mark(answer) == "open"


def test_a_baseline_that_was_measured_again_proves_nothing_of_cases_measured_once():
    """A case that is added later brings new measurements of the baseline, which the other cases do not have."""
    baseline = timed("numpy_thing", 1.0, repetitions=["x-r1g1", "y-r1g1"])
    others = [timed(name, seconds, repetitions=NAMES[:1]) for name, seconds in (("cffi_a", 0.5), ("cffi_b", 0.7))]
    (best,) = Analysis(results_of(baseline, *others)).fastest("compute").values()
    assert (best.case.record.implementation, best.seconds, best.tie) == ("cffi_a", pytest.approx(0.5), ())
    assert best.speedup.ratio == pytest.approx(2)
    (alone,) = Analysis(results_of(baseline)).fastest("compute").values()
    assert alone.case.is_baseline
    assert len(alone.tie) == 1


def test_priors_of_a_machine_come_from_the_moments_of_its_kernels():
    pools = {HOST: [{"a": 0.0, "b": 0.001 * (n + 1)} for n in range(40)], DEVICE: [{"a": 0.0, "b": 0.1}]}
    halves = [{HOST: pools[HOST][0::2]}, {HOST: pools[HOST][1::2], DEVICE: pools[DEVICE]}]
    found = Moments.priors(map(Moments.of, halves))
    assert found.keys() == {HOST}  # one comparison on a device is too few
    variances = [((0.001 * (n + 1)) ** 2 / 2, 1) for n in range(40)]
    assert found[HOST] == pytest.approx(fit(variances))


def test_usual_priors_are_by_the_kind_of_machine_and_the_length_of_a_call():
    assert usual_of_cores(virtualised=True, gpu=False)[HOST] == Prior(0.025, 1.5)
    assert usual_of_cores(virtualised=True, gpu=True)[HOST] == Prior(0.1, 1.5)
    assert usual_of_cores(virtualised=True, gpu=False, disturbed=True)[HOST].deviation == pytest.approx(0.075)
    cases = gather(
        results_of(timed("numpy_thing", 1.0), *(timed(f"cupy_{n}", s, **GPU) for n, s in enumerate((9e-6, 2e-5, 1e-3))))
    )
    short, medium, long = cases[:3]
    assert [case.pool("compute", long) for case in (short, medium, long)] == [DEVICE_10_US, DEVICE_25_US, DEVICE]
    assert Scatter().prior(DEVICE_10_US) == Prior(0.022, 4.0)
    known = Scatter()
    known.set_prior(DEVICE, Prior(0.5, 2))
    assert known.prior(DEVICE_10_US) == Prior(0.5, 2)
