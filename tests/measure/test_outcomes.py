"""Tests of outcomes: if an implementation fails, only its case fails, and the record gives the reason."""

import os
import platform
import textwrap
import time
from types import SimpleNamespace

import pytest
from coordinator import all_gone

from accelbench import config
from accelbench.measure import merge
from accelbench.measure.case_state import CaseState
from accelbench.measure.repetition import Repetition
from accelbench.model.entry import JournalEntry
from accelbench.rpc.messages import ErrorMetrics, SampleFacts
from accelbench.store import files
from accelbench.worker import clock
from accelbench.worker.problem import Call

PLANTED = {
    "numpy_segfault": (
        """
        import ctypes

        def run(x, y):
            ctypes.string_at(0)
        """,
        "crashed",
        "segmentation fault",
    ),
    "numpy_abort": (
        """
        import os

        def run(x, y):
            os.abort()
        """,
        "crashed",
        "aborted",
    ),
    "numpy_exit": (
        """
        import os

        def run(x, y):
            os._exit(3)
        """,
        "crashed",
        "status 3",
    ),
    "numpy_raise": (
        """
        def run(x, y):
            raise ValueError("the moon is full")
        """,
        "error",
        "ValueError: the moon is full",
    ),
    "numpy_no_module": (
        """
        import there_is_no_such_module

        def run(x, y):
            pass
        """,
        "error",
        "there_is_no_such_module",
    ),
    "numpy_wrong": (
        """
        def run(x, y):
            y[:] = 2 * x
            y[7] += 1e-9
        """,
        "wrong_result",
        "1 of 1000 elements",
    ),
    "numpy_unwritten": (
        """
        def run(x, y):
            y[:-1] = 2 * x[:-1]
        """,
        "wrong_result",
        "[999]",
    ),
    "numpy_remembers": (
        """
        first = []

        def run(x, y):
            first.append(2 * x) if not first else None
            y[:] = first[0]
        """,
        "wrong_result",
        "elements differ",
    ),
    "numpy_outside": (
        """
        import ctypes

        def run(x, y):
            y[:] = 2 * x
            (ctypes.c_double * 1).from_address(y.ctypes.data + y.nbytes)[0] = 1.0
        """,
        "wrong_result",
        "wrote outside y",
    ),
    "numpy_changes_input": (
        """
        import ctypes

        def run(x, y):
            y[:] = 2 * x
            (ctypes.c_double * 1).from_address(x.ctypes.data)[0] = 0.5
        """,
        "wrong_result",
        "changed its input x",
    ),
    "numpy_hungry": (
        """
        import numpy as np

        def run(x, y):
            y[:] = np.ones(1 << 44)[: y.size]
        """,
        "out_of_memory",
        "llocate",
    ),
    "numpy_unsupported": (
        """
        def prepare(case):
            raise NotImplementedError("needs a quantum computer")
        """,
        "unsupported",
        "needs a quantum computer",
    ),
    "ctypes_forever": (
        """
        import ctypes

        SOURCES = ("forever.c",)

        def prepare(case):
            forever = ctypes.CDLL(case.artifact("forever.c")).forever
            return lambda x, y: forever()
        """,
        "timeout",
        "no answer within 6 s",
    ),
    "ctypes_no_compile": (
        """
        import ctypes

        SOURCES = ("broken.c",)

        def prepare(case):
            return ctypes.CDLL(case.artifact("broken.c")).broken
        """,
        "build_failed",
        "error",
    ),
    "numpy_right": (
        """
        def run(x, y):
            y[:] = x + x
        """,
        "ok",
        None,
    ),
}


@pytest.fixture(scope="module")
def measured(shared_bench):
    bench = shared_bench
    for name, (source, *_) in PLANTED.items():
        bench.write(f"{name}.py", f'"""{name}"""\n' + textwrap.dedent(source))
    # `volatile` prevents the compiler from removing the empty loop.
    bench.write("forever.c", "int forever(void) { volatile int go = 1; while (go) ; return 0; }\n")
    bench.write("broken.c", "int broken(void) { return nowhere; }\n")
    return bench.measure()


