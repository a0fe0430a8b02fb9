"""Tests of the comparison of two runs: verdicts and their error rates, matching of cases, and output."""

import copy
import csv
import dataclasses
import json
import lzma
import math
import random
import re
import shutil
from functools import partial
from types import SimpleNamespace

import command_line
import numpy as np
import pretended_results.cpu
import pretended_results.gpu
import pytest

from accelbench import compare, project
from accelbench.analysis.priors import DEVICE, HOST, MIXED, RunSpread
from accelbench.analysis.samples import levels
from accelbench.analysis.scatter import Scatter
from accelbench.compare import frame, pairs, terminal
from accelbench.compare.warnings import warnings
from accelbench.errors import InputError
from accelbench.model.device import Backend
from accelbench.model.machine import Machine
from accelbench.model.metadata import KernelMetadata, Measuring
from accelbench.model.names import PROTOCOL_VERSION
from accelbench.model.record import Record
from accelbench.model.results import Results
from accelbench.store import files
from accelbench.store.load import load_results

WAYS = ("numpy_ufunc", *(f"numba_{letter}" for letter in "abcdefghijklmnopqrst"))
SIZES = (10_000, 20_000, 50_000, 100_000)
COMPARED = ("vector_sum", "monte_carlo_pi")
EXAMPLE = project.ROOT / "reports" / "examples" / "cpu"


ABACUS = Machine(**pretended_results.machine()).cpu.model_copy(update={"model": "Abacus"})


def run(seed, processes=3, noise=0.02, drift=0.0, ways=WAYS, sizes=SIZES, threads=(1,), **facts):
    """Return Results of one invented kernel.

    `noise` is the standard deviation of a case's log times between processes, `drift` that of the whole machine's.
    `factor` multiplies the times of all cases except the baseline, `machine_factor` the times of all cases.
    """
    factor, machine_factor = facts.pop("factor", 1.0), facts.pop("machine_factor", 1.0)
    generator = random.Random(seed)
    drifts = [generator.gauss(0, drift) for _ in range(processes)]
    records = []
    for number, way in enumerate(ways):
        for size in sizes:
            for count in threads:
                seconds = size * 1e-9 * (1 + number / 10) * machine_factor / count * (1 if way == WAYS[0] else factor)
                samples = [[seconds * math.exp(d + generator.gauss(0, noise))] * 3 for d in drifts]
                records.append(record(way, size, count, samples, [f"{seed}-{i}" for i in range(processes)]))
    metadata = pretended_results.metadata("twice", WAYS[0])
    return Results(Machine(**pretended_results.machine() | facts), {"twice": KernelMetadata(**metadata)}, records)


def record(way, size, threads, samples, repetitions, **fields):
    made = {
        "machine": "local",
        "kernel": "twice",
        "implementation": way,
        "backend": way.split("_")[0],
        "device": "cpu",
        "size": size,
        "dtype": "float64",
        "threads": threads,
        "outcome": "ok",
        "repetitions": repetitions,
        "timings": {"compute": pretended_results.timing(samples)} if samples else {},
    }
    return Record(**made | fields)


def by_protocol(results, version):
    """Set the protocol version of `results` to `version`, and return `results`."""
    restated(results, runs=[measuring(protocol_version=version)])
    return results


def on_another(results, **facts):
    """Return `results` with the changed `facts` of their machine."""
    return dataclasses.replace(results, machine=results.machine.model_copy(update=facts))


def slow(one, factor):
    """Make every sample of a record `factor` times as long."""
    samples = [[factor * seconds for seconds in own] for own in one.timings["compute"].samples_s]
    one.timings["compute"] = pretended_results.timing(samples)


def pair_of(runs, way="numba_a", size=SIZES[0]):
    (found,) = (p for p in runs.pairs if (p.first.record.implementation, p.first.record.size) == (way, size))
    return found


invoke = partial(command_line.invoke, "compare")


# Verdicts


def test_interval_holds_what_one_run_differs_from_the_next_by():
    """The interval contains run-to-run variation. Welch's interval of the means covers these two runs only."""
    runs = compare.compare(run(1), run(2, processes=5, noise=0.05), by=compare.PLAIN)
    pair = pair_of(runs)
    logs = [np.array(list(levels(case.samples("compute")).values())) for case in (pair.first, pair.second)]
    assert (len(logs[0]), len(logs[1])) == (3, 5)
    assert np.log(pair.compared.ratio) == pytest.approx(logs[0].mean() - logs[1].mean())
    of_runs = 2.776 * runs.scatter.runs["host"].deviation
    alone = runs.scatter.compare_unpaired(*({n: -v for n, v in enumerate(own)} for own in logs), runs=False)
    half, half_alone = (np.log(each.high / each.low) / 2 for each in (pair.compared, alone))
    assert half == pytest.approx(np.hypot(half_alone, of_runs))
    assert of_runs >= 0.0388


