"""How long the whole run still takes, while it measures: what its jobs were expected to take before it began, against
what those that are done have taken. Jobs find that by the variable EXPECTED of their environment."""

import json
import os
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from accelbench.store import files

EXPECTED = "ACCELBENCH_EXPECTED"
DOUBT_S = 60.0  # so much of what is expected stands beside what is known of the jobs that are done


def write(path, jobs):
    """Write what is expected of a run that begins now, and have the jobs that this process starts find it.

    jobs  {the file that each leaves behind: seconds}
    """
    expected = {str(Path(job).resolve()): seconds for job, seconds in jobs.items()}
    files.write_json(path, [time.time(), expected])
    os.environ[EXPECTED] = str(Path(path).resolve())


@dataclass(frozen=True)
class WholeRun:
    """A run that is under way, as it was when it was looked at.

    looked   when that was, as time.monotonic tells it
    jobs     how many it has
    done     how many of them are done
    left_s   seconds until all are
    """

    looked: float
    jobs: int
    done: int
    left_s: float

    def left_now_s(self):
        return max(0.0, self.left_s - (time.monotonic() - self.looked))

    def __str__(self):
        return f"{about(self.left_s)} left of the whole run ({self.done} of {self.jobs} jobs are done)"


@cache
def whole():
    """The WholeRun that this process is part of, looked at once; None where nothing was expected of it."""
    try:
        started, jobs = json.loads(Path(os.environ[EXPECTED]).read_text(encoding="utf-8"))
        return look(started, jobs)
    except (KeyError, OSError, ValueError):
        return None


def look(started, jobs):
    """The WholeRun that began at `started`, a time.time(), of {the file that each job leaves behind: seconds}; None
    where all are done."""
    done = [job for job in jobs if _written(job) >= started]
    if len(done) == len(jobs):
        return None
    total, ready = sum(jobs.values()), sum(jobs[job] for job in done)
    slower = (time.time() - started + DOUBT_S) / (ready + DOUBT_S) if done else 1.0
    return WholeRun(time.monotonic(), len(jobs), len(done), slower * (total - ready))


def _written(path):
    try:
        return Path(path).stat().st_mtime
    except OSError:
        return 0.0


def about(seconds):
    """A time that is not known well: "about 9 min"."""
    return f"about {seconds:.0f} s" if seconds < 90 else f"about {seconds / 60:.0f} min"
