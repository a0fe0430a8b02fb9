"""Tests of the CUDA backends with a stand-in for the driver, pretended_driver.c. Only the last test needs a GPU."""

import ctypes
import functools
import gc
import importlib.util
import json
import os
import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from least import least
from pydantic import TypeAdapter

from accelbench import backends
from accelbench.backends import Device, cuda, cuda_driver, queued
from accelbench.backends.gate import LONG_S, GatedTimer
from accelbench.errors import Hindrance
from accelbench.kernels import catalog
from accelbench.measure import client
from accelbench.measure.bench import WARM_CALLS_AGAIN
from accelbench.model.device import LaunchFacts
from accelbench.model.parameters import BlockSize
from accelbench.rpc.messages import TruthKey
from accelbench.rpc.process import Failed
from accelbench.verify.truth import Truth
from accelbench.worker import __main__ as worker_main
from accelbench.worker import clock as clock_module
from accelbench.worker.clock import Clock
from accelbench.worker.problem import Call, LoadedProblem

HERE = Path(__file__).parent
WORKFLOW = HERE.parents[1] / "workflow"
GPU_BACKENDS = ("cupy", "pycuda", "numba_cuda", "pyopencl")


@pytest.fixture(scope="session")
def pretended(tmp_path_factory):
    """Return a folder with a stand-in for libcuda.so.1 that needs no GPU."""
    folder = tmp_path_factory.mktemp("driver")
    subprocess.run(
        ["gcc", "-shared", "-fPIC", "-O1", "-o", folder / "libcuda.so.1", HERE / "pretended_driver.c"], check=True
    )
    return folder


def path(*folders):
    """Return PYTHONPATH with `folders` first."""
    return os.pathsep.join([*map(str, folders), *filter(None, [os.environ.get("PYTHONPATH")])])


def look(backend, **environment):
    """Return the result of probing `backend` in a process with the variables `environment`."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PRETEND_", "NUMBA_", "CUDA_"))}
    clean["PYTHONPATH"] = path(WORKFLOW)
    command = [sys.executable, "-m", "accelbench.machine.look", backend]
    done = subprocess.run(command, env=clean | environment, capture_output=True, text=True, cwd="/")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)[backend]


def has_driver():
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True


def needs(module):
    try:
        found = importlib.util.find_spec(module)
    except ModuleNotFoundError:  # raised if the parent package is missing
        found = None
    return pytest.mark.skipif(found is None, reason=f"{module} is not installed")


# probing


@pytest.mark.parametrize("backend", [pytest.param(b, marks=needs(b.split("_")[0])) for b in ("cupy", "numba_cuda")])
class TestReasons:
    @pytest.mark.skipif(has_driver(), reason="there is an NVIDIA driver here")
    def test_without_a_driver(self, backend):
        found = look(backend)
        assert found["reason"] == f"no NVIDIA driver (libcuda.so.1 not found): {cuda_driver.NEEDS_GPU}"
        assert found["remedy"] == cuda_driver.NEEDS_GPU

    def test_driver_without_a_device(self, backend, pretended):
        found = look(backend, LD_LIBRARY_PATH=str(pretended), PRETEND_INIT="100")
        assert not found["available"]
        assert found["reason"] == f"the NVIDIA driver finds no device: {cuda_driver.NEEDS_GPU}"
        assert look(backend, LD_LIBRARY_PATH=str(pretended), PRETEND_DEVICES="0")["reason"] == found["reason"]

    def test_driver_that_does_not_start_is_quoted(self, backend, pretended):
        reason = look(backend, LD_LIBRARY_PATH=str(pretended), PRETEND_INIT="803")["reason"]
        assert reason.startswith("the NVIDIA driver does not start: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH: system has")

    def test_the_toolkits_stub_is_no_driver(self, backend, pretended):
        reason = look(backend, LD_LIBRARY_PATH=str(pretended), PRETEND_INIT="34")["reason"]
        assert reason.startswith("no NVIDIA driver (libcuda.so.1 is the toolkit's stub): ")

    def test_a_broken_driver_file_is_not_called_missing(self, backend, tmp_path):
        (tmp_path / "libcuda.so.1").write_text("not a library")
        reason = look(backend, LD_LIBRARY_PATH=str(tmp_path))["reason"]
        assert reason.startswith("no NVIDIA driver (")
        assert "not found" not in reason
        assert str(tmp_path) in reason


@needs("numba")
def test_equal_devices_are_numbered_and_described(pretended):
    found = look("numba_cuda", LD_LIBRARY_PATH=str(pretended), PRETEND_DEVICES="2", PRETEND_MEMORY="4096")
    assert found["available"], found["reason"]
    assert [d["name"] for d in found["devices"]] == ["NVIDIA Pretence #1", "NVIDIA Pretence #2"]
    assert [d["index"] for d in found["devices"]] == [{"device": 0}, {"device": 1}]
    first = found["devices"][0]
    assert first["kind"] == "gpu"
    assert first["device_limits"] == {
        "max_block_size": 1024,
        "max_block_shape": [1024, 1024, 64],
        "memory_bytes": 4096,
        "cache_bytes": 1 << 20,
        "compute_units": 132,
        "compute_capability": "9.0",
        "shared_memory_bytes": 49152,
        "shared_memory_optin_bytes": 232448,
        "max_allocation_bytes": None,
        "local_memory_bytes": None,
    }
    assert first["versions"]["cuda"] == "12.4"
    assert first["versions"]["runtime"].count(".") == 1


@needs("numba")
def test_the_simulator_is_no_device_even_where_there_is_one(pretended):
    found = look("numba_cuda", LD_LIBRARY_PATH=str(pretended), NUMBA_ENABLE_CUDASIM="1")
    assert not found["available"]
    assert "NUMBA_ENABLE_CUDASIM" in found["reason"]


@needs("cupy")
def test_cupy_that_does_not_work_with_the_driver_says_so(pretended):
    """The stand-in lacks most functions that CUDA's runtime calls."""
    found = look("cupy", LD_LIBRARY_PATH=str(pretended))
    assert not found["available"]
    assert found["reason"].startswith("CuPy does not work with this driver: cudaError")


