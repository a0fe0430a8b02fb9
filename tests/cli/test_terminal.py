"""Tests of Snakemake's messages as the user sees them during a run."""

import json
import logging

import pytest
from snakemake_interface_logger_plugins.common import LogEvent

from accelbench import console
from accelbench.cli import terminal

COUNTS = {"all": 1, "build_kernel": 2, "measure_kernel": 1, "make_report": 1, "total": 5}


@pytest.fixture
def handler(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return terminal.LogHandler(None, None)


@pytest.fixture
def on_terminal(monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)


def send(handler, event, level=logging.INFO, text="", **values):
    record = logging.LogRecord("snakemake", level, "", 0, text, None, None)
    vars(record).update(values | {"event": event})
    handler.emit(record)


def start(handler, job, rule, message):
    send(handler, LogEvent.JOB_INFO, jobid=job, rule_name=rule, rule_msg=message)


def test_a_pipe_gets_a_line_per_measurement_and_one_for_all_builds(handler, capsys):
    send(handler, LogEvent.RUN_INFO, stats=COUNTS)
    for job in (1, 2):
        start(handler, job, "build_kernel", f"Building {job}")
    for job in (2, 1):
        send(handler, LogEvent.JOB_FINISHED, job_id=job)
    start(handler, 3, "measure_kernel", "Measuring vector_sum")
    send(handler, LogEvent.JOB_FINISHED, job_id=3)
    send(handler, None, text="Select jobs to execute...")
    first, *lines = capsys.readouterr().err.splitlines()
    assert first.startswith("4 jobs: roughly ")
    assert lines == ["[2/4] build_kernel, 2 jobs: 1 s", "[3/4] Measuring vector_sum: 1 s"]


def test_a_job_that_measures_all_kernels_says_so_and_the_jobs_that_move_its_results_print_nothing(
    handler, capsys, monkeypatch
):
    monkeypatch.setenv("ACCELBENCH_WHOLE", ".1")
    send(handler, LogEvent.RUN_INFO, stats={"measure_kernel": 4})
    seconds = [90.0, 40.0, 0.2, 0.2]
    for job, (kernel, took) in enumerate(zip(("dot", "peak_copy", "scale", "fill"), seconds, strict=True)):
        message = f"Measuring {kernel} on local, repetition 1"
        monkeypatch.setattr(terminal.time, "monotonic", lambda: 1000.0)
        wildcards = {"kernel": kernel}
        send(handler, LogEvent.JOB_INFO, jobid=job, rule_name="measure_kernel", rule_msg=message, wildcards=wildcards)
        monkeypatch.setattr(terminal.time, "monotonic", lambda took=took: 1000.0 + took)
        send(handler, LogEvent.JOB_FINISHED, job_id=job)
    _, *lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "[1/4] Measuring all kernels on local, repetition 1: 2 min",
        "[2/4] Measuring peak_copy on local, repetition 1: 40 s",
    ]


def test_no_warning_that_a_first_look_wrote_the_report(handler, capsys):
    text = "Warning: the following output files of rule make_report were not present when the DAG was created:\n{}"
    send(handler, None, logging.WARNING, text)
    send(handler, None, logging.WARNING, "another warning")
    assert capsys.readouterr().err == "another warning\n"


def test_a_terminal_keeps_one_line_that_moves(on_terminal, handler, capsys):
    send(handler, LogEvent.RUN_INFO, stats=COUNTS)
    start(handler, 3, "measure_kernel", "Measuring vector_sum")
    send(handler, LogEvent.JOB_FINISHED, job_id=3)
    written = capsys.readouterr().err
    assert written.count("\n") == 1
    assert written.endswith(f"{terminal.erasing()}[1/4] [##........] Measuring vector_sum: 1 s\r")


def test_a_failed_job_names_its_log_and_other_errors_are_whole(handler, capsys):
    start(handler, 3, "measure_kernel", "Measuring vector_sum")
    failed = {"jobid": 3, "rule_name": "measure_kernel", "log": ["logs/1.log"]}
    send(handler, None, logging.ERROR, 'RuleException:\nCalledProcessError in file "x.smk", line 3:\nCommand')
    send(handler, LogEvent.JOB_ERROR, logging.ERROR, **failed)
    send(handler, None, logging.ERROR, "WorkflowError:\nfirst\nsecond")
    assert capsys.readouterr().err == "failed: Measuring vector_sum. See logs/1.log\nWorkflowError:\nfirst\nsecond\n"


def record(folder, *jobs):
    """Write Snakemake's records of the finished `jobs`, each (rule, start, end) in seconds."""
    for number, (rule, started, ended) in enumerate(jobs):
        (folder / str(number)).write_text(json.dumps({"rule": rule, "starttime": started, "endtime": ended}))


def test_the_estimate_is_the_sum_of_what_jobs_took_before(tmp_path, monkeypatch):
    record(tmp_path, ("build_kernel", 100.0, 110.0), ("build_kernel", 110.0, 140.0), ("make_report", 100.0, 107.0))
    (tmp_path / "damaged").write_text("{")
    (tmp_path / "older").write_text("{}")
    earlier = terminal.seconds_of_jobs(tmp_path)
    assert earlier == {"build_kernel": 20.0, "make_report": 7.0}
    counts = {"build_kernel": 2, "make_report": 1}
    assert terminal.estimate(counts, earlier) == "about 47 s (build 40 s, report 7 s)"
    counts["measure_kernel"] = 9
    monkeypatch.delenv(console.MEASURE_S, raising=False)
    assert terminal.estimate(counts, earlier).startswith("roughly 3 min (build 40 s, measure ")
    monkeypatch.setenv(console.MEASURE_S, "13.0")  # estimate from the cases without a result
    assert terminal.estimate(counts, earlier) == "roughly 60 s (build 40 s, measure 13 s, report 7 s)"


def test_builds_that_ran_side_by_side_are_estimated_at_the_time_of_all(tmp_path):
    # The first four jobs build for all kernels, or wait for these builds. The other jobs only move files.
    record(tmp_path, *[("build_kernel", 100.0, 130.0)] * 4, *[("build_kernel", 130.0, 130.5)] * 4)
    assert terminal.estimate({"build_kernel": 8}, terminal.seconds_of_jobs(tmp_path)) == "about 30 s (build 30 s)"
