"""What the tests of measuring share."""

import shutil

import pytest
from bench import Bench

SWEPT = '''
"""In steps."""

PARAMETERS = {"step": (1, 1000)}


def prepare(case):
    def run(x, y):
        for start in range(0, x.size, case.step):
            y[start : start + case.step] = 2 * x[start : start + case.step]

    return run
'''
TUNED = '''
"""In steps that are tuned."""

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
    """A folder of a Bench that has measured once what is in it."""
    folder = tmp_path_factory.mktemp("measured")
    Bench(folder, described).measure()
    return folder


@pytest.fixture
def measured_bench(tmp_path, described, doubling_measured):
    """A Bench whose baseline is measured."""
    shutil.copytree(doubling_measured / "results", tmp_path / "results")
    return Bench(tmp_path, described)


@pytest.fixture(scope="module")
def shared_bench(tmp_path_factory, described):
    return Bench(tmp_path_factory.mktemp("shared"), described)


@pytest.fixture
def tuned_bench(bench):
    """A Bench with an implementation that is swept, and one that is tuned by it."""
    bench.write("numpy_steps.py", SWEPT)
    bench.write("numpy_steps_tuned.py", TUNED)
    bench.build()
    return bench
