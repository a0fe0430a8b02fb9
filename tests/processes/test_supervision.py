"""Tests that all descendants of a supervised command end: with the command, with its starter, or at the next run."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from waiting import has_ended, soon

from accelbench.processes import keeper
from accelbench.processes.supervision import MOST_READ, SupervisedProcess, ask

# A child, a child in a session of its own, an orphan, and an orphan in a session of its own
FAMILY = "sleep {0} & setsid sleep {0} & (sleep {0} &) ; (setsid setsid sleep {0} &) ; "
SIZE = 4


@pytest.fixture
def seconds():
    """Yield a unique duration for `sleep`. Afterwards, kill the remaining `sleep` processes of this duration."""
    number = f"1{time.monotonic_ns()}"
    yield number
    for process in sleepers(number):
        process.kill()


def sleepers(seconds):
    """Return the running `sleep` processes of the duration `seconds`."""
    return [
        process
        for process in psutil.process_iter(["cmdline", "status"])
        if process.info["cmdline"] == ["sleep", seconds] and process.info["status"] != psutil.STATUS_ZOMBIE
    ]


def become(count, seconds, within_s=10.0):
    """Return whether the number of `sleepers(seconds)` becomes `count` within `within_s` seconds."""
    return soon(lambda: len(sleepers(seconds)) == count, within_s)


def family(seconds, then):
    return ["bash", "-c", FAMILY.format(seconds) + then]


@pytest.mark.parametrize(("then", "status"), [("exit 3", 3), ("kill -SEGV $$", -signal.SIGSEGV)])
def test_descendants_end_with_their_command(seconds, then, status):
    kept = SupervisedProcess(
        family(seconds, f"while [ $(pgrep -fc '^sleep {seconds}$') -lt {SIZE} ]; do :; done; {then}")
    )
    assert kept.status(30.0) == status
    assert not sleepers(seconds)
    kept.end()


def test_they_end_when_they_are_told_to(seconds):
    kept = SupervisedProcess(family(seconds, "wait"))
    assert become(SIZE, seconds)
    command = kept.pid(5.0)
    assert psutil.pid_exists(command)
    assert kept.status(0.1) is None
    kept.end()
    assert not sleepers(seconds)
    assert not psutil.pid_exists(command)


def test_they_end_though_they_have_stopped_their_keeper(seconds):
    kept = SupervisedProcess(family(seconds, "kill -STOP $PPID; wait"))
    assert become(SIZE, seconds)
    assert soon(lambda: psutil.Process(kept.keeper.pid).status() == psutil.STATUS_STOPPED)
    kept.end()
    assert not sleepers(seconds)


STARTS = """
import sys
from accelbench.processes.supervision import MOST_READ, SupervisedProcess, ask
kept = SupervisedProcess(sys.argv[1:])
print(kept.keeper.pid, flush=True)
input()
"""


@contextmanager
def started(seconds):
    """Yield (a process that supervises the commands FAMILY, its keeper's process id)."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", STARTS, *family(seconds, "wait")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:
        yield process, int(process.stdout.readline())
        process.kill()


@pytest.fixture
def starter(seconds):
    with started(seconds) as found:
        yield found


def test_they_end_with_whoever_wanted_them_even_killed(starter, seconds):
    process, _ = starter
    assert become(SIZE, seconds)
    process.kill()
    assert become(0, seconds, within_s=5.0)


def test_a_scheduler_may_end_their_keeper(starter, seconds):
    _, kept_by = starter
    assert become(SIZE, seconds)
    os.kill(kept_by, signal.SIGTERM)
    assert become(0, seconds, within_s=5.0)


def abandoned(seconds):
    """Return whether processes of FAMILY survive when their keeper and the process that started it are killed.

    Another run on this machine, for example of another test, may end them.
    """
    with started(seconds) as (process, kept_by):
        assert become(SIZE, seconds)
        keeper.end_leftovers()
        assert len(sleepers(seconds)) == SIZE, "their keeper is alive"
        os.kill(kept_by, signal.SIGKILL)
        process.kill()
        process.wait()
        assert soon(lambda: has_ended(kept_by)), "the killed keeper has not ended"
    return bool(sleepers(seconds))


def test_what_outlives_its_keeper_is_ended_by_the_next_run(seconds):
    assert any(abandoned(seconds) for _ in range(5)), "no family survived its keeper"
    keeper.end_leftovers()
    assert become(0, seconds, within_s=5.0)


def test_memory_is_limited(tmp_path):
    log = tmp_path / "log"
    with log.open("w") as stream:
        hungry = SupervisedProcess([sys.executable, "-c", "bytearray(1 << 29)"], memory_bytes=1 << 28, stderr=stream)
    assert hungry.status(30.0) == 1
    assert "MemoryError" in log.read_text()


def score(process):
    return int(Path(f"/proc/{process}/oom_score_adj").read_text())


def test_what_may_eat_the_memory_is_what_the_kernel_ends_for_it(seconds):
    kept = SupervisedProcess(["sleep", seconds])
    assert become(1, seconds)
    assert score(kept.pid(5.0)) == 1000
    assert score(kept.keeper.pid) == score("self")
    kept.end()


def test_a_command_that_is_not_there_says_so(tmp_path):
    log = tmp_path / "log"
    with log.open("w") as stream:
        missing = SupervisedProcess(["there-is-no-such-command"], stderr=stream)
    assert missing.status(30.0) == 127
    assert log.read_text() == "there-is-no-such-command: No such file or directory\n"


@pytest.mark.parametrize(
    ("then", "status"),
    [("echo said; exit 3", 3), ("echo said; kill -9 0", -9), ("echo said; sleep 600", None), ("yes said", None)],
)
def test_a_question_ends_with_its_deadline_its_output_and_its_descendants(seconds, then, status):
    begin = time.monotonic()
    words = family(seconds, f"while [ $(pgrep -fc '^sleep {seconds}$') -lt {SIZE} ]; do :; done; {then}")
    found, text = ask(words, 5.0)
    assert (found, text[:4]) == (status, "said")
    assert time.monotonic() - begin < 30.0
    assert len(text) <= 2 * MOST_READ + 100
    assert not sleepers(seconds)


def test_a_status_that_comes_while_nobody_waits_is_that_of_the_command(monkeypatch):
    kept = SupervisedProcess(["bash", "-c", "sleep 0.3; exit 3"])
    first = kept._number
    monkeypatch.setattr(kept, "_number", lambda *given: time.sleep(1.0) if given[1] else first(*given))
    kept.keeper.wait(10.0)
    assert kept.status(0.1) == 3
    kept.end()
