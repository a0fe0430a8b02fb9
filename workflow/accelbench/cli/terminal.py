"""Logger plugin of Snakemake that prints few lines.

A terminal shows the current job on one line, and the next job overwrites this line. A pipe gets a line for each
measurement, lecture figure and report, and a line for each other rule. The command `run` passes this module to
Snakemake as its logger plugin. .snakemake/log contains all messages.
"""

import json
import logging
import os
import shutil
import sys
import time
from collections import Counter, defaultdict
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from accelbench.console import MEASURE_S, erasing
from accelbench.measure.bench import WHOLE
from accelbench.model.watched import is_peak

# {rule: its stage in the estimate}; all other rules belong to the stage "measure"
STAGES = {
    "build_kernel": "build",
    **dict.fromkeys(("make_tables", "make_report", "link_pages", "draw_figure", "make_lectures"), "report"),
}
MEASURING = {"measure_kernel", "measure_figure"}  # Rules whose time `run` estimates from the number of cases
PRINTED = MEASURING | {"draw_figure", "make_report"}  # Rules for which each job gets a line
# {rule: assumed time, in seconds, that one of its jobs adds to a run}, for rules without earlier runs
JOB_S = defaultdict(lambda: 2.0, build_kernel=2.0, measure_kernel=18.0, measure_figure=40.0, make_report=12.0)
NOTHING = "Nothing to be done"  # Beginning of Snakemake's message if there is no job
# Texts in warnings of Snakemake that are not printed. The first warning repeats the error that a failed job prints. The
# second warns of outputs that exist before their job starts. `cli.look` writes such pages on purpose.
UNPRINTED = ("CalledProcessError in file", "present when the DAG was created")


def seconds_of_jobs(folder=".snakemake/metadata"):
    """Return {rule: mean seconds that a job of this rule added to earlier runs}.

    The times come from Snakemake's records of finished jobs in `folder`. Builds run in parallel and wait for one
    another. Therefore, time in which several jobs of a rule ran counts once. Times are counted in steps of 0.1 s.
    """
    tenths, jobs = defaultdict(set), Counter()
    for path in Path(folder).glob("*"):
        with suppress(
            OSError, ValueError, AttributeError, TypeError
        ):  # another version of Snakemake may have written the file
            job = SimpleNamespace(**json.loads(path.read_text("utf-8")))
            tenths[job.rule].update(range(round(10 * job.starttime), round(10 * job.endtime)))
            jobs[job.rule] += 1
    return {rule: len(tenths[rule]) / 10 / jobs[rule] for rule in jobs}


def estimate(counts, earlier):
    """Return the estimated duration of a run as text.

    counts   {rule: number of its jobs}
    earlier  {rule: mean seconds that one of its jobs added to earlier runs}

    If the environment variable MEASURE_S is set, it contains the time of all MEASURING rules, which `run` estimated.
    """
    stages = Counter(measure=float(os.environ.get(MEASURE_S, 0)))
    for rule, count in counts.items():
        if MEASURE_S not in os.environ or rule not in MEASURING:
            stages[STAGES.get(rule, "measure")] += count * earlier.get(rule, JOB_S[rule])
    parts = ", ".join(f"{stage} {duration(stages[stage])}" for stage in ("build", "measure", "report") if stages[stage])
    return f"{'about' if counts.keys() <= earlier.keys() else 'roughly'} {duration(stages.total())} ({parts})"


def duration(seconds):
    """Return seconds as text: in seconds below 90 s, else in minutes."""
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{max(1, round(seconds))} s"


class LogHandler(LogHandlerBase):
    """Logger plugin of Snakemake that writes to standard error."""

    writes_to_stream, writes_to_file, has_filter, has_formatter, needs_rulegraph = True, False, True, False, False

    def __post_init__(self):
        self._counts, self._done, self._jobs = Counter(), Counter(), {}
        self._ended = set()  # messages of ended jobs
        self._begun = {}  # {rule: time.monotonic() at which its first job started}
        self._erasing = erasing()  # text that erases the line; empty unless standard error is a terminal

    def emit(self, record):
        event = getattr(record, "event", None)
        if event == LogEvent.RUN_INFO:
            self._counts = Counter({rule: n for rule, n in record.stats.items() if rule not in ("all", "total")})
            self._print(f"{self._counts.total()} jobs: {estimate(self._counts, seconds_of_jobs())}. Ctrl-C is safe.")
        elif event == LogEvent.JOB_INFO:
            message = record.rule_msg
            if record.rule_name == "measure_kernel" and WHOLE in os.environ:
                kernel = SimpleNamespace(**record.wildcards).kernel
                message = message if is_peak(kernel) else message.replace(kernel, "all kernels", 1)
            self._jobs[record.jobid] = record.rule_name, message, time.monotonic()
            self._begun.setdefault(record.rule_name, time.monotonic())
            if self._erasing:
                self._draw(message)
        elif event == LogEvent.JOB_FINISHED:
            self._end(*self._jobs.pop(record.job_id, ("all", "", 0.0)))
        elif event == LogEvent.JOB_ERROR:
            _, message, _ = self._jobs.pop(record.jobid, (record.rule_name, record.rule_name, 0.0))
            self._print(f"failed: {message}. See {', '.join(record.log)}")
        elif record.getMessage().startswith(NOTHING) or (
            record.levelno >= logging.WARNING and not any(part in record.getMessage() for part in UNPRINTED)
        ):
            self._print(self.format(record))

    def _end(self, rule, message, started):
        self._done[rule] += rule in self._counts
        if rule not in PRINTED and self._counts[rule] > 1:
            message, started = f"{rule}, {self._counts[rule]} jobs", self._begun[rule]
        # The first job of a repetition measures all kernels. Later jobs with this message only move that job's files.
        if message not in self._ended if rule in PRINTED else self._done[rule] == self._counts[rule] > 0:
            self._draw(f"{message}: {duration(time.monotonic() - started)}")
        self._ended.add(message)

    def _print(self, text, end="\n"):
        print(f"{self._erasing}{text}", end=end, file=sys.stderr, flush=True)

    def _draw(self, text):
        """Print the progress and a text: as a new line in a pipe, or over the previous line on a terminal.

        The cursor of the terminal stays at the start of the line, because jobs also write to the terminal.
        """
        done, total = self._done.total(), self._counts.total()
        bar = f"[{'#' * (10 * done // max(1, total)):.<10}] " if self._erasing else ""
        width = shutil.get_terminal_size().columns - 1 if self._erasing else None
        self._print(f"[{done:{len(str(total))}}/{total}] {bar}{text}"[:width], "\r" if self._erasing else "\n")
