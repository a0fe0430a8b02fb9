"""PyOpenCL: every device of every platform, CPUs through PoCL among them."""

import os
import timeit
from pathlib import Path

import numpy as np

from accelbench import build
from accelbench.backends import Device, OpenDevice, Unavailable, number_equal_names

BACKENDS = {"pyopencl": "opencl"}
PACKAGES = {"pyopencl": ("pyopencl",)}

GUARD = 4096  # bytes around every array; a multiple of any device's sub-buffer alignment
GUARD_BYTE = 0xA5
LAUNCHES_IN_FLIGHT = 64  # unsynchronised launches timed together: beyond some depth queues block the host
PLATFORMS = {"Portable Computing Language": "PoCL", "NVIDIA CUDA": ""}


def probe(backend):
    """Every OpenCL device found; two of the same name are told apart by a number."""
    import pyopencl as cl

    try:
        platforms = cl.get_platforms()
    except cl.Error as error:
        raise Unavailable(
            f"no OpenCL platform found ({error}): install a driver, or pip install pocl-binary-distribution"
        ) from None
    found = []
    for p, platform in enumerate(platforms):
        for d, device in enumerate(platform.get_devices()):
            found.append(_describe(platform, device, {"platform": p, "device": d}))
    if not found:
        raise Unavailable("OpenCL platforms found, but no device on any of them")
    return number_equal_names(found)


def _describe(platform, device, index):
    import pyopencl as cl

    vendor = PLATFORMS.get(platform.name.strip(), platform.name.strip())
    model = device.name.strip().removeprefix("pthread-").removeprefix("cpu-")
    unsupported = {} if device.double_fp_config else {"float64": "the device has no double precision (cl_khr_fp64)"}
    return Device(
        name=f"{vendor} {model}".strip(),
        kind="cpu" if device.type & cl.device_type.CPU else "gpu",
        index=index,
        limits={
            "max_block_size": device.max_work_group_size,
            "max_block_shape": list(device.max_work_item_sizes),
            "local_memory_bytes": device.local_mem_size,
            "memory_bytes": device.global_mem_size,
            "max_allocation_bytes": device.max_mem_alloc_size,
            "compute_units": device.max_compute_units,
            "cache_bytes": device.global_mem_cache_size,
        },
        versions={"platform": platform.version, "driver": device.driver_version},
        unsupported_dtypes=unsupported,
    )


class Session(OpenDevice):
    """One OpenCL device with an in-order profiling queue."""

    ON_HOST = False

    def __init__(self, backend, device):
        os.environ.setdefault("PYOPENCL_NO_CACHE", "1")
        import pyopencl as cl
        import pyopencl.array

        self._cl, self._array = cl, pyopencl.array
        self.OUT_OF_MEMORY = (MemoryError, cl.MemoryError)
        index = device["index"]
        self.device = cl.get_platforms()[index["platform"]].get_devices()[index["device"]]
        self.context = cl.Context([self.device])
        self.PINNED = not self.device.type & cl.device_type.CPU
        self.queue = cl.CommandQueue(self.context, properties=cl.command_queue_properties.PROFILING_ENABLE)
        self.stream = None
        self._guards = {}
        self._flush = None

    def load(self, entry, folder, toolchain):
        """The program, from the binary built ahead for this device."""
        binary = Path(build.open_artifact(entry, folder, toolchain)).read_bytes()
        return self._cl.Program(self.context, [self.device], [binary]).build()

    def empty(self, shape, dtype):
        cl, dtype = self._cl, np.dtype(dtype)
        nbytes = max(int(np.prod(shape, dtype=np.int64)) * dtype.itemsize, dtype.itemsize)
        padded = -(-nbytes // GUARD) * GUARD + 2 * GUARD
        if padded > self.device.max_mem_alloc_size:
            raise MemoryError(f"{nbytes:,} bytes exceed the device's largest allocation")
        parent = cl.Buffer(self.context, cl.mem_flags.READ_WRITE, padded)
        cl.enqueue_fill_buffer(self.queue, parent, np.uint8(GUARD_BYTE), 0, padded)
        region = parent.get_sub_region(GUARD, nbytes)
        array = self._array.Array(self.queue, shape, dtype, data=region)
        self._guards[id(array)] = (array, parent, nbytes, padded)
        self.queue.finish()
        return array

    def copy_in(self, array, host):
        if array.nbytes:
            self._cl.enqueue_copy(self.queue, array.data, np.ascontiguousarray(host, array.dtype)).wait()

    def copy_out(self, value, into=None):
        return value.get(ary=into) if isinstance(value, self._array.Array) else np.asarray(value)

    def pinned(self, shape, dtype):
        """Host memory the driver has allocated, mapped for as long as the array lives."""
        cl, dtype = self._cl, np.dtype(dtype)
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.ALLOC_HOST_PTR
        nbytes = max(int(np.prod(shape, dtype=np.int64)) * dtype.itemsize, 1)
        buffer = cl.Buffer(self.context, flags, nbytes)
        access = cl.map_flags.READ | cl.map_flags.WRITE
        mapped, _ = cl.enqueue_map_buffer(self.queue, buffer, access, 0, (nbytes,), np.uint8, is_blocking=True)
        return np.ndarray(shape, dtype, mapped)

    def intact(self, array):
        _, parent, nbytes, padded = self._guards[id(array)]
        zones = np.empty(padded, np.uint8)
        self._cl.enqueue_copy(self.queue, zones, parent).wait()
        return bool((zones[:GUARD] == GUARD_BYTE).all() and (zones[GUARD + nbytes :] == GUARD_BYTE).all())

    def release(self, array):
        _, parent, *_ = self._guards.pop(id(array))
        array.base_data.release()
        parent.release()

    def synchronise(self):
        self.queue.finish()

    def timers(self, call):
        """`compute` between two markers on the queue, `call` with and `launch` without waiting for each call."""
        cl, queue = self._cl, self.queue
        plain = timeit.Timer(call.statement, globals=call.namespace)
        waiting = timeit.Timer(f"{call.statement}; finish()", globals={**call.namespace, "finish": queue.finish})

        def compute(loops):
            begin = cl.enqueue_marker(queue)
            plain.timeit(loops)
            end = cl.enqueue_marker(queue)
            end.wait()
            return (end.profile.end - begin.profile.end) * 1e-9 / loops

        def launch(loops):
            seconds = plain.timeit(min(loops, LAUNCHES_IN_FLIGHT)) / min(loops, LAUNCHES_IN_FLIGHT)
            queue.finish()
            return seconds

        return {"compute": compute, "call": lambda loops: waiting.timeit(loops) / loops, "launch": launch}

    def flush_cache(self):
        """Overwrite a buffer four times the size of the device's cache."""
        if self._flush is None:
            size = max(4 * self.device.global_mem_cache_size, 1 << 26)
            self._flush = self._cl.Buffer(self.context, self._cl.mem_flags.READ_WRITE, size)
        self._cl.enqueue_fill_buffer(self.queue, self._flush, np.uint8(0), 0, self._flush.size).wait()

    def explain(self, error):
        if "INVALID_WORK_GROUP_SIZE" in str(error):
            return "unsupported", f"the device cannot run this kernel with a block of this size: {error}"
        return None

    def lost(self):
        try:
            self.queue.finish()
        except self._cl.Error as error:
            return str(error)
        return None

    def close(self):
        self._guards.clear()
        self._flush = None
        self.queue.finish()