def test_of_two_machines_each_kind_of_time_differs_by_what_either_said():
    """For each kind of time, the larger run-to-run variation of the two machines is used.

    The machine whose cores vary more may have the device that varies less.
    """
    said = [{HOST: 0.02, DEVICE: 0.03, MIXED: 0.05}, {HOST: 0.021, DEVICE: 0.001, MIXED: 0.01}]
    scatters = [Scatter(runs={kind: RunSpread(each) for kind, each in own.items()}) for own in said]
    found = pairs._scatter([{"case": SimpleNamespace(scatter=scatter)} for scatter in scatters])
    assert {kind: spread.deviation for kind, spread in found.runs.items()} == {HOST: 0.021, DEVICE: 0.03, MIXED: 0.05}


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.parametrize(("by", "drift"), [("plain", 0.0), ("relative", 0.2)])
@pytest.mark.parametrize("processes", [3, 5])
def test_equal_runs_are_called_different_in_five_percent_at_most(by, drift, processes):
    called = decided = 0
    many = {"sizes": range(1000, 13_000, 100), "ways": WAYS[:4]}  # many problems, since each has only one baseline
    for seed in range(3):
        first, second = (run(seed * 2 + i, processes, drift=drift, **many) for i in (0, 1))
        runs = compare.compare(first, second, by=by)
        called += len(runs.called)
        decided += sum(pair.compared.verdict is not None for pair in runs.pairs)
    assert decided >= 1000
    assert called / decided <= 0.05


@pytest.mark.processes
@pytest.mark.parametrize(("factor", "least"), [(1.10, 0.6), (1.15, 0.9)])
@pytest.mark.parametrize(("by", "drift"), [("plain", 0.0), ("relative", 0.2)])
def test_five_repetitions_find_what_runs_do_not_differ_by(by, drift, factor, least):
    found = planted = 0
    for seed in range(4):
        first = run(seed * 2, 5, noise=0.008, drift=drift)
        second = run(seed * 2 + 1, 5, noise=0.008, drift=drift, factor=factor)
        pairs = [p for p in compare.compare(first, second, by=by).pairs if p.first.record.implementation != WAYS[0]]
        planted += len(pairs)
        found += sum(pair.compared.verdict == "SLOWER" for pair in pairs)
        assert not any(pair.compared.verdict == "FASTER" for pair in pairs)
    assert found / planted >= least


def disturbed(results, deviation, seed, changed=()):
    """Return `results` with times multiplied by a random factor per case, and a key per implementation.

    The implementations `changed` are slower and have another key.
    """
    generator, records = random.Random(seed), []
    for each in results.records:
        key = f"{each.implementation}{' changed' if each.implementation in changed else ''}"
        timing = each.timings["compute"]
        moved = math.exp(generator.gauss(0, deviation)) * (1.5 if each.implementation in changed else 1.0)
        samples = [[seconds * moved for seconds in own] for own in timing.samples_s]
        timings = {"compute": timing.model_copy(update={"samples_s": samples})}
        records.append(each.model_copy(update={"key": key, "timings": timings}))
    return dataclasses.replace(results, records=records)


@pytest.mark.processes
def test_what_is_the_same_in_both_runs_tells_how_far_these_runs_differ():
    """Cases with equal keys in both runs show the run-to-run variation of these runs.

    Other load on a virtual machine's host slows some programs for an hour. Without the keys, at least 20 % of the
    unchanged cases are called different. With the keys, at most 5 % are, and at least 90 % of the changed cases are
    found.
    """
    pairs_of = [
        (disturbed(run(seed, 5), 0.0, seed), disturbed(run(seed + 1, 5), 0.08, seed, changed=("numba_c",)))
        for seed in range(0, 20, 2)
    ]
    called, unkeyed, found = [], [], []
    for first, second in pairs_of:
        for pair in compare.compare(first, second, by="plain").decided:
            differs = pair.verdict in ("FASTER", "SLOWER")
            (found if pair.first.record.implementation == "numba_c" else called).append(differs)
        bare = [
            dataclasses.replace(each, records=[r.model_copy(update={"key": None}) for r in each.records])
            for each in (first, second)
        ]
        decided = compare.compare(*bare, by="plain").decided
        unkeyed += [p.verdict in ("FASTER", "SLOWER") for p in decided if p.first.record.implementation != "numba_c"]
    assert np.mean(called) <= 0.05
    assert np.mean(unkeyed) >= 0.2
    assert np.mean(found) >= 0.9


