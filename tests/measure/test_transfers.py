"""Tests of times with transfers and of energy: which cases are timed, how often, and which cases share samples."""

from types import SimpleNamespace

import pytest
from pretended_workers import ON_DEVICE, Pretended, case

from accelbench import nvidia
from accelbench.measure import case_state, energy, merge
from accelbench.measure.todo import STOP_AFTER
from accelbench.model.parameters import BlockSize
from accelbench.model.record import Record

GPU = "GPU"


def blocks(implementation, *sizes):
    return [case(implementation, GPU, block_size=BlockSize((size,))) for size in sizes]


def taken(bench, kind):
    """Return {case id: number of samples of the kind of time `kind`}."""
    counts = {}
    for question, who, kinds in bench.asked:
        if question == "sample" and kind in kinds:
            counts[who] = counts.get(who, 0) + 1
    return counts


def test_upload_and_download_are_taken_once_for_a_backend_and_device():
    """A backend's first case on a device samples upload and download. Other cases copy them, marked as shared."""
    cases = [case("cupy_first", GPU), case("cupy_second", GPU), case("pyopencl_raw", GPU), case("cupy_first", "GPU 2")]
    bench = Pretended()
    entries = bench.measure(cases)
    own = {cases[0].id, cases[2].id, cases[3].id}
    for kind in ("upload", "download"):
        assert set(taken(bench, kind)) == own
        tried = {who for question, who, kinds in bench.asked if question == "warm_up" and kind in kinds}
        assert tried == own
    assert set(taken(bench, "end_to_end")) == {each.id for each in cases}
    first, second = (entries[each.id].result.timings for each in cases[:2])
    for kind in ("upload", "download"):
        assert second[kind].samples_s == first[kind].samples_s
        assert second[kind].rounds == first[kind].rounds
        assert (second[kind].shared, first[kind].shared) == (True, False)
    assert second["end_to_end"].samples_s != first["end_to_end"].samples_s
    assert not second["end_to_end"].shared
    assert merge.timing("upload", [entries[cases[1].id].result]).shared


def test_what_converts_its_inputs_has_transfers_of_its_own():
    cases = [case("cupy_converting", GPU), case("cupy_first", GPU), case("cupy_second", GPU)]
    bench = Pretended(converting=("cupy_converting",))
    entries = bench.measure(cases)
    assert set(taken(bench, "upload")) == {cases[0].id, cases[1].id}
    assert [entries[each.id].result.timings["upload"].shared for each in cases] == [False, False, True]


def test_a_case_that_fails_at_once_leaves_transfers_to_the_next(monkeypatch):
    cases = [case("cupy_broken", GPU), case("cupy_second", GPU), case("cupy_third", GPU)]
    bench = Pretended(max_call_s=0.1, times={"cupy_broken": ON_DEVICE | {"compute": 0.5}})
    entries = bench.measure(cases)
    assert entries[cases[0].id].outcome == "too_slow"
    assert set(taken(bench, "upload")) == {cases[1].id}
    assert entries[cases[2].id].result.timings["upload"].shared


def test_transfers_are_those_of_the_default_and_the_best_block_alone():
    """The best block is known from the second repetition on, and does not change."""
    cases = blocks("cupy_raw", 64, 128, 256)
    bench = Pretended()
    bench.seconds = lambda case: ON_DEVICE | {"compute": 1e-4 if case is cases[0] else 2e-4}
    default, best = cases[2].id, cases[0].id
    for number in range(1, 6):
        entries = bench.measure(cases, number)
        wanted = {default} if number == 1 else {default, best}
        assert {case for case, entry in entries.items() if "end_to_end" in entry.result.timings} == wanted
        assert {case for case, entry in entries.items() if "upload" in entry.result.timings} == wanted
    assert set(taken(bench, "end_to_end")) == {default, best}
    assert set(taken(bench, "upload")) == {default, best}
    tried = {who for question, who, kinds in bench.asked if question == "warm_up" and "end_to_end" in kinds}
    assert tried == {default, best}


def test_a_block_is_no_longer_the_best_where_a_better_one_rests():
    """The fastest block stays the best block when it needs no more repetitions."""
    cases = blocks("cupy_raw", 32, 64, 256, 512)
    bench = Pretended()
    bench.seconds = lambda case: ON_DEVICE | {"compute": 1e-6 * {32: 300, 64: 200, 256: 400, 512: 100}[block_of(case)]}
    bench.measure(cases)
    resting = cases.pop()
    for number in range(2, 4):
        entries = bench.measure(cases, number)
        assert {case for case, entry in entries.items() if "end_to_end" in entry.result.timings} == {cases[2].id}
    assert bench.predictor.best_blocks == {resting.id}


def block_of(case):
    return case.parameters["block_size"].extents[0]


