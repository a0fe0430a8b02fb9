"""A backend's Session on a real NVIDIA GPU, with the library's functions for launching and timing kernels.

Each launcher runs the kernels of gpu.cu or equivalents of some of them. Every kernel takes (n, x, y). The method
`own_time` returns the time of a call in seconds, measured with the library's own timer.
"""

from contextlib import nullcontext
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np

from accelbench import backends, config, toolchains
from accelbench.kernels import catalog
from accelbench.kernels.implementation import read_implementation
from accelbench.store import formats
from accelbench.worker.problem import Call

SOURCE = Path(__file__).with_name("gpu.cu")
BIG = 600_000_000  # number of elements for which a kernel takes milliseconds and its launch microseconds
BLOCK = 256
IN_A_ROW = 20  # number of calls per sample of a library's own timer


def build(home):
    """Build gpu.cu under `home` and return the path of the manifest."""
    source = home / "kernels" / "gpu"
    source.mkdir(parents=True)
    (source / "gpu.cu").write_text(SOURCE.read_text())
    (source / "cupy_gpu.py").write_text('SOURCES = ("gpu.cu",)\n\n\ndef run(x):\n    pass\n')
    found = {i.name: i for i in read_implementation(source / "cupy_gpu.py")}
    folder = catalog.KernelFolder("gpu", source, None, {}, found)
    manifest = toolchains.build(folder, "cuda", home / "built", config=config.Build())
    assert manifest.artifacts[0].outcome == "ok", manifest.artifacts[0].log
    formats.write(home / "built" / "cuda.json", manifest)
    return home / "built" / "cuda.json"


def call_in_a_row(call):
    for _ in range(IN_A_ROW):
        call.once()


def time_between(stream, call, event, elapsed_ms):
    taken = []
    for _ in range(5):
        begin, end = event(), event()
        begin.record(stream)
        call_in_a_row(call)
        end.record(stream)
        end.synchronize()
        taken.append(elapsed_ms(begin, end) * 1e-3 / IN_A_ROW)
    return median(taken)


class Cupy:
    """Launcher that runs the kernels of gpu.cu with CuPy."""

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

    def own_time(self, bench, call, x, y):
        from cupyx.profiler import benchmark

        repeated = benchmark(lambda: call_in_a_row(call), n_repeat=5, n_warmup=1)
        return float(np.median(repeated.gpu_times)) / IN_A_ROW


class Pycuda:
    """Launcher that runs the kernels of gpu.cu with PyCUDA."""

    def __init__(self, session, artifact):
        import pycuda.driver

        self.module, self.stream = pycuda.driver.module_from_file(artifact), session.stream
        self.take = pycuda.driver.mem_alloc

    def kernel(self, name):
        return self.module.get_function(name)

    def launch(self, kernel, blocks, threads, n, x, y, by_mistake=False):
        stream = None if by_mistake else self.stream
        # PyCUDA would reject x.gpudata, which is an integer if the session allocated the memory of x.
        kernel(np.int64(n), x, y, block=(threads, 1, 1), grid=(blocks, 1), stream=stream)

    def own_time(self, bench, call, x, y):
        from pycuda.driver import Event

        return time_between(bench.session.stream, call, Event, lambda begin, end: end.time_since(begin))


class NumbaCuda:
    """Launcher of some kernels of gpu.cu, rewritten in Numba and compiled by numba-cuda or numba-cuda-mlir."""

    def __init__(self, session, artifact):
        self.library = library = session._library
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

    def own_time(self, bench, call, x, y):
        return time_between(bench.session.stream, call, self.library.event, self.library.event_elapsed_time)


class CudaCore:
    """Launcher that runs the kernels of gpu.cu with cuda.core."""

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
        """Return a stream with the default options of create_stream."""
        return self.device.create_stream()

    def own_time(self, bench, call, x, y):
        try:
            options = self.core.EventOptions(timing_enabled=True)
        except TypeError:  # name of the option before cuda.core 1.0
            options = self.core.EventOptions(enable_timing=True)
        taken = []
        for _ in range(5):
            begin = self.stream.record(options=options)
            call_in_a_row(call)
            end = self.stream.record(options=options)
            end.sync()
            taken.append((end - begin) * 1e-3 / IN_A_ROW)
        return median(taken)


class Warp:
    """Launcher of some kernels of gpu.cu, rewritten in Warp. Warp's indices have 32 bits, so `stray` is missing."""

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

    def own_time(self, bench, call, x, y):
        taken = []
        for _ in range(5):
            begin, end = (self.wp.Event(enable_timing=True) for _ in range(2))
            self.wp.record_event(begin)
            call_in_a_row(call)
            self.wp.record_event(end)
            taken.append(self.wp.get_event_elapsed_time(begin, end) * 1e-3 / IN_A_ROW)
        return median(taken)


