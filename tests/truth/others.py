"""Times of the same calls by this package and by other tools.

Each tool is compared with the kind of time that it measures. The worker's code makes the calls in a separate process.
Our samples alternate with samples of the other tool, so that disturbances of the machine affect both.
"""

import importlib
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from timeit import Timer
from types import SimpleNamespace

import numpy as np
from own_clocks import OWN_CLOCKS
from planting import Row, percent

from accelbench import backends, project, toolchains
from accelbench.config import Build, Protocol
from accelbench.errors import brief
from accelbench.kernels.catalog import load
from accelbench.machine.devices import probe
from accelbench.measure.case_state import PRIMED_LOOPS
from accelbench.model.device import Device
from accelbench.rpc.messages import Inputs
from accelbench.verify.truth import sealed
from accelbench.worker.__main__ import Worker
from accelbench.worker.session import Session

KERNEL, DTYPE = load(project.ROOT / "kernels" / "vector_multiply"), "float64"
HOST_SIZES, GPU_SIZES = (1_000, 100_000, 1_000_000), (1_000, 100_000, 10_000_000, 100_000_000)
BLOCK = 256
TURNS, SAMPLE_S = 25, 0.005  # number of samples of each tool; seconds of a sample of the other tool
PROCESSES = 5  # number of our processes, and of a tool that starts processes
AGREEMENT = 0.02  # maximum relative difference
OWN_AGREEMENT = 0.03  # maximum relative difference for profilers and events of the libraries


def alone():
    """Return an executor with one fresh process."""
    return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))


def build(implementation, device, folder):
    """Build an implementation in `folder`; return {source: Artifact}."""
    if implementation.toolchain is None:
        return {}
    alone = replace(KERNEL, implementations={implementation.name: implementation})
    entries = toolchains.build(alone, implementation.toolchain, folder, config=Build(), devices=[device]).artifacts
    if failed := [entry.log for entry in entries if entry.outcome != "ok"]:
        raise RuntimeError(failed[0])
    return {entry.source: entry for entry in entries}


class Timed:
    """An implementation of KERNEL, ready to be called at one size on a device, with the worker's clock."""

    def __init__(self, name, size, device):
        implementation, worker, options = KERNEL.implementations[name], Worker(), KERNEL.spec.options
        self._built = tempfile.TemporaryDirectory(prefix="accelbench-built-")
        module = backends.modules()[implementation.backend]
        os.environ.update(Session.variables(module, device, 1))
        worker.recipe = SimpleNamespace(
            file=str(implementation.path), backend=implementation.backend, module=module.__name__, device=device,
            threads=1, toolchain=implementation.toolchain, build_folder=self._built.name, once_folder="",
            variant=None, artifacts=build(implementation, device, self._built.name), unbuilt=[], memory_bytes=0,
        )  # fmt: skip
        self.session = worker.session = Session(module, implementation.backend, device)
        worker.module = worker._import()
        inputs = KERNEL.inputs(size, DTYPE, rng=np.random.default_rng(1), options=options)
        self._file, layout = sealed(KERNEL.name, inputs)
        outputs = [(o.name, o.shape, o.dtype, o.inout) for o in KERNEL.outputs(size, DTYPE, options)]
        where = {"file": self._file, "layout": layout, "location": KERNEL.spec.location, "again": False}
        worker.load("p", Inputs(outputs=outputs, **where))
        given = {key: values[0] if values else BLOCK for key, values in implementation.parameters.items()}
        case = {"size": size, "dtype": DTYPE, "options": options, "parameters": given, "tuned": None}
        worker.prepare("p", "c", **case)
        self.clock = worker.handles["c"]
        self.call, own = self.clock.call, Protocol()
        self.once = eval(f"lambda: {self.call.statement}", self.call.namespace)
        sample_s = own.sample_s if device.on_host else own.sample_device_s
        lasting = {"compute": sample_s, "call": sample_s}
        found = self.clock.warm_up(sample_s=lasting, warm_up_s=0.05, calls=3, known=[])
        self.loops = {kind: loops for kind, (_, loops) in found.items() if kind in ("compute", "throughput")}
        self.many = max(1, int(SAMPLE_S / found["compute"][0]))  # number of calls per sample of another tool

    def sample(self, kind, *, cold=False):
        """Return the seconds per call of a kind of time. Precede the sample by an untimed call whenever a sweep does.

        `cold` empties the cache as `cache: cold` does.
        """
        loops = {"compute": self.loops["compute"], kind: self.loops[kind]}
        return self.clock.sample(loops, [name for name, count in loops.items() if count <= PRIMED_LOOPS], cold)[kind]

    def in_a_row(self):
        """Make `many` calls; return the result of the last."""
        for _ in range(self.many):
            last = self.once()
        return last

    def between(self, record, elapsed_ms):
        """Return medians of `throughput` and of the time between two events around consecutive calls.

        record() records an event in the stream and returns it. elapsed_ms(begin, end) waits for `end` and returns the
        milliseconds between the two events.
        """

        def other():
            begin = record()
            self.in_a_row()
            return elapsed_ms(begin, record()) / 1000 / self.many

        return self.beside("throughput", other)

    def beside(self, kind, other, *, cold=False):
        """Return the medians of alternating samples of a kind of time and of other(), both in seconds per call."""
        ours, theirs = zip(*((self.sample(kind, cold=cold), other()) for _ in range(TURNS)), strict=True)
        return statistics.median(ours), statistics.median(theirs)


# Other tools: each function takes a Timed, and by_pyperf also a name and a size. Each returns (seconds per call by us,
# by the tool).


def by_timeit(timed):
    timer = Timer(timed.call.statement, globals=timed.call.namespace)
    return timed.beside("compute", lambda: timer.timeit(timed.many) / timed.many)


