"""Tests of the coordinator's client of a worker: why a worker died, the worker's cores, concurrent calls of `end`."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from accelbench.machine import memory
from accelbench.measure import client
from accelbench.rpc.process import Failed


@pytest.fixture
def dead(tmp_path, monkeypatch):
    """Return a function dead(kills, later) that kills a worker by SIGKILL and returns (outcome, reason).

    The system's count of out-of-memory kills is `kills` before and `later` after the worker's death.
    """
    monkeypatch.setattr(client, "GRACE_S", 0.0)
    monkeypatch.setattr(client.Client, "oom_kills", None)

    def end(kills, later):
        monkeypatch.setattr(memory, "oom_kills", lambda: kills)
        worker = client.Client(1, "cpu", tmp_path)
        worker.call("release", 60, problem="nothing")
        monkeypatch.setattr(memory, "oom_kills", lambda: later)
        os.kill(worker.pid(0), signal.SIGKILL)
        with pytest.raises(Failed) as failed:
            worker.call("release", 60, problem="nothing")
        assert not failed.value.alive
        return failed.value.outcome, failed.value.reason

    return end


def test_signal_9_is_told_from_the_out_of_memory_killer(dead):
    assert dead(2, 2) == ("crashed", "killed by signal 9 (SIGKILL)")
    assert dead(2, 3) == ("out_of_memory", "killed by the out-of-memory killer of the operating system")
    assert dead(3, 3)[0] == "crashed", "the counted kill was that of another worker"


def test_where_nothing_counts_kills_it_says_so(dead):
    outcome, reason = dead(None, None)
    assert outcome == "crashed"
    assert "it is unknown whether memory ran out" in reason


def test_a_worker_has_as_many_cores_as_threads_from_its_start_on(tmp_path):
    ours = os.sched_getaffinity(0)
    worker = client.Client(1, "cpu", tmp_path)
    try:
        assert len(os.sched_getaffinity(worker.pid(60))) == 1
        assert os.sched_getaffinity(0) == ours
    finally:
        worker.end()


class Leisurely:
    """Wrapper of a worker's output that slows down reading, so that two calls of `end` overlap."""

    def __init__(self, output):
        self.output = output

    def __getattr__(self, name):
        time.sleep(0.1)
        return getattr(self.output, name)


def test_two_may_end_a_worker_at_once(tmp_path):
    worker = client.Client(1, "cpu", tmp_path)
    worker._output = Leisurely(worker._output)
    with ThreadPoolExecutor() as pool:
        other = pool.submit(worker.end)
        time.sleep(0.25)
        worker.end()
    assert other.result() is None
    assert worker.last_words() == ""
