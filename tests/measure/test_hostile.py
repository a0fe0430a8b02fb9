"""Tests with implementations that attack their worker process: at most their own case fails, within its time limit."""

import json
import textwrap
import time

import psutil
import pytest

from accelbench.measure import client

SOCKET = """
import os
import socket
import stat
import struct
import time

def answer(*parts):
    for descriptor in map(int, os.listdir("/proc/self/fd")):
        try:
            if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                os.write(descriptor, b"".join(parts))
        except OSError:
            pass

def header(number, length, process=0):
    return struct.pack("!8sIQQQ", b"accelb\\r\\n", process or os.getpid(), number, length, 0)
"""

SECONDS = f"1{time.monotonic_ns()}"  # unique, so that no other process sleeps for this time
LEAVES = f"""
        import os
        import subprocess

        left, sleep = [], ["sleep", "{SECONDS}"]
"""


def on_socket(source):
    """Return the source of an implementation that writes to its worker's socket."""
    return SOCKET + textwrap.dedent(source)


PLANTED = {
    "numpy_forks": (
        """
        import os

        forked = []

        def run(x, y):
            forked or forked.append(os.fork())
            y[:] = 2 * x
        """,
        "ok",
        None,
    ),
    "ctypes_forks": (
        """
        import ctypes

        forked = []

        def run(x, y):
            forked or forked.append(ctypes.CDLL(None).fork())
            y[:] = 2 * x
        """,
        "ok",
        None,
    ),
    "numpy_stray": (
        on_socket("""
        def run(x, y):
            answer(b"stray bytes, and more of them than a header has")
        """),
        "error",
        "data other than answers",
    ),
    "numpy_answers_itself": (
        on_socket("""
        def run(x, y):
            answer(header(1, 12), b'["ok", null]')
        """),
        "error",
        "the answer to request 1",
    ),
    "numpy_answers_for_another": (
        on_socket("""
        def run(x, y):
            answer(header(1, 12, os.getppid()), b'["ok", null]')
        """),
        "error",
        "answered for process",
    ),
    "numpy_half": (
        on_socket("""
        def run(x, y):
            answer(header(1, 12)[:2])
            time.sleep(100)
        """),
        "timeout",
        "no answer within 8 s",
    ),
    "numpy_promises": (
        on_socket("""
        def run(x, y):
            for number in range(16):
                answer(header(number, 2 << 30))
            time.sleep(100)
        """),
        "error",
        "is rejected",
    ),
    "numpy_closes": (
        """
        import os

        def run(x, y):
            os.closerange(0, 1024)
        """,
        "crashed",
        "",
    ),
    "numpy_unprintable": (
        """
        class Silent(Exception):
            def __str__(self):
                raise self
            __repr__ = __str__

        def run(x, y):
            raise Silent
        """,
        "error",
        "Silent",
    ),
    "numpy_surrogate": (
        """
        def run(x, y):
            raise ValueError("half \\ud800 of \\x1b[31m it")
        """,
        "error",
        "half \\ud800 of \\x1b[31m it",
    ),
    "numpy_talkative": (
        """
        def run(x, y):
            raise ValueError("blah" * 8_000_000)
        """,
        "error",
        "ValueError: blah",
    ),
    "numpy_prints_without_end": (
        """
        import os

        def run(x, y):
            os.lseek(2, 1 << 42, os.SEEK_SET)  # a sparse file, which does not fill the disk
            os.write(2, b"more")
            y[:] = 2 * x
        """,
        "error",
        "File too large",
    ),
    "numpy_leaves": ("def run(x, y):\n    raise SystemExit(0)", "error", "SystemExit"),
    "numpy_interrupts": ("def run(x, y):\n    raise KeyboardInterrupt", "error", "KeyboardInterrupt"),
    "numpy_gives_up": ("def run(x, y):\n    raise GeneratorExit", "error", "GeneratorExit"),
    "numpy_leaves_at_once": ("raise SystemExit(0)\n\ndef run(x, y):\n    pass", "error", "SystemExit"),
    "numpy_leaves_a_child": (
        LEAVES
        + """
        def run(x, y):
            left or left.append(subprocess.Popen(sleep))
            y[:] = 2 * x
        """,
        "ok",
        None,
    ),
    "numpy_leaves_a_session": (
        LEAVES
        + """
        def run(x, y):
            left or left.append(subprocess.Popen(sleep, start_new_session=True))
            y[:] = 2 * x
        """,
        "ok",
        None,
    ),
    "numpy_leaves_an_orphan": (
        LEAVES
        + """
        def run(x, y):
            left or left.append(subprocess.run(["bash", "-c", "setsid sleep $0 & exit", sleep[1]]))
            y[:] = 2 * x
        """,
        "ok",
        None,
    ),
    "numpy_leaves_an_orphan_and_crashes": (
        LEAVES
        + """
        def run(x, y):
            subprocess.run(["bash", "-c", "setsid sleep $0 & exit", sleep[1]])
            os.abort()
        """,
        "crashed",
        "aborted",
    ),
    "numpy_leaves_a_burner": (
        LEAVES
        + """
        def run(x, y):
            left or left.append(subprocess.run(["bash", "-c", "(while :; do :; done) & exit"]))
            y[:] = 2 * x
        """,
        "error",
        "its child processes used",
    ),
    "numpy_ends_its_keeper": (
        """
        import os
        import signal

        def run(x, y):
            os.kill(os.getppid(), signal.SIGKILL)
            signal.pause()
        """,
        "crashed",
        "",
    ),
    "numpy_ends_by_a_signal_without_a_name": (
        "import os\n\ndef run(x, y):\n    os.kill(os.getpid(), 40)",
        "crashed",
        "signal 40",
    ),
    "numpy_ends_its_group": (
        """
        import os
        import signal

        def run(x, y):
            os.killpg(0, signal.SIGTERM)
            signal.pause()
        """,
        "crashed",
        "SIGTERM",
    ),
    "numpy_stops_clocks": (
        """
        import time

        time.perf_counter = lambda: "noon"

        def run(x, y):
            y[:] = 2 * x
        """,
        "wrong_result",
        "the implementation replaced time.perf_counter",
    ),
    "numpy_turns_clocks_back": (
        """
        import itertools
        import time
        import timeit

        now = itertools.count(0, -1)
        time.perf_counter = lambda: next(now)

        def run(x, y):
            y[:] = 2 * x
        """,
        "wrong_result",
        "the implementation replaced time.perf_counter",
    ),
}