def test_two_halves_of_the_same_measurement_are_the_same():
    runs = compare.compare(run(1, noise=1e-4), run(2, noise=1e-4), by=compare.PLAIN)
    assert {pair.compared.verdict for pair in runs.pairs} == {"SAME"}
    assert pair_of(runs).compared.ratio == pytest.approx(1, abs=1e-3)


def test_faster_means_that_the_second_run_is_faster():
    runs = compare.compare(run(1, noise=1e-3, factor=1.5), run(2, noise=1e-3), by=compare.PLAIN)
    assert pair_of(runs).compared.verdict == "FASTER"
    assert pair_of(runs).compared.ratio == pytest.approx(1.5, rel=0.01)


@pytest.mark.parametrize("by", [None, "plain", "relative"])
@pytest.mark.parametrize("versions", [(3, 4), (4, 3), (4, 5)])
def test_two_versions_of_the_protocol_give_no_verdict(by, versions):
    first, second = (by_protocol(run(n, factor=1 + n), version) for n, version in enumerate(versions))
    runs = compare.compare(first, second, by=by)
    assert {pair.verdict for pair in runs.pairs} == {"none"}
    assert not runs.called
    told = [message for message in warnings(runs) if "of the protocol" in message]
    here, there = versions
    assert told == [
        f"Versions of the protocol differ: {here} in A, {there} in B; the cases in both runs have no verdict"
    ]
    assert set(frame.table(runs)["note"]) == {"no verdict: measured with different versions of the protocol"}


def test_one_version_of_the_protocol_gives_verdicts_also_where_it_is_not_the_present_one():
    runs = compare.compare(*(by_protocol(run(n, noise=1e-3, factor=1 + n), 4) for n in (0, 1)), by=compare.PLAIN)
    assert {pair.verdict for pair in runs.pairs if pair.first.record.backend == "numba"} == {"SLOWER"}
    assert not any("protocol:" in message for message in warnings(runs))


def test_one_process_gives_no_verdict():
    runs = compare.compare(run(1, processes=1), run(2), by=compare.PLAIN)
    assert {pair.compared.verdict for pair in runs.pairs} == {None}
    assert all(pair.compared.ratio and pair.note for pair in runs.pairs)
    assert any("one process" in message for message in warnings(runs))
    assert runs.share_called is None


# Ratios over the baseline


@pytest.mark.parametrize(
    ("first", "second", "by", "why"),
    [
        ({"virtualised": True}, {}, "relative", "virtual machine"),
        ({}, {}, "plain", "did not change"),
        ({}, {"machine_factor": 1.1}, "relative", "speed changed"),
        ({"identity": "a"}, {"identity": "b"}, "relative", "different machines"),
    ],
)
def test_what_is_divided_suits_the_machines_and_says_why(first, second, by, why):
    facts = {"virtualised": False, "noise": 1e-3}
    runs = compare.compare(run(1, **facts | first), run(2, **facts | second))
    assert runs.by == by
    assert why in runs.why
    assert any(why in line for line in terminal.closing(runs))
    assert {pair.by for pair in runs.pairs if pair.first.record.implementation != WAYS[0]} == {by}


def test_relative_ratios_take_away_what_the_machine_did():
    first, second = run(1, noise=1e-3, drift=0.1), run(2, noise=1e-3, drift=0.1, machine_factor=1.5)
    plain = compare.compare(first, second, by=compare.PLAIN)
    relative = compare.compare(first, second, by=compare.RELATIVE)
    assert {pair.compared.verdict for pair in plain.pairs} == {"SLOWER"}
    assert {pair.compared.verdict for pair in relative.pairs if not pair.note} == {"SAME"}
    assert relative.speed == pytest.approx(1 / 1.5, rel=0.15)


def test_the_baseline_has_no_verdict_where_others_are_relative_to_it():
    runs = compare.compare(run(1), run(2), by=compare.RELATIVE)
    baseline = pair_of(runs, WAYS[0])
    assert baseline.compared.verdict is None
    assert "baseline of the other cases" in baseline.note
    assert baseline.by == compare.PLAIN