class Pyopencl:
    """Launcher of some kernels of gpu.cu, rewritten in OpenCL C."""

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
        """Create a buffer and write to it, since a buffer takes no memory before its first use."""
        array = self.session._array.empty(self.queue, (nbytes,), np.uint8)
        self.cl.enqueue_fill_buffer(self.queue, array.data, np.uint8(0), 0, nbytes)
        self.queue.finish()

    def kernel(self, name):
        return self.cl.Kernel(self.program, name)

    def launch(self, kernel, blocks, threads, n, x, y, queue=None):
        return kernel(queue or self.queue, (blocks * threads,), (threads,), np.int64(n), x.data, y.data)

    def own_time(self, bench, call, x, y):
        kernel, blocks = self.kernel("scale"), -(-bench.big // BLOCK)
        profile = self.cl.command_queue_properties.PROFILING_ENABLE
        queue = self.cl.CommandQueue(self.session.context, properties=profile)
        events = [self.launch(kernel, blocks, BLOCK, bench.big, x, y, queue=queue) for _ in range(50)]
        queue.finish()
        return median((e.profile.end - e.profile.start) * 1e-9 for e in events)


class Torch:
    """Launcher of PyTorch's product of a number and a tensor."""

    def __init__(self, session, artifact):
        import torch

        self.torch = torch
        self.take = lambda nbytes: torch.empty(nbytes, dtype=torch.uint8, device="cuda")

    def kernel(self, name):
        assert name == "scale"

    def launch(self, kernel, blocks, threads, n, x, y, by_mistake=False):
        with self.torch.cuda.stream(self.torch.cuda.default_stream()) if by_mistake else nullcontext():
            self.compute(kernel, blocks, threads, n, x, y)

    def compute(self, kernel, blocks, threads, n, x, y):
        self.torch.mul(x, 2, out=y)

    def own_time(self, bench, call, x, y):
        event = partial(self.torch.cuda.Event, enable_timing=True)
        return time_between(bench.session.stream, call, event, lambda begin, end: begin.elapsed_time(end))


class Triton(Torch):
    """Launcher of some kernels of gpu.cu, rewritten in Triton."""

    def kernel(self, name):
        import triton_kernels

        return getattr(triton_kernels, name)

    def compute(self, kernel, blocks, threads, n, x, y):
        kernel[(blocks,)](n, x, y, BLOCK=threads)


LAUNCHERS = {
    "cupy": Cupy,
    "pycuda": Pycuda,
    "numba_cuda": NumbaCuda,
    "numba_cuda_mlir": NumbaCuda,
    "pyopencl": Pyopencl,
    "cuda_core": CudaCore,
    "warp": Warp,
    "torch": Torch,
    "triton": Triton,
}
BUILT = ("cupy", "pycuda", "cuda_core")  # backends that launch the artifact of gpu.cu


class Bench:
    """A Session and a launcher, with the arrays and calls that tests need."""

    def __init__(self, backend, manifest=None):
        """Open a session; the backends in BUILT need the manifest of `build`."""
        module = backends.modules()[backend]
        self.backend = backend
        self.device = next(d for d in module.probe(backend) if d.name.startswith("NVIDIA "))
        self.session = module.Session(backend, self.device)
        artifact = None
        if backend in BUILT:
            entry = toolchains.load(Path(manifest)).find("cupy_gpu", "gpu.cu")
            artifact = self.session.load(entry, Path(manifest).parent, "cuda")
        self.library = LAUNCHERS[backend](self.session, artifact)
        self.big = min(BIG, self.device.device_limits.memory_bytes // 64)  # two arrays take <= 1/4 of the memory

    def arrays(self, n):
        x, y = self.session.empty((n,), "float64"), self.session.empty((n,), "float64")
        host = np.arange(n, dtype="float64") % 1000
        self.session.copy_in(x, host)
        return x, y, host

    def big_arrays(self):
        """Return two uninitialised arrays of `big` elements each."""
        return self.session.empty((self.big,), "float64"), self.session.empty((self.big,), "float64")

    def call(self, name, n, x, y, block=BLOCK, **how):
        """Return a Call of a kernel, as the worker makes it from an implementation's `run` and block size."""
        kernel = self.library.kernel(name)

        def run(x, y):
            self.library.launch(kernel, -(-(n + 1) // block), block, n, x, y, **how)

        call = Call(run, {"block_size": block}, prepared=True)
        call.bind((x, y))
        return call

    def release(self, *arrays):
        for array in arrays:
            self.session.release(array)
