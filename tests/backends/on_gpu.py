"""What must hold of a backend's Session on a real NVIDIA GPU, in a process of its own:

    on_gpu.py BACKEND MANIFEST OUT

Writes {check: null, or what went wrong} as JSON to OUT. Every function whose name begins with `check_` is one, given a
Bench. The checks in ALONE ruin the process they run in; each runs alone: `on_gpu.py BACKEND MANIFEST OUT CHECK`.
"""

import gc
import json
import sys
import time
import traceback
from ctypes import byref, c_int, c_size_t
from pathlib import Path
from statistics import median

import numpy as np
import pytest

from accelbench import backends, nvidia, toolchains
from accelbench.backends import cuda, opencl
from accelbench.worker.problem import Call

BIG = 600_000_000  # elements: a launch takes milliseconds, the host some microseconds to make it
BLOCK = 256
SHORT = 1000  # elements: launching takes longer
LONG = dict.fromkeys(("cupy", "pycuda", "cuda_core"), 10_000_000) | dict.fromkeys(
    ("numba_cuda", "pyopencl", "warp"), 100_000_000
)  # shorter
CHAIN = 1 << 21  # float64: 16 MB, within the cache
LINKS = 4000
IN_A_ROW = 20  # calls that a library's own timer takes together


class Cupy:
    """Launches kernels of gpu.cu, each on (n, x, y), through CuPy."""

    def __init__(self, session, artifact):
        import cupy

        self.cupy, self.module, self.null = cupy, cupy.RawModule(path=artifact), cupy.cuda.Stream.null
        self.take = lambda nbytes: cupy.empty(nbytes, np.uint8)

    def kernel(self, name):
        return self.module.get_function(name)

    def launch(self, kernel, blocks, threads, n, x, y, by_mistake=False, stream=None):
        kernel((blocks,), (threads,), (np.int64(n), x, y), stream=self.null if by_mistake else stream)

    def stream_apart(self):
        return self.cupy.cuda.Stream(non_blocking=True)


class Pycuda:
    """The same through PyCUDA."""

    def __init__(self, session, artifact):
        import pycuda.driver

        self.module, self.stream = pycuda.driver.module_from_file(artifact), session.stream
        self.take = pycuda.driver.mem_alloc

    def kernel(self, name):
        return self.module.get_function(name)

    def launch(self, kernel, blocks, threads, n, x, y, by_mistake=False):
        stream = None if by_mistake else self.stream
        # Not x.gpudata: that of an array on memory of the session's is a number, which PyCUDA takes for no pointer.
        kernel(np.int64(n), x, y, block=(threads, 1, 1), grid=(blocks, 1), stream=stream)


class NumbaCuda:
    """The same kernels written in Numba."""

    def __init__(self, session, artifact):
        from numba import cuda as library

        self.stream, self.take = session.stream, lambda nbytes: library.device_array(nbytes, np.uint8)

        @library.jit
        def scale(n, x, y):
            i = library.grid(1)
            if i < n:
                y[i] = 2 * x[i]

        @library.jit
        def overrun(n, x, y):
            i = library.grid(1)
            if i <= n:
                y[i] = 2 * x[0]

        @library.jit(launch_bounds=256)
        def bounded(n, x, y):
            i = library.grid(1)
            if i < n:
                y[i] = 2 * x[i]

        @library.jit
        def chase(n, x, y):
            if library.grid(1) == 0:
                at = 0
                for _ in range(n):
                    at = int(x[at])
                y[0] = at

        @library.jit
        def stray(n, x, y):
            y[n + (1 << 45)] = 1.0

        self.kernels = {"scale": scale, "overrun": overrun, "bounded": bounded, "chase": chase, "stray": stray}

    def kernel(self, name):
        return self.kernels[name]

    def launch(self, kernel, blocks, threads, n, x, y, by_mistake=False):
        kernel[blocks, threads, 0 if by_mistake else self.stream](n, x, y)


