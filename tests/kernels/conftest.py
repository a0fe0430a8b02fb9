"""Fixtures shared by the tests of kernels, and selection of their dtypes."""

import zlib
from collections import defaultdict

import pytest
from run_implementation import Runner


def pytest_collection_modifyitems(items):
    """Mark all but one dtype of each implementation's tests as slow, so that `make test` runs one.

    The name of the test selects the dtype: about half of the tests use double precision, the others single precision.
    Building each dtype takes minutes, and the verifier checks every measured dtype anyway. `make test-all` tests all
    dtypes.
    """
    alike = defaultdict(list)
    for item in items:
        dtype = item.callspec.params.get("dtype") if hasattr(item, "callspec") else None
        if dtype and item.path.parent.name == "kernels":
            alike[item.nodeid.replace(dtype, "")].append(item)
    for name, several in alike.items():
        drawn = several[zlib.crc32(name.encode()) % len(several)]
        for item in several:
            if item is not drawn:
                item.add_marker("slow")


@pytest.fixture(scope="module", autouse=True)
def opencl_compiles_quickly():
    """Turn off optimisation in PoCL. With optimisation, a program of four kernels takes ten seconds to compile."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PYOPENCL_BUILD_OPTIONS", "-cl-opt-disable")
        yield


@pytest.fixture(scope="module")
def run(request, tmp_path_factory):
    """Return a Runner of the implementations in the test module's FOLDER."""
    return Runner(request.module.FOLDER, tmp_path_factory.mktemp("built"))
