"""Print Snakemake's messages in few lines.

A terminal shows the current job in one line that is replaced. A pipe gets a line per measurement and per other rule.
`run` names this as Snakemake's logger plugin. .snakemake/log has all messages.
"""

import json
import logging
import shutil
import sys
import time
from collections import Counter, defaultdict
from contextlib import suppress
from operator import itemgetter
from pathlib import Path
from statistics import fmean

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from accelbench.console import CLEAR

# {rule: its stage in the estimate}; that of other rules is "measure"
STAGES = {
    "build_kernel": "build",
    **dict.fromkeys(("make_tables", "make_report", "link_pages", "draw_figure", "make_lectures"), "report"),
}
PRINTED = {"measure_kernel", "measure_figure", "draw_figure", "make_report"}  # Rules with a line for each job
# Assumed duration of a job of a rule without earlier runs, in seconds
JOB_S = defaultdict(lambda: 2.0, build_kernel=6.0, measure_kernel=10.0, measure_figure=40.0, make_report=12.0)
JOB = itemgetter("rule", "starttime", "endtime")  # Fields of Snakemake's record of a finished job, times in seconds
NOTHING = "Nothing to be done"  # beginning of a message of Snakemake
JOB_FAILED = "CalledProcessError in file"  # In Snakemake's message on a failed job, which has printed its own error


def seconds_of_jobs(folder=".snakemake/metadata"):
    """Return {rule: mean seconds of its jobs in earlier runs}, by Snakemake's records of finished jobs."""
    measured = {}
    for path in Path(folder).glob("*"):
        with suppress(OSError, ValueError, KeyError, TypeError):  # another version of Snakemake may have written it
            rule, started, ended = JOB(json.loads(path.read_text("utf-8")))
            measured.setdefault(rule, []).append(ended - started)
    return {rule: fmean(seconds) for rule, seconds in measured.items()}


def estimate(counts, earlier, cores):
    """Return the estimated duration of a run as text.

    counts   {rule: number of its jobs}
    earlier  {rule: mean seconds of its jobs in earlier runs}
    cores    number of builds at a time. Jobs of other rules run one after the other
    """
    stages = Counter()
    for rule, count in counts.items():
        seconds = count * earlier.get(rule, JOB_S[rule])
        stages[STAGES.get(rule, "measure")] += seconds / (cores if rule == "build_kernel" else 1)
    parts = ", ".join(f"{stage} {duration(stages[stage])}" for stage in ("build", "measure", "report") if stages[stage])
    word = "about" if counts.keys() <= earlier.keys() else "roughly"
    return f"{word} {duration(stages.total())} ({parts})"


def duration(seconds):
    """Return seconds as text, in minutes from 90 s on."""
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{max(1, round(seconds))} s"


class LogHandler(LogHandlerBase):
    """Logger plugin of Snakemake that writes to standard error."""

    writes_to_stream, writes_to_file, has_filter, has_formatter, needs_rulegraph = True, False, True, False, False

    def __post_init__(self):
        self._counts, self._done, self._jobs, self._cores = Counter(), Counter(), {}, 1
        self._begun = {}  # {rule: time.monotonic() at which its first job started}

    def emit(self, record):
        event = getattr(record, "event", None)
        if event == LogEvent.RESOURCES_INFO:
            self._cores = getattr(record, "cores", None) or self._cores
        elif event == LogEvent.RUN_INFO:
            self._counts = Counter({rule: n for rule, n in record.stats.items() if rule not in ("all", "total")})
            expected = estimate(self._counts, seconds_of_jobs(), self._cores)
            self._print(f"{self._counts.total()} jobs: {expected}. Ctrl-C is safe.")
        elif event == LogEvent.JOB_INFO:
            self._jobs[record.jobid] = record.rule_name, record.rule_msg, time.monotonic()
            self._begun.setdefault(record.rule_name, time.monotonic())
            self._draw(record.rule_msg)
        elif event == LogEvent.JOB_FINISHED:
            self._end(*self._jobs.pop(record.job_id, ("all", "", 0.0)))
        elif event == LogEvent.JOB_ERROR:
            _, message, _ = self._jobs.pop(record.jobid, (record.rule_name, record.rule_name, 0.0))
            self._print(f"failed: {message}. See {', '.join(record.log)}")
        elif record.getMessage().startswith(NOTHING) or (
            record.levelno >= logging.WARNING and JOB_FAILED not in record.getMessage()
        ):
            self._print(self.format(record))

    def _end(self, rule, message, started):
        self._done[rule] += rule in self._counts
        if rule not in PRINTED and self._counts[rule] > 1:
            message, started = f"{rule}, {self._counts[rule]} jobs", self._begun[rule]
        if rule in PRINTED or self._done[rule] == self._counts[rule] > 0:
            text = f"{message}: {duration(time.monotonic() - started)}"
            self._draw(text) if sys.stderr.isatty() else self._print(f"{self._position()} {text}")

    def _position(self):
        total = self._counts.total()
        return f"[{self._done.total():{len(str(total))}}/{total}]"

    def _print(self, text):
        print(f"{CLEAR if sys.stderr.isatty() else ''}{text}", file=sys.stderr, flush=True)

    def _draw(self, text):
        """Replace the line of a terminal that shows the job. The cursor stays at its start, where a job may draw."""
        if sys.stderr.isatty():
            width = shutil.get_terminal_size().columns - 1
            done = 10 * self._done.total() // max(1, self._counts.total())
            line = f"{self._position()} [{'#' * done}{'.' * (10 - done)}] {text}"
            print(f"{CLEAR}{line[:width]}", end="\r", file=sys.stderr, flush=True)
