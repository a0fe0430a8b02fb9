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
from pathlib import Path
from statistics import median

import numpy as np
import pytest

from accelbench import backends, build
from accelbench.backends import cuda
from accelbench.worker.problem import Call

BIG = 50_000_000  # elements: a launch lasts far longer than it takes to launch
BLOCK = 256


class Cupy:
    """Launches kernels of gpu.cu, each on (n, x, y), through CuPy."""

    def __init__(self, session, artifact):
        import cupy

        self.module, self.null = cupy.RawModule(path=artifact), cupy.cuda.Stream.null
        self.take = lambda nbytes: cupy.empty(nbytes, np.uint8)

    def kernel(self, name):
        return self.module.get_function(name)

    def launch(self, kernel, blocks, threads, n, x, y, by_mistake=False):
        kernel((blocks,), (threads,), (np.int64(n), x, y), stream=self.null if by_mistake else None)


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
        kernel(np.int64(n), x.gpudata, y.gpudata, block=(threads, 1, 1), grid=(blocks, 1), stream=stream)


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
        def stray(n, x, y):
            y[n + (1 << 45)] = 1.0

        self.kernels = {"scale": scale, "overrun": overrun, "bounded": bounded, "stray": stray}

    def kernel(self, name):
        return self.kernels[name]

    def launch(self, kernel, blocks, threads, n, x, y, by_mistake=False):
        kernel[blocks, threads, 0 if by_mistake else self.stream](n, x, y)


class Pyopencl:
    """The same kernels in OpenCL C."""

    SOURCE = """
    #pragma OPENCL EXTENSION cl_khr_fp64 : enable
    kernel void scale(long n, global const double *x, global double *y)
    { long i = get_global_id(0); if (i < n) y[i] = 2 * x[i]; }
    kernel void overrun(long n, global const double *x, global double *y)
    { long i = get_global_id(0); if (i <= n) y[i] = 2 * x[0]; }
    kernel void stray(long n, global const double *x, global double *y)
    { y[n + (1L << 45)] = 1; }
    """

    def __init__(self, session, artifact):
        import pyopencl as cl

        self.queue, self.program = session.queue, cl.Program(session.context, self.SOURCE).build()
        self.take = lambda nbytes: session._array.empty(session.queue, (nbytes,), np.uint8)

    def kernel(self, name):
        return getattr(self.program, name)

    def launch(self, kernel, blocks, threads, n, x, y):
        return kernel(self.queue, (blocks * threads,), (threads,), np.int64(n), x.data, y.data)


LIBRARIES = {"cupy": Cupy, "pycuda": Pycuda, "numba_cuda": NumbaCuda, "pyopencl": Pyopencl}


