"""Tests of the journal, which determines the cases that the next run measures again."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
from coordinator import all_gone, workers
from waiting import soon

from accelbench import measure
from accelbench.archive import publishing
from accelbench.cli import run
from accelbench.errors import InputError
from accelbench.machine import instance
from accelbench.measure import case_state, footprint, keys, repetition
from accelbench.model.entry import Again
from accelbench.model.instance import Instance
from accelbench.store import files
from accelbench.store import journal as journal_module
from accelbench.store.journal import measure_again
from accelbench.store.load import load_results

DOUBLE = '''
"""Doubling by addition."""


def run(x, y):
    y[:] = x + x
'''


def cases(entries):
    return [entry["case"].split("/")[1:4] for entry in entries]


def test_nothing_changed_nothing_measured(bench):
    first = bench.measure()
    before = len(bench.entries())
    second = bench.measure()
    assert len(bench.entries()) == before
    assert first == second


def test_results_may_be_written_elsewhere_and_the_journal_is_shared(bench, tmp_path):
    first = bench.measure()["numpy_multiply"]
    before = len(bench.entries())
    shutil.rmtree(bench.results / "timings")
    elsewhere = tmp_path / "elsewhere"
    (again,) = measure.measure(bench.config(), "here", bench.results, output=elsewhere)
    assert again == first
    assert len(bench.entries()) == before
    assert sorted(path.relative_to(elsewhere).as_posix() for path in elsewhere.rglob("*.json*")) == [
        "kernels/doubling.json",
        "timings/doubling.jsonl",
    ]
    assert not (bench.results / "timings").exists()


def test_a_new_size_measures_only_that_size(measured_bench):
    before = len(measured_bench.entries())
    measured_bench.settings["kernels"] = {"doubling": {"sizes": [1000, 500]}}
    measured_bench.measure()
    assert cases(measured_bench.entries()[before:]) == [["numpy_multiply", "float64", "500"]]


def test_a_new_implementation_is_measured_with_the_baseline_beside_it(measured_bench):
    before = len(measured_bench.entries())
    measured_bench.write("numpy_add.py", DOUBLE)
    records = measured_bench.measure()
    new = measured_bench.entries()[before:]
    assert sorted(c[0] for c in cases(new)) == ["numpy_add", "numpy_multiply"]
    assert len({entry["repetition"] for entry in new}) == 1
    assert records["numpy_add"].repetitions[0] in records["numpy_multiply"].repetitions


def test_a_changed_source_measures_only_that_implementation(bench):
    bench.write("numpy_add.py", DOUBLE)
    bench.write("numpy_other.py", DOUBLE)
    bench.measure()
    before = len(bench.entries())
    bench.write("numpy_add.py", DOUBLE + "    # another way\n")
    bench.measure()
    assert sorted(c[0] for c in cases(bench.entries()[before:])) == ["numpy_add", "numpy_multiply"]


@pytest.mark.slow
def test_a_changed_baseline_measures_everything(bench):
    bench.write("numpy_add.py", DOUBLE)
    bench.measure()
    before = len(bench.entries())
    bench.write("numpy_multiply.py", DOUBLE)
    bench.measure()
    assert sorted(c[0] for c in cases(bench.entries()[before:])) == ["numpy_add", "numpy_multiply"]


def test_a_header_changes_its_users(bench):
    bench.write("double.h", "#define FACTOR 2\n")
    bench.write(
        "double.c",
        """
        #include <stdint.h>
        #include "double.h"
        void twice(const double *x, double *y, int64_t n) { for (int64_t i = 0; i < n; i++) y[i] = FACTOR * x[i]; }
        """,
    )
    bench.write(
        "ctypes_c.py",
        '''
        """Doubling in C."""

        import ctypes

        SOURCES = ("double.c",)


        def prepare(case):
            twice = ctypes.CDLL(case.artifact("double.c")).twice
            twice.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
            twice.restype = None
            return lambda x, y: twice(x.ctypes.data, y.ctypes.data, x.size)
        ''',
    )
    assert bench.measure()["ctypes_c"].outcome == "ok"
    before = len(bench.entries())
    bench.write("double.h", "#define FACTOR 3\n")
    assert bench.measure()["ctypes_c"].outcome == "wrong_result"
    assert sorted(c[0] for c in cases(bench.entries()[before:])) == ["ctypes_c", "numpy_multiply"]


@pytest.mark.slow
def test_more_repetitions_add_to_those_there_are(measured_bench):
    first = measured_bench.journal().read_bytes()
    measured_bench.settings["protocol"]["repetitions"] = 3
    record = measured_bench.measure()["numpy_multiply"]
    assert measured_bench.journal().read_bytes() == first
    assert [entry["number"] for entry in measured_bench.entries()] == [1, 2, 3]
    assert record.repetitions == [entry["repetition"] for entry in measured_bench.entries()]
    assert len(record.repetitions) == len(record.timings["compute"].samples_s) == 3
    assert record.order.processes == 3


def test_a_single_repetition_is_measured_and_the_others_when_they_are_asked_for(bench):
    bench.settings["protocol"]["repetitions"] = 3
    bench.build()
    measuring = measure.measure_repetition(bench.config(), "here", bench.results, number=2)
    assert (measuring.cases, [entry["number"] for entry in bench.entries()]) == (1, [2])
    assert measuring.repetitions == [entry["repetition"] for entry in bench.entries()]
    (record,) = measure.merge_repetitions(bench.config(), "here", bench.results)
    assert record.repetitions == measuring.repetitions
    second = bench.journal(2).read_bytes()
    assert measure.measure_repetition(bench.config(), "here", bench.results, number=2).cases == 0
    assert len(bench.measure()["numpy_multiply"].repetitions) == 3
    assert bench.journal(2).read_bytes() == second


def test_what_was_measured_is_merged_however_little_memory_is_free_then(measured_bench, monkeypatch):
    """A cluster may give the merging job less memory than the measuring jobs."""
    monkeypatch.setattr(footprint, "free_memory_bytes", lambda: 1000)
    (record,) = measure.merge_repetitions(measured_bench.config(), "here", measured_bench.results)
    assert (record.outcome, len(record.repetitions)) == ("ok", 1)
    measured_bench.journal().unlink()
    (record,) = measure.merge_repetitions(measured_bench.config(), "here", measured_bench.results)
    assert record.outcome == "out_of_memory"


@pytest.mark.slow
def test_measurings_of_one_run_count_as_one(bench):
    bench.settings["protocol"]["repetitions"] = 2
    bench.measure()
    (first,) = files.read_json(bench.results / "kernels" / "doubling.json")["runs"]
    assert first["repetitions"] == [entry["repetition"] for entry in bench.entries()]
    bench.settings["protocol"]["repetitions"] = 3
    bench.measure()
    runs = files.read_json(bench.results / "kernels" / "doubling.json")["runs"]
    assert runs[0] == first
    assert runs[1]["repetitions"] == [bench.entries(3)[0]["repetition"]]
    assert {run["protocol_version"] for run in runs} == {keys.PROTOCOL_VERSION}


@pytest.mark.slow
def test_instances_of_the_machine_are_kept_apart_and_go_on(bench, described, tmp_path, monkeypatch):
    """Merging and publishing distinguish two instances of a machine, measured one after the other."""
    bench.settings["protocol"]["repetitions"] = 2
    bench.build()
    specimens = [Instance(name=name, stepping=name[-1], boot=f"boot of {name}") for name in ("card 1", "card 2")]
    for number, specimen in enumerate(specimens, 1):
        monkeypatch.setattr(instance, "describe", lambda specimen=specimen: specimen)
        measuring = measure.measure_repetition(bench.config(), "here", bench.results, number=number)
        assert (measuring.instance, measuring.hardware) == (specimen.name, specimen)
    measure.merge_repetitions(bench.config(), "here", bench.results)
    found = load_results(bench.results)
    first, second = found.records[0].repetitions
    assert [run.hardware for _, run in found.runs] == specimens
    assert found.instances == {first: "card 1", second: "card 2"}
    assert len(set(found.batches.values())) == 2
    publishing.publish(bench.results, "elsewhere", tmp_path / "elsewhere")
    assert load_results(tmp_path / "elsewhere").instances == found.instances


def test_what_a_repetition_found_out_is_known_to_later_ones_on_its_instance(bench, monkeypatch):
    """The third repetition uses results of the first one, but not of the second, which ran on another GPU."""
    known = []

    def looked_at(bench, cases):
        known.append(next(iter(bench.predictor.measured.values()), None))
        return case_state.case_states(bench, cases)

    monkeypatch.setattr(repetition, "case_states", looked_at)
    bench.build()
    for number, name in enumerate(("card 1", "card 2", "card 1"), 1):
        monkeypatch.setattr(instance, "describe", lambda name=name: Instance(name=name))
        measure.measure_repetition(bench.config(), "here", bench.results, number=number)
    loops = [bench.entries(number)[0]["result"]["timings"]["compute"]["loops"] for number in (1, 2, 3)]
    assert known[:2] == [None, None]
    assert known[2].timings["compute"].loops == loops[0] == loops[2]
    assert known[2].timings["compute"].samples_s == bench.entries(1)[0]["result"]["timings"]["compute"]["samples_s"]


def test_a_repetition_that_was_killed_is_of_the_only_instance(bench):
    bench.settings["protocol"]["repetitions"] = 2
    bench.measure()
    journal = bench.journal(2)
    lines, _ = files.read_lines(journal)
    journal.write_text("")
    files.append_lines(journal, [line for line in lines if "run" not in line or "case" in line])
    measure.merge_repetitions(bench.config(), "here", bench.results)
    found = load_results(bench.results)
    assert len(found.batches) == 1
    assert found.instances == dict.fromkeys(found.records[0].repetitions, instance.describe().name)


@pytest.mark.parametrize("name", ["here", "laptop"])
def test_nothing_is_published_among_what_is_measured(measured_bench, name):
    before = sorted(measured_bench.results.parent.rglob("*"))
    with pytest.raises(InputError, match=f"{name}: is a folder for measured results"):
        publishing.publish(measured_bench.results, name, measured_bench.results.parent / name)
    assert sorted(measured_bench.results.parent.rglob("*")) == before


def test_an_unavailable_backend_is_not_journalled(bench, described):
    bench.write("pycuda_raw.py", '"""On a GPU."""\n\nimport pycuda\n\n\ndef run(x, y):\n    pass\n')
    missing = {"available": False, "reason": "package pycuda not installed", "versions": {}, "devices": []}
    changed = {**described, "backends": {**described["backends"], "pycuda": missing}}
    if "pycuda" not in __import__("accelbench.backends").backends.modules():
        pytest.skip("no pycuda backend yet")
    files.write_json(bench.results / "machine.json", changed)
    assert bench.measure()["pycuda_raw"].outcome == "unavailable"
    assert {c[0] for c in cases(bench.entries())} == {"numpy_multiply"}


def test_a_line_cut_off_by_a_crash_is_measured_again(bench):
    bench.write("numpy_add.py", DOUBLE)
    bench.measure()
    path = bench.journal()
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[1][: len(lines[1]) // 2])
    records = bench.measure()
    assert {r.outcome for r in records.values()} == {"ok"}
    values, problems = files.read_lines(path)
    assert len(problems) == 1
    assert len([v for v in values if "case" in v]) >= 2


def test_a_journal_of_a_repetition_is_never_written_by_two(bench, monkeypatch):
    """While a process holds the lock of the first repetition's journal, only other repetitions can be measured."""
    monkeypatch.setattr(journal_module, "BUSY_S", 0.2)
    bench.settings["protocol"]["repetitions"] = 2
    bench.build()
    held = bench.journal(1).with_suffix(".lock")
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys, time; from accelbench.store import files\n"
            "with files.locked(sys.argv[1], str): print('held', flush=True); time.sleep(60)",
            str(held),
        ],
        stdout=subprocess.PIPE,
    )
    try:
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(InputError, match=f"process {holder.pid} on .* is measuring"):
            measure.measure(bench.config(), "here", bench.results)
        assert not bench.journal(2).exists()
        measure.measure_repetition(bench.config(), "here", bench.results, number=2)
        assert len(bench.entries(2)) == 1
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()


