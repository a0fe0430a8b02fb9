"""Tests of cuda.core: session with stand-ins for driver and library, compiler, and reasons for unavailability."""

import ctypes
import gc
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from accelbench import backends
from accelbench.backends import Device, cuda, cuda_core, cuda_driver
from accelbench.discovery import installed_version
from accelbench.kernels.implementation import read_implementation

TESTS = Path(__file__).parents[1]
WORKFLOW = TESTS.parent / "workflow"
KERNELS = TESTS.parent / "kernels"


def _sources(implementation):
    """Return the .cu files that an implementation names."""
    kernel = read_implementation(implementation)[0]
    return [implementation.with_name(source) for source in kernel.sources]


@pytest.fixture(scope="session")
def pretended(tmp_path_factory):
    """Return a folder with a stand-in for libcuda.so.1 that needs no GPU."""
    folder = tmp_path_factory.mktemp("driver")
    source = TESTS / "backends" / "pretended_driver.c"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", folder / "libcuda.so.1", source], check=True)
    return folder


# Session, with a stand-in for the library that uses memory of the host


class Buffer:
    """Bytes at an address that are valid while their owner lives."""

    @classmethod
    def from_handle(cls, ptr, size, mr=None, owner=None):
        buffer = cls()
        buffer.ptr, buffer.size, buffer.owner = ptr, size, owner
        return buffer

    def copy_from(self, src, *, stream):
        assert src.size == self.size > 0
        assert isinstance(stream, Stream)
        stream.queued.append((self.ptr, src.ptr, self.size))

    def copy_to(self, dst, *, stream):
        dst.copy_from(self, stream=stream)


class StridedMemoryView:
    """A Buffer with a shape and a dtype."""

    @classmethod
    def from_buffer(cls, buffer, shape, strides=None, *, dtype):
        assert isinstance(dtype, np.dtype)
        view = cls()
        view.exporting_obj, view.shape, view.dtype, view.ptr = buffer, shape, dtype, buffer.ptr
        return view


class Stream:
    """Stream that executes its operations when it is synchronised."""

    handle = 0

    def __init__(self):
        self.queued = []

    def sync(self):
        for to, given, nbytes in self.queued:
            ctypes.memmove(to, given, nbytes)
        self.queued.clear()


class CoreDevice:
    """A device, which must be current to make streams."""

    current = None

    def __init__(self, number=None):
        self.number = number

    def set_current(self):
        CoreDevice.current = self.number

    def create_stream(self, obj=None, options=None):
        assert CoreDevice.current == self.number == 0
        assert options.nonblocking is False, "work on the default stream is not timed"
        return Stream()


class Kernel:
    handle = 3


@pytest.fixture
def session(pretended, monkeypatch):
    core, utils = ModuleType("cuda.core"), ModuleType("cuda.core.utils")
    vars(core).update(Device=CoreDevice, Buffer=Buffer, Kernel=Kernel, StreamOptions=SimpleNamespace)
    utils.StridedMemoryView = StridedMemoryView
    monkeypatch.setitem(sys.modules, "cuda", ModuleType("cuda"))
    monkeypatch.setitem(sys.modules, "cuda.core", core)
    monkeypatch.setitem(sys.modules, "cuda.core.utils", utils)
    monkeypatch.setattr(cuda_driver, "LIBRARY", str(pretended / "libcuda.so.1"))
    cuda_driver.driver.cache_clear()
    opened = cuda_core.Session("cuda_core", Device("NVIDIA Pretence", "gpu", {"device": 0}))
    yield opened
    opened.close()
    cuda_driver.driver.cache_clear()


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint8"])
@pytest.mark.parametrize("shape", [(1,), (31,), (3, 5), (0,), (100_003,)])
def test_copies_there_and_back(session, shape, dtype):
    host = np.random.default_rng(0).integers(0, 200, shape).astype(dtype)
    host.flags.writeable = False
    array = session.empty(shape, dtype)
    session.copy_in(array, host)
    back, into = session.copy_out(array), np.zeros(shape, dtype)
    assert (back.dtype, back.shape) == (host.dtype, host.shape)
    assert np.array_equal(back, host)
    assert session.copy_out(array, into) is into
    assert np.array_equal(into, host)
    assert session.intact(array)


def test_what_is_copied_in_is_of_the_arrays_dtype_and_without_gaps(session):
    array = session.empty((4,), "float64")
    session.copy_in(array, np.arange(8, dtype="float32")[::2])
    assert np.array_equal(session.copy_out(array), [0.0, 2.0, 4.0, 6.0])


def test_poison_is_no_number_and_lies_within_the_guard_zones(session):
    array = session.empty((33,), "float32")
    session.poison(array)
    assert np.isnan(session.copy_out(array)).all()
    assert session.intact(array)
    ctypes.memset(array.ptr + 33 * 4, 0, 1)
    assert not session.intact(array)