def by_pyperf(timed, name, size):
    """Alternate between processes of pyperf and our processes."""
    importlib.import_module("pyperf")
    setup = f"import others as o; globals().update(o.Timed({name!r}, {size}, o.Device('cpu')).call.namespace)"
    ours, theirs = [], []
    for _ in range(PROCESSES):
        with alone() as pool:
            ours.append(pool.submit(_typical, name, size).result())
        with tempfile.TemporaryDirectory() as folder:
            answer = Path(folder, "pyperf.json")
            command = [sys.executable, "-m", "pyperf", "timeit", "--quiet", "--processes", "1", "--inherit-environ"]
            command += ["PYTHONPATH", "--output", str(answer), "--setup", setup, timed.call.statement]
            own = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
            subprocess.run(command, env=own, capture_output=True, check=True)
            runs = json.loads(answer.read_text())["benchmarks"][0]["runs"]
        theirs.append(statistics.median(value for run in runs for value in run.get("values", ())))
    return statistics.median(ours), statistics.median(theirs)


def _typical(name, size):
    timed = Timed(name, size, Device("cpu"))
    return statistics.median(timed.sample("compute") for _ in range(TURNS))


def by_cupy_profiler(timed):
    from cupyx.profiler import benchmark

    def other():
        return float(benchmark(timed.once, n_repeat=10, n_warmup=2).gpu_times.mean())

    return timed.beside("compute", other)


def by_torch_events(timed):
    import torch

    stream = torch.cuda.ExternalStream(timed.session.stream.ptr)

    def elapsed_ms(begin, end):
        end.synchronize()
        return begin.elapsed_time(end)

    return timed.between(lambda: stream.record_event(torch.cuda.Event(enable_timing=True)), elapsed_ms)


def _on_torch_stream(timed):
    import cupy
    import torch

    def call():
        with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
            timed.once()

    return call


def by_triton(timed):
    from triton.testing import do_bench

    call = _on_torch_stream(timed)
    other = partial(do_bench, call, warmup=2, rep=10, return_mode="median")
    return timed.beside("compute", lambda: other() / 1000, cold=True)


def by_triton_graph(timed):
    from triton.testing import do_bench_cudagraph

    call = _on_torch_stream(timed)
    return timed.beside("compute", lambda: do_bench_cudagraph(call, rep=10, return_mode="median") / 1000)


def by_opencl_events(timed):
    import pyopencl as cl
    from pyopencl.elementwise import ElementwiseKernel

    own = timed.session.queue
    queue = cl.CommandQueue(own.context, own.device, properties=cl.command_queue_properties.PROFILING_ENABLE)
    multiply = ElementwiseKernel(
        own.context, "double *x, double *y, double *z", "z[i] = x[i] * y[i]", "multiply_by_hand"
    )
    arguments = [value for name, value in sorted(timed.call.namespace.items()) if name.startswith("a")]
    arrays = [array.with_queue(queue) for array in arguments]

    def other():
        events = [multiply(*arrays, queue=queue) for _ in range(20)]
        queue.finish()
        return statistics.median(1e-9 * (event.profile.end - event.profile.start) for event in events)

    return timed.beside("compute", other)


# {tool: (function, implementation, minimum size from which both times should agree, if any)}
ON_HOST = {
    "timeit": (by_timeit, "numpy_multiply", 0),
    "timeit (Numba)": (by_timeit, "numba_njit", 0),
    "pyperf timeit": (by_pyperf, "numpy_multiply", 0),
}
ON_GPU = {
    "cupyx.profiler.benchmark": (by_cupy_profiler, "cupy_elementwise", None),
    "torch.cuda.Event": (by_torch_events, "cupy_elementwise", 10_000_000),
    "triton do_bench": (by_triton, "cupy_elementwise", 10_000_000),
    "triton do_bench_cudagraph": (by_triton_graph, "cupy_elementwise", 10_000_000),
    "OpenCL events": (by_opencl_events, "pyopencl_elementwise", 0),
} | OWN_CLOCKS


def compare(tool, size, device):
    """Return the Row of a tool at one size, with the reason if the tool is not available."""
    by, name, least = (ON_HOST | ON_GPU)[tool]
    what = f"{tool}, {name}, {size}"
    try:
        timed = Timed(name, size, device)
        ours, theirs = by(timed, name, size) if by is by_pyperf else by(timed)
    except Exception as error:
        return Row(what, f"not available: {brief(error)}")
    off = theirs / ours - 1
    measured = f"ours {ours * 1e6:.4g} us, theirs {theirs * 1e6:.4g} us: {'+' if off > 0 else ''}{percent(off)}"
    if least is None or size < least:
        return Row(what, measured)
    most = OWN_AGREEMENT if tool in OWN_CLOCKS else AGREEMENT
    return Row(what, measured, f"within {percent(most)}", abs(off) <= most)


def rows(_, options):
    """Return the rows of every tool at every size, on the host and on the first GPU, each in a separate process."""
    tasks = [(tool, size, Device("cpu")) for tool in ON_HOST for size in HOST_SIZES]
    found = probe({KERNEL.implementations[name].backend for _, name, _ in ON_GPU.values()})
    gpus = {name: next((d for d in backend.devices if not d.on_host), None) for name, backend in found.items()}
    for tool, (_, name, _) in ON_GPU.items():
        gpu = gpus.get(KERNEL.implementations[name].backend)
        tasks += [(tool, size, gpu) for size in GPU_SIZES if gpu]
    rows = []
    for task in tasks:
        with alone() as pool:
            rows.append(pool.submit(compare, *task).result())
        print(f"{rows[-1].what}: {rows[-1].measured}", flush=True)
    return rows
