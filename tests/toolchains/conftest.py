"""Fixtures of the tests of toolchains: a kernel folder for planted sources, and a folder for their builds."""

import tempfile
from pathlib import Path

import pytest
from building import RUN, START_H, TOTAL_C, TOTAL_H

from accelbench.kernels import catalog
from accelbench.kernels.implementation import read_implementation


@pytest.fixture
def kernel(tmp_path):
    """Return a function that writes files to a kernel folder, whose path has a space, and returns a KernelFolder."""
    path = tmp_path / "my kernels" / "total"
    path.mkdir(parents=True)

    def plant(**texts):
        for name, text in texts.items():
            stem, _, suffix = name.rpartition("_")
            (path / f"{stem}.{suffix}").write_text(text)
        found = [i for f in sorted(path.iterdir()) if f.suffix in (".py", ".pyx") for i in read_implementation(f)]
        return catalog.KernelFolder("total", path, None, {}, {i.name: i for i in found})

    return plant


@pytest.fixture
def c_kernel(kernel):
    return kernel(total_c=TOTAL_C, total_h=TOTAL_H, start_h=START_H, ctypes_c_py=f'SOURCES = ("total.c",){RUN}')


@pytest.fixture
def out(tmp_path_factory):
    """Return the build folder of one kernel, in a folder shared by all tests, like the builds of one run."""
    results = tmp_path_factory.getbasetemp() / "my results"
    results.mkdir(exist_ok=True)
    return Path(tempfile.mkdtemp(dir=results))
