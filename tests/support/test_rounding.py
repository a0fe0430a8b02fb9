"""Test that a library loaded by one test does not change the numbers of another test."""

import ctypes
import subprocess

import pytest
from rounding import restore_rounding

# C function that returns how many of two threads flush half of the smallest normal number to 0
FLUSHING = """
#include <float.h>
int flushing(void)
{
    int count = 0;
    volatile double smallest = DBL_MIN;
#pragma omp parallel num_threads(2) reduction(+ : count)
    count += smallest / 2 == 0;
    return count;
}
"""


def test_a_library_that_flushes_to_zero_does_so_for_its_own_test_alone(tmp_path):
    (tmp_path / "flushing.c").write_text(FLUSHING)
    library = tmp_path / "flushing.so"
    build = ["gcc", "-shared", "-fPIC", "-fopenmp", "-ffast-math", "-o", library, tmp_path / "flushing.c"]
    subprocess.run(build, check=True)
    flushing = ctypes.CDLL(library).flushing
    if float("1e-320"):
        pytest.skip("libraries of this compiler do not flush subnormal numbers")
    assert flushing()
    restore_rounding()
    assert float("1e-320") * 2 == float("2e-320") > 0
    assert flushing() == 0, "threads started earlier flush, too"
