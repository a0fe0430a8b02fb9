"""Tests of the workers of a repetition: starting them, restarting them, and ending them while they are in use."""

import logging
import threading
from types import SimpleNamespace

import pytest
from waiting import soon

from accelbench.errors import InputError
from accelbench.measure.bench import CONNECTIONS, Bench
from accelbench.measure.steps import Steps
from accelbench.measure.workers import Workers

JUDGED = """

def error_metrics(y):
    if y.size == 1000:
        raise RuntimeError("no judgement")
    return {"y by itself": (0.0, 0.0)}
"""
SLOW = '''
"""Doubling that takes a second."""

import time

import numpy as np

PARAMETERS = {"step": (1, 2, 3)}


def run(x, y, step):
    time.sleep(1)
    np.multiply(x, 2.0, out=y)
'''


class Pretended:
    """Stand-in for a Bench. Starting a worker waits for the event `hold`, if any."""

    def __init__(self, hold=None):
        self.machine, self.steps = SimpleNamespace(cpu=SimpleNamespace(available=2)), Steps()
        self.started, self.hold, self.starting = [], hold, threading.Event()

    def start(self, case):
        self.starting.set()
        if self.hold:
            self.hold.wait()
        gone = threading.Event()
        runner = SimpleNamespace(
            alive=True,
            gone=gone,
            opened=SimpleNamespace(converts=False),
            environment=dict,
            end=gone.set,
        )
        self.started.append(runner)
        return runner


def lives(*workers):
    return [SimpleNamespace(case=SimpleNamespace(worker=worker)) for worker in workers]


def test_a_worker_is_started_anew_where_it_is_gone():
    bench = Pretended()
    workers, (live,) = Workers(bench), lives("a")
    assert workers.running(live.case) is None
    first = workers.runner(live.case)
    assert workers.runner(live.case) is workers.running(live.case) is first
    first.alive = False
    assert workers.running(live.case) is None
    assert workers.runner(live.case) is not first
    assert len(bench.started) == 2
    workers.end()
    assert not any(runner.alive for runner in bench.started)


def test_nothing_is_begun_once_they_are_ended():
    """The two workers are ended during their first request. The other four requests are dropped."""
    bench, asked = Pretended(), []
    workers = Workers(bench)

    def ask(live):
        runner = workers.runner(live.case)
        asked.append(live.case.worker)
        runner.gone.wait(2)

    asking = threading.Thread(target=workers.side_by_side, args=(ask, lives("a", "b", "a", "b", "a", "b"), "asking"))
    asking.start()
    assert soon(lambda: len(asked) == 2)
    workers.end()
    asking.join()
    assert sorted(asked) == ["a", "b"]
    assert len(bench.started) == 2


def test_one_that_was_just_being_started_is_ended_too():
    bench = Pretended(hold=threading.Event())
    workers = Workers(bench)
    started = []
    asking = threading.Thread(
        target=workers.side_by_side, args=(lambda live: started.append(workers.runner(live.case)), lives("a"), "asking")
    )
    asking.start()
    bench.starting.wait()
    ending = threading.Thread(target=workers.end)
    ending.start()
    assert soon(lambda: workers.ended)
    bench.hold.set()
    ending.join()
    asking.join()
    assert [runner.alive for runner in started] == [False]


def test_who_is_ended_in_the_midst_has_not_crashed(bench, caplog):
    """If an error of the kernel ends the run, running cases are not recorded as crashed."""
    kernel = (bench.folder / "kernel.py").read_text()
    bench.write("kernel.py", kernel + JUDGED)
    bench.write("numpy_slow.py", SLOW)
    bench.settings["protocol"]["startup"] = False
    with caplog.at_level(logging.INFO, "accelbench"), pytest.raises(InputError, match="error_metrics fails"):
        bench.measure()
    assert not [message for message in caplog.messages if "numpy_slow" in message]


@pytest.mark.parametrize(
    ("backend", "location", "on_host", "expected"),
    [
        *(("cupy", "device", False, "1"), ("torch", "device", False, "1"), ("cupy", "host", False, None)),
        *(("jax", "device", False, None), ("torch", "device", True, None), ("pyopencl", "device", False, None)),
    ],
)
def test_workers_with_one_cuda_stream_have_one_connection(backend, location, on_host, expected, monkeypatch):
    folder = SimpleNamespace(spec=SimpleNamespace(location=location))
    bench = SimpleNamespace(folder=folder, device=lambda case: SimpleNamespace(on_host=on_host))
    case = SimpleNamespace(backend=backend)
    monkeypatch.delenv(CONNECTIONS, raising=False)
    assert Bench._connections(bench, case).get(CONNECTIONS) == expected
    monkeypatch.setenv(CONNECTIONS, "4")
    assert Bench._connections(bench, case).get(CONNECTIONS) == (expected and "4")