@pytest.fixture(scope="module")
def measured(shared_bench):
    for name, (source, *_) in PLANTED.items():
        shared_bench.write(f"{name}.py", f'"""{name}"""\n' + textwrap.dedent(source))
    shared_bench.settings["protocol"] |= {"timeout_s": 8.0, "startup": False}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(client, "GRACE_S", 0.1)
        return shared_bench.measure()


@pytest.mark.parametrize("name", PLANTED)
def test_each_costs_its_own_case_alone(measured, name):
    _, outcome, words = PLANTED[name]
    assert measured[name].outcome == outcome, measured[name].reason
    if words is not None:
        assert words in measured[name].reason


def test_the_healthy_one_beside_them_is_measured(measured):
    assert measured["numpy_multiply"].outcome == "ok"


def test_no_process_stays(measured):
    sleepers = [p for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"] == ["sleep", SECONDS]]
    assert not sleepers


def test_every_reason_can_be_shown_and_is_short(measured, shared_bench):
    said = [record.reason for record in measured.values() if record.reason]
    said += [entry["reason"] for entry in shared_bench.entries() if entry["reason"]]
    assert len(said) >= 2 * 14
    for reason in said:
        assert len(reason) <= 1000
        assert reason.isprintable()
    lines = (shared_bench.results / "timings" / "doubling.jsonl").read_text().splitlines()
    assert len(lines) == len(PLANTED) + 1
    assert all(json.loads(line)["kernel"] == "doubling" for line in lines)
