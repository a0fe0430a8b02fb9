"""What the tests of kernels share."""

import pytest


@pytest.fixture(scope="module", autouse=True)
def opencl_compiles_quickly():
    """PoCL needs ten seconds to optimise a program of four kernels, which computes the same without."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PYOPENCL_BUILD_OPTIONS", "-cl-opt-disable")
        yield