@pytest.mark.skipif(importlib.util.find_spec("pycuda") is not None, reason="pycuda is installed")
def test_a_missing_package_comes_with_its_remedy():
    assert look("pycuda")["reason"] == "package pycuda not installed: pip install pycuda"


@pytest.mark.skipif(importlib.util.find_spec("pycuda") is not None, reason="pycuda is installed")
def test_a_package_that_cannot_be_imported_is_quoted(pretended, tmp_path):
    (tmp_path / "pycuda-1.dist-info").mkdir()
    (tmp_path / "pycuda-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: pycuda\nVersion: 1\n")
    (tmp_path / "pycuda").mkdir()
    (tmp_path / "pycuda" / "__init__.py").touch()
    (tmp_path / "pycuda" / "driver.py").write_text('raise ImportError("libcurand.so.10: cannot open shared object")\n')
    found = look("pycuda", LD_LIBRARY_PATH=str(pretended), PYTHONPATH=path(WORKFLOW, tmp_path))
    assert found["reason"] == (
        "pycuda.driver cannot be imported: ImportError: libcurand.so.10: cannot open shared object"
    )
    assert found["versions"] == {"pycuda": "1"}


def test_importing_the_backends_imports_none_of_their_libraries():
    code = (
        "import sys; from accelbench import backends; backends.modules(); [backends.packages(b) for b in "
        "backends.modules()]; print({'cupy', 'pycuda', 'numba', 'pyopencl', 'pynvml'} & set(sys.modules))"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(WORKFLOW), *sys.path])}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_names_of_implementations_find_the_right_backend():
    assert backends.of("numba_cuda_jit") == "numba_cuda"
    assert backends.of("numba_njit") == "numba"
    assert backends.of("cupy_raw") == "cupy"
    assert [backends.toolchain(b) for b in ("cupy", "pycuda", "numba_cuda")] == ["cuda", "cuda", None]


@pytest.mark.parametrize(
    ("inherited", "expected"),
    [(None, "1,0,2,3"), ("", "1,0,2,3"), ("3,5", "5,3"), ("GPU-aaaa,MIG-bbbb", "MIG-bbbb,GPU-aaaa")],
)
def test_a_worker_sees_its_device_first(monkeypatch, inherited, expected):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    if inherited is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", inherited)
    variables = cuda.Session.variables(Device("NVIDIA Pretence #2", "gpu", {"device": 1}), None)
    assert variables["CUDA_VISIBLE_DEVICES"].startswith(expected)
    assert variables["NVIDIA_TF32_OVERRIDE"] == variables["CUPY_TF32"] == "0"


# the session


class Session(cuda.Session):
    """Session on the stand-in for the driver, in which device memory is host memory."""

    def open(self):
        self.trimmed = 0
        return "stream", None

    def wrap(self, pointer, shape, dtype, memory):
        nbytes = max(int(np.prod(shape)) * dtype.itemsize, 1)
        buffer = (ctypes.c_ubyte * nbytes).from_address(pointer)
        buffer.owner = memory
        return np.ndarray(shape, dtype, buffer)

    def copy_in(self, array, host):
        array[...] = host

    def copy_out(self, value, into=None):
        if into is None:
            return np.array(value)
        into[...] = value
        return into

    def function(self, kernel):
        return 1234 if kernel == "a kernel" else None

    def trim(self):
        self.trimmed += 1


@pytest.fixture
def api(pretended, monkeypatch):
    """Make accelbench use the stand-in for the driver, and yield the stand-in."""
    path = str(pretended / "libcuda.so.1")
    monkeypatch.setattr(cuda_driver, "LIBRARY", path)
    cuda_driver.driver.cache_clear()
    yield ctypes.CDLL(path)
    cuda_driver.driver.cache_clear()


@pytest.fixture
def session(api):
    opened = Session("pretence", Device("NVIDIA Pretence", "gpu", {"device": 0}))
    yield opened
    api.pretend_lost(0)
    opened.close()