def test_the_best_block_has_eight_samples_of_transfers_though_it_rests_after_four_repetitions():
    cases, bench = blocks("cupy_raw", 64, 256), Pretended()
    bench.seconds = lambda case: ON_DEVICE | {"compute": 1e-6 * block_of(case)}
    results = {each.id: [] for each in cases}
    for number in range(1, STOP_AFTER + 1):
        for name, entry in bench.measure(cases, number).items():
            results[name].append(entry.result)
    for own in results.values():
        assert sum(len(result.timings["end_to_end"].samples_s) for result in own if "end_to_end" in result.timings) >= 8


def test_five_repetitions_have_eight_samples_of_each_kind():
    cases, bench = [case("cupy_raw", GPU), case("cupy_other", GPU)], Pretended()
    results = [bench.measure(cases, number)[cases[1].id].result for number in range(1, 6)]
    for kind in ("end_to_end", "upload", "download", "call", "throughput"):
        timing = merge.timing(kind, results)
        assert sum(map(len, timing.samples_s)) >= case_state.LEAST_SAMPLES


@pytest.mark.parametrize(("end_to_end_s", "samples"), [(0.02, 2), (0.15, 2), (0.17, 1)])
def test_calls_that_take_too_long_are_sampled_once(end_to_end_s, samples):
    """Two samples are taken if their total time is at most four times the budget of 0.08 s. Otherwise, one is taken."""
    alone, bench = case("cupy_raw", GPU), Pretended(times={"cupy_raw": ON_DEVICE | {"end_to_end": end_to_end_s}})
    found = bench.measure([alone])[alone.id].result.timings
    assert len(found["end_to_end"].samples_s) == samples


def results(**kinds):
    """Return the results of five repetitions. `kinds` is {kind of time: samples of each repetition}."""

    def of(number):
        timings = {
            kind: SimpleNamespace(samples_s=samples[number], rounds=[1] * len(samples[number]), loops=1, shared=False)
            for kind, samples in kinds.items()
        }
        return SimpleNamespace(timings=timings)

    return [of(number) for number in range(5)]


def test_each_kind_converges_by_its_own_samples():
    exact = [[1.0, 1.001] * 4] * 5
    found = results(compute=exact, end_to_end=[[1.0, 1.001]] * 5, upload=[[1.0, 1.3]] * 5, download=[[1.0]] * 5)
    timings = {kind: merge.timing(kind, found).converged for kind in found[0].timings}
    assert timings == {"compute": True, "end_to_end": True, "upload": False, "download": False}
    assert not merge.timing("compute", results(compute=[*exact[:4], [1.0, 1.2] * 4])).converged
    assert merge.timing("compute", results(compute=[[1.0, 1.03] * 4] * 5), 0.02).converged
    assert not merge.timing("compute", results(compute=[[1.0, 1.03] * 4] * 5), 0.01).converged


def test_shared_samples_stay_so_in_records():
    cases, bench = [case("cupy_raw", GPU), case("cupy_other", GPU)], Pretended()
    entries = [bench.measure(cases, number)[cases[1].id] for number in (1, 2)]
    bench.name, bench.folder = (
        "here",
        SimpleNamespace(
            implementations={
                "cupy_other": SimpleNamespace(
                    source_lines=1,
                    algorithm="each element once",
                    math=lambda build: "strict",
                    target=lambda build: "native",
                )
            },
            name="doubling",
        ),
    )
    bench.footprint.cost, bench.footprint.resident = lambda problem: (1, 1, 1), lambda case: True
    made = merge.record(bench, cases[1], verdict=None, entries=entries, key="key")
    assert [timing.shared for timing in (made.timings["upload"], made.timings["compute"])] == [True, False]
    assert Record.model_validate_json(made.model_dump_json()).timings == made.timings
    result = entries[1].result.model_copy(update={"synchronises": True})
    entries[1] = entries[1].model_copy(update={"result": result})
    made = merge.record(bench, cases[1], verdict=None, entries=entries, key="key")
    assert [len(samples) > 0 for samples in made.timings["compute"].samples_s] == [True, False]


def test_energy_is_that_of_the_default_and_the_best_block_counted_once(monkeypatch):
    monkeypatch.setattr(nvidia, "energy_j", lambda gpu: 1.0)
    monkeypatch.setattr(energy, "per_call", lambda read, burst, seconds, usual_s: (burst(True), 0.5)[1])
    cases = blocks("cupy_raw", 64, 128, 256)
    bench = Pretended(gpu="0000:01:00.0")
    bench.seconds = lambda case: ON_DEVICE | {"compute": 1e-4 if case is cases[0] else 2e-4}
    counted = []
    for number in range(1, 4):
        bench.asked.clear()
        bench.measure(cases, number)
        counted.append([who for question, who, _ in bench.asked if question == "run_on"])
    assert counted == [[cases[2].id], [cases[0].id], []]