@pytest.mark.parametrize(
    ("sent", "workers_first"),
    [
        (signal.SIGKILL, False),
        pytest.param(signal.SIGTERM, True, marks=pytest.mark.slow),
        pytest.param(signal.SIGTERM, False, marks=pytest.mark.slow),
        pytest.param(signal.SIGKILL, True, marks=pytest.mark.slow),
    ],
)
def test_killed_in_mid_sweep_it_continues(bench, sent, workers_first):
    """If the coordinator is killed, its workers end, too. The next run measures only the unfinished cases.

    A scheduler may kill the workers before the coordinator. The coordinator must not record their cases as crashed.
    """
    sizes = [100, 200, 300, 400, 500, 600]
    bench.write("numpy_add.py", DOUBLE)
    bench.settings["kernels"] = {"doubling": {"sizes": sizes}}
    bench.settings["protocol"] |= {"repetitions": 2, "budget_s": 0.1, "sample_s": 0.002}
    bench.build()
    command = [sys.executable, "-m", "accelbench", "measure", "doubling", "--machine", "here"]
    configfile = bench.results.parent / "own.yaml"
    files.write_json(configfile, bench.settings)
    command += ["--results", str(bench.results.parent), "--configfile", str(configfile)]
    process = subprocess.Popen(command, start_new_session=True)
    journal = bench.journal(2)
    assert soon(lambda: journal.exists() and len(journal.read_bytes().splitlines()) >= 4, within_s=120)
    if workers_first:
        for worker in workers(process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker, sent)
        time.sleep(1)
    os.killpg(process.pid, sent)
    process.wait()
    assert all_gone(process.pid)
    first, before = bench.entries(1), bench.entries(2)
    finished = {(c[0], c[2]) for c in cases(before)}
    assert 4 <= len(finished) < len(first) == 2 * len(sizes)
    records = bench.measure()
    assert bench.entries(1) == first
    assert bench.entries(2)[: len(before)] == before
    again = {(c[0], c[2]) for c in cases(bench.entries(2)[len(before) :])}
    assert not finished & again
    assert {(i, str(s)) for i, s in records} == finished | again
    assert {(r.outcome, len(r.repetitions)) for r in records.values()} == {("ok", 2)}