def test_both_runs_are_divided_by_the_baseline_with_the_same_threads():
    first, second = run(1, threads=(1, 2), noise=1e-3), run(2, threads=(1, 2), noise=1e-3)
    for r in second.records:
        if r.implementation == WAYS[0] and r.threads == 2:  # NumPy is slower with two threads than with one
            slow(r, 9)
    runs = compare.compare(first, second, by=compare.RELATIVE)
    ratios = [p.compared.ratio for p in runs.pairs if p.by == "relative" and p.first.record.backend == "numba"]
    assert ratios == pytest.approx([9] * len(ratios), rel=0.02)


def test_a_case_without_a_baseline_has_a_ratio_but_no_verdict():
    first, second = run(1, ways=WAYS[1:]), run(2, ways=WAYS[1:])
    runs = compare.compare(first, second, by=compare.RELATIVE)
    assert {pair.compared.verdict for pair in runs.pairs} == {None}
    assert all("baseline was not measured" in pair.note for pair in runs.pairs)
    assert runs.speed is None


@pytest.mark.processes
def test_device_times_are_compared_plainly_unless_asked(tmp_path):
    folders = [tmp_path / name for name in "ab"]
    for seed, folder in enumerate(folders):
        pretended_results.gpu.write(folder, kernels=("matmul",), seed=seed)
    first, second = map(load_results, folders)
    second = on_another(second, virtualised=True)
    runs, hosts = compare.compare(first, second), first.machine.host_devices
    on_gpu = [pair for pair in runs.pairs if pair.first.record.device not in hosts]
    assert runs.by == compare.RELATIVE
    assert on_gpu
    assert {pair.by for pair in on_gpu} == {compare.PLAIN}
    asked = compare.compare(first, second, by=compare.RELATIVE)
    assert compare.RELATIVE in {pair.by for pair in asked.pairs if pair.first.record.device not in hosts}


# Matching of cases


def test_only_equal_cases_are_compared_and_the_rest_is_listed():
    first, second = run(1, sizes=SIZES[:2]), run(2, sizes=SIZES[1:3], threads=(1, 2))
    runs = compare.compare(first, second)
    assert {(p.first.record.size, p.first.record.threads) for p in runs.pairs} == {(SIZES[1], 1)}
    assert all(p.first.id == p.second.id for p in runs.pairs)
    assert len(runs.alone) == len(WAYS) * 4
    assert {alone.reason for alone in runs.alone} == {"not measured"}


def test_a_case_that_failed_in_one_run_says_why():
    first, second = run(1), run(2)
    second.records[-1] = record(WAYS[-1], SIZES[-1], 1, [], [], outcome="crashed", reason="the worker died of SIGSEGV")
    (alone,) = compare.compare(first, second).alone
    assert (alone.run, alone.case.record.implementation) == (0, WAYS[-1])
    assert alone.reason == "crashed: the worker died of SIGSEGV"


@pytest.mark.processes
def test_what_neither_run_has_a_time_for_and_limits_are_left_out(tmp_path):
    first = load_results(pretended_results.cpu.write(tmp_path / "a", seed=1))
    runs = compare.compare(first, load_results(pretended_results.cpu.write(tmp_path / "b", seed=2)))
    assert not runs.alone
    assert len(runs.pairs) == sum(r.outcome == "ok" and not r.kernel.startswith("peak_") for r in first.records)


# Instances of one kind of machine


def on_instances(results, *names):
    """Assign each repetition to an instance of the machine and return the Results."""
    repetitions = results.records[0].repetitions
    runs = [measuring(instance=name, repetitions=[one]) for name, one in zip(names, repetitions, strict=True)]
    restated(results, runs=runs)
    return results


@pytest.mark.parametrize("by", [None, "plain", "relative"])
def test_another_machine_of_the_kind_has_no_verdicts(by):
    """A change cannot be distinguished from a difference between the machines."""
    first, second = on_instances(run(1), *"aaa"), on_instances(run(2, factor=1.5), *"bbb")
    runs = compare.compare(first, second, by=by)
    assert {pair.verdict for pair in runs.pairs} == {"none"}
    assert {pair.note for pair in runs.pairs} == {"no verdict: measured on different machines of the same kind"}
    assert all(pair.compared.low < pair.compared.ratio < pair.compared.high for pair in runs.pairs)
    assert not runs.called
    assert "Different machines of the same kind: a in A, b in B; the cases in both runs have no verdict" in warnings(
        runs
    )
    assert set(frame.table(runs)["verdict"]) == {None}