@pytest.mark.parametrize("shape", [(1,), (1000,), (3, 5), (0,)])
def test_arrays_are_aligned_and_lie_within_intact_guard_zones(session, shape):
    array = session.empty(shape, "float64")
    assert array.shape == shape
    assert array.ctypes.data % 256 == 0
    array[...] = 7
    assert session.intact(array)


def test_elements_are_brought_over_and_what_lies_beside_them_is_not(session):
    array, before = session.empty((7, 9), "float64"), np.arange(63.0).reshape(7, 9)
    session.copy_in(array, before)
    session.update(array, before + 100, np.array([0, 17, 62]))
    after = before.copy()
    after.flat[[0, 17, 62]] += 100
    assert np.array_equal(array, after)
    assert session.intact(array)


@pytest.mark.parametrize("offset", [-cuda.GUARD, -1, 24, 24 + cuda.GUARD - 1])
def test_a_byte_written_beside_an_array_is_noticed_there_only(session, offset):
    array, neighbour = session.empty((3,), "float64"), session.empty((3,), "float64")
    ctypes.memset(array.ctypes.data + offset, 0, 1)
    assert not session.intact(array)
    assert session.intact(neighbour)


def test_a_whole_block_past_the_end_stays_within_the_guard_zone(session):
    assert 1024 * np.dtype("complex128").itemsize <= cuda.GUARD


def test_released_memory_is_given_back(session, api):
    gc.collect()
    before = api.pretend_used()
    array = session.empty((1 << 20,), "float64")
    assert api.pretend_used() - before >= 8 << 20
    session.release(array)
    del array
    gc.collect()
    assert api.pretend_used() == before
    assert session.trimmed == 1


def test_memory_lasts_as_long_as_an_array_on_it(session, api):
    array = session.empty((1000,), "float64")
    session.release(array)
    gc.collect()
    before = api.pretend_used()
    array[:] = 1.0
    del array
    gc.collect()
    assert api.pretend_used() < before


def test_memory_exhausted_says_how_much_was_wanted_and_left(session, monkeypatch):
    with pytest.raises(
        session.OUT_OF_MEMORY, match=r"^2,000,131,072 bytes of device memory are needed, [\d,]+ are free$"
    ):
        session.empty((250_000_000,), "float64")
    assert session.trimmed == 1, "the unused memory of the library was not released first"


@pytest.mark.parametrize(("shape", "dtype"), [((), "float32"), ((0,), "float64"), ((3, 5), "int64"), ((1000,), "u1")])
def test_page_locked_arrays_are_ordinary_arrays(session, shape, dtype):
    array = session.pinned(shape, dtype)
    assert (array.shape, array.dtype) == (shape, np.dtype(dtype))
    array[...] = 3
    view = array.reshape(-1)[::-1]
    del array
    gc.collect()
    assert (view == 3).all()


def a_call(run, **parameters):
    call = Call(run, parameters, prepared=True)
    call.bind(())
    return call


def launching(api, *, device_s, host_s=0.0):
    """Return a `run` that takes `host_s` seconds on the host and then `device_s` seconds on the device."""

    def run():
        end = time.perf_counter() + host_s
        while time.perf_counter() < end:
            pass
        api.pretend_launch(ctypes.c_long(round(device_s * 1e9)))

    return run


def waiting(api, **seconds):
    """Return a `run` that waits for the device without releasing the GIL."""
    launch, keeping = launching(api, **seconds), ctypes.PyDLL(api._name)

    def run():
        launch()
        keeping.cuCtxSynchronize()

    return run


def history(api):
    api.pretend_history.restype = ctypes.c_char_p
    return api.pretend_history().decode()


def test_every_timer_reads_seconds_per_call(session, api):
    timers = session.timers(a_call(launching(api, device_s=0.002, host_s=0.001)))
    expected = {"compute": 0.002, "throughput": 0.002, "call": 0.003, "launch": 0.001}
    read = {kind: least(timer, 5, 1.15 * expected[kind]) for kind, timer in timers.items()}  # 5 calls a sample
    assert read == pytest.approx(expected, rel=0.2)


def test_compute_is_the_devices_time_however_long_launching_takes(session, api):
    call = a_call(launching(api, device_s=2e-6, host_s=2e-4))
    timers = session.timers(call)
    assert timers["compute"](100) == pytest.approx(2e-6, rel=0.01)
    assert least(timers["throughput"], 100, 2.2e-4) == pytest.approx(2e-4, rel=0.5)
    assert least(timers["launch"], 50, 2.2e-4) == pytest.approx(2e-4, rel=0.5)
    assert call.mark is None


def test_launches_lie_between_events_behind_a_wait_that_the_host_ends(session, api):
    timers = session.timers(a_call(launching(api, device_s=1e-6)))
    history(api)
    timers["compute"](3)
    assert history(api) == "WELLLER"
    timers["throughput"](3, lead=True)
    assert history(api) == "LELLLE"


def test_no_more_calls_lie_in_a_batch_than_a_stream_holds(session, api):
    timers = session.timers(a_call(launching(api, device_s=1e-6)))
    assert timers["compute"](1300) == pytest.approx(1e-6, rel=0.01)
    batches = [part.count("L") for part in history(api).split("R")[:-1]]
    assert batches == [512, 512, 276]