class CudaCore:
    """Launches kernels of gpu.cu through cuda.core."""

    def __init__(self, session, artifact):
        import cuda.core

        self.core, self.device, self.stream = cuda.core, cuda.core.Device(), session.stream
        self.code = cuda.core.ObjectCode.from_fatbin(artifact)
        self.take = lambda nbytes: self.device.allocate(nbytes, stream=self.stream)

    def kernel(self, name):
        return self.code.get_kernel(name)

    def launch(self, kernel, blocks, threads, n, x, y, by_mistake=False, stream=None):
        stream = self.device.default_stream if by_mistake else stream or self.stream
        config = self.core.LaunchConfig(grid=blocks, block=threads)
        self.core.launch(stream, config, kernel, np.int64(n), x.ptr, y.ptr)

    def stream_apart(self):
        """What create_stream makes where nobody says otherwise."""
        return self.device.create_stream()


class Warp:
    """The same kernels written in Warp, whose indices have 32 bits, so that none strays."""

    def __init__(self, session, artifact):
        import warp as wp

        self.wp, self.null = wp, wp.get_device().null_stream
        self.take = lambda nbytes: wp.empty(nbytes, wp.uint8)
        numbers = wp.array(dtype=wp.float64)

        @wp.kernel(module="unique")
        def scale(n: wp.int64, x: numbers, y: numbers):
            i = wp.tid()
            if wp.int64(i) < n:
                y[i] = wp.float64(2.0) * x[i]

        @wp.kernel(module="unique")
        def overrun(n: wp.int64, x: numbers, y: numbers):
            i = wp.tid()
            if wp.int64(i) <= n:
                y[i] = wp.float64(2.0) * x[0]

        @wp.kernel(module="unique")
        def chase(n: wp.int64, x: numbers, y: numbers):
            if wp.tid() == 0:
                at = wp.int32(0)
                for _ in range(wp.int32(n)):
                    at = wp.int32(x[at])
                y[0] = wp.float64(at)

        self.kernels = {"scale": scale, "overrun": overrun, "chase": chase}

    def kernel(self, name):
        return self.kernels[name]

    def launch(self, kernel, blocks, threads, n, x, y, by_mistake=False):
        stream = self.null if by_mistake else None
        self.wp.launch(kernel, blocks * threads, inputs=[n, x, y], block_dim=threads, stream=stream)


class Pyopencl:
    """The same kernels in OpenCL C."""

    SOURCE = """
    #pragma OPENCL EXTENSION cl_khr_fp64 : enable
    kernel void scale(long n, global const double *x, global double *y)
    { long i = get_global_id(0); if (i < n) y[i] = 2 * x[i]; }
    kernel void overrun(long n, global const double *x, global double *y)
    { long i = get_global_id(0); if (i <= n) y[i] = 2 * x[0]; }
    kernel void tree(long n, global const double *x, global double *y)
    {
        local double shared[1000];
        int i = get_local_id(0);
        shared[i] = i < n ? x[i] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < n) y[i] = shared[get_local_size(0) - 1 - i];
    }
    kernel void chase(long n, global const double *x, global double *y)
    {
        if (get_global_id(0)) return;
        long at = 0;
        for (long k = 0; k < n; k++) at = (long)x[at];
        y[0] = at;
    }
    kernel void stray(long n, global const double *x, global double *y)
    { y[n + (1L << 45)] = 1; }
    """

    def __init__(self, session, artifact):
        import pyopencl as cl

        self.cl, self.session = cl, session
        self.queue, self.program = session.queue, cl.Program(session.context, self.SOURCE).build()

    def take(self, nbytes):
        """Written to, for a buffer takes no memory before it is used."""
        array = self.session._array.empty(self.queue, (nbytes,), np.uint8)
        self.cl.enqueue_fill_buffer(self.queue, array.data, np.uint8(0), 0, nbytes)
        self.queue.finish()

    def kernel(self, name):
        return self.cl.Kernel(self.program, name)

    def launch(self, kernel, blocks, threads, n, x, y, queue=None):
        return kernel(queue or self.queue, (blocks * threads,), (threads,), np.int64(n), x.data, y.data)


