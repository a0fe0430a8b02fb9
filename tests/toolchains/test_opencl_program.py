"""Tests that OpenCL binaries are built, loaded and run."""

import dataclasses
from pathlib import Path

import opencl_here
import pytest
from building import RUN, folders, make

from accelbench import toolchains
from accelbench.processes.supervision import FURTHER
from accelbench.toolchains.log import telling_line

CL = """
#include "factor.h"
#ifndef EXTRA
#define EXTRA 0
#endif
kernel void scale(global float *x) { x[get_global_id(0)] = FACTOR * x[get_global_id(0)] + EXTRA; }
"""


@pytest.fixture(scope="module")
def devices():
    return opencl_here.devices()


@pytest.mark.slow
def test_opencl_binaries_compute_what_their_source_says(kernel, out, devices):
    import numpy as np
    import pyopencl as cl
    import pyopencl.array

    folder = kernel(
        total_cl=CL,
        factor_h="#define FACTOR 3\n",
        pyopencl_raw_py=f'SOURCES = ("total.cl",)\nVARIANTS = {{"extra": ("-DEXTRA=1",)}}{RUN}',
        pyopencl_same_py=f'SOURCES = ("total.cl",){RUN}',
    )
    manifest = make(folder, "opencl", out, devices=devices)
    assert len(folders(out, "opencl")) == 2 * len(devices), "equal source, flags and device are built once"
    for device in devices:
        queue = opencl_here.queue(device)
        for name, extra in (("pyopencl_raw", 0), ("pyopencl_raw_extra", 1), ("pyopencl_same", 0)):
            entry = manifest.find(name, "total.cl", device.name)
            assert entry.outcome == "ok", entry.log
            binary = Path(toolchains.open_artifact(entry, out, "opencl")).read_bytes()
            program = cl.Program(queue.context, [queue.device], [binary]).build()
            x = pyopencl.array.to_device(queue, np.arange(64, dtype=np.float32))
            cl.Kernel(program, "scale")(queue, (64,), None, x.data)
            assert (x.get() == 3 * np.arange(64) + extra).all()


def test_opencl_fails_on_the_one_device_that_cannot(kernel, out, devices):
    gone = dataclasses.replace(devices[0], name="unplugged", index={**devices[0].index, "device": 99})
    folder = kernel(total_cl=CL, factor_h="#define FACTOR 3\n", pyopencl_raw_py=f'SOURCES = ("total.cl",){RUN}')
    manifest = make(folder, "opencl", out, devices=[*devices, gone])
    assert manifest.find("pyopencl_raw", "total.cl", devices[0].name).outcome == "ok"
    entry = manifest.find("pyopencl_raw", "total.cl", "unplugged")
    assert entry.outcome == "build_failed"
    assert "no device 99" in entry.log


def test_opencl_words_are_kept(kernel, out, devices):
    folder = kernel(
        total_cl=CL.replace("FACTOR *", "undeclared *"), factor_h="\n", pyopencl_raw_py=f'SOURCES = ("total.cl",){RUN}'
    )
    entry = make(folder, "opencl", out, devices=devices[:1]).find("pyopencl_raw", "total.cl", devices[0].name)
    assert entry.outcome == "build_failed"
    assert "undeclared" in telling_line(entry.log)


def test_opencl_driver_that_aborts_is_a_failed_build_with_its_words(kernel, out, devices, tmp_path, monkeypatch):
    (tmp_path / "pyopencl.py").write_text("import os\nos.write(2, b'no linker here')\nos.abort()\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv(FURTHER, "PYTHONPATH")
    folder = kernel(total_cl=CL, factor_h="\n", pyopencl_raw_py=f'SOURCES = ("total.cl",){RUN}')
    entry = make(folder, "opencl", out, devices=devices[:1]).find("pyopencl_raw", "total.cl", devices[0].name)
    assert entry.outcome == "build_failed"
    assert "no linker here" in entry.log
    assert "SIGABRT" in entry.log
