"""What a test loads changes no number of another."""

import ctypes
import subprocess

import pytest
from rounding import restore_rounding


def test_a_library_that_flushes_to_zero_does_so_for_its_own_test_alone(tmp_path):
    (tmp_path / "nothing.c").write_text("void nothing(void) {}\n")
    library = tmp_path / "nothing.so"
    subprocess.run(["gcc", "-shared", "-ffast-math", "-o", library, tmp_path / "nothing.c"], check=True)
    ctypes.CDLL(library)
    if float("1e-320"):
        pytest.skip("this compiler's libraries leave small numbers alone")
    restore_rounding()
    assert float("1e-320") * 2 == float("2e-320") > 0
