"""In which order files run, what `make test-fast` leaves out, and quiet tests.

Under pytest-xdist, tests marked `quiet` have the machine to themselves: the others wait until they are through.
"""

import copy
import fcntl
import os
import tempfile
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

import pytest

from accelbench import config, machine, run
from accelbench.machine import devices

HERE = Path(__file__).parent
# Not beside the kernels, where others who imported a file by another name may have left theirs.
os.environ.setdefault("NUMBA_CACHE_DIR", str(HERE.parent / ".pytest_cache" / "numba"))
# Files whose tests build, measure or draw much, slowest first, so that workers that take whole files end together.
SLOWEST = HERE.joinpath("slowest.txt").read_text().split()


def pytest_collection_modifyitems(items):
    ranks = {name: rank for rank, name in enumerate(SLOWEST)}
    for item in items:
        if item.path.relative_to(HERE).as_posix() in ranks:
            item.add_marker("processes")
    items.sort(key=lambda item: ranks.get(item.path.relative_to(HERE).as_posix(), len(ranks)))


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


looked_for = cache(devices.probe)


@contextmanager
def probed_once():
    with pytest.MonkeyPatch.context() as patch:
        for module in (devices, run):
            patch.setattr(module, "probe", lambda backends=None: copy.deepcopy(looked_for()))
        yield


@pytest.fixture(scope="module")
def devices_looked_for_once():
    """For tests that describe this machine on their way to something else: looking takes 4 s of a core each time."""
    with probed_once():
        yield


@pytest.fixture(scope="session")
def described():
    """This machine, as machine.json holds it. A run that finds it in its results does not look for devices itself."""
    with probed_once():
        return machine.describe("local", config.parse({}))