LIBRARIES = {
    "cupy": Cupy,
    "pycuda": Pycuda,
    "numba_cuda": NumbaCuda,
    "pyopencl": Pyopencl,
    "cuda_core": CudaCore,
    "warp": Warp,
}


class Bench:
    """A Session and a library's way of launching; `arrays` and `call` make what checks need."""

    def __init__(self, backend, manifest):
        module = backends.modules()[backend]
        self.backend = backend
        self.device = next(d for d in module.probe(backend) if d.name.startswith("NVIDIA "))
        self.session = module.Session(backend, self.device)
        entry = toolchains.load(manifest).find("cupy_gpu", "gpu.cu")
        built = backend in ("cupy", "pycuda", "cuda_core")
        artifact = self.session.load(entry, manifest.parent, "cuda") if built else None
        self.library = LIBRARIES[backend](self.session, artifact)
        self.big = min(BIG, self.device.device_limits.memory_bytes // 64)  # two arrays in a quarter of the memory

    def arrays(self, n):
        x, y = self.session.empty((n,), "float64"), self.session.empty((n,), "float64")
        host = np.arange(n, dtype="float64") % 1000
        self.session.copy_in(x, host)
        return x, y, host

    def big_arrays(self):
        """Of `big` elements each, whatever they hold."""
        return self.session.empty((self.big,), "float64"), self.session.empty((self.big,), "float64")

    def call(self, name, n, x, y, block=BLOCK, **how):
        """A Call of a kernel, as the worker makes it of an implementation's `run` with its block size."""
        kernel = self.library.kernel(name)

        def run(x, y):
            self.library.launch(kernel, -(-(n + 1) // block), block, n, x, y, **how)

        call = Call(run, {"block_size": block}, prepared=True)
        call.bind((x, y))
        return call

    def release(self, *arrays):
        for array in arrays:
            self.session.release(array)


def check_description(bench):
    limits = bench.device.device_limits
    assert limits.max_block_size >= 1024, limits
    assert len(limits.max_block_shape) == 3
    assert limits.memory_bytes > 1 << 30
    assert limits.compute_units > 1
    assert all(isinstance(v, str) and v for v in bench.device.versions.values()), bench.device.versions
    api, twin = cuda.driver(), cuda.devices({})[0]
    assert limits.cache_bytes == twin.device_limits.cache_bytes > 1 << 20, (limits, twin.device_limits)
    if bench.backend == "pyopencl":
        places = [
            api.text("cuDeviceGetPCIBusId", api.ask("cuDeviceGet", c_int, index)).lower()
            for index in range(api.ask("cuDeviceGetCount", c_int))
        ]
        found = bench.session.device.platform.get_devices()
        # A device has the same number in its name whatever backend uses it.
        assert [opencl.pci_bus_id(d) for d in found] == places, (places, [(d.name, d.extensions) for d in found])
    else:
        assert limits.compute_capability.count(".") == 1


def check_copies_there_and_back(bench):
    session = bench.session
    for dtype in ("float64", "float32", "int64", "uint8"):
        for shape in ((1,), (31,), (3, 5), (0,), (100_003,)):
            host = np.random.default_rng(0).integers(0, 200, shape).astype(dtype)
            host.flags.writeable = False
            array = session.empty(shape, dtype)
            session.copy_in(array, host)
            back = session.copy_out(array)
            assert (back.dtype, back.shape) == (host.dtype, host.shape)
            assert np.array_equal(back, host), (dtype, shape)
            changed, places = host.copy(), np.arange(0, host.size, 1_009)
            changed.reshape(-1)[places] += 1
            session.update(array, changed, places)
            assert np.array_equal(session.copy_out(array), changed), (dtype, shape)
            session.copy_in(array, host)
            into = np.zeros(shape, dtype)
            assert session.copy_out(array, into) is into
            assert np.array_equal(into, host)
            assert session.intact(array)
            bench.release(array)
    assert session.copy_out(np.float32(3)) == 3
    assert session.copy_out(7) == 7


def check_results_are_right(bench):
    for n in (1, 31, 1000, 100_003):
        x, y, host = bench.arrays(n)
        bench.call("scale", n, x, y).once()
        bench.session.synchronise()
        assert np.array_equal(bench.session.copy_out(y), 2 * host), n
        assert bench.session.intact(x)
        assert bench.session.intact(y)
        bench.release(x, y)


def check_guard_zones_catch_one_element_too_many(bench):
    for n in (1, 1000, 4096):
        x, y, _ = bench.arrays(n)
        bench.call("overrun", n, x, y).once()
        bench.session.synchronise()
        assert not bench.session.intact(y), n
        assert bench.session.intact(x)
        bench.release(x, y)


def check_pinned_memory(bench):
    session, n = bench.session, 1 << 24
    for shape in ((), (3, 5), (0,)):
        array = session.pinned(shape, "float32")
        assert array.shape == shape
        array[...] = 3
        assert (array == 3).all()
    x, y, host = bench.arrays(n)
    page_locked = session.pinned(host.shape, host.dtype)
    page_locked[...] = host

    def seconds(source):
        taken = []
        for _ in range(7):
            begin = time.perf_counter()
            session.copy_in(x, source)
            taken.append(time.perf_counter() - begin)
        return median(taken)

    assert seconds(host) > 1.5 * seconds(page_locked), "page-locked memory is not faster"
    assert np.array_equal(session.copy_out(x, page_locked), host)
    bench.release(x, y)


def check_times_agree(bench):
    """A long kernel lasts as long apart from its launch as on the host clock and as the library's own timer says."""
    x, y = bench.big_arrays()
    call = bench.call("scale", bench.big, x, y)
    timers = bench.session.timers(call)
    timers["compute"](20)
    compute = median(timers["compute"](20) for _ in range(5))
    waited = median(timers["call"](20) for _ in range(5))
    launched = median(timers["launch"](20) for _ in range(5))
    assert compute <= waited * 1.005, (compute, waited)
    assert waited < compute * 1.05 + 50e-6, (compute, waited)
    assert launched < compute / 2, (compute, launched)
    bandwidth = 16 * bench.big / compute
    assert 1e11 < bandwidth < 1e13, bandwidth
    # Several calls between the library's own events: the first comes to an idle device. Clocks may change meanwhile.
    other = OWN_TIMERS[bench.backend](bench, call, x, y)
    low, high = sorted((compute, median(timers["compute"](20) for _ in range(5))))
    assert 0.97 * low < other < 1.03 * high, (low, other, high)
    bench.release(x, y)


def _cupy_benchmark(bench, call, x, y):
    from cupyx.profiler import benchmark

    return float(np.median(benchmark(lambda: _in_a_row(call), n_repeat=5, n_warmup=1).gpu_times)) / IN_A_ROW


def _opencl_events(bench, call, x, y):
    kernel, blocks = bench.library.kernel("scale"), -(-bench.big // BLOCK)
    profile = bench.library.cl.command_queue_properties.PROFILING_ENABLE
    queue = bench.library.cl.CommandQueue(bench.session.context, properties=profile)
    events = [bench.library.launch(kernel, blocks, BLOCK, bench.big, x, y, queue=queue) for _ in range(50)]
    queue.finish()
    return median((e.profile.end - e.profile.start) * 1e-9 for e in events)


def _pycuda_events(bench, call, x, y):
    from pycuda.driver import Event

    return _between(bench, call, Event, lambda a, b: b.time_since(a))


def _numba_events(bench, call, x, y):
    from numba.cuda import event, event_elapsed_time

    return _between(bench, call, event, event_elapsed_time)


def _cuda_core_events(bench, call, x, y):
    from cuda.core import EventOptions

    try:
        options = EventOptions(timing_enabled=True)
    except TypeError:  # its name before 1.0
        options = EventOptions(enable_timing=True)
    taken, stream = [], bench.session.stream
    for _ in range(5):
        begin = stream.record(options=options)
        _in_a_row(call)
        end = stream.record(options=options)
        end.sync()
        taken.append((end - begin) * 1e-3 / IN_A_ROW)
    return median(taken)


def _warp_events(bench, call, x, y):
    wp, taken = bench.library.wp, []
    for _ in range(5):
        begin, end = (wp.Event(enable_timing=True) for _ in range(2))
        wp.record_event(begin)
        _in_a_row(call)
        wp.record_event(end)
        taken.append(wp.get_event_elapsed_time(begin, end) * 1e-3 / IN_A_ROW)
    return median(taken)


def _between(bench, call, event, elapsed_ms):
    taken = []
    for _ in range(5):
        begin, end = event(), event()
        begin.record(bench.session.stream)
        _in_a_row(call)
        end.record(bench.session.stream)
        end.synchronize()
        taken.append(elapsed_ms(begin, end) * 1e-3 / IN_A_ROW)
    return median(taken)


def _in_a_row(call):
    for _ in range(IN_A_ROW):
        call.once()


OWN_TIMERS = {
    "cupy": _cupy_benchmark,
    "pyopencl": _opencl_events,
    "pycuda": _pycuda_events,
    "numba_cuda": _numba_events,
    "cuda_core": _cuda_core_events,
    "warp": _warp_events,
}


def check_compute_is_apart_from_launching(bench):
    """A short kernel takes the same whatever launches it; a long one the same as launches in a row.

    Source of the figures: events behind a held stream on an H200, 1,000 float64 products, 1.83 to 1.92 us; OpenCL's own
    events 7 us. This kernel reads one array less.
    """
    x, y, _ = bench.arrays(SHORT)
    call = bench.call("scale", SHORT, x, y)
    timers = bench.session.timers(call)
    timers["compute"](200)
    compute = [timers["compute"](200) for _ in range(30)]
    throughput = median(timers["throughput"](200, lead=True) for _ in range(9))
    assert call.mark is None
    low, high = (1e-6, 1.2e-5) if bench.backend == "pyopencl" else (1e-6, 4e-6)
    if bench.device.name.partition(" #")[0].endswith("H200"):
        low, high = (4e-6, 1e-5) if bench.backend == "pyopencl" else (1.5e-6, 2.3e-6)
    assert low < median(compute) < high, (median(compute), throughput)
    assert median(compute) < throughput, (median(compute), throughput)
    if bench.backend != "pyopencl":
        lower, upper = np.quantile(compute, (0.1, 0.9))
        assert upper < 1.1 * lower, compute
    bench.release(x, y)


def check_compute_of_a_long_kernel_is_its_throughput(bench):
    """Within 2 %, where the host launches faster than the device computes."""
    x, y, _ = bench.arrays(LONG[bench.backend])
    call = bench.call("scale", LONG[bench.backend], x, y)
    timers = bench.session.timers(call)
    timers["compute"](20)
    pairs = [(timers["compute"](20), timers["throughput"](20, lead=True)) for _ in range(15)]
    assert call.mark is None
    launched = median(timers["launch"](20) for _ in range(5))
    ratio = median(apart / row for apart, row in pairs)
    assert 0.98 < ratio < (1.02 if launched < median(row for _, row in pairs) / 2 else 1.1), (pairs, launched)
    bench.release(x, y)


def check_a_call_that_waits_is_marked(bench):
    """And times as before, soon: nothing hangs. OpenCL's own events need nothing to be held."""
    x, y, _ = bench.arrays(SHORT)
    launch = bench.call("scale", SHORT, x, y)
    launch.once()

    def run(x, y):
        launch.once()
        bench.session.synchronise()

    begin, call = time.perf_counter(), _bound(run, x, y)
    timers = bench.session.timers(call)
    taken = [timers["compute"](20) for _ in range(5)]
    assert time.perf_counter() - begin < 2
    assert (call.mark is None) == (bench.backend == "pyopencl"), call.mark
    assert bench.backend == "pyopencl" or median(taken) > 3e-6, taken
    _still_apart(bench, launch)
    bench.release(x, y)


def check_memory_given_back_within_a_call(bench):
    """The driver waits for the device then; PyCUDA keeps the interpreter's lock meanwhile."""
    x, y, _ = bench.arrays(SHORT)
    launch = bench.call("scale", SHORT, x, y)
    launch.once()

    def run(x, y):
        taken = bench.library.take(1 << 20)
        launch.once()
        del taken

    begin, call = time.perf_counter(), _bound(run, x, y)
    timers = bench.session.timers(call)
    for _ in range(5):
        assert timers["compute"](20) > 1e-6
    assert time.perf_counter() - begin < 2
    if bench.backend == "pycuda":
        assert call.mark == "synchronises"
    _still_apart(bench, launch)
    bench.release(x, y)


def check_more_launches_than_a_stream_holds(bench):
    """In one call: it is marked, and comes to its end. Of fewer, as many calls are queued as there is room for."""
    x, y, _ = bench.arrays(SHORT)
    launch = bench.call("scale", SHORT, x, y)
    launch.once()
    alone = median(bench.session.timers(launch)["compute"](100) for _ in range(9))
    for launches in (5, 5000):

        def run(x, y, launches=launches):
            for _ in range(launches):
                launch.once()

        begin, call = time.perf_counter(), _bound(run, x, y)
        timers = bench.session.timers(call)
        taken = median(timers["compute"](300 if launches < 10 else 1) for _ in range(5))
        assert time.perf_counter() - begin < 30
        if launches < 10 or bench.backend == "pyopencl":
            assert call.mark is None
            assert 0.5 * alone < taken / launches < 1.5 * alone, (taken, alone)
        else:
            assert call.mark == "synchronises"
    _still_apart(bench, launch)
    bench.release(x, y)


def _bound(run, *arguments):
    call = Call(run, {}, prepared=True)
    call.bind(arguments)
    return call


def _still_apart(bench, call):
    """What one call was marked with is not another's."""
    bench.session.synchronise()
    assert bench.session.lost() is None
    timers = bench.session.timers(call)
    assert timers["compute"](200) < 1.5e-5
    assert call.mark is None


def check_work_on_the_default_stream_is_timed_too(bench):
    """What is not timed is missing as a whole; a tenth is left to clocks and to what else a GPU does."""
    if bench.backend == "pyopencl":
        return
    x, y = bench.big_arrays()
    right = bench.session.timers(bench.call("scale", bench.big, x, y))
    wrong = bench.session.timers(bench.call("scale", bench.big, x, y, by_mistake=True))
    right["compute"](20)
    expected = median(right["compute"](20) for _ in range(5))
    for kind in ("compute", "call"):
        found = median(wrong[kind](20) for _ in range(5))
        assert found > 0.9 * expected, (kind, found, expected)
    bench.release(x, y)


def check_work_in_a_stream_that_is_not_held_is_marked(bench):
    """One that was created non-blocking, which of these libraries CuPy and cuda.core alone make."""
    if bench.backend not in ("cupy", "cuda_core"):
        return
    stream = bench.library.stream_apart()
    for n, calls in ((SHORT, 200), (bench.big, 1)):
        x, y, _ = bench.arrays(SHORT) if n == SHORT else (*bench.big_arrays(), None)
        right, call = bench.call("scale", n, x, y), bench.call("scale", n, x, y, stream=stream)
        right.once()
        expected = median(bench.session.timers(right)["compute"](calls) for _ in range(5))
        found = median(bench.session.timers(call)["compute"](calls) for _ in range(5))
        assert right.mark is None
        assert call.mark == "unseen"
        assert found > 0.9 * expected, (found, expected)
        bench.release(x, y)


def check_cold_is_slower_than_hot(bench):
    """One thread follows a chain in random order, for as long as memory, or the cache, takes to answer."""
    x, y, host = bench.arrays(CHAIN)
    order = np.random.default_rng(0).permutation(CHAIN)
    host[order] = np.roll(order, -1)
    bench.session.copy_in(x, host)
    call = bench.call("chase", LINKS, x, y)
    compute = bench.session.timers(call)["compute"]

    def cold():
        bench.session.flush_cache()
        return compute(1)

    def hot():
        call.once()
        return compute(1)

    pairs = [(cold(), hot()) for _ in range(20)][1:]
    slow, fast = (median(times) for times in zip(*pairs, strict=True))
    assert slow > 1.3 * fast, (slow, fast, bench.device.device_limits.cache_bytes)
    bench.release(x, y)


def check_release_gives_memory_back(bench):
    free = _free_by_nvml(bench) if bench.backend == "pyopencl" else _free_by_driver()
    before = free()
    array = bench.session.empty((1 << 30,), "uint8")
    taken = before - free()
    assert taken >= 1 << 30, taken
    bench.release(array)
    del array
    gc.collect()
    if bench.backend != "pyopencl":
        bench.session.trim()
    kept = before - free()
    assert kept < 1 << 26, (kept, taken)


def _free_by_driver():
    api = cuda.driver()

    def free():
        left, total = c_size_t(), c_size_t()
        api.cuMemGetInfo_v2(byref(left), byref(total))
        return left.value

    return free


def _free_by_nvml(bench):
    """OpenCL's context is not one that the driver's own functions could be asked in."""
    import pynvml

    pynvml.nvmlInit()
    gpu = pynvml.nvmlDeviceGetHandleByPciBusId(opencl.pci_bus_id(bench.session.device))
    return lambda: pynvml.nvmlDeviceGetMemoryInfo(gpu).free


def check_launch_facts(bench):
    x, y, _ = bench.arrays(1000)
    if bench.backend == "pyopencl":
        facts = bench.session.launch_facts(bench.call("scale", 1000, x, y))
        assert facts.registers is facts.occupancy is None, facts
        assert BLOCK <= facts.max_block_size <= bench.device.device_limits.max_block_size, facts
        assert 0 <= facts.shared_bytes < 1024, facts
        assert facts.local_bytes >= 0, facts
        facts = bench.session.launch_facts(bench.call("tree", 1000, x, y))
        assert 8000 <= facts.shared_bytes < 9024, facts
        bench.release(x, y)
        return
    for block in (1, 32, 33, 256, 1024):
        call = bench.call("scale", 1000, x, y, block)
        call.once()
        facts = bench.session.launch_facts(call)
        assert 1 <= facts.registers <= 255, facts
        assert facts.max_block_size == 1024, facts
        assert facts.shared_bytes == 0
        assert 0 < facts.occupancy <= 1, facts
        if block == 256:
            assert facts.occupancy == 1.0, facts  # few registers, no shared memory
        if block == 1:
            assert facts.occupancy <= 0.5, facts  # at most 32 blocks, of a warp each, where 64 warps fit
    if bench.backend == "warp":  # which knows bounds of its own alone
        bench.release(x, y)
        return
    bounded = bench.call("bounded", 1000, x, y, 256)
    bounded.once()
    assert bench.session.launch_facts(bounded).max_block_size == 256
    bench.release(x, y)


def check_the_occupancy_formula_agrees_with_the_driver(bench):
    """The driver can be asked through CuPy; PyCUDA relies on the formula."""
    if bench.backend != "cupy":
        return
    session = bench.session
    for name in ("scale", "tree", "hungry"):
        kernel = bench.library.kernel(name)
        facts = session.attributes(kernel)
        for threads in (1, 31, 32, 33, 64, 100, 128, 256, 384, 512, 768, 1024):
            for shared in (0, 1000, 8192, 32768):
                if threads > facts.max_block_size:
                    continue
                how = {"threads": threads, "shared_bytes": shared}
                told = session.resident_blocks(kernel, facts, **how)
                ours = cuda.resident_blocks(session._limits, facts, **how)
                assert told == ours, (name, threads, shared, told, ours, facts)


def check_energy_is_counted(bench):
    x, y = bench.big_arrays()
    compute = bench.session.timers(bench.call("scale", bench.big, x, y))["compute"]
    place = bench.session.gpu()
    begin, start = place and nvidia.energy_j(place), time.perf_counter()
    assert begin is not None, "no energy counter found"
    while time.perf_counter() - start < 1.0:
        compute(20)
    watts = (nvidia.energy_j(place) - begin) / (time.perf_counter() - start)
    assert 20 < watts < 2000, watts
    bench.release(x, y)


def check_out_of_memory_is_recognised_and_survived(bench):
    session, library = bench.session, bench.library
    for who, take in (
        ("the session, at once", lambda: session.empty((1 << 44,), "uint8")),
        ("the session, in pieces", lambda: _take_pieces(bench)),
        ("the library", lambda: library.take(1 << 44)),
    ):
        outcome, words = _outcome(session, take)
        swapped = outcome == "ok" and bench.backend == "pyopencl" and "pieces" in who  # to the host, as OpenCL may
        assert outcome == "out_of_memory" or swapped, (who, outcome, words)
        assert session.lost() is None, (who, words, session.lost())
    check_results_are_right(bench)


def _take_pieces(bench):
    """Arrays of an eighth of the device's memory each, until there is no more."""
    taken = []
    try:
        for _ in range(9):
            taken.append(bench.session.empty((bench.device.device_limits.memory_bytes // 8,), "uint8"))
    finally:
        bench.release(*taken)


def _outcome(session, take):
    """(outcome, words) of what `take` raises: the error itself would keep alive what had been taken."""
    found = "ok", ""
    try:
        take()
    except Exception as error:
        told = session.explain(error)
        exhausted = isinstance(error, session.OUT_OF_MEMORY)
        found = "out_of_memory" if exhausted else told and told[0], f"{error!r}: {error}"
    gc.collect()
    return found


def check_the_session_is_not_lost(bench):
    assert bench.session.lost() is None


def check_a_stray_write_loses_the_session(bench):
    """Alone: the context is gone afterwards."""
    x, y, _ = bench.arrays(1000)
    timers = bench.session.timers(bench.call("stray", 1000, x, y))
    with pytest.raises(Exception) as raised:  # noqa: PT011 - each library has its own
        timers["call"](1)
    assert not isinstance(raised.value, bench.session.OUT_OF_MEMORY)
    assert bench.session.lost()


ALONE = ("check_a_stray_write_loses_the_session",)
CHECKS = tuple(name for name in list(globals()) if name.startswith("check_") and name not in ALONE)


def main(backend, manifest, out, *chosen):
    found = {}
    bench = Bench(backend, Path(manifest))
    for name in chosen or CHECKS:
        try:
            globals()[name](bench)
            found[name] = None
        except (Exception, pytest.fail.Exception):
            # The latter, of pytest.raises, is no Exception, and would end the checks that follow.
            found[name] = traceback.format_exc()
        Path(out).write_text(json.dumps(found))
    if not chosen:
        bench.session.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
