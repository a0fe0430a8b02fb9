"""Runs of the workflow: locks, signals, and the final message."""

import contextlib
import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from types import SimpleNamespace

import pretended_results.gpu
import psutil
import pytest
from command_line import command, shell
from read_results import published_table
from waiting import soon

from accelbench import config as configuration
from accelbench import project
from accelbench.cli import ending, run
from accelbench.model.record import Record
from accelbench.store import failures, files


def test_run_ends_with_the_make_that_started_it(workplace):
    """A run ends with the make that started the run, even if make was killed and could not send a signal."""
    files.write(workplace / "envs" / "install.py", "")
    python = workplace / ".venv" / "bin" / "python"
    workflow = project.ROOT / "workflow"
    files.write(python, f'#!/bin/sh\nPYTHONPATH="{workflow}" exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    begun = workplace / "begun"
    waiting = f"import os, time\nopen({str(begun)!r}, 'w').write(str(os.getpid()))\ntime.sleep(60)\n"
    files.write(workplace / "my kernels" / "twice" / "kernel.py", waiting)
    words = ["make", "-f", project.ROOT / "Makefile", "report", "CONFIG=own.yaml"]
    make = subprocess.Popen(words, cwd=workplace, start_new_session=True)
    try:
        deadline = time.monotonic() + 60
        while not begun.is_file() or not begun.read_text():
            assert make.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        (started,) = psutil.Process(make.pid).children()
        assert "run" in started.cmdline()
        make.kill()
        assert psutil.wait_procs([started], 5)[1] == []
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(make.pid, signal.SIGKILL)
        make.wait()


def test_second_run_says_who_is_running(workplace):
    lock = workplace / "results" / ".lock"
    lock.parent.mkdir()
    with lock.open("w") as stream:
        stream.write("process 4711 on nowhere\n")
        stream.flush()
        fcntl.lockf(stream, fcntl.LOCK_EX)
        done = shell("accelbench", "run", "--configfile", "own.yaml", cwd=workplace)
    assert done.returncode == 2
    assert "process 4711" in done.stderr
    assert time.strftime("since %Y-%m-%d") in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("before", "removed"),
    [
        ("process 9 on {place}\n", True),
        ("", False),  # no run was killed, so another Snakemake holds the lock
        ("process 9 on another, pid:[1]\n", False),
        ("process 9 on this one\n", False),
    ],
)
def test_only_the_lock_of_a_run_that_was_killed_here_is_removed(workplace, before, removed):
    locks = workplace / ".snakemake" / "locks"
    locks.mkdir(parents=True)
    (locks / "0.output.lock").write_text("results/local/machine.json\n")
    run._clear_dead_lock(workplace, before.format(place=files.place()))
    assert locks.exists() is not removed


def test_lock_of_a_snakemake_that_began_after_a_killed_run_stays(workplace, tmp_path):
    locks = workplace / ".snakemake" / "locks"
    locks.mkdir(parents=True)
    (tmp_path / "snakemake").write_text("import time\ntime.sleep(600)\n")
    with subprocess.Popen([sys.executable, tmp_path / "snakemake"], cwd=workplace) as child:
        run._clear_dead_lock(workplace, f"process 9 on {files.place()}\n")
        child.kill()
    assert locks.exists()


def test_lock_of_a_killed_snakemake_goes_with_its_run(workplace, monkeypatch):
    code = "import os; os.makedirs('.snakemake/locks'); os.kill(os.getpid(), 9)"
    start = partial(subprocess.Popen, [sys.executable, "-c", code], cwd=workplace)
    monkeypatch.setattr(run, "_start", lambda *_: start(preexec_fn=run._block_signals()))
    assert run.run([workplace / "own.yaml"], 1, directory=workplace) == 128 + signal.SIGKILL
    assert not (workplace / ".snakemake" / "locks").exists()


def test_a_lock_holds_who_was_killed(tmp_path):
    lock = tmp_path / "lock"
    with files.locked(lock, str):
        assert lock.read_text() == f"process {os.getpid()} on {files.place()}\n"
    assert lock.read_text() == ""