@pytest.mark.parametrize("name", PLANTED)
def test_each_case_has_its_own_outcome(measured, name):
    _, outcome, words = PLANTED[name]
    record = measured[name]
    assert record.outcome == outcome, record.reason
    if words is None:
        assert record.reason is None
        assert record.timings["compute"].median_s > 0
    else:
        assert words in record.reason
        assert not record.timings, "a case that failed has no times"


def test_remedy_and_cause_of_a_refusal_are_in_the_record_and_in_its_journal(bench):
    bench.write(
        "numpy_lacks.py",
        '''
        """Lacks a card."""

        from accelbench.errors import Hindrance


        def run(x, y):
            raise Hindrance(f"no card {x.size}", "buy a card", outcome="unsupported", cause="no card at all")
        ''',
    )
    record = bench.measure()["numpy_lacks"]
    assert (record.outcome, record.reason) == ("unsupported", "no card 1000: buy a card")
    assert (record.remedy, record.cause) == ("buy a card", "no card at all")
    (entry,) = [entry for entry in bench.entries() if entry["case"].startswith("doubling/numpy_lacks/")]
    assert (entry["remedy"], entry["cause"]) == ("buy a card", "no card at all")


def test_the_baseline_is_measured_beside_them(measured):
    assert measured["numpy_multiply"].outcome == "ok"
    assert set(measured["numpy_right"].repetitions) <= set(measured["numpy_multiply"].repetitions)


def test_no_worker_survives(measured):
    assert all_gone(os.getpid())


def test_what_a_worker_holds_whose_memory_ran_out_is_given_back(bench):
    """A worker that ran out of memory is ended, which frees its memory. A new worker measures the other sizes."""
    bench.write(
        "numpy_greedy.py",
        '''
        """Never frees its memory."""

        kept = []


        def run(x, y):
            if x.size == 10:
                kept.append(bytearray(1 << 20))
                raise MemoryError
            y[:] = 2 * x if not kept else 0
        ''',
    )
    bench.settings["kernels"] = {"doubling": {"sizes": [10, 1_000]}}
    records = bench.measure()
    assert records["numpy_greedy", 10].outcome == "out_of_memory"
    assert records["numpy_greedy", 1_000].outcome == "ok", records["numpy_greedy", 1_000].reason


CARD = '''
"""Occupies the memory of a card, simulated by an exclusive lock."""

import fcntl

card = open({card!r}, "w")
fcntl.flock(card, fcntl.LOCK_EX)


def run(x, y):
    y[:] = 2 * x
'''
NEIGHBOUR = '''
"""Needs memory of the same card."""

import fcntl


def run(x, y):
    with open({card!r}, "w") as card:
        try:
            fcntl.flock(card, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            raise MemoryError("the card is full")
    y[:] = 2 * x
'''
GREEDY = '''
"""Always runs out of memory."""


def run(x, y):
    with open({tries!r}, "a") as tries:
        tries.write("tried")
    raise MemoryError
'''


def test_who_lacks_the_memory_that_another_holds_is_tried_again_without_it_within_the_run(bench, tmp_path):
    """A case that lacks memory is tried a second time after the case that occupies the memory has ended.

    The second attempt runs beside the baseline, with which the case is compared. There is no third attempt.
    """
    card, tries = str(tmp_path / "card"), tmp_path / "tries"
    bench.write("numpy_holder.py", CARD.format(card=card))
    bench.write("numpy_neighbour.py", NEIGHBOUR.format(card=card))
    bench.write("numpy_greedy.py", GREEDY.format(tries=str(tries)))
    bench.settings["protocol"]["startup"] = False  # all workers start before the first call
    records = bench.measure()
    outcomes = {name: record.outcome for name, record in records.items()}
    assert outcomes == dict.fromkeys(records, "ok") | {"numpy_greedy": "out_of_memory"}
    assert tries.read_text() == 2 * "tried"
    assert set(records["numpy_neighbour"].repetitions) <= set(records["numpy_multiply"].repetitions)
    assert not set(records["numpy_neighbour"].repetitions) & set(records["numpy_holder"].repetitions)
    assert [entry["outcome"] for entry in bench.entries()].count("out_of_memory") == 1