class Bench:
    """A Session and a library's way of launching; `arrays` and `call` make what checks need."""

    def __init__(self, backend, manifest):
        module = backends.modules()[backend]
        self.backend = backend
        self.device = next(d for d in module.probe(backend) if d.name.startswith("NVIDIA ")).as_dict()
        self.session = module.Session(backend, self.device)
        entry = build.load(manifest).find("cupy_gpu", "gpu.cu")
        artifact = self.session.load(entry, manifest.parent, "cuda") if backend in ("cupy", "pycuda") else None
        self.library = LIBRARIES[backend](self.session, artifact)

    def arrays(self, n):
        x, y = self.session.empty((n,), "float64"), self.session.empty((n,), "float64")
        host = np.arange(n, dtype="float64") % 1000
        self.session.copy_in(x, host)
        return x, y, host

    def call(self, name, n, x, y, block=BLOCK, **how):
        """A Call of a kernel, as the worker makes it of an implementation's `run` with its block size."""
        kernel = self.library.kernel(name)

        def run(x, y):
            self.library.launch(kernel, -(-(n + 1) // block), block, n, x, y, **how)

        run.kernel = kernel
        call = Call(run, {"block_size": block}, prepared=True)
        call.bind((x, y))
        return call

    def release(self, *arrays):
        for array in arrays:
            self.session.release(array)


def check_description(bench):
    limits = bench.device["limits"]
    assert limits["max_block_size"] >= 1024, limits
    assert len(limits["max_block_shape"]) == 3
    assert limits["memory_bytes"] > 1 << 30
    assert limits["compute_units"] > 1
    assert all(isinstance(v, str) and v for v in bench.device["versions"].values()), bench.device["versions"]
    if bench.backend != "pyopencl":
        assert limits["cache_bytes"] > 1 << 20
        assert limits["compute_capability"].count(".") == 1


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
    """A long kernel lasts as long between events as on the host clock, and as a timer of the library's own says."""
    x, y, _ = bench.arrays(BIG)
    call = bench.call("scale", BIG, x, y)
    timers = bench.session.timers(call)
    timers["compute"](20)
    compute = median(timers["compute"](20) for _ in range(5))
    waited = median(timers["call"](20) for _ in range(5))
    launched = median(timers["launch"](20) for _ in range(5))
    assert compute <= waited * 1.005, (compute, waited)
    assert waited < compute * 1.05 + 50e-6, (compute, waited)
    assert launched < compute / 2, (compute, launched)
    bandwidth = 16 * BIG / compute
    assert 1e11 < bandwidth < 1e13, bandwidth
    other = OWN_TIMERS[bench.backend](bench, call, x, y)
    assert abs(other / compute - 1) < 0.03, (compute, other)
    bench.release(x, y)


def _cupy_benchmark(bench, call, x, y):
    from cupyx.profiler import benchmark

    return float(np.median(benchmark(call.once, n_repeat=100, n_warmup=5).gpu_times))


def _opencl_events(bench, call, x, y):
    kernel, blocks = bench.library.kernel("scale"), -(-BIG // BLOCK)
    events = [bench.library.launch(kernel, blocks, BLOCK, BIG, x, y) for _ in range(50)]
    bench.session.synchronise()
    return median((e.profile.end - e.profile.start) * 1e-9 for e in events)


def _pycuda_events(bench, call, x, y):
    from pycuda.driver import Event

    return _between(bench, call, Event, lambda a, b: b.time_since(a))


def _numba_events(bench, call, x, y):
    from numba.cuda import event, event_elapsed_time

    return _between(bench, call, event, event_elapsed_time)


def _between(bench, call, event, elapsed_ms):
    taken = []
    for _ in range(50):
        begin, end = event(), event()
        begin.record(bench.session.stream)
        call.once()
        end.record(bench.session.stream)
        end.synchronize()
        taken.append(elapsed_ms(begin, end) * 1e-3)
    return median(taken)


OWN_TIMERS = {
    "cupy": _cupy_benchmark,
    "pyopencl": _opencl_events,
    "pycuda": _pycuda_events,
    "numba_cuda": _numba_events,
}


def check_work_on_the_default_stream_is_timed_too(bench):
    if bench.backend == "pyopencl":
        return
    x, y, _ = bench.arrays(BIG)
    right = bench.session.timers(bench.call("scale", BIG, x, y))
    wrong = bench.session.timers(bench.call("scale", BIG, x, y, by_mistake=True))
    right["compute"](20)
    expected = median(right["compute"](20) for _ in range(5))
    for kind in ("compute", "call"):
        found = median(wrong[kind](20) for _ in range(5))
        assert found > 0.97 * expected, (kind, found, expected)
    bench.release(x, y)


def check_cold_is_slower_than_hot(bench):
    n = 500_000  # 8 MB in all: within the cache
    x, y, _ = bench.arrays(n)
    compute = bench.session.timers(bench.call("scale", n, x, y))["compute"]
    compute(100)

    def cold():
        bench.session.flush_cache()
        return compute(1)

    def hot():
        bench.call("scale", n, x, y).once()
        return compute(1)

    for way in (cold, hot):
        way()
    slow, fast = median(cold() for _ in range(20)), median(hot() for _ in range(20))
    assert slow > fast, (slow, fast)
    bench.release(x, y)


def check_out_of_memory_is_recognised_and_survived(bench):
    session = bench.session
    takers = {"session": lambda nbytes: session.empty((nbytes,), "uint8"), "library": bench.library.take}
    for who, take in takers.items():
        with pytest.raises(Exception) as raised:  # noqa: PT011 - which exceptions mean it is what is asked
            take(1 << 44)
        told = session.explain(raised.value)
        meant = isinstance(raised.value, session.OUT_OF_MEMORY) or (told and told[0] == "out_of_memory")
        assert meant, (who, repr(raised.value))
    check_results_are_right(bench)


def check_release_gives_memory_back(bench):
    if bench.backend == "pyopencl":
        return
    api = cuda.driver()
    from ctypes import byref, c_size_t

    def free():
        left, total = c_size_t(), c_size_t()
        api.cuMemGetInfo_v2(byref(left), byref(total))
        return left.value

    before = free()
    array = bench.session.empty((1 << 30,), "uint8")
    assert before - free() >= 1 << 30
    bench.release(array)
    del array
    gc.collect()
    bench.session.trim()
    assert before - free() < 1 << 26


def check_launch_facts(bench):
    x, y, _ = bench.arrays(1000)
    if bench.backend == "pyopencl":
        assert bench.session.launch_facts(bench.call("scale", 1000, x, y)) is None
        return
    for block in (1, 32, 33, 256, 1024):
        call = bench.call("scale", 1000, x, y, block)
        call.once()
        facts = bench.session.launch_facts(call)
        assert 1 <= facts["registers"] <= 255, facts
        assert facts["max_block_size"] == 1024, facts
        assert facts["shared_bytes"] == 0
        assert 0 < facts["occupancy"] <= 1, facts
        if block == 256:
            assert facts["occupancy"] == 1.0, facts  # few registers, no shared memory
        if block == 1:
            assert facts["occupancy"] <= 0.5, facts  # at most 32 blocks, of a warp each, where 64 warps fit
    bounded = bench.call("bounded", 1000, x, y, 256)
    bounded.once()
    assert bench.session.launch_facts(bounded)["max_block_size"] == 256
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
                if threads > facts["max_block_size"]:
                    continue
                told = session.resident_blocks(kernel, facts, threads, shared)
                ours = cuda.resident_blocks(session._limits, facts, threads, shared)
                assert told == ours, (name, threads, shared, told, ours, facts)


def check_energy_is_counted(bench):
    if bench.backend == "pyopencl":
        return
    x, y, _ = bench.arrays(BIG)
    compute = bench.session.timers(bench.call("scale", BIG, x, y))["compute"]
    begin, start = bench.session.energy_j(), time.perf_counter()
    while time.perf_counter() - start < 1.0:
        compute(100)
    watts = (bench.session.energy_j() - begin) / (time.perf_counter() - start)
    assert 20 < watts < 2000, watts
    bench.release(x, y)


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
        except Exception:
            found[name] = traceback.format_exc()
        Path(out).write_text(json.dumps(found))
    if not chosen:
        bench.session.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