def test_lock_of_a_living_snakemake_is_respected(workplace):
    (workplace / "Snakefile").write_text('rule a:\n    output: "results/local/machine.json"\n    shell: "sleep 600"\n')
    child = subprocess.Popen(
        command("snakemake", "--cores", "1"), cwd=workplace, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        locks = workplace / ".snakemake" / "locks"
        assert soon(lambda: locks.is_dir() and any(locks.iterdir()), within_s=120)
        done = shell("accelbench", "run", "--configfile", "own.yaml", cwd=workplace)
        assert done.returncode == 1
        assert "Directory cannot be locked" in done.stderr + done.stdout
        assert "Traceback" not in done.stderr
        assert any(locks.iterdir())
    finally:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()


ENDS, STAYS = "lambda *_: sys.exit(7)", "lambda *_: None"


@pytest.mark.parametrize(
    ("number", "handler", "status"),
    [(signal.SIGINT, ENDS, 7), (signal.SIGTERM, ENDS, 7), (signal.SIGTERM, STAYS, 137)],
)
def test_signal_reaches_the_child_and_its_status_comes_back(number, handler, status):
    """A child that ignores the signal is killed by SIGKILL."""
    child = (
        f"import signal, sys, time\nsignal.signal({number.value}, {handler})\nprint(1, flush=True)\n"
        "signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})\n"
        "deadline = time.monotonic() + 30\nwhile time.monotonic() < deadline: time.sleep(30)\n"
    )
    code = (
        "import subprocess, sys\nfrom accelbench.cli import run\nunblock = run._block_signals()\n"
        f"child = subprocess.Popen([sys.executable, '-c', {child!r}], preexec_fn=unblock)\n"
        "sys.exit(run._wait(child, patience_s=1.0))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(project.ROOT / "workflow")}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout.readline() == b"1\n"
        parent.send_signal(number)
        assert parent.wait(20) == status


def measured(kernel, implementation, outcome, reason, size):
    """Return a line of a file of timings."""
    timing = {"samples_s": [[1.0]], "rounds": [[0]], "loops": [1], "converged": True}
    timing |= dict.fromkeys(("median_s", "ci_low_s", "ci_high_s"), 1.0)
    record = Record(
        machine="local",
        kernel=kernel,
        implementation=implementation,
        backend="numpy",
        device="cpu",
        size=size,
        dtype="float64",
        outcome=outcome,
        reason=reason,
        repetitions=["1"],
        timings={"compute": timing} if outcome == "ok" else {},
    )
    return record.model_dump_json() + "\n"


def test_summary_counts_this_runs_outcomes_says_why_they_failed_and_names_the_pages(tmp_path):
    assert ending.summary(["local"], 3.2, tmp_path) == "Time:     3 s"
    results, pages = tmp_path / "results" / "local", tmp_path / "reports" / "local"
    pages.mkdir(parents=True)
    report, lectures = pages / "index.html", pages / "lectures.html"
    lectures.write_text("x")
    assert ending.summary(["local"], 3.2, tmp_path).splitlines() == [f"Lectures: {lectures}", "Time:     3 s"]
    slides = pages / "slides.md"
    files.write(slides, "x")
    told = ending.summary(["local"], 3.2, tmp_path).splitlines()
    assert told == [f"Lectures: {lectures}", f"Slides:   {slides}", "Time:     3 s"]
    slides.unlink()
    report.write_text("x")
    own = [("numpy_x", "ok", None, 5), ("c_y", "crashed", "killed by SIGSEGV", 2), ("c_z", "unavailable", "none", 1)]
    for kernel, rows in (("a", own), ("b", [("numpy_x", "ok", None, 9)])):
        lines = [measured(kernel, *row, size) for *row, count in rows for size in range(count)]
        files.write(results / "timings" / f"{kernel}.jsonl", "".join(lines))
    files.write_json(
        results / "kernels" / "a.json", pretended_results.gpu.metadata("vector_sum") | {"kernel": "a", "left_out": 54}
    )
    logs = results / "logs" / "measure_kernel"
    files.write(logs / "c" / "2.log", "2026-01-01 00:00:00,000 ERROR kernel.py: no. Mend it\n")
    files.write(logs / "b" / "1.log", "2026-01-01 00:00:00,000 INFO on here\n")
    assert ending.summary(["local"], 63.4, tmp_path, kernels=["a", "c"]).splitlines() == [
        f"Report:   {report}",
        "Outcomes: 5 ok, 1 unavailable, 2 crashed",
        "          2 of a/c_y: crashed: killed by SIGSEGV",
        "          Fix and run again, or use --retry to measure all failures again",
        "Besides:  9 cases of 1 other kernel, measured before, are in the report, too",
        "Left out: 54 cases of a, measured before. A run whose configuration selects them shows them again",
        f"Lectures: {lectures}",
        f"Failed:   measuring c, repetition 2: kernel.py: no. Mend it (see {logs}/c/2.log)",
        "          Run the same command again; what was measured is kept",
        "Time:     1 min 3 s",
    ]


def copy_example(machine, folder):
    """Copy the published results of a machine into a folder."""
    example = project.ROOT / "reports" / "examples" / machine
    for name in ("machine.json", "kernels", "timings"):
        copy = shutil.copytree if (example / name).is_dir() else shutil.copy
        copy(example / name, folder / name)


@pytest.fixture
def published(tmp_path):
    """(results folder, rows of the table of winners) of a machine without a GPU, with two kernels just measured."""
    copy_example("cpu", tmp_path)
    for kernel, when in (("vector_sum", 100.0), ("inside_polygon", 100.0), ("vector_multiply", 50.0)):
        files.write(tmp_path / "repetitions" / kernel / "1.json", "x")
        os.utime(tmp_path / "repetitions" / kernel / "1.json", (when, when))
    winners = published_table("cpu", "winners")
    return tmp_path, [row for _, row in winners[winners.timing == "end_to_end"].iterrows()]


def test_end_tells_what_is_fastest_at_the_largest_size_of_each_kernel_measured(published):
    folder, winners = published
    told = [line for line in ending._fastest(folder, since=90.0) if not line.startswith("Open:")]
    assert max(map(len, told)) <= 80
    lines = [re.split("  +", line) for line in told]
    assert [line[0] for line in lines] == ["inside_polygon", "vector_sum"]
    for kernel, _, implementation, _, gain, verdict in lines:
        row = max((row for row in winners if row["kernel"] == kernel), key=lambda row: int(row["size"]))
        assert implementation in row["tie"].split()
        assert (verdict == "proven") == (row["decision"] == "winner")
        assert float(gain.removesuffix("× NumPy")) == pytest.approx(float(row["speedup"]), rel=0.1)
    assert lines[1][1] == "4·10⁶"
    assert {c for line in lines for cell in line for c in cell if c.isspace()} <= {" "}
    assert ending._fastest(folder, since=110.0) == []


def test_end_names_the_fastest_at_a_size_that_the_cores_measured_not_only_numpy(tmp_path):
    """A machine with a GPU measures vector_sum at 5e7, too. There, NumPy is the only implementation on the cores."""
    copy_example("h200", tmp_path)
    files.write(tmp_path / "repetitions" / "vector_sum" / "1.json", "x")
    row, *_ = ending._fastest(tmp_path, since=0.0)
    assert re.split("  +", row)[1] == "4·10⁶"
    assert "undecided" not in row


def test_end_says_what_decides_after_one_repetition(tmp_path):
    seconds = {"numpy_thing": 9e-5, "cffi_api": 1e-5}
    records = [pretended_results.record(name, compute=s, repetitions=["p1"]) for name, s in seconds.items()]
    folder = pretended_results.save(tmp_path / "local", *records)
    files.write(folder / "repetitions" / "thing" / "1.json", "x")
    row, more = ending._fastest(folder, since=0.0)
    assert row.endswith("  open")
    assert more == "Open:     more repetitions may decide. Raise protocol.repetitions"


def test_end_compares_each_exercise_with_its_solution(tmp_path):
    seconds = {"numpy_thing": 9e-5, "cython_class": 1e-5, "cython_class_exercise": 3e-5, "cffi_api_exercise": 2e-5}
    records = [
        pretended_results.record(name, compute=tuple(value * factor for factor in (1.0, 1.001, 0.999)))
        for name, value in seconds.items()
    ]
    folder = pretended_results.save(tmp_path / "local", *records)
    files.write(folder / "repetitions" / "thing" / "1.json", "x")
    first, *others = [re.split("  +", line) for line in ending._fastest(folder, since=0.0)]
    assert first[:3] == ["thing", "10³", "cython_class"]
    assert [line[2:] for line in others] == [
        ["cython_class_exercise", "30.0 µs", "0.333× cython_class", "slower than the solution"]
    ]


def test_cases_that_need_a_gpu_are_counted_apart_where_there_is_none(published):
    folder, _ = published
    reasons = {"cupy_sum": "no NVIDIA driver", "numpy_x": "no package", "numpy_y": None}
    lines = [measured("a", name, "unavailable" if why else "ok", why, 1) for name, why in reasons.items()]
    shutil.rmtree(folder / "timings")
    text = "".join(lines).replace('"backend":"numpy"', '"backend":"cupy"', 1)
    files.write(folder / "timings" / "a.jsonl", text)
    assert ending._outcomes(folder, ["a"]) == ["Outcomes: 1 ok, 1 unavailable, 1 need a GPU (none here)"]


def test_summary_names_a_damaged_file_of_a_kernel(tmp_path):
    results, report = tmp_path / "results" / "local", tmp_path / "reports" / "local" / "index.html"
    files.write(report, "x")
    files.write(results / "timings" / "a.jsonl", measured("a", "numpy_x", "ok", None, 1))
    files.write_json(results / "kernels" / "a.json", {"left_out": 54})
    told = ending.summary(["local"], 3.2, tmp_path, kernels=["a"]).splitlines()
    assert told[1].startswith(f"Outcomes: {results}/kernels/a.json: has schema_version None, not 2.")


def test_a_damaged_plan_leaves_the_summary_of_a_failed_run(tmp_path, capfd, monkeypatch):
    monkeypatch.delenv("ACCELBENCH_NOTICES", raising=False)
    plan = tmp_path / "results" / "local" / "plans" / "a.json"
    plan.parent.mkdir(parents=True)
    plan.write_text("{")
    lines = ending.end(configuration.parse({}), [], succeeded=False, started=time.monotonic(), directory=tmp_path)
    assert "Time:     0 s" in lines.splitlines()
    assert "a.json: is not complete JSON" in capfd.readouterr().err


def test_time_of_a_failed_run_is_that_of_its_report_too(tmp_path, monkeypatch):
    clock = [5.0]
    monkeypatch.setattr(ending, "time", SimpleNamespace(monotonic=lambda: clock[0], time=time.time))
    monkeypatch.setattr(ending, "_report_what_there_is", lambda *_, **__: clock.__setitem__(0, 65.0))
    told = ending.end(configuration.parse({}), [], succeeded=False, started=5.0, directory=tmp_path)
    assert told == "Time:     1 min 0 s"


SNAKEMAKE_LOG = """
RuleException:
CalledProcessError in file "measure.smk", line 39:
Command 'set -euo pipefail; x --plan 'my own/plans'/a.json --log 'results/my own/logs/build_kernel/a/c.log'' died with \
<Signals.SIGKILL: 9>.
RuleException:
CalledProcessError in file "measure.smk", line 39:
Command 'set -euo pipefail; x --log 'results/my own/logs/build_kernel/a/cuda.log'' returned non-zero exit status 3.
WorkflowError in rule build_kernel in file "build.smk", line 1:
Output x has older modification time.
WorkflowError:
At least one job did not complete successfully.
"""


def test_failures_are_told_from_what_finished_and_what_was_killed(tmp_path):
    line = "2026-01-01 00:00:00,000"
    logs = {
        "describe_machine": f"{line} INFO finished\n",
        "build_kernel/a/c": f"{line} INFO on here\n",
        "build_kernel/a/cffi": f"{line} INFO on here\n",
        "build_kernel/a/cuda": "",
        "measure_kernel/a/1": f"{line} ERROR internal error\nTraceback (most recent call last):\nValueError: so\n",
        "measure_kernel/done/1": f"{line} ERROR a remark\n",
        "merge_repetitions/a": f"{line} ERROR a.1.jsonl: no\n",
        "merge_repetitions/done": f"{line} ERROR a remark\n",
    }
    results = tmp_path / "results" / "my own"
    for name, text in logs.items():
        files.write(results / "logs" / f"{name}.log", text)
    files.write(results / "repetitions" / "done" / "1.json", "x")
    files.write(results / "timings" / "done.jsonl", "x")
    log = tmp_path / ".snakemake" / "log" / "2026-01-01T000000.000000.snakemake.log"
    files.write(log, SNAKEMAKE_LOG)
    assert failures.stop(tmp_path, time.time() - 60) == ("Output x has older modification time.", log)
    assert failures.stop(tmp_path, time.time() + 60) is None
    assert [(f.what, f.kernel, f.reason) for f in failures.of(results)] == [
        ("building a with c", "a", "its command died with SIGKILL; its log ends: 2026-01-01 00:00:00,000 INFO on here"),
        ("building a with cffi", "a", failures.KILLED),
        ("building a with cuda", "a", "its command returned non-zero exit status 3; its log is empty"),
        ("measuring a, repetition 1", "a", "ValueError: so"),
        ("merging the repetitions of a", "a", "a.1.jsonl: no"),
    ]
