"""What `prepare` is given."""

import ctypes
import math
from pathlib import Path

import numpy as np
import pytest

from accelbench.kernels import catalog
from accelbench.worker.case import CTYPES, KernelCase

KERNELS = Path(__file__).parents[2] / "kernels"


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


def test_ctype_is_as_long_as_the_dtype_or_a_part_of_it():
    named = {"float": ctypes.c_float, "double": ctypes.c_double, "int": ctypes.c_int, "unsigned char": ctypes.c_ubyte}
    for dtype in CTYPES:
        parts = 2 if "complex" in dtype else 1
        case = KernelCase(dtype=dtype)
        assert parts * ctypes.sizeof(named[case.ctype]) == case.itemsize == np.dtype(dtype).itemsize


def test_ctype_is_known_of_every_dtype_that_a_kernel_is_specified_for():
    specifications = map(catalog.load_specification, catalog.find([KERNELS]).values())
    assert {dtype for specification in specifications for dtype in specification.spec.dtypes} <= set(CTYPES)