@pytest.mark.parametrize("names", [("aaa", "aaa"), ("", "aaa"), ("", "")])
def test_one_instance_has_verdicts_and_so_has_what_says_none(names):
    first, second = run(1, noise=1e-3), run(2, noise=1e-3, factor=1.5)
    for results, instances in zip((first, second), names, strict=True):
        on_instances(results, *(instances or ("", "", "")))
    assert {pair.verdict for pair in compare.compare(first, second).pairs if not pair.note} == {"SLOWER"}


def test_of_runs_on_several_instances_what_they_share_is_compared():
    first, second = (run(seed, processes=4, noise=1e-3) for seed in (1, 2))
    on_instances(first, *"aaab")
    on_instances(second, *"caaa")
    for r in second.records:
        seconds = r.timings["compute"].samples_s
        r.timings["compute"] = pretended_results.timing([[5 * s for s in seconds[0]], *seconds[1:]])
    runs = compare.compare(first, second, by=compare.PLAIN)
    assert {pair.verdict for pair in runs.pairs} == {"SAME"}
    assert not any("Another machine" in message for message in warnings(runs))


def test_machines_of_two_kinds_are_compared_as_such():
    first, second = on_instances(run(1, noise=1e-3), *"aaa"), on_instances(run(2, noise=1e-3, factor=1.5), *"bbb")
    runs = compare.compare(first, on_another(second, identity="f", cpu=ABACUS))
    assert {pair.verdict for pair in runs.pairs if not pair.note} == {"SLOWER"}
    assert "The machines differ" in warnings(runs)[0]


def measuring(**facts):
    about = {
        "config": {},
        "started": "2026-01-01",
        "wall_s": 1,
        "in_samples_s": 1,
        "cases": 1,
        "command": "",
        "commit": None,
        "dirty": None,
        "protocol_version": PROTOCOL_VERSION,
    }
    return Measuring(**about | facts)


def in_repetitions(results, count):
    """Set the number of repetitions in a kernel's metadata."""
    restated(results, runs=[measuring(config={"protocol": {"repetitions": count}})])


def with_records(results, **fields):
    """Return `results` with the changed `fields` of all records."""
    return dataclasses.replace(results, records=[one.model_copy(update=fields) for one in results.records])


def restated(results, **facts):
    """Change `facts` in the kernel's metadata."""
    results.kernels["twice"] = results.kernels["twice"].model_copy(update=facts)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            lambda r: on_another(r, identity="f", cpu=ABACUS),
            "machines differ.*Abacus",
        ),
        (lambda r: with_records(r, threads=4), "Threads differ: 1 in A, 4 in B"),
        (lambda r: with_records(r, dtype="int8"), "Dtypes differ: float64 in A, int8 in B"),
        (lambda r: with_records(r, device="TPU"), "Devices differ: cpu in A, TPU in B"),
        (
            lambda r: restated(r, baseline="numba_a"),
            "baseline differs",
        ),
        (lambda r: on_another(r, python="3.99"), "Python: 3.11.7 in A, 3.99 in B"),
        (lambda r: on_another(r, compilers={"cc": "tcc 1"}), "Versions differ: cc gcc 12.2.0 in A, cc tcc 1 in B"),
        (lambda r: in_repetitions(r, 5), "protocol.repetitions differs: 3 in A, 5 in B"),
    ],
)
def test_differences_besides_the_times_are_warned_of(change, told):
    first, second = run(1), run(2)
    for results in (first, second):
        in_repetitions(results, 3)
    assert not warnings(compare.compare(first, second))
    changed = change(second)
    second = changed if isinstance(changed, Results) else second
    messages = warnings(compare.compare(first, second))
    assert any(re.search(told, message) for message in messages), messages


def test_versions_that_are_warned_of_are_those_of_backends_that_were_measured():
    """The backend numba was measured. The backend numba_cuda has another version of Numba, and was not measured."""

    def with_numba(version):
        backends = {
            "numba": Backend(True, None, {"numba": version}, []),
            "numba_cuda": Backend(True, None, {"numba": "0.68.1"}, []),
        }
        results = run(1)
        return dataclasses.replace(results, machine=results.machine.model_copy(update={"backends": backends}))

    told = list(warnings(compare.compare(with_numba("0.66.0"), with_numba("0.68.1"), names=("A", "B"))))
    assert any("numba 0.66.0 in A, numba 0.68.1 in B" in each for each in told), told


