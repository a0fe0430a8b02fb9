"""Fixtures shared by the tests of measuring."""

import shutil

import pytest
from bench import Bench

SWEPT = '''
"""Doubling in steps of a swept size."""

PARAMETERS = {"step": (1, 1000)}


def prepare(case):
    def run(x, y):
        for start in range(0, x.size, case.step):
            y[start : start + case.step] = 2 * x[start : start + case.step]

    return run
'''
TUNED = '''
"""Doubling in steps of the best size of the sweep."""

TUNED_BY = "numpy_steps"
TOOLCHAIN = "c"
SOURCES = ("numpy_steps.py",)


def prepare(case):
    return case.prepared("numpy_steps", **case.tuned)
'''


@pytest.fixture
def bench(tmp_path, described):
    return Bench(tmp_path, described)


@pytest.fixture(scope="session")
def doubling_measured(tmp_path_factory, described):
    """Return the folder of a Bench whose cases have been measured once."""
    folder = tmp_path_factory.mktemp("measured")
    Bench(folder, described).measure()
    return folder


@pytest.fixture
def measured_bench(tmp_path, described, doubling_measured):
    """Return a Bench whose baseline is measured."""
    shutil.copytree(doubling_measured / "results", tmp_path / "results")
    return Bench(tmp_path, described)


@pytest.fixture(scope="module")
def shared_bench(tmp_path_factory, described):
    return Bench(tmp_path_factory.mktemp("shared"), described)


@pytest.fixture
def tuned_bench(bench):
    """Return a Bench with an implementation that is swept, and one that uses the best parameters of the sweep."""
    bench.write("numpy_steps.py", SWEPT)
    bench.write("numpy_steps_tuned.py", TUNED)
    bench.build()
    return bench