# Failed cases, and cases that the user asks to measure again

CRASHING_ONCE = '''
"""Crashes until a file exists."""

import os
from pathlib import Path


def run(x, y):
    if not Path({healed!r}).exists():
        os._exit(1)
    y[:] = x + x
'''


def due(bench):
    """Return whether Snakemake would measure the kernel again, judging by the times of two files."""
    file, timings = (bench.results / name / "doubling" for name in ("journal", "timings"))
    file = file.with_suffix(".due")
    return file.exists() and file.stat().st_mtime_ns > timings.with_suffix(".jsonl").stat().st_mtime_ns


def test_a_failure_whose_cause_is_gone_is_tried_again_by_the_next_run(bench, tmp_path):
    bench.write("python_ill.py", CRASHING_ONCE.format(healed=str(tmp_path / "healed")))
    assert bench.measure()["python_ill"].outcome == "crashed"
    assert due(bench)
    (tmp_path / "healed").touch()
    assert bench.measure()["python_ill"].outcome == "ok"
    assert not due(bench)
    before = len(bench.entries())
    assert bench.measure()["python_ill"].outcome == "ok"
    assert len(bench.entries()) == before


@pytest.mark.slow
def test_a_failure_that_lasts_is_tried_twice_and_again_when_asked(bench, tmp_path):
    bench.write("python_ill.py", CRASHING_ONCE.format(healed=str(tmp_path / "healed")))
    bench.settings["protocol"]["repetitions"] = 2
    counts = []
    for _ in range(3):
        assert bench.measure()["python_ill"].outcome == "crashed"
        counts.append([entry["case"].split("/")[1] for entry in bench.entries()].count("python_ill"))
    assert counts == [1, 2, 2]
    assert not due(bench)
    assert measure_again(bench.results, ["doubling"], Again(cases="*", failures=True)) == 1
    assert due(bench)
    (tmp_path / "healed").touch()
    assert bench.measure()["python_ill"].outcome == "ok"
    assert [e["outcome"] for e in bench.entries() if "python_ill" in e["case"]] == ["crashed"] * 2 + ["ok"] * 2