def test_memory_lasts_as_long_as_an_array_on_it(session):
    used, array = session._api._library.pretend_used, session.empty((1000,), "float64")
    session.release(array)
    gc.collect()
    before = used()
    del array
    gc.collect()
    assert used() <= before - 8000 - 2 * cuda.GUARD


def test_plain_numbers_are_results_too(session):
    assert session.copy_out(np.float32(3)) == 3
    assert session.copy_out(7) == 7


def test_the_driver_is_asked_of_a_kernels_function(session):
    """The session gets a kernel's function from the driver, whose stand-in returns 1003 for kernel 3."""
    assert session.function(Kernel()) == 1003
    assert session.function(session.stream) is None
    assert session.attributes(Kernel()).max_block_size > 0


# compilation

SOURCES = sorted({file for implementation in KERNELS.glob("*/cuda_core_*.py") for file in _sources(implementation)})


@pytest.mark.skipif(installed_version("cuda-core") is None, reason="cuda-core is not installed")
@pytest.mark.parametrize("file", SOURCES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_its_own_compiler_takes_every_source(file):
    """NVRTC compiles every source without a GPU, and the binary contains code."""
    core = pytest.importorskip("cuda.core")
    program = core.Program(file.read_text(), "c++", core.ProgramOptions(arch="sm_90"))
    try:
        code = program.compile("cubin").code
    except Exception as error:
        if "NotFound" in type(error).__name__ or "NotFound" in str(error):
            pytest.skip("NVRTC is not installed")
        raise
    assert b".text." in code


# reasons for unavailability


def look(folder, **environment):
    """Return the result of probing cuda.core in a process that finds a library in `folder`."""
    code = [sys.executable, "-m", "accelbench.machine.look", "cuda_core"]
    given = os.environ | {"PYTHONPATH": os.pathsep.join([str(WORKFLOW), str(folder)])} | environment
    done = subprocess.run(code, env=given, capture_output=True, text=True, cwd="/", check=True)
    return json.loads(done.stdout)["cuda_core"]


def installed(folder, **texts):
    """Write distributions and modules with these texts to a folder. Return the folder."""
    for name in ("cuda_core", "cuda_bindings"):
        (folder / f"{name}-1.dist-info").mkdir()
        metadata = f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: 1\n"
        (folder / f"{name}-1.dist-info" / "METADATA").write_text(metadata)
    for name, text in texts.items():
        file = folder / "cuda" / name.replace("__", "/") / "__init__.py"
        file.parent.mkdir(parents=True)
        file.write_text(text)
    return folder


VIEW = "class StridedMemoryView:\n    def from_buffer(self):\n        pass\n"


class TestReasons:
    @pytest.mark.skipif(installed_version("cuda-core") is not None, reason="cuda-core is installed")
    def test_no_package(self, tmp_path):
        assert look(tmp_path)["reason"].startswith("package cuda-core not installed: pip install ")

    def test_an_old_package_is_told_what_helps(self, tmp_path, pretended):
        folder = installed(tmp_path, core="", core__utils=VIEW)
        reason = look(folder, LD_LIBRARY_PATH=str(pretended))["reason"]
        assert reason.endswith("older than 0.6, which renamed its classes: pip install -U cuda-core")

    def test_devices(self, tmp_path, pretended):
        core, bindings = "class Device:\n    pass\n", '__version__ = "13.1"\n'
        folder = installed(tmp_path, core=core, core__utils=VIEW, bindings=bindings)
        found = look(folder, LD_LIBRARY_PATH=str(pretended), PRETEND_CUDA="13000")
        assert [device["name"] for device in found["devices"]] == ["NVIDIA Pretence"]
        assert found["devices"][0]["versions"]["runtime"] == "13.1"

    def test_a_driver_that_is_too_old_says_which_is_not(self, tmp_path, pretended):
        core, bindings = "class Device:\n    pass\n", '__version__ = "13.1"\n'
        folder = installed(tmp_path, core=core, core__utils=VIEW, bindings=bindings)
        found = look(folder, LD_LIBRARY_PATH=str(pretended), PRETEND_CUDA="12080")
        assert not found["available"]
        assert found["reason"] == "the NVIDIA driver supports CUDA 12.8, not 13: install a newer driver, 580 or later"


def test_names_find_the_backend_and_its_environment():
    assert backends.of("cuda_core_raw") == "cuda_core"
    assert backends.toolchain("cuda_core") == "cuda"
    assert backends.modules()["cuda_core"].ENVIRONMENT == "cuda13"
    assert len({file.parent for file in KERNELS.glob("*/cuda_core_*.py")}) >= 5
