"""Tests of the KernelCase that is passed to `prepare`."""

import math
import subprocess

import numpy as np
import pytest

from accelbench.kernel import DTYPES
from accelbench.worker.case import KernelCase


@pytest.mark.parametrize("size", [0, 1, 31, 32, 33, 1000])
@pytest.mark.parametrize("per", [1, 4])
def test_blocks_cover_the_size_with_none_to_spare(size, per):
    blocks = KernelCase(size=size, block_size=32).blocks(per)
    assert blocks >= 1
    assert blocks * 32 * per >= size
    assert blocks == 1 or (blocks - 1) * 32 * per < size


def test_blocks_of_a_length_that_is_given():
    assert KernelCase(size=5, block_size=32).blocks(n=np.int64(1000)) == math.ceil(1000 / 32)


def test_blocks_of_two_dimensions_are_a_pair():
    case = KernelCase(size=100, block_size=(16, 8))
    assert case.blocks() == (7, 13)
    assert case.blocks(2) == (4, 7)
    assert case.blocks((1, 4)) == (7, 4)
    assert case.blocks((1, 4), (20, 40)) == (2, 2)
    assert case.blocks(n=0) == (1, 1)


@pytest.mark.parametrize("place", [{}, {"queue": object()}, {"stream": object()}])
def test_ctype_is_as_long_as_the_dtype_or_a_part_of_it(place, tmp_path):
    """A C compiler confirms the size of each ctype; names of types in OpenCL and CUDA are also valid in C."""
    asked = ["#include <stdbool.h>", "#include <stdint.h>"]
    for dtype in sorted(set(DTYPES) - {"float16"}):
        case, parts = KernelCase(dtype=dtype, **place), 2 if "complex" in dtype else 1
        assert case.itemsize == np.dtype(dtype).itemsize
        asked.append(f'_Static_assert({parts} * sizeof({case.ctype}) == {case.itemsize}, "{dtype}");')
        if dtype.startswith(("int", "uint")):
            asked.append(f'_Static_assert((({case.ctype})-1 > 0) == {int(dtype[0] == "u")}, "sign of {dtype}");')
    (tmp_path / "sizes.c").write_text("\n".join(asked))
    compiled = subprocess.run(["gcc", "-fsyntax-only", tmp_path / "sizes.c"], capture_output=True, text=True)
    assert compiled.returncode == 0, compiled.stderr


def test_ctype_of_half_precision_is_that_of_gpus():
    assert KernelCase(dtype="float16", stream=object()).ctype == "half"
    with pytest.raises(NotImplementedError, match="float16 has no C type"):
        _ = KernelCase(dtype="float16").ctype