def test_what_a_killed_worker_leaves_lies_in_the_sweeps_scratch_folder(bench, tmp_path, monkeypatch):
    """Temporary files and cached files of a killed worker are in the scratch folder."""
    for name in ("TMPDIR", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    bench.write(
        "numpy_killed.py",
        '''
        """Dies."""

        import os
        import tempfile


        def run(x, y):
            tempfile.mkdtemp(prefix="left-")
            open(os.environ["XDG_CACHE_HOME"] + "/left-in-cache", "x")
            os.kill(os.getpid(), 9)
        ''',
    )
    assert bench.measure()["numpy_killed"].outcome == "crashed"
    left = sorted(path.parent.relative_to(tmp_path) for path in tmp_path.rglob("left-*"))
    scratch = (bench.results / "scratch" / "doubling" / platform.node()).relative_to(tmp_path)
    assert left == [scratch / "cache", scratch / "tmp"]


def test_a_slow_case_is_predicted_not_run(bench):
    bench.write(
        "python_slow.py",
        '''
        """Sleeps a millisecond an element."""

        import time


        def run(x, y):
            time.sleep(0.001 * x.size)
            y[:] = 2 * x
        ''',
    )
    bench.settings["kernels"] = {"doubling": {"sizes": [10, 100_000]}}
    begin = time.perf_counter()
    records = bench.measure()
    assert time.perf_counter() - begin < 100  # a single call would take 100 s
    assert records["python_slow", 10].outcome == "ok"
    slow = records["python_slow", 100_000]
    assert slow.outcome == "too_slow"
    assert "max_call_s" in slow.reason
    assert records["numpy_multiply", 100_000].outcome == "ok"


def test_the_hosts_caches_stay_as_they_are_and_are_said_to(bench):
    """`cache: cold` empties only the caches of devices. Cases of NumPy are recorded as hot."""
    bench.settings["protocol"]["cache"] = "cold"
    assert bench.measure()["numpy_multiply"].cache == "hot"


def test_a_way_that_is_slow_at_first_is_not_predicted_slow(bench):
    """First calls may be slow because libraries start or wake threads."""
    bench.write(
        "python_cold.py",
        '''
        """Sleeps for a decreasing time, and not at all from the fifth call on."""

        import time

        import numpy as np

        naps = [0.2, 0.1, 0.05, 0.025, 0.0]


        def run(x, y):
            time.sleep(naps.pop(0) if naps else 0)
            np.multiply(x, 2.0, out=y)
        ''',
    )
    bench.settings["kernels"] = {"doubling": {"sizes": [1_000_000]}}
    bench.settings["protocol"]["max_call_s"] = 0.1
    cold = bench.measure()["python_cold"]
    assert cold.outcome == "ok", cold.reason


def test_what_takes_the_same_time_at_all_sizes_is_not_predicted_slow(bench):
    """Predictions also scale constant times, such as for waking threads, so they may exceed max_call_s by a factor."""
    bench.write(
        "python_steady.py",
        '''
        """Sleeps 15 ms, whatever the size."""

        import time

        import numpy as np


        def run(x, y):
            time.sleep(0.015)
            np.multiply(x, 2.0, out=y)
        ''',
    )
    bench.settings["kernels"] = {"doubling": {"sizes": [1_000_000]}}
    bench.settings["protocol"]["max_call_s"] = 0.1
    record = bench.measure()["python_steady"]
    assert record.outcome == "ok"
    assert 0.015 <= record.timings["compute"].median_s < 0.03


def test_more_threads_are_tried_where_one_has_been_fast_enough(bench):
    """Test that two threads are tried at a large size, although two threads are slow at the small sizes tried first."""
    bench.write(
        "numpy_many.py",
        '''
        """Takes 0.2 s with two threads and less than a million elements."""

        import os
        import time

        import numpy as np

        PARAMETERS = ("threads",)


        def run(x, y):
            time.sleep(0.2 if x.size < 1_000_000 and os.environ["OMP_NUM_THREADS"] == "2" else 0)
            np.multiply(x, 2.0, out=y)
        ''',
    )
    bench.settings |= {"kernels": {"doubling": {"sizes": [1_000_000]}}, "threads": [1, 2]}
    bench.settings["protocol"]["max_call_s"] = 0.1
    bench.measure()
    outcomes = {entry["case"]: entry["outcome"] for entry in bench.entries() if "numpy_many" in entry["case"]}
    case = "doubling/numpy_many/float64/1000000/cpu/threads="
    assert outcomes == {f"{case}1": "ok", f"{case}2": "ok"}


def test_what_fails_at_a_smaller_size_tried_first_says_so(bench):
    bench.write("numpy_right_when_large.py", "def run(x, y):\n    y[:] = 2.0 * x\n    y[0] += x.size < 1_000_000\n")
    bench.settings["kernels"] = {"doubling": {"sizes": [1_000_000]}}
    record = bench.measure()["numpy_right_when_large"]
    assert (record.size, record.outcome) == (1_000_000, "wrong_result")
    assert record.reason.startswith("at size 25000, which is tried first: y: 1 of 25000 elements differ")


@pytest.mark.slow
@pytest.mark.parametrize("startup", [True, False])
def test_one_worker_of_a_backend_starts_alone_only_where_that_is_measured(bench, startup):
    """If start-up is measured, the first worker of a backend starts alone. Its import time is recorded for all cases.

    Three of the four implementations take 0.6 s each to import.
    """
    for name in ("numpy_a", "numpy_b", "numpy_c"):
        bench.write(f"{name}.py", "import time\n\ntime.sleep(0.6)\n\n\ndef run(x, y):\n    y[:] = 2.0 * x\n")
    bench.settings["protocol"]["startup"] = startup
    bench.settings["kernels"] = {"doubling": {"sizes": [1_000_000]}}  # large enough that a smaller size is tried first
    records = bench.measure()
    assert {record.outcome for record in records.values()} == {"ok"}
    values, _ = files.read_lines(bench.journal())
    run = next(value["run"] for value in values if "case" not in value and "run" in value)
    alone_s = run["steps_s"].get("open", 0.0)
    assert alone_s < (3 * 0.6 if startup else 0.6)
    imports = {record.startup and record.startup.import_s for record in records.values()}
    assert len(imports) == 1
    assert (None in imports) != startup


def test_a_worker_has_as_many_cores_as_threads_and_what_it_used_is_recorded(bench):
    """The worker's affinity limits libraries that use all visible cores. The record has the number of used cores."""
    bench.write(
        "numpy_pool.py",
        """
        import os
        import threading

        cores = len(os.sched_getaffinity(0))


        def prepare(case):
            if cores != 1:
                raise NotImplementedError(f"{cores} cores")

            def run(x, y):
                y[:] = 2 * x

            return run
        """,
    )
    record = bench.measure()["numpy_pool"]
    assert record.outcome == "ok", record.reason
    assert record.environment.cores == 1
    assert record.environment.array_alignment_bytes == 64
    assert 0 < record.cores_used < 1.1
    assert record.switches_per_s >= 0


def test_inputs_that_cannot_be_changed_in_their_place_are_said_to_be_replaced(measured, bench):
    assert measured["numpy_right"].inputs_replaced is False
    text = (bench.folder / "kernel.py").read_text()
    bench.write("kernel.py", text.replace("    dtypes=", "    mixable=False,\n    dtypes="))
    assert bench.measure()["numpy_multiply"].inputs_replaced is True


def test_a_worker_that_another_case_has_ended_is_not_asked_of_samples():
    live = SimpleNamespace(case=SimpleNamespace(worker="ended", id="case"), cores_used=None)
    Repetition._ask_of_samples(SimpleNamespace(_workers=SimpleNamespace(running=lambda case: None)), live)
    assert live.cores_used is None


def test_cores_used_are_cpu_time_over_wall_time_of_samples(monkeypatch):
    """Two threads run for 1.5 s of a sample of 2 s, and none in a sample of 1 s. Context switches: six in all."""
    walls, cpus = iter([10.0, 12.0, 20.0, 21.0]), iter([5.0, 8.0, 9.0, 9.0])
    switches = iter([100, 104, 110, 112])
    problem = SimpleNamespace(on_host=True, convert=None, restore=lambda: None, array_bytes=lambda: 0)
    call = Call(lambda: None, {}, prepared=True)
    problem.works_in_convert = lambda: None
    timed = clock.Clock(SimpleNamespace(timers=lambda call: {"compute": lambda loops, lead: 1.0}), problem, call)
    assert timed.sample_facts().cores_used is None
    monkeypatch.setattr(clock, "perf_counter", lambda: next(walls))
    monkeypatch.setattr(clock, "_cpu_s", lambda: next(cpus))
    monkeypatch.setattr(clock.resource, "getrusage", lambda who: SimpleNamespace(ru_nivcsw=next(switches)))
    for _ in range(2):
        timed.sample({"compute": 1}, [], False)
    assert timed.sample_facts().cores_used == pytest.approx(1.0)
    assert timed.sample_facts().switches_per_s == pytest.approx(2.0)


def test_what_samples_showed_of_a_case_is_in_its_record():
    """If calls wait for the device only in some repetitions, the `compute` samples of these repetitions are dropped.

    If a repetition is marked as unseen, no samples are dropped.
    """
    facts = [SampleFacts(None, *marks) for marks in ((True, False), (False, False), (False, True))]
    results = []
    for seconds, told in zip((8e-5, 1e-5, 8e-5), facts, strict=True):
        runner = SimpleNamespace(prepared={"case": "problem"}, ask=lambda name, case, told=told: told)
        live = CaseState(SimpleNamespace(worker="own", id="case"), config.parse({}).protocol, 1.0, 0.0, 0.02, True)
        live.loops = {"compute": 10}
        for number in range(1, 4):
            live.take("compute", seconds, number)
        workers = SimpleNamespace(running=lambda case, runner=runner: runner)
        Repetition._ask_of_samples(SimpleNamespace(_workers=workers), live)
        live.errors = ErrorMetrics(0.0, 1.0, {})
        line = live.entry("key", repetition="p1", number=1, run="r").model_dump_json()
        results.append(JournalEntry.model_validate_json(line).result)
    marks = [(result.synchronises, result.unseen) for result in results]
    assert marks == [(True, False), (False, False), (False, True)]
    waits, apart, unseen = results
    said = merge._measurements([waits, apart, apart])
    assert (said["synchronises"], said["unseen"]) == (False, False)
    assert said["timings"]["compute"].samples_s == [[], *[[1e-5] * 3] * 2]
    assert said["timings"]["compute"].median_s == pytest.approx(1e-5)
    said = merge._measurements([waits, waits])
    assert (said["synchronises"], said["timings"]["compute"].median_s) == (True, pytest.approx(8e-5))
    said = merge._measurements([waits, apart, unseen])
    assert (said["synchronises"], said["unseen"]) == (True, True)
    said = merge._measurements([result.model_copy(update={"synchronises": None}) for result in results])
    assert said["synchronises"] is None


def test_start_up_is_that_of_the_smallest_problem(bench):
    """Only the smallest problem has a start-up time. Larger problems reuse its compiled code and start concurrently."""
    bench.settings["sizes"] = [2000, 1000]
    records = bench.measure()
    assert records["numpy_multiply", 1000].startup.first_call_s > 0
    assert records["numpy_multiply", 1000].startup.import_s > 0
    assert records["numpy_multiply", 2000].startup.first_call_s is None


COMPILED_AT_FIRST = """
import time

compiled = []


def prepare(case):
    if not compiled:
        time.sleep(0.2)
    return run


def run(x, y):
    if not compiled:
        time.sleep(0.3)
        compiled.append(True)
    y[:] = 2.0 * x
"""


def test_start_up_is_the_first_call_of_all_though_it_be_a_smaller_one_that_was_tried(bench):
    bench.write("numpy_compiled.py", COMPILED_AT_FIRST)
    bench.settings["kernels"] = {"doubling": {"sizes": [1_000_000]}}
    bench.settings["protocol"]["max_call_s"] = 1.0
    startup = bench.measure()["numpy_compiled"].startup
    assert startup.first_call_s == pytest.approx(0.3, abs=0.15)
    assert startup.build_s == pytest.approx(0.2, abs=0.15)


@pytest.mark.parametrize(
    ("on_host", "call_s", "rounds"),
    [(True, 1e-3, 20), (False, 1e-3, 8), (True, 1e-5, 64), (True, 0.019, 8), (True, 0.05, 6), (True, 0.2, 3)],
)
def test_rounds_fill_the_budget_and_are_never_few(on_host, call_s, rounds):
    """On the host, up to 64 rounds fill a budget of 0.08 s. On a device, 8 rounds suffice.

    If 8 rounds exceed the budget, as many rounds as fit into four times the budget are taken, but at least 3.
    """
    live = CaseState(None, config.parse({}).protocol, 1.0, 0.0, on_host, loops={"compute": 1})
    live.call_s = call_s
    if call_s == 1e-3 and on_host:
        live.loops["compute"] = 4
    assert live.rounds_wanted(call_s) == rounds


def test_what_is_far_from_the_fastest_is_sampled_in_the_fewest_rounds():
    live = CaseState(None, config.parse({}).protocol, 1.0, 0.0, loops={"compute": 4}, call_s=1e-3)
    assert live.rounds_wanted(1e-3) == live.rounds_wanted(0.4e-3) == 20
    assert live.rounds_wanted(0.3e-3) == 8
    live.loops, live.call_s = {"compute": 1}, 0.02
    assert (live.rounds_wanted(0.02), live.rounds_wanted(0.006)) == (8, 4)


def test_launching_is_sampled_ten_times_where_it_is_short():
    loops = {"compute": 100, "launch": 64, "download": 64}
    live = CaseState(None, config.parse({}).protocol, 1.0, 0.0, loops=loops)
    live.samples = {"compute": [1e-5]}

    def sampled(kind, call_s):
        live.call_s, live.samples[kind] = call_s, []
        while kind in live.loops_due()[0]:
            live.samples[kind].append(0.001)
        return len(live.samples[kind])

    assert sampled("launch", 1e-5) == 10
    assert sampled("launch", 1e-3) < 5  # the device needs 64 ms to finish 64 launches
    assert sampled("download", 1e-5) < 5


@pytest.mark.slow
def test_raising_the_limit_gives_a_slow_case_another_chance(bench):
    bench.write(
        "python_slow.py",
        '''
        """Sleeps 10 us an element."""

        import time


        def run(x, y):
            time.sleep(1e-5 * x.size)
            y[:] = 2 * x
        ''',
    )
    bench.settings["kernels"] = {"doubling": {"sizes": [100, 20_000]}}
    bench.settings["protocol"]["max_call_s"] = 0.1
    assert bench.measure()["python_slow", 20_000].outcome == "too_slow"
    bench.settings["protocol"]["max_call_s"] = 10.0
    record = bench.measure()["python_slow", 20_000]
    assert record.outcome == "ok"
    assert 0.2 <= record.timings["compute"].median_s < 0.4


def test_every_long_call_is_in_a_round_of_its_own(bench):
    """A case with long calls is called three times; each call is a sample. The first two calls precede the rounds."""
    bench.write("python_long.py", "import time\n\n\ndef run(x, y):\n    time.sleep(0.12)\n    y[:] = 2 * x\n")
    bench.settings["protocol"] |= {"long_call_s": 0.1, "max_call_s": 1.0, "startup": True}
    timing = bench.measure()["python_long"].timings["compute"]
    (rounds,), (samples,) = timing.rounds, timing.samples_s
    assert len(set(rounds)) == len(samples) == 3