def test_the_baselines_that_are_warned_of_are_those_that_were_the_fastest():
    """A warning names the fastest baselines if they differ, although both runs declare the same baselines."""
    first, second = run(1), run(2)
    for results in (first, second):
        restated(results, baselines=["numba_a"])
    assert not warnings(compare.compare(first, second))
    for each in second.records:
        if each.implementation == "numba_a":
            slow(each, 0.5)
    assert warnings(compare.compare(first, second)) == ["baseline differs: numpy_ufunc in A, numba_a in B (twice)"]


# Output


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Return the folders of two runs. In the second run, all cases except the baselines' are twice as slow."""
    place = tmp_path_factory.mktemp("runs")
    for seed, name in enumerate("ab"):
        pretended_results.cpu.write(place / name, seed=seed, kernels=COMPARED)
    for path in (place / "b" / "timings").glob("[!l]*.jsonl"):
        records = [Record.model_validate_json(line) for line in path.read_text().splitlines()]
        for r in records:
            if r.implementation not in pretended_results.cpu.BASELINES.values() and r.outcome == "ok":
                slow(r, 2)
        path.write_text("\n".join(r.model_dump_json() for r in records) + "\n")
    return place / "a", place / "b"


def test_summary_counts_every_pair_once(folders):
    runs = compare.compare(*map(load_results, folders))
    *parts, (name, total) = runs.counts()
    assert name == ("all", "")
    assert total.total() == len(runs.pairs) == sum(counted.total() for _, counted in parts)
    assert {backend for (_, backend), _ in parts} == {pair.first.record.backend for pair in runs.pairs}
    assert total["SLOWER"] > 0.9 * (len(runs.pairs) - total["none"])


@pytest.mark.processes
def test_exit_status_guards_a_continuous_integration(folders):
    first, second = folders
    assert invoke(first, second).exit_code == 0
    assert invoke(first, second, "--fail-on", "slower").exit_code == 1
    assert invoke(second, first, "--fail-on", "slower").exit_code == 0
    assert invoke(first, first, "--fail-on", "slower").exit_code == 0


@pytest.mark.processes
def test_a_guard_that_can_judge_nothing_does_not_pass(folders, tmp_path):
    """Each case was measured in one process, and has no verdict."""
    once = tmp_path / "once"
    pretended_results.cpu.write(once, kernels=COMPARED)
    for path in (once / "timings").glob("*.jsonl"):
        records = [Record.model_validate_json(line) for line in path.read_text().splitlines()]
        path.write_text("".join(pretended_results.once(r).model_dump_json() + "\n" for r in records))
    assert invoke(folders[0], once).exit_code == 0
    result = invoke(folders[0], once, "--fail-on", "slower")
    assert result.exit_code == 2
    assert "no case of this run can be compared" in result.stderr


def test_table_and_page_are_two_files(folders, tmp_path):
    result = invoke(*folders, "--csv", tmp_path / "x", "--html", tmp_path / "x")
    assert result.exit_code == 2
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("option", ["--csv", "--html"])
@pytest.mark.parametrize("name", ["machine.json", "timings/vector_sum.jsonl", "kernels/vector_sum.json"])
def test_result_files_are_not_written_over(folders, option, name):
    kept = folders[1] / name
    before = kept.read_bytes()
    result = invoke(*folders, option, kept)
    assert result.exit_code == 2
    assert f"{kept}: is a result file" in result.stderr
    assert kept.read_bytes() == before


@pytest.mark.processes
def test_terminal_and_page_say_what_runs_differ_by_and_whether_it_was_seen(folders, tmp_path):
    path, kept = tmp_path / "compared.html", compare.compare(run(1), run(2), by=compare.PLAIN)
    invoke(*folders, "--html", path)  # cases with equal keys vary less than the assumed 1.4 %
    borrowed = "include the variation between two runs: 1.4 % (times on cores), estimated from machines"
    assert borrowed in invoke(*folders).output.replace("\n", " ")
    assert borrowed.replace("1.4 %", "1.4\N{NO-BREAK SPACE}%") in path.read_text(encoding="utf-8")
    assert "excludes 1×" not in path.read_text(encoding="utf-8")
    seen = dataclasses.replace(kept, scatter=dataclasses.replace(kept.scatter, runs={"host": RunSpread(0.018, 2)}))
    assert "1.8\N{NO-BREAK SPACE}% (times on cores), estimated from 2 runs." in " ".join(terminal.closing(seen))