@pytest.mark.slow
def test_a_deadline_that_was_not_met_is_not_tried_again_unless_asked(bench):
    """A timeout and a wrong result are permanent outcomes: both are tried again only on request."""
    bench.settings["protocol"] |= {"startup": False}
    bench.write("numpy_sleeps.py", "import time\n\n\ndef run(x, y):\n    time.sleep(100)\n")
    bench.write("python_wrong.py", DOUBLE.replace("x + x", "x"))
    outcomes = {"numpy_sleeps": "timeout", "python_wrong": "wrong_result"}

    def measured():
        records = bench.measure()
        assert {name: records[name].outcome for name in outcomes} == outcomes
        return sorted(entry["case"].split("/")[1] for entry in bench.entries() if entry["outcome"] != "ok")

    assert measured() == sorted(outcomes)
    assert not due(bench)
    assert measured() == sorted(outcomes)
    assert measure_again(bench.results, ["doubling"], Again(cases="*", failures=True)) == 2
    assert due(bench)
    assert measured() == sorted([*outcomes, *outcomes])
    assert not due(bench)


def test_what_is_asked_for_again_is_measured_again_though_the_journal_has_it(bench):
    bench.write("numpy_add.py", DOUBLE)
    bench.measure()
    before = len(bench.entries())
    assert measure_again(bench.results, ["doubling"], Again(cases="doubling/nothing*")) == 0
    assert measure_again(bench.results, ["doubling", "never_measured"], Again(cases="doubling/numpy_add")) == 1
    bench.measure()
    # The baseline is measured beside the requested case.
    assert sorted(c[0] for c in cases(bench.entries()[before:])) == ["numpy_add", "numpy_multiply"]
    before = len(bench.entries())
    assert measure_again(bench.results, ["doubling"], Again(cases="doubling")) == 2
    bench.measure()
    assert len(bench.entries()) == before + 2


