"""Tests of kernels with numexpr, Pythran, nanobind and f2py: results, number of threads, and release of the GIL."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from run_implementation import Runner, skip_where_missing

from accelbench import project
from accelbench.backends import numexpr as numexpr_backend
from accelbench.kernels import catalog

PATHS = catalog.find([project.ROOT / "kernels"])
FOLDERS = {name: catalog.load(path) for name, path in PATHS.items()}
BACKENDS = ("numexpr", "pythran", "nanobind", "f2py")
SUPPORT = Path(__file__).parents[1] / "support"
# NumPy formulas of the kernels whose results are exact in every dtype for whole numbers
EXACT = {
    "copy": lambda x: x,
    "dot": lambda x, y: np.dot(x, y),
    "saxpy": lambda a, x, y: a * x + y,
    "scale": lambda factor, x: factor * x,
    "sort": lambda x: sorted(x),
    "transpose": lambda x: x.T,
    "vector_add": lambda x, y: x + y,
    "vector_multiply": lambda x, y: x * y,
    "vector_sum": lambda x: x.sum(),
}


def of_today(kernels):
    return [
        (kernel, name)
        for kernel in kernels
        for name, implementation in FOLDERS[kernel].implementations.items()
        if implementation.backend in BACKENDS
    ]


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    """Return a function that maps a kernel's name to the Runner of the kernel's implementations."""
    home, runners = tmp_path_factory.mktemp("today"), {}
    return lambda kernel: runners.setdefault(kernel, Runner(FOLDERS[kernel], home / kernel))


def whole(kernel, size, dtype):
    """Return inputs of a kernel, with all numbers replaced by whole numbers from -8 to 8."""
    folder, rng = FOLDERS[kernel], np.random.default_rng(size)
    inputs = folder.inputs(size, dtype, rng=rng, options=folder.spec.options)
    return {n: rng.integers(-8, 9, np.shape(x)).astype(np.asarray(x).dtype)[()] for n, x in inputs.items()}


@pytest.mark.parametrize("dtype", ["float64", pytest.param("float32", marks=pytest.mark.slow)])
@pytest.mark.parametrize(("kernel", "name"), of_today(EXACT))
def test_whole_numbers_are_exact(runner, kernel, name, dtype):
    for size in (0, 1, 2, 33, 130):
        inputs = whole(kernel, size, dtype)
        wide = {key: np.asarray(value, np.float64) for key, value in inputs.items()}
        try:
            (result,) = runner(kernel)(name, dtype, inputs, size=size)
        except NotImplementedError:  # for empty arrays
            assert size == 0
            continue
        assert np.array_equal(result, EXACT[kernel](**wide)), size


def test_each_backend_has_the_kernels_it_is_good_for():
    count = {b: len({k for k, n in of_today(FOLDERS) if FOLDERS[k].implementations[n].backend == b}) for b in BACKENDS}
    assert all(count[backend] >= least for backend, least in zip(BACKENDS, (10, 10, 6, 6), strict=True)), count


@pytest.mark.parametrize(("kernel", "name"), of_today(["call"]))
def test_calls_add_up(runner, kernel, name):
    assert runner(kernel)(name, "float64", {"x": np.float64(5)}, size=7) == [12.0]


THREADS = """
import os, sys
from pathlib import Path
import numpy as np
from run_implementation import Runner
from accelbench.kernels import catalog
folder = catalog.load(sys.argv[1])
inputs = folder.inputs(int(sys.argv[4]), "float64", rng=np.random.default_rng(1), options=folder.spec.options)
run = Runner(folder, Path(sys.argv[2]), threads=int(sys.argv[5]))
with run.prepared(sys.argv[3], "float64", inputs, size=int(sys.argv[4])) as call:
    call()
    print(len(os.listdir("/proc/self/task")))
"""
SHARING = {
    "numexpr_evaluate": ("saxpy", 100_000),
    "pythran_openmp": ("saxpy", 100_000),
    "pythran_loops_openmp": ("mandelbrot", 64),
    "nanobind_c_openmp": ("saxpy", 100_000),
    "f2py_loop_openmp": ("saxpy", 100_000),
}


@pytest.mark.parametrize("name", SHARING)
def test_threads_are_as_many_as_are_given(tmp_path, name):
    """NumPy's pool has one thread in the separate process, since tests/conftest.py sets OPENBLAS_NUM_THREADS."""
    kernel, size = SHARING[name]
    skip_where_missing(FOLDERS[kernel].implementations[name])
    counts = []
    for threads in ("1", "2", "3"):
        path = os.pathsep.join([str(SUPPORT), *sys.path])
        environment = os.environ | {"OMP_NUM_THREADS": threads, "PYTHONPATH": path}
        command = [sys.executable, "-c", THREADS, str(PATHS[kernel]), str(tmp_path), name, str(size), threads]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        counts.append(int(done.stdout.split()[-1]))
    own = 1 if name.startswith("numexpr") else 0  # numexpr's pool excludes the calling thread
    assert counts[1] - counts[0] == 1 + own
    assert counts[2] - counts[1] == 1


LONG = {
    "numexpr_evaluate": ("elementwise_trig", 3_000_000),
    "pythran_loops": ("mandelbrot", 600),
    "nanobind_c": ("inside_polygon", 1500),
    "f2py_loops": ("mandelbrot", 600),
}


@pytest.mark.parametrize("name", LONG)
def test_other_threads_run_meanwhile(runner, name):
    """A call releases the GIL, so that this thread runs meanwhile."""
    kernel, size = LONG[name]
    folder = FOLDERS[kernel]
    dtype = folder.spec.dtypes[0]
    inputs = folder.inputs(size, dtype, rng=np.random.default_rng(1), options=folder.spec.options)
    with runner(kernel).prepared(name, dtype, inputs, size=size):
        (clock,) = runner(kernel).worker(name).handles.values()
        clock.call.once()
        calling = threading.Thread(target=clock.call.once)
        calling.start()
        ticks = 0
        while calling.is_alive():
            time.sleep(0.001)
            ticks += 1
    assert ticks > 5


def test_numexpr_has_the_threads_it_is_given_and_says_so(monkeypatch):
    numexpr = pytest.importorskip("numexpr")
    before = numexpr.get_num_threads()
    monkeypatch.setenv("NUMEXPR_NUM_THREADS", "1")
    settings = numexpr_backend.Session("numexpr", None).settings()
    assert settings["numexpr_threads"] == numexpr.get_num_threads() == 1
    assert settings["numexpr_vml"] == (numexpr.get_vml_version() if numexpr.use_vml else None)
    numexpr.set_num_threads(before)


@pytest.mark.parametrize("kernel", [kernel for kernel, name in of_today(FOLDERS) if name == "nanobind_c"])
def test_nanobind_refuses_arrays_of_another_dtype(runner, kernel):
    """nanobind refuses arrays of another dtype, since results written to a converted copy would be lost."""
    folder = FOLDERS[kernel]
    dtype, options = folder.spec.dtypes[0], folder.spec.options
    inputs = folder.inputs(8, dtype, rng=np.random.default_rng(1), options=options)
    with runner(kernel).prepared("nanobind_c", dtype, inputs, size=8):
        (clock,) = runner(kernel).worker("nanobind_c").handles.values()
        arguments = clock.problem.arguments
        for place, argument in enumerate(arguments):
            if np.ndim(argument):
                other = argument.astype("float32" if argument.dtype == "float64" else "float64")
                with pytest.raises(TypeError, match="incompatible function arguments"):
                    clock.call.run(*arguments[:place], other, *arguments[place + 1 :])