@pytest.mark.processes
def test_terminal_shows_differences_and_all_on_demand(folders):
    short, everything = invoke(*folders).output, invoke(*folders, "--all").output
    assert "SLOWER" in short
    assert "AMBIGUOUS" in short
    assert "Ratios above 1× mean that B is faster" in short
    assert everything.count("\n") > short.count("\n")
    assert "\x1b" not in short
    assert not {c for c in short + everything if c.isspace()} - {" ", "\n"}


@pytest.mark.processes
def test_what_is_not_a_terminal_gets_whole_names(folders):
    """Full names of cases can be searched and copied."""
    told = invoke(*folders, "--all").output
    pairs = compare.compare(*map(load_results, folders)).pairs
    assert max(len(pair.first.id) for pair in pairs) > 60
    assert {pair.first.id for pair in pairs} <= set(told.split())


@pytest.mark.processes
def test_csv_holds_every_case(folders, tmp_path):
    path = tmp_path / "new" / "compared.csv"
    assert invoke(*folders, "--csv", path).exit_code == 0
    with path.open() as stream:
        rows = list(csv.DictReader(stream))
    runs = compare.compare(*map(load_results, folders))
    assert tuple(rows[0]) == frame.COLUMNS
    assert len(rows) == len(runs.pairs) + len(runs.alone)
    for row in rows:
        if row["verdict"] == "SLOWER":
            assert float(row["ratio_ci_low"]) <= float(row["ratio"]) <= float(row["ratio_ci_high"]) < 1


@pytest.mark.processes
def test_page_is_self_contained_and_follows_the_theme(folders, tmp_path):
    path = tmp_path / "compared.html"
    assert invoke(*folders, "--html", path).exit_code == 0
    page = path.read_text(encoding="utf-8")
    assert page.count("<svg") == 2
    assert "prefers-color-scheme: dark" in page
    assert not re.search(r'(?:src|href)="(?!#)', page)
    assert "://" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", page)
    assert "var(--slower)" in page
    assert re.search(r"<title>[^<]*vector_sum/cffi_api/float64/1000/cpu/threads=1: 0\.[45]\d\d×", page)


@pytest.mark.processes
def test_page_escapes_what_files_say(tmp_path):
    first, second = (load_results(pretended_results.cpu.write(tmp_path / name, seed=1)) for name in "ab")
    second.records[:] = [r for r in second.records if r.kernel != "vector_sum"]
    processor = second.machine.cpu.model_copy(update={"model": pretended_results.HOSTILE})
    second = on_another(second, cpu=processor, identity="other")
    from accelbench.compare import page

    html = page.render(compare.compare(first, second, names=(pretended_results.HOSTILE, "b")))
    assert "alert('owned')" not in html
    assert "alert(&#39;owned&#39;)" in html


@pytest.mark.processes
def test_a_published_example_is_compared_like_any_run(tmp_path):
    unpublished = tmp_path / "again"
    shutil.copytree(EXAMPLE, unpublished)
    runs = compare.compare(load_results(EXAMPLE), load_results(unpublished))
    assert runs.pairs
    assert not runs.alone
    assert not runs.called
    assert any("both contain these measurements" in message for message in warnings(runs))


def test_one_and_the_same_measurement_has_no_verdict_and_tells_nothing_of_the_machine():
    results = run(1, sizes=SIZES[:2])
    keyed = [r.model_copy(update={"key": f"{n:064x}"}) for n, r in enumerate(results.records)]
    results = dataclasses.replace(results, records=keyed)
    runs = compare.compare(results, copy.deepcopy(results))
    assert {(pair.verdict, pair.ratio, pair.note) for pair in runs.pairs} == {
        ("none", 1.0, "no verdict: both runs contain the same measurement")
    }
    assert runs.speed is None
    assert runs.scatter.runs["host"].runs == 0


# Contestants

TODAY = project.ROOT / "reports" / "examples" / "cpu-today"


