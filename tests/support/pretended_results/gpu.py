"""A results folder like that of `cpu`, for a machine with two OpenCL devices, one of which is a GPU.

Times on a device follow from its invented limits, so rates, best blocks and shares of the peaks are known.
"""

import math
import random
from dataclasses import dataclass
from pathlib import Path

import pretended_results
from accelbench.model.record import Order
from pretended_results import cpu, record, timing

GPU, POCL = "NVIDIA H200", "PoCL znver4-EPYC 9654"
CORES = 16
THREADS = (1, CORES)
REPETITIONS = 3
BLOCKS = (1, 4, 16, 32, 33, 64, 100, 128, 256, 512, 1024, 4096)
BLOCKS_2D = tuple((bx, by) for bx in (1, 8, 16, 32, 128) for by in (1, 8, 16, 32))
MAX_BLOCK = {GPU: 1024, POCL: 4096}
LIMITS = {  # bytes/s and flop/s
    (GPU, None): {"read": 4.4e12, "copy": 4.2e12, "triad": 4.3e12, "matmul": {"float64": 55e12, "float32": 50e12}},
    ("cpu", 1): {"read": 20e9, "copy": 16e9, "triad": 18e9, "matmul": {"float64": 50e9, "float32": 100e9}},
    ("cpu", CORES): {"read": 200e9, "copy": 160e9, "triad": 180e9, "matmul": {"float64": 0.8e12, "float32": 1.6e12}},
}
PAGEABLE, PINNED, WAIT = 9.7e9, 55e9, 7e-6  # bytes/s over the bus; seconds until the host observes the end of work
WATT = 400.0
TILED = "the tile needs a block of 16x16"


@dataclass(frozen=True)
class DeviceWay:
    """One invented implementation on a device.

    A launch takes `launch_s` seconds. The implementation reaches at most the fraction `share` of the peak. `blocks` is
    the number of dimensions of a block, 0 without one. `best` is the fastest number of threads of a block.
    """

    launch_s: float
    share: float
    blocks: int = 0
    best: int = 256
    registers: int | None = None


SIZES = {
    "vector_multiply": (10_000, 1_000_000, 100_000_000),
    "vector_sum": (10_000, 1_000_000, 100_000_000),
    "matmul": (64, 512, 4096),
    "inside_polygon": (256, 1024),
}
MANY = {f"{backend}_way_{n}": cpu.Way(1e-6 * n, 8e-10) for backend in ("cffi", "cython") for n in range(1, 9)}
HOST_WAYS = {
    "vector_multiply": cpu.KERNELS["vector_multiply"] | MANY,
    "vector_sum": cpu.KERNELS["vector_sum"],
    "inside_polygon": cpu.KERNELS["inside_polygon"],
    "matmul": {
        "numpy_blas": cpu.Way(2e-6, 2e-11, threaded=0.9),
        "cffi_openmp": cpu.Way(9e-6, 4e-10, threaded=0.9),
        "numba_njit": cpu.Way(1e-6, 9e-10, first_call_s=0.8),
    },
}
BASELINES = {kernel: next(iter(ways)) for kernel, ways in HOST_WAYS.items()}
ROUTES = {
    "cupy_array": DeviceWay(6e-6, 0.97),
    "cupy_elementwise": DeviceWay(5e-6, 0.99, blocks=1, best=128),
    "cupy_raw": DeviceWay(3e-6, 0.985, blocks=1, best=256, registers=24),
    "pycuda_raw": DeviceWay(9e-6, 0.98, blocks=1, best=256, registers=24),
    "numba_cuda_jit": DeviceWay(4e-5, 0.94, blocks=1, best=512, registers=40),
    "pyopencl_array": DeviceWay(5e-5, 0.93),
    "pyopencl_raw": DeviceWay(8e-6, 0.975, blocks=1, best=256, registers=None),
}
MORE = {f"{b}_way_{n}": DeviceWay(4e-6 + n * 1e-6, 0.9 - 0.05 * n) for n in range(1, 9) for b in ("cupy", "pycuda")}
DEVICE_WAYS = {
    "vector_multiply": ROUTES | MORE,
    "vector_sum": ROUTES,
    "inside_polygon": {
        "cupy_raw": DeviceWay(3e-6, 0.5, blocks=2, best=128, registers=32),
        "numba_cuda_jit": DeviceWay(4e-5, 0.3, blocks=2, best=256, registers=40),
        "pyopencl_raw": DeviceWay(8e-6, 0.45, blocks=2, best=64),
    },
    "matmul": {
        "cupy_matmul": DeviceWay(1.5e-5, 0.99),
        "cupy_raw_naive": DeviceWay(3e-6, 0.1, blocks=2, best=256, registers=32),
        "cupy_raw_tiled": DeviceWay(3e-6, 0.2, blocks=2, best=256, registers=38),
        "pyopencl_raw_naive": DeviceWay(9e-6, 0.09, blocks=2, best=128),
    },
}
DTYPES = dict.fromkeys(SIZES, ("float64", "float32"))
OPTIONS = cpu.OPTIONS | {"matmul": {}}


