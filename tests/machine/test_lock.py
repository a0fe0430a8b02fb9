"""Tests of the machine's lock: one process measures, others wait or are refused, and the lock ends with its owner."""

import getpass
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from bench import Bench

from accelbench.errors import InputError
from accelbench.machine import lock
from accelbench.processes.supervision import with_package

HOLDING = """
import sys, time
from accelbench.machine.lock import machine_lock
with machine_lock():
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def owner(monkeypatch, tmp_path):
    """Yield a process that holds a lock used by this test only."""
    monkeypatch.setenv(lock.NAME, f"accelbench-{tmp_path.name}-{os.getpid()}")
    monkeypatch.setenv("ACCELBENCH_NOTICES", "")
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING], stdout=subprocess.PIPE, env=with_package(os.environ)
    ) as process:
        assert process.stdout.readline() == b"held\n"
        yield process
        process.kill()


def test_who_may_not_wait_is_told_whom_for(owner, monkeypatch):
    monkeypatch.setenv(lock.NO_WAIT, "1")
    message = f"process {owner.pid} of {getpass.getuser()} is measuring"
    with pytest.raises(InputError, match=message), lock.machine_lock():
        pass


def test_one_waits_for_the_owner_however_it_ends(owner, capfd):
    threading.Timer(0.5, lambda: owner.send_signal(signal.SIGKILL)).start()
    begin = time.monotonic()
    with lock.machine_lock():
        assert time.monotonic() - begin > 0.4
        assert owner.wait() == -signal.SIGKILL
    assert f"waiting: process {owner.pid}" in capfd.readouterr().err


def test_the_lock_can_be_taken_again(monkeypatch):
    monkeypatch.setenv(lock.NO_WAIT, "1")
    for _ in range(2):
        with lock.machine_lock():
            pass


@pytest.mark.processes
def test_a_kernel_of_another_folder_waits(owner, tmp_path, described):
    bench = Bench(tmp_path, described)
    threading.Timer(1.0, owner.kill).start()
    begin = time.monotonic()
    bench.measure()
    assert owner.wait(1) == -signal.SIGKILL
    assert time.monotonic() - begin > 0.9
