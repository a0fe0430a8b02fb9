"""The OpenCL devices that tests use: those that can build something. A test that needs one is skipped without."""

from functools import cache

import pytest

from accelbench.machine.devices import probe
from accelbench.toolchains import opencl_drivers


@cache
def _state():
    return probe(["pyopencl"])["pyopencl"]


def devices():
    """Every usable Device; skips the test where there is none."""
    if not _state().available:
        pytest.skip(f"no OpenCL device here: {_state().reason}")
    return _state().devices


def queue(device=None):
    """A queue on a device, the first where none is given."""
    import pyopencl as cl

    return cl.CommandQueue(cl.Context([opencl_drivers.find(**(device or devices()[0]).index)]))