@pytest.mark.processes
def test_contestants_that_a_lectures_figure_measured_are_compared(tmp_path):
    """All cases that a figure measured with both versions are compared. The shared baselines have no verdict."""
    table, page = tmp_path / "x.csv", tmp_path / "x.html"
    assert invoke(f"{TODAY}@0.66", f"{TODAY}@0.68", "--csv", table, "--html", page).exit_code == 0
    measured = {"0.66": set(), "0.68": set()}
    for path in TODAY.glob("lectures/today-versions/*/timings/*.xz"):
        for told in map(json.loads, lzma.decompress(path.read_bytes()).splitlines()):
            name, at, version = told["implementation"].partition("@")
            if at and told["outcome"] == "ok":
                measured[version].add((told["kernel"], name, told["size"]))
    with table.open() as stream:
        rows = list(csv.DictReader(stream))
    compared = {(r["kernel"], r["implementation"], int(r["size"])) for r in rows if "@" in r["implementation"]}
    shared = measured["0.66"] & measured["0.68"]
    assert len(shared) == 24
    assert compared == {(kernel, f"{name}@0.66-0.68", size) for kernel, name, size in shared}
    others = {(r["verdict"], r["note"]) for r in rows if "@" not in r["implementation"]}
    assert others == {("", "no verdict: both runs contain the same measurement")}
    assert "numba_njit@0.66-0.68" in page.read_text(encoding="utf-8")


def test_contestants_without_a_case_in_common_are_an_error(tmp_path):
    folder, page = tmp_path / "swept", tmp_path / "x.html"
    shutil.copytree(TODAY, folder, ignore=shutil.ignore_patterns("lectures"))
    result = invoke(f"{folder}@0.66", f"{folder}@0.68", "--html", page)
    assert result.exit_code == 2
    assert f"{folder}: no case was measured in both 0.66 and 0.68, apart from baselines" in result.stderr
    assert "make lecture" in result.stderr
    assert not page.exists()


def test_contestants_of_lectures_alone_are_compared_too(tmp_path):
    folder = tmp_path / "shown"
    shutil.copytree(TODAY, folder, ignore=shutil.ignore_patterns("timings"))
    shutil.copytree(TODAY / "lectures", folder / "lectures", dirs_exist_ok=True)
    result = invoke(f"{folder}@0.66", f"{folder}@0.68")
    assert result.exit_code == 0, result.stderr
    assert "numba" in result.output


# Bad input


@pytest.mark.parametrize(
    ("options", "told"), [(["--by", "magic"], "plain or relative"), (["--fail-on", "faster"], "Write slower")]
)
def test_unknown_choices_are_refused(folders, options, told):
    result = invoke(*folders, *options)
    assert result.exit_code == 2
    assert told in result.stderr


@pytest.mark.parametrize("missing", ["machine.json", "timings", "kernels/vector_sum.json"])
def test_an_incomplete_folder_is_one_message(folders, tmp_path, missing):
    broken = tmp_path / "broken"
    shutil.copytree(folders[0], broken)
    path = broken / missing
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    for pair in ((broken, folders[1]), (folders[1], broken)):
        result = invoke(*pair)
        assert result.exit_code == 2
        assert str(broken) in result.stderr
        assert path.name in result.stderr
        assert result.stderr.count("\n") == 1


def test_a_damaged_record_is_named_with_its_line(folders, tmp_path):
    broken = tmp_path / "broken"
    shutil.copytree(folders[0], broken)
    path = broken / "timings" / "vector_sum.jsonl"
    files.write(path, path.read_bytes()[:-20])
    with pytest.raises(InputError, match=r"vector_sum\.jsonl:\d+"):
        load_results(broken)
    assert invoke(broken, folders[1]).exit_code == 2


def test_what_is_implausible_is_neither_faster_nor_slower():
    def with_limit(seed, factor):
        made = run(seed, factor=factor)
        records = [one.model_copy(update={"bytes_read": 8.0 * one.size}) for one in made.records]
        limit = record("numpy_read", 10**8, 1, [[0.08] * 3] * 3, [f"limit{seed}-{i}" for i in range(3)])
        limit = limit.model_copy(update={"kernel": "peak_read", "bytes_read": 8e8})  # 10 GB/s: 0.8 ns per element
        return Results(
            made.machine,
            made.kernels | {"peak_read": KernelMetadata(**pretended_results.metadata("peak_read", "numpy_read"))},
            [*records, limit],
        )

    runs = compare.compare(with_limit(1, 1.0), with_limit(2, 0.5), by="plain")
    fast = pair_of(runs, "numba_a")  # 1.1 ns in the first run, 0.55 ns in the second
    assert (fast.compared.verdict, fast.note[:11]) == (None, "implausible")
    assert pair_of(runs, "numba_t").compared.verdict == "FASTER"  # 3 ns, 1.5 ns
    assert any("a time is shorter than the machine can reach" in line for line in warnings(runs))