@pytest.mark.parametrize("launches", [3, 700])
def test_calls_of_many_launches_lie_in_smaller_batches(session, api, launches):
    """The stream cannot hold 512 calls of several launches. The timer detects this in a limited time."""
    once = launching(api, device_s=1e-6)
    call = a_call(lambda: [once() for _ in range(launches)])
    compute = session.timers(call)["compute"]
    begin = time.perf_counter()
    assert compute(600) == pytest.approx(launches * 1e-6, rel=0.05)
    assert time.perf_counter() - begin < 60.0  # usually a second
    assert call.mark is None
    history(api)
    compute(600)
    assert api.pretend_deepest() <= 1022


@pytest.mark.parametrize("launches", [1, 1100])
def test_calls_that_wait_for_the_device_are_timed_as_launched_and_marked(session, api, launches):
    """A call waits if it blocks while the stream is held, or if it launches more commands than the stream holds."""
    once = waiting(api, device_s=1e-4) if launches == 1 else launching(api, device_s=1e-6)

    def found_out(calls):
        """Return the time in seconds to detect that a new call waits."""
        call = a_call(lambda: [once() for _ in range(launches)])
        compute = session.timers(call)["compute"]
        begin = time.perf_counter()
        assert compute(1) > 1e-4 * 0.99
        assert compute(calls) > 1e-4 * 0.99
        seconds = time.perf_counter() - begin
        assert call.mark == "synchronises"
        history(api)
        compute(calls)
        assert "W" not in history(api)
        return seconds

    assert least(found_out, 5, 1.0) < 1.0


def test_a_long_call_that_waits_for_the_device_is_made_once(session, api):
    calls, wait = [], waiting(api, device_s=0.3)
    call = a_call(lambda: [calls.append(1), wait()])
    assert 0.3 * 0.99 < session.timers(call)["compute"](1) < 2 * 0.3  # up to twice the time, because of other load
    assert len(calls) == 1
    assert call.mark == "synchronises"


def test_a_call_whose_launch_takes_the_host_long_does_not_wait(session, api):
    """The timer's second attempt holds the stream for longer."""
    call = a_call(launching(api, device_s=1e-3, host_s=0.03))
    assert session.timers(call)["compute"](3) == pytest.approx(1e-3, rel=0.01)
    assert call.mark is None


def test_a_call_that_fails_leaves_no_stream_held(session, api):
    def run():
        raise ValueError("a launch that fails")

    with pytest.raises(ValueError, match="a launch that fails"):
        session.timers(a_call(run))["compute"](3)
    session.synchronise()
    assert session.timers(a_call(launching(api, device_s=1e-6)))["compute"](3) == pytest.approx(1e-6, rel=0.01)


@pytest.mark.parametrize("missing", [True, False])
def test_a_driver_that_holds_no_streams_is_timed_as_launched_and_marked(session, api, monkeypatch, missing):
    if missing:
        monkeypatch.setattr(session._api, "cuStreamWaitValue32_v2", functools.partial(cuda_driver._missing, "it"))
    monkeypatch.setenv("PRETEND_WAIT", "801")
    call = a_call(launching(api, device_s=1e-6, host_s=1e-4))
    assert least(session.timers(call)["compute"], 10, 1.1e-4) == pytest.approx(1e-4, rel=0.5)
    assert call.mark == "unseen"


@pytest.mark.parametrize(("device_s", "calls"), [(2e-6, 200), (5e-3, 1)])
def test_work_in_a_stream_that_is_not_held_is_marked_and_waited_for(session, api, device_s, calls):
    """Short kernels end before the held stream continues. Long kernels end after the events are recorded."""
    call = a_call(lambda: api.pretend_launch_elsewhere(ctypes.c_long(round(device_s * 1e9))))
    compute = session.timers(call)["compute"]
    for _ in range(2):
        assert compute(calls) > 0.99 * device_s
        assert call.mark == "unseen"


def test_a_call_that_has_the_device_do_nothing_is_marked(session, api):
    call = a_call(lambda: None)
    session.timers(call)["compute"](100)
    assert call.mark == "unseen"


def test_a_host_that_is_late_once_marks_nothing(session, api, monkeypatch):
    """The test is repeated if the machine itself delays the host: three successive delays look like unseen work."""
    finish, end = session.finish, time.monotonic() + 20.0

    def once():
        late = iter([0.002])
        monkeypatch.setattr(session, "finish", lambda: (finish(), time.sleep(next(late, 0.0))))
        call = a_call(launching(api, device_s=1e-4))
        return session.timers(call)["compute"](5), call.mark, next(late, None)

    seconds, mark, unused = once()
    while mark and time.monotonic() < end:
        seconds, mark, unused = once()
    assert (mark, unused) == (None, None)
    assert seconds == pytest.approx(1e-4, rel=0.01)


def test_a_gate_that_opens_early_does_not_hide_calls_whose_work_is_elsewhere():
    """The gate opens early in the third batch. The timer nevertheless reports that the work is unseen."""
    call, closed = a_call(lambda: None), iter([True, True, False, *[True] * 5])
    gate = SimpleNamespace(close=lambda stream, seconds: None, open=lambda: next(closed))
    device = SimpleNamespace(record=lambda number: None, seconds_between=lambda: 0.0, finish=lambda: None)
    timer = GatedTimer(call, lambda calls: None, gate=gate, stream=0, device=device)
    assert timer(20) is None
    assert call.mark == "unseen"


