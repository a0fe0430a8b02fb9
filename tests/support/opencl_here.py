"""OpenCL devices of this machine that can build a program. Tests that need such a device are skipped without one."""

from functools import cache

import pytest

from accelbench.machine.devices import probe
from accelbench.toolchains import opencl_drivers


@cache
def _state():
    return probe(["pyopencl"])["pyopencl"]


def devices():
    """Return every usable Device; skip the test if there is none."""
    if not _state().available:
        pytest.skip(f"no OpenCL device here: {_state().reason}")
    return _state().devices


def queue(device=None):
    """Return a queue on a device, the first one by default."""
    import pyopencl as cl

    return cl.CommandQueue(cl.Context([opencl_drivers.find(**(device or devices()[0]).index)]))