def backend_of(implementation):
    return "numba_cuda" if implementation.startswith("numba_cuda") else implementation.split("_")[0]


def devices_of(implementation):
    return (POCL, GPU) if backend_of(implementation) == "pyopencl" else (GPU,)


def cost(kernel, size, dtype):
    """Return (bytes read, bytes written, flops) of one call."""
    itemsize = 8 if dtype == "float64" else 4
    return {
        "vector_multiply": (2 * size * itemsize, size * itemsize, size),
        "vector_sum": (size * itemsize, itemsize, size),
        "matmul": (2 * size**2 * itemsize, size**2 * itemsize, 2 * size**3),
        "inside_polygon": (24 * 8, size**2, 0),
    }[kernel]


def floor(kernel, size, dtype, device):
    """Return the minimum time of a call in seconds: its bytes / bandwidth or its flops / peak, whichever is larger."""
    read, written, flops = cost(kernel, size, dtype)
    limits = LIMITS[(GPU, None) if device == GPU else ("cpu", CORES)]
    bandwidth = limits["read" if kernel == "vector_sum" else "triad"]
    return max((read + written) / bandwidth, flops / limits["matmul"][dtype])


def efficiency(way, block):
    """Return the relative speed with a block: lower for small, narrow or large blocks and for incomplete warps."""
    if block is None:
        return 1.0
    threads = math.prod(block) if isinstance(block, tuple) else block
    full = threads / (32 * math.ceil(threads / 32))
    shape = 1.0 if not isinstance(block, tuple) else min(1.0, block[0] / 16) ** 0.5
    return full * shape * min(1.0, threads / way.best) * (1 - 0.04 * max(0.0, math.log2(threads / way.best)))


def seconds(kernel, implementation, dtype, size, device, block=None):
    """Return the invented true time of the kernel alone on a device, in seconds."""
    way = DEVICE_WAYS[kernel][implementation]
    return 1.5e-6 + floor(kernel, size, dtype, device) / (way.share * efficiency(way, block))