def test_every_timer_calls_with_the_arguments_bound_last(session):
    seen = []
    call = Call(seen.append, {}, prepared=True)
    call.bind(["old"])
    timers = session.timers(call)
    call.bind(["new"])
    for timer in timers.values():
        timer(1)
    assert {*seen} == {"new"}
    assert len(seen) >= len(timers) == 4


def test_launches_in_flight_are_bounded(session):
    calls = []
    session.timers(a_call(lambda: calls.append(1)))["launch"](10_000)
    assert len(calls) == queued.LAUNCHES_IN_FLIGHT


def test_flushing_overwrites_four_times_the_cache_once_allocated(session, api):
    before = api.pretend_used()
    session.flush_cache()
    used = api.pretend_used() - before
    assert used >= max(4 * (1 << 20), queued.SMALLEST_FLUSH)
    session.flush_cache()
    assert api.pretend_used() - before == used


def test_launch_facts_come_from_the_driver(session):
    kernel = "a kernel"

    def run():
        return kernel

    facts = session.launch_facts(a_call(run, block_size=256))
    # The stand-in's answer amounts to 48 of 64 warps.
    assert facts == LaunchFacts(registers=40, shared_bytes=2048, local_bytes=16, max_block_size=512, occupancy=0.75)
    assert session.launch_facts(a_call(run, block_size=(16, 8))).occupancy == 0.75
    assert session.launch_facts(a_call(run, block_size=1024)).occupancy is None
    assert session.launch_facts(a_call(run)).occupancy is None


def test_launch_facts_are_none_where_run_names_no_kernel(session):
    array = "something else"

    def run():
        return array

    assert session.launch_facts(a_call(run, block_size=256)) is None
    run.kernel = "a kernel"
    assert session.launch_facts(a_call(run, block_size=256)) is not None
    run.kernel = "something else"
    assert session.launch_facts(a_call(run, block_size=256)) is None


OF_THE_MODULE = "a kernel of the module"


def test_launched_are_what_run_names_in_the_order_of_its_code():
    second, first, unused, shared_bytes = "second", "first", "unused", 512

    def run(x):
        later = x.imag, shared_bytes, x.functools
        return first, second, OF_THE_MODULE, later, len

    assert unused
    assert backends.launched(run) == ([run, 512, "first", "second", OF_THE_MODULE], 512)
    run.kernel = second
    assert backends.launched(run) == (["second"], 512)


def test_launched_may_be_run_itself():
    launcher = functools.partial(print)
    assert backends.launched(launcher) == ([launcher], 0)


H200 = SimpleNamespace(
    blocks_per_unit=32,
    threads_per_unit=2048,
    registers_per_unit=65536,
    shared_memory_per_unit_bytes=233472,
    shared_memory_reserved_bytes=1024,
)


