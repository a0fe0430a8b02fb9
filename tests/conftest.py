"""Under pytest-xdist, tests marked `quiet` have the machine to themselves: the others wait until they are through."""

import fcntl
import os
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest


@pytest.hookimpl(wrapper=True, tryfirst=True)  # outside the time limit: waiting is not the test's fault
def pytest_runtest_protocol(item):
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return (yield)
    kind = fcntl.LOCK_EX if item.get_closest_marker("quiet") else fcntl.LOCK_SH
    with ExitStack() as machine:
        with locked("turn", fcntl.LOCK_EX):  # else those who share would never let a quiet one in
            machine.enter_context(locked("machine", kind))
        return (yield)


@contextmanager
def locked(name, kind):
    """One lock of that name for all of a user's test runs on this machine."""
    with Path(tempfile.gettempdir(), f"accelbench-tests-{os.getuid()}-{name}.lock").open("w") as stream:
        fcntl.flock(stream, kind)
        try:
            yield
        finally:
            fcntl.flock(stream, fcntl.LOCK_UN)  # closing is not enough while a process forked meanwhile lives
