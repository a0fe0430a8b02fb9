"""Tests that CPU time includes threads and child processes, whether running or ended."""

import subprocess
import sys
import threading
import time

import pytest

from accelbench.worker import clock

SPENT_S = 0.2
SPENDING = f"import time\nwhile time.process_time() < {SPENT_S}:\n    pass\n"


def spend():
    begin = time.thread_time()
    while time.thread_time() < begin + SPENT_S:
        pass


def in_a_thread():
    thread = threading.Thread(target=spend)
    thread.start()
    thread.join()


def in_a_process_that_ends():
    subprocess.run([sys.executable, "-c", SPENDING], check=True)


@pytest.mark.parametrize("how", [spend, in_a_thread, in_a_process_that_ends])
def test_cpu_time_is_counted(how):
    begin = clock._cpu_s()
    how()
    assert clock._cpu_s() - begin > 0.9 * SPENT_S


ORPHAN = f"""
import os, signal, sys

from accelbench.processes.keeper import adopt_orphans, descendants
from accelbench.worker import clock

adopt_orphans()
begin, (reading, writing) = clock._cpu_s(), os.pipe()
if not os.fork():
    if not os.fork():
        os.setsid()
        {SPENDING.replace(chr(10), chr(10) + 8 * " ")}
        os.write(writing, b"spent")
        signal.pause()
    os._exit(0)
os.read(reading, 5)
print(clock._cpu_s() - begin)
for process in descendants(os.getpid()):
    os.kill(process, signal.SIGKILL)
"""


def test_cpu_time_of_a_process_without_a_parent_is_counted():
    done = subprocess.run([sys.executable, "-c", ORPHAN], capture_output=True, text=True, check=True)
    assert float(done.stdout) > 0.9 * SPENT_S