@pytest.mark.parametrize(
    ("registers", "static", "threads", "dynamic", "expected"),
    [
        (16, 0, 256, 0, 8),  # limited by threads
        (16, 0, 1, 0, 32),  # limited by blocks
        (32, 0, 1024, 0, 2),
        (33, 0, 1024, 0, 1),  # 33 registers are allocated like 40: 48 warps
        (64, 0, 256, 0, 4),
        (255, 0, 256, 0, 1),
        (16, 49152, 128, 0, 4),  # 48 KiB and 1 KiB reserved: four blocks in 228 KiB
        (16, 0, 128, 233472 // 2 - 1024, 2),
    ],
)
def test_resident_blocks_as_in_the_occupancy_calculator(registers, static, threads, dynamic, expected):
    facts = LaunchFacts(registers=registers, shared_bytes=static)
    assert cuda.resident_blocks(H200, facts, threads=threads, shared_bytes=dynamic) == expected


@pytest.mark.parametrize(
    ("words", "outcome"),
    [
        ("cuLaunchKernel failed: too many resources requested for launch", "unsupported"),
        ("[701] Call to cuLaunchKernel results in CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "unsupported"),
        ("[2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY", "out_of_memory"),
        ("cudaErrorMemoryAllocation: out of memory", "out_of_memory"),
        ("CUDA_ERROR_NO_BINARY_FOR_GPU: no kernel image is available for execution on the device", "unsupported"),
        ("cuModuleLoad failed: the provided PTX was compiled with an unsupported toolchain.", "unsupported"),
        ("CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered", None),
    ],
)
def test_what_the_libraries_say_is_understood(session, words, outcome):
    told = session.explain(RuntimeError(words))
    assert (told and told[0]) == outcome


def test_a_device_without_code_is_told_the_remedy(session):
    words = session.explain(RuntimeError("CUDA_ERROR_NO_BINARY_FOR_GPU: no kernel image is available"))
    remedy = "add sm_90 to build.cuda_architectures"
    assert words == ("unsupported", f"no built file contains code for this device: {remedy}", remedy)


def test_an_error_that_stays_means_the_session_is_lost(session, api):
    assert session.lost() is None
    api.pretend_lost(700)
    assert session.lost() == "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered"
    with pytest.raises(cuda_driver.DriverError) as raised:
        session.timers(a_call(lambda: None))["compute"](1)
    assert raised.value.code == 700


def test_another_device_than_the_one_described_is_refused(api):
    with pytest.raises(RuntimeError, match=r"the device is NVIDIA Pretence, not NVIDIA H200"):
        Session("pretence", Device("NVIDIA H200 #2", "gpu", {"device": 0}))


# a problem's transfers, pageable and page-locked

KERNEL = '''"""y = 2 x, and the sum of x."""
import numpy as np
from accelbench.kernel import Kernel, Output
KERNEL = Kernel(title="Doubling", size="elements", sizes={p: (1000,) for p in ("smoke", "default", "lecture")},
                dtypes=("float64",), baseline="numpy_doubling")
def inputs(size, dtype, rng):
    return {"a": np.float64(2.0), "x": rng.random(size).astype(dtype)}
def outputs(size, dtype):
    return (Output("y", (size,), dtype), Output("total", (), dtype))
def reference(a, x):
    return a * x, x.sum()
def tolerance(size):
    return 0.0, 1e-9 * size
def bytes_moved(size, itemsize):
    return size * itemsize, size * itemsize
def flops(size):
    return 2 * size
'''
BASELINE = "def run(a, x, y):\n    y[:] = a * x\n    return x.sum()\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "doubling").mkdir()
    (tmp_path / "doubling" / "kernel.py").write_text(KERNEL)
    (tmp_path / "doubling" / "numpy_doubling.py").write_text(BASELINE)
    return catalog.load(tmp_path / "doubling")


@pytest.fixture
def shared(folder):
    """Yield the Truths (inputs with their references) of two seeds."""
    names = {"folder": "", "problem": "doubling", "size": 1000, "dtype": "float64", "options": {}}
    made = [Truth(folder, TruthKey(**names, seed=1, which=which, exact=False)) for which in (0, 1)]
    yield made
    for one in made:
        one.close()


def attached(truth):
    """Return the message of `truth` from which a LoadedProblem in this process attaches the inputs."""
    return replace(truth.message(), file=truth.file)


def doubling(a, x, y):
    y[:] = a * x
    return x.sum()


@pytest.fixture
def clock(session, shared):
    problem = LoadedProblem(session, SimpleNamespace(), attached(shared[0]))
    call = Call(doubling, {}, prepared=True)
    call.bind(problem.arguments)
    return Clock(session, problem, call)


TRANSFERS = {f"{kind}{suffix}" for kind in ("end_to_end", "upload", "download") for suffix in ("", "_pinned")}


def test_transfers_are_timed_from_both_kinds_of_memory(clock):
    assert set(clock.timers) == TRANSFERS | {"compute", "throughput", "call", "launch"}
    for kind, timer in clock.timers.items():
        assert timer(3) > 0, kind
    clock.session.PINNED = False
    assert set(Clock(clock.session, clock.problem, clock.call).timers) == set(clock.timers) - {
        kind for kind in TRANSFERS if kind.endswith("_pinned")
    }


def test_transfers_that_surely_last_long_enough_are_not_tried(clock, monkeypatch):
    """Trial transfers of large arrays would take long. Here, 8000 bytes are uploaded and 8008 downloaded."""
    assert clock.problem.transferred_bytes() == {"upload": 8000, "download": 8008}
    settings = {"sample_s": {"compute": 1e-4, "call": 1e-3}, "warm_up_s": 0.01, "calls": 3, "known": []}
    assert min(clock.warm_up(**settings)[kind][1] for kind in TRANSFERS) > 1
    tried = []
    for kind in TRANSFERS:
        clock.timers[kind] = lambda loops, kind=kind: tried.append(kind) or 1e-6
    monkeypatch.setattr(clock_module, "FASTEST_BUS", 10_000 / 1e-3)  # one direction takes less than a sample, both more
    found = clock.warm_up(**settings)
    assert set(tried) == TRANSFERS - {"end_to_end", "end_to_end_pinned"}
    assert {kind for kind in TRANSFERS if found[kind][1] == 1} == {"end_to_end", "end_to_end_pinned"}


def clock_of(session, run):
    problem = SimpleNamespace(on_host=True, convert=None, restore=lambda: None, transferred_bytes=dict)
    problem.works_in_convert = lambda: None
    return Clock(session, problem, a_call(run))


WARM_UP = {"sample_s": {"compute": 1e-3, "call": 2e-3}, "warm_up_s": 0.03, "calls": 1, "known": []}


@pytest.mark.parametrize(("host_s", "fewest", "most"), [(0.0, 20, 501), (1e-3, 1, 11)])
def test_a_sample_has_fewer_calls_where_the_host_takes_long_to_launch_them(session, api, host_s, fewest, most):
    """A sample takes up to 1 ms of device time and up to 3 ms of host time. Slow launches therefore mean fewer calls.

    The bounds are wide, since other load on the machine delays the host.
    """
    timed = clock_of(session, launching(api, device_s=2e-6, host_s=host_s))
    begin = time.process_time()  # launching keeps a core busy
    warm = timed.warm_up(**WARM_UP)
    assert time.process_time() - begin < 1.0
    seconds, found = warm["compute"]
    assert seconds == pytest.approx(2e-6, rel=0.01)
    assert fewest <= found <= most
    assert timed.sample({"compute": found}, [], False)["compute"] == pytest.approx(2e-6, rel=0.01)


def test_what_another_repetition_has_chosen_is_not_tried_again(session, api):
    timed = clock_of(session, launching(api, device_s=1e-5))
    assert timed.warm_up(**WARM_UP).keys() == {"compute", "throughput", "call", "launch"}
    known = WARM_UP | {"known": ["compute", "throughput", "call"]}
    found = timed.warm_up(**known)
    assert found.keys() == {"compute", "launch"}
    assert found["compute"][0] == pytest.approx(1e-5, rel=0.01)


def test_what_compiles_in_its_first_call_is_held_afterwards(session, api):
    """Repetitions that do not check the first call make it during warm-up.

    The first call does not wait for the device, but takes longer than the time after which a held stream continues.
    """
    launch, compiled = launching(api, device_s=1e-5), []

    def run():
        if not compiled:
            compiled.append(time.sleep(1.2 * LONG_S))
        launch()

    timed = clock_of(session, run)
    seconds, _ = timed.warm_up(**WARM_UP | {"calls": WARM_CALLS_AGAIN})["compute"]
    assert seconds == pytest.approx(1e-5, rel=0.01)
    assert not timed.sample_facts().synchronises


def test_one_question_takes_as_many_batches_as_a_sample_needs(session, api):
    timed = clock_of(session, launching(api, device_s=1e-6))
    history(api)
    assert timed.sample({"compute": 1200, "throughput": 3}, [], False)["compute"] == pytest.approx(1e-6, rel=0.01)
    assert history(api).count("W") == 3


@pytest.mark.parametrize(("waits", "marks"), [(False, (False, False)), (True, (True, False))])
def test_a_case_is_known_by_what_its_samples_showed(session, api, waits, marks):
    timed = clock_of(session, (waiting if waits else launching)(api, device_s=1e-5))
    timed.warm_up(**WARM_UP)
    facts = timed.sample_facts()
    assert (facts.synchronises, facts.unseen) == marks


def test_a_call_whose_results_are_checked_is_made_once_and_not_held(session, api):
    """A second call could add to an output."""
    calls, wait = [], waiting(api, device_s=1e-5)
    timed = clock_of(session, lambda: [calls.append(1), wait()])
    history(api)
    seconds, returned = timed.row(1)
    assert seconds > 0.99e-5
    assert returned == [None, None]
    assert len(calls) == 1
    assert "W" not in history(api)


def test_energy_is_that_of_calls_in_a_row(session, api):
    """A held stream would leave the device idle."""
    timed = clock_of(session, launching(api, device_s=1e-4))
    timed.warm_up(**WARM_UP)
    history(api)
    found = [timed.run_on(0.02, restore=False) for _ in range(5)]
    assert 0.99e-4 < min((end - begin) / calls for begin, end, calls in found) < 2e-3  # the least disturbed
    assert "W" not in history(api)


@pytest.mark.parametrize("pinned", [False, True])
def test_what_comes_back_is_right_and_always_lands_in_the_same_place(clock, pinned):
    problem = clock.problem
    clock.timers["end_to_end_pinned" if pinned else "end_to_end"](2)
    problem.poison()
    problem.upload(pinned)
    first = problem.results(clock.call.once(), pinned)
    assert np.array_equal(first["y"], 2 * problem.host["x"])
    assert first["total"] == pytest.approx(problem.host["x"].sum())
    second = problem.results(clock.call.once(), pinned)
    assert second["y"] is first["y"]


def test_page_locked_inputs_follow_the_inputs_of_another_seed(clock, shared):
    problem = clock.problem
    clock.timers["upload_pinned"](1)
    before = problem.host["x"].copy()
    problem.refill(attached(shared[1]))
    problem.device_inputs["x"][:] = 0
    problem.upload(pinned=True)
    assert np.array_equal(problem.device_inputs["x"], problem.host["x"])
    assert not np.array_equal(before, problem.host["x"])


def test_page_locked_memory_is_taken_only_where_its_transfers_are_timed(clock, monkeypatch):
    taken = []
    monkeypatch.setattr(clock.session, "pinned", lambda *what: taken.append(what) or np.empty(*what))
    for kind in ("compute", "call", "end_to_end", "upload", "download"):
        clock.timers[kind](1)
    assert not taken
    clock.timers["end_to_end_pinned"](1)
    assert sorted(taken) == [((), np.dtype("float64")), *[((1000,), np.dtype("float64"))] * 2]


# results of a worker


def test_a_block_this_kernel_cannot_have_is_unsupported_with_the_limit():
    facts = LaunchFacts(max_block_size=512, registers=128)
    for block in (BlockSize((512,)), BlockSize((16, 32)), None):
        worker_main._check_block(facts, block)
    worker_main._check_block(None, BlockSize((1024,)))
    with pytest.raises(Hindrance, match=r"block size 32x32 exceeds this kernel's limit of 512 \(128 regis") as raised:
        worker_main._check_block(facts, BlockSize((32, 32)))
    outcome, *_, cause = worker_main.failure(worker_main.Worker(), raised.value)
    assert (outcome, cause) == ("unsupported", "the kernel does not support this block size")


def test_outcomes_of_the_librarys_errors(session):
    worker = worker_main.Worker()
    error = RuntimeError("cuLaunchKernel failed: too many resources requested for launch")
    assert worker_main.failure(worker, error)[0] == "error"
    worker.session = session
    assert worker_main.failure(worker, error)[0] == "unsupported"
    exhausted = RuntimeError("[2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY")
    assert worker_main.failure(worker, exhausted) == ("out_of_memory", str(exhausted))
    assert worker_main.failure(worker, MemoryError("8 bytes"))[0] == "out_of_memory"
    assert worker_main.failure(worker, ValueError("other")) == ("error", "ValueError: other")


@pytest.mark.parametrize(
    ("words", "outcome"),
    [
        ("cudaErrorMemoryAllocation: out of memory", "out_of_memory"),
        ("cuDevicePrimaryCtxRetain failed: out of memory", "out_of_memory"),
        ("[2] Call to cuDevicePrimaryCtxRetain results in CUDA_ERROR_OUT_OF_MEMORY", "out_of_memory"),
        ("Context failed: OUT_OF_HOST_MEMORY", "out_of_memory"),
        ("cudaErrorNoDevice: no CUDA-capable device is detected", "error"),
    ],
)
def test_a_device_without_memory_for_a_context_is_out_of_memory(tmp_path, monkeypatch, words, outcome):
    """No session exists that could explain the error."""

    class Session(backends.OpenDevice):
        def __init__(self, *_):
            raise RuntimeError(words)

    module = SimpleNamespace(Session=Session, __name__="pretended", __file__=str(tmp_path / "pretended.py"))
    monkeypatch.setitem(sys.modules, "pretended", module)
    (tmp_path / "pretended_sum.py").write_text("")
    worker = worker_main.Worker()
    recipe = {"file": str(tmp_path / "pretended_sum.py"), "backend": "pretended", "module": "pretended"}
    recipe |= {"device": Device("GPU"), "threads": None, "once_folder": "", "memory_bytes": 0}
    with pytest.raises(Exception, match=re.escape(words)) as failed:
        worker.open(**recipe)
    assert worker_main.failure(worker, failed.value)[0] == outcome


def test_a_session_says_where_its_gpu_sits(session, monkeypatch):
    """A session reports the PCI address of its GPU, but None for a part of a GPU (MIG), without energy counter."""
    assert session.gpu() == "0000:00:00.0"
    monkeypatch.setattr(session, "_name", "NVIDIA H200 MIG 1g.18gb")
    assert session.gpu() is None


def test_numba_cuda_compiles_beside_a_numpy_without_row_stack():
    """Importing the backend restores np.row_stack, which NumPy 2.5 removed and numba-cuda 0.30 needs."""
    script = """if True:
        import importlib
        import numpy as np
        vars(np).pop("row_stack", None)
        from accelbench import backends
        backends.modules()["numba_cuda"]  # all that a worker does before it imports an implementation
        importlib.import_module("numba.cuda.np.arrayobj")
    """
    environment = os.environ | {"PYTHONPATH": path(WORKFLOW)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


# on a real GPU


STRAY = '''"""Writes where nothing is."""
import cupy as cp
stray = cp.RawKernel('extern "C" __global__ void stray(double *y) { y[1LL << 45] = 1; }', "stray")
def run(a, x, y):
    stray((1,), (1,), (y,))
'''


@pytest.mark.gpu
def test_a_worker_whose_context_is_lost_ends_with_the_reason(folder, shared, tmp_path):
    file = tmp_path / "doubling" / "cupy_stray.py"
    file.write_text(STRAY)
    described = look("cupy")
    assert described["available"], described["reason"]
    worker = client.Client(None, "gpu", tmp_path / "scratch")
    device = TypeAdapter(Device).validate_python(described["devices"][0])
    recipe = {"memory_bytes": 0, "device": device, "backend": "cupy", "file": str(file), "unbuilt": []}
    recipe["module"] = "accelbench.backends.cupy"
    recipe |= {"threads": None, "artifacts": {}, "build_folder": str(tmp_path), "toolchain": None, "once_folder": ""}
    recipe["variant"] = None
    case = {"size": 1000, "dtype": "float64", "options": {}, "parameters": {}, "tuned": None}
    try:
        worker.call("open", 60, **recipe)
        worker.call("load", 60, problem="problem", inputs=shared[0].message())
        worker.call("prepare", 60, problem="problem", handle="case", **case)
        with pytest.raises(Failed) as failed:
            worker.call("first_call", 60, 1 << 20, handle="case")
    finally:
        worker.end()
    assert not failed.value.alive
    assert failed.value.outcome == "crashed"
    assert "ILLEGAL_ADDRESS" in failed.value.reason
