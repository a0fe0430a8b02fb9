"""Tests of the results of Numba's CUDA implementations. Numba's simulator runs their Python code."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from numba_simulator import PROBLEMS, simulate

from accelbench.kernels.implementation import read_implementation

ROOT = Path(__file__).parents[2]
# Implementations that the simulator cannot run: numba.vectorize needs compiled code
NOT_SIMULATED = ("numba_cuda_vectorize",)
FILES = sorted(
    file
    for parent in ("kernels", "workflow/peaks")
    for file in (ROOT / parent).glob("*/numba_cuda_*.py")
    if file.stem not in NOT_SIMULATED
)


@pytest.fixture(scope="module")
def simulator():
    """Yield a process in which Numba simulates CUDA."""
    with (
        pytest.MonkeyPatch.context() as environment,
        ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process,
    ):
        environment.setenv("NUMBA_ENABLE_CUDASIM", "1")
        yield process


def _quick(file):
    """Return whether the file is the first of its kernel; tests of the others are slow tests."""
    return file == next(each for each in FILES if each.parent == file.parent)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(file, id=f"{file.parent.name}/{file.stem}", marks=() if _quick(file) else pytest.mark.slow)
        for file in FILES
    ],
)
def test_simulated(simulator, file):
    solved = simulator.submit(simulate, file.parent, file.stem).result()
    assert solved >= min(map(len, PROBLEMS.values()))


@pytest.mark.parametrize("name", NOT_SIMULATED)
def test_what_is_left_out_exists_and_is_read(name):
    files = list((ROOT / "kernels").glob(f"*/{name}.py"))
    assert files
    assert all(read_implementation(file)[0].backend == "numba_cuda" for file in files)