def occupancy(way, block):
    """Return the theoretical occupancy of a multiprocessor of 64 warps, 32 blocks and 65536 registers."""
    if way.registers is None or block is None:
        return None
    warps = math.ceil((math.prod(block) if isinstance(block, tuple) else block) / 32)
    by_registers = 65536 // (way.registers * 32 * warps)
    return min(32, 64 // warps, by_registers) * warps / 64


def unsupported(implementation, device, block):
    """Return the reason why a block cannot run, or None."""
    threads = 1 if block is None else math.prod(block) if isinstance(block, tuple) else block
    if threads > MAX_BLOCK[device]:
        return f"block size {threads} exceeds the device's limit of {MAX_BLOCK[device]}"
    return TILED if implementation.endswith("tiled") and block != (16, 16) else None


def write(folder, kernels=tuple(SIZES), seed=11):
    generator = random.Random(seed)
    found = [record for kernel in kernels for record in records(kernel, generator)] + _limits()
    known = {kernel: metadata(kernel) for kernel in kernels}
    known |= {f"peak_{kind}": pretended_results.metadata(f"peak_{kind}", "numpy_best") for kind in cpu.LIMITS}
    return pretended_results.write(Path(folder), machine(), known, found)


def records(kernel, generator):
    """Return the Records of a kernel on the host and on the devices, in a random order."""
    drift = [generator.gauss(0, 0.004) for _ in range(REPETITIONS)]
    found = []
    for dtype in DTYPES[kernel]:
        for size in SIZES[kernel]:
            for name, way in HOST_WAYS[kernel].items():
                if backend_of(name) != "pyopencl":
                    for threads in THREADS if way.threaded else (1,):
                        found.append(_host(kernel, name, way, dtype, size, threads, drift, generator))
            for name, way in DEVICE_WAYS[kernel].items():
                for device in devices_of(name):
                    for block in ((None,), BLOCKS, BLOCKS_2D)[way.blocks]:
                        found.append(_device(kernel, name, dtype, size, device, block, drift, generator))
    generator.shuffle(found)
    return found


def _common(kernel, implementation, dtype, size, device, threads, block):
    read, written, flops = cost(kernel, size, dtype)
    return {
        "machine": "node",
        "kernel": kernel,
        "options": OPTIONS[kernel],
        "implementation": implementation,
        "backend": backend_of(implementation),
        "device": device,
        "size": size,
        "dtype": dtype,
        "parameters": {} if block is None else {"block_size": block},
        "threads": threads,
        "bytes_read": float(read),
        "bytes_written": float(written),
        "flops": float(flops),
        "cache_resident": read + written < 60e6,
        "source_lines": 12,
    }


def _sampled(true, drift, generator):
    return timing([[true * math.exp(d + generator.gauss(0, 0.002)) for _ in range(8)] for d in drift])


def _ok(drift):
    return {
        "repetitions": [f"repetition-{number}" for number in range(len(drift))],
        "max_error": 0.0,
        "tolerance": 1e-10,
        "order": Order(seed=1, processes=len(drift)),
        "key": "0" * 32,
    }


def _host(kernel, name, way, dtype, size, threads, drift, generator):
    work = size**3 if kernel == "matmul" else cpu.work(kernel, size)
    true = way.overhead_s + 3 * way.element_s * work * (1 if dtype == "float64" else 0.55)
    true /= 1 + (way.threaded or 0) * (threads - 1)
    startup = {"import_s": 0.1, "build_s": 0.001, "first_call_s": way.first_call_s + true}
    timings = {"compute": _sampled(true, drift, generator)}
    about = _common(kernel, name, dtype, size, "cpu", threads, None)
    return record(**about, **_ok(drift), timings=timings, startup=startup)


def _device(kernel, name, dtype, size, device, block, drift, generator):
    way = DEVICE_WAYS[kernel][name]
    about = _common(kernel, name, dtype, size, device, None if device == GPU else CORES, block)
    reason = unsupported(name, device, block)
    if reason:
        return record(**about, outcome="unsupported", reason=reason)
    true = seconds(kernel, name, dtype, size, device, block)
    times = {"compute": true, "call": way.launch_s + true + WAIT, "launch": way.launch_s}
    for suffix, rate in (("", PAGEABLE), ("_pinned", PINNED)) if device == GPU else (("", 20e9),):
        up, down = about["bytes_read"] / rate + 5e-6, about["bytes_written"] / rate + 5e-6
        times |= {f"upload{suffix}": up, f"download{suffix}": down, f"end_to_end{suffix}": true + up + down}
    return record(
        **about,
        **_ok(drift),
        timings={kind: _sampled(value, drift, generator) for kind, value in times.items()},
        startup={"import_s": 0.4, "context_s": 0.3, "build_s": 0.02, "first_call_s": 0.1 + true},
        occupancy=occupancy(way, block) if device == GPU else None,
        registers=way.registers if device == GPU else None,
        energy_j=WATT * true if device == GPU else None,
    )


def machine():
    """Return the content of a machine.json with sixteen cores and one GPU, with CUDA backends and PyOpenCL."""
    described = pretended_results.machine()
    device = described["backends"]["numpy"]["devices"][0]
    host = {**device, "name": POCL, "kind": "cpu", "device_limits": {"max_block_size": MAX_BLOCK[POCL]}}
    gpu = {**device, "name": GPU, "kind": "gpu", "device_limits": {"max_block_size": MAX_BLOCK[GPU]}}
    here = described["backends"]["numpy"]
    cuda = {name: {**here, "devices": [gpu]} for name in ("cupy", "pycuda", "numba_cuda")}
    return described | {
        "name": "node",
        "cpu": described["cpu"] | {"model": "EPYC 9654", "cores": CORES, "available": CORES},
        "virtualised": False,
        "backends": described["backends"] | cuda | {"pyopencl": {**here, "devices": [host, gpu]}},
        "gpus": [{"name": GPU, "memory_bytes": 139 * 2**30}],
        "driver": "580.159",
    }


def metadata(kernel):
    implementations = {}
    for name in HOST_WAYS[kernel] | DEVICE_WAYS[kernel]:
        way = DEVICE_WAYS[kernel].get(name)
        text = f'"""{kernel} by {name}."""\n\n\ndef run(x):\n    return x\n'
        implementations[name] = pretended_results.about(
            name,
            title=f"{kernel} by {name}",
            backend=backend_of(name),
            threads=bool(name in HOST_WAYS[kernel] and HOST_WAYS[kernel][name].threaded),
            parameters=["block_size"] if way and way.blocks else [],
            toolchain="cuda" if backend_of(name) in ("cupy", "pycuda") else None,
            source_lines=12,
            files=[{"name": f"{name}.py", "text": text}],
        )
    return pretended_results.metadata(
        kernel,
        BASELINES[kernel],
        title=kernel.replace("_", " ").capitalize(),
        description=f"What {kernel} computes.",
        size="edge" if kernel in ("matmul", "inside_polygon") else "number of elements",
        lectures=["icsc23"],
        options=OPTIONS[kernel],
        dtypes=list(DTYPES[kernel]),
        block_dimensions=2 if kernel in ("matmul", "inside_polygon") else 1,
        implementations=implementations,
    )


def _limits():
    """Return one Record per limit, device, number of threads and dtype, with samples that give exactly the limit."""
    found = []
    for limit in cpu.LIMITS:
        for (device, threads), rates in LIMITS.items():
            for dtype in ("float64", "float32"):
                amount = 1e-3 * (rates[limit][dtype] if limit == "matmul" else rates[limit])
                moved = {"read": (amount, 0), "copy": (amount / 2,) * 2, "triad": (amount * 2 / 3, amount / 3)}
                read, written = moved.get(limit, (1e6, 1e6))
                found.append(
                    record(
                        "cupy_raw" if device == GPU else "numpy_best",
                        10**8,
                        machine="node",
                        kernel=f"peak_{limit}",
                        device=device,
                        dtype=dtype,
                        threads=threads,
                        bytes_read=float(read),
                        bytes_written=float(written),
                        flops=amount if limit == "matmul" else 0.0,
                        cache_resident=False,
                        **_ok([0] * REPETITIONS),
                        timings={"compute": timing([[1e-3] * 4] * REPETITIONS)},
                    )
                )
    return found
