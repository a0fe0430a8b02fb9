"""What the tests of kernels share."""

import zlib
from collections import defaultdict

import pytest
from run_implementation import Runner


def pytest_collection_modifyitems(items):
    """Of a test of one implementation in several dtypes, `make test` runs one, drawn by the test's name: half of the
    implementations in double, half in single precision. Building them in each takes minutes, and the verifier holds
    every dtype that is measured against the reference anyway. `make test-all` runs all."""
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
    """PoCL needs ten seconds to optimise a program of four kernels, which computes the same without."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PYOPENCL_BUILD_OPTIONS", "-cl-opt-disable")
        yield


@pytest.fixture(scope="module")
def run(request, tmp_path_factory):
    """Runner of the implementations in the test module's FOLDER."""
    return Runner(request.module.FOLDER, tmp_path_factory.mktemp("built"))