def test_figures_that_show_a_case_that_is_measured_again_are_made_again(measured_bench):
    for figure, part in (("shows-it", "2-doubling"), ("shows-another", "1-not_doubling")):
        (measured_bench.results / "lectures" / figure / part).mkdir(parents=True)
        (measured_bench.results / "lectures" / figure / "measured.json").touch()
    assert measure_again(measured_bench.results, ["doubling"], Again(cases="doubling/nothing*")) == 0
    assert len(list(measured_bench.results.glob("lectures/*/measured.json"))) == 2
    assert measure_again(measured_bench.results, ["doubling"], Again(cases="doubling")) == 1
    assert [path.parent.name for path in measured_bench.results.glob("lectures/*/measured.json")] == ["shows-another"]


def test_what_only_a_figure_shows_is_measured_again(measured_bench, capsys):
    """--again finds cases of figures, although the configuration measures other kernels."""
    before = len(measured_bench.entries())
    (measured_bench.results / "lectures" / "shows-it" / "2-doubling").mkdir(parents=True)
    (measured_bench.results / "lectures" / "shows-it" / "measured.json").touch()
    for patterns in (["doubling/nothing*"], ["doubling", "doubling/nothing*"]):
        with pytest.raises(InputError, match=r"nothing.*matches no case"):
            run._measure_again(
                [measured_bench.results], ["another"], [Again(cases=pattern) for pattern in patterns], looking=False
            )
    assert list(measured_bench.results.glob("lectures/*/measured.json")), "a pattern without a match changes nothing"
    run._measure_again([measured_bench.results / "nowhere"], ["another"], [Again(cases="*")], looking=False)
    run._measure_again([measured_bench.results], ["another"], [Again(cases="*", failures=True)], looking=False)
    assert not capsys.readouterr().err, "no note, as no case failed"
    run._measure_again(
        [measured_bench.results], ["another"], [Again(cases="doubling"), Again(cases="*")], looking=False
    )
    assert (
        "note: only figures of lectures show 1 of these cases: make lecture measures them again"
        in capsys.readouterr().err
    )
    assert not list(measured_bench.results.glob("lectures/*/measured.json"))
    measured_bench.measure()
    assert len(measured_bench.entries()) == before + 1
