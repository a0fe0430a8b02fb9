"""PyOpenCL: the devices of all OpenCL drivers. Drivers for CPUs, such as PoCL's wheel, use the host's cores."""

import contextlib
import ctypes
import json
import math
import os
import re
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from accelbench.backends import GUARD_BYTE, POISON, Device, Unavailable, install_command, number_equal_names
from accelbench.backends.cuda_driver import DriverError, driver
from accelbench.backends.opencl_events import EventTimer
from accelbench.backends.queued import QueuedSession
from accelbench.model.device import DeviceLimits, LaunchFacts
from accelbench.toolchains import open_artifact, opencl_drivers

BACKENDS = {"pyopencl": "opencl"}
PACKAGES = {"pyopencl": ("pyopencl",)}

GUARD = 4096  # Minimum size of a guard zone in bytes, a multiple of any device's sub-buffer alignment

# A launch returns OUT_OF_RESOURCES if registers or local memory do not suffice. Other functions return this error if
# memory is exhausted. Any function may return this error if the device is lost, so the method lost() checks the device.
TOO_BIG_A_BLOCK = re.compile(r"INVALID_WORK_GROUP_SIZE|clEnqueueNDRangeKernel failed: OUT_OF_RESOURCES")
EXHAUSTED = re.compile(r"INVALID_BUFFER_SIZE|MEM_OBJECT_ALLOCATION_FAILURE|OUT_OF_RESOURCES|OUT_OF_HOST_MEMORY")
DEVICE_UUID = 0x106A  # CL_DEVICE_UUID_KHR
PLATFORMS = {"Portable Computing Language": "PoCL", "NVIDIA CUDA": "", "Intel(R) OpenCL": "Intel OpenCL"}


def probe(backend):
    """Return the devices of every installed OpenCL driver. A separate process loads each driver."""
    with ThreadPoolExecutor() as pool:
        devices = [device for several in pool.map(_devices, opencl_drivers.installed()) for device in several]
        # If the installed drivers have no device, list the devices without selecting a driver.
        devices = list(pool.map(opencl_drivers.tried_out, devices or _devices("")))
    if not devices:
        raise Unavailable(
            "no OpenCL device found",
            opencl_drivers.variable_to_unset() or f"{install_command('pocl-binary-distribution')}, or install a driver",
        )
    cure = opencl_drivers.cure()
    if cure and all(device.unusable for device in devices if device.kind == "cpu"):
        devices = [
            replace(d, unusable=f"{d.unusable}. Remedy: {cure}", remedy=cure) if d.unusable else d for d in devices
        ]
    return number_equal_names(_with_drivers(devices))


def _devices(driver_name):
    """Return the devices of a driver. If loading the driver fails, return an unusable device with the reason."""
    with tempfile.TemporaryDirectory(prefix="accelbench-opencl-") as folder:
        answer = Path(folder, "devices.json")
        reason = opencl_drivers.failure(driver_name, folder, __name__, driver_name, str(answer))
        if reason is not None:
            return [Device(driver_name, unusable=f"loading the driver failed ({reason})")]
        return [Device.read(**device) for device in json.loads(answer.read_text(encoding="utf-8"))]


def _with_drivers(devices):
    """Return the devices. If devices of several platforms have the same name, add the driver's version to the name."""
    platforms = {(device.name, device.index.get("platform")) for device in devices}
    shared = Counter(name for name, _ in platforms)
    return [
        device if shared[device.name] == 1 else replace(device, name=f"{device.name} ({device.versions.get('driver')})")
        for device in devices
    ]


def main(driver_name, answer):
    """Write a JSON file, `answer`, with the devices of all drivers that this process loads.

    driver_name  name of the only driver, or "" if the process loads every driver
    """
    import pyopencl as cl

    devices = []
    with contextlib.suppress(cl.Error):
        for platform in cl.get_platforms():
            index = {"driver": driver_name, "platform": opencl_drivers.platform_name(platform)}
            devices += [_describe(platform, d, {**index, "device": i}) for i, d in enumerate(platform.get_devices())]
    Path(answer).write_text(json.dumps([asdict(device) for device in devices]), encoding="utf-8")


def _describe(platform, device, index):
    import pyopencl as cl

    vendor = PLATFORMS.get(platform.name.strip(), platform.name.strip())
    model = device.name.strip().removeprefix("pthread-").removeprefix("cpu-")
    unsupported = {} if device.double_fp_config else {"float64": "the device has no double precision (cl_khr_fp64)"}
    return Device(
        name=f"{vendor} {model}".strip(),
        kind="cpu" if device.type & cl.device_type.CPU else "gpu",
        index=index,
        device_limits=DeviceLimits(
            max_block_size=device.max_work_group_size,
            max_block_shape=list(device.max_work_item_sizes),
            local_memory_bytes=device.local_mem_size,
            memory_bytes=device.global_mem_size,
            max_allocation_bytes=device.max_mem_alloc_size,
            compute_units=device.max_compute_units,
            cache_bytes=_cache_bytes(device),
        ),
        versions={"platform": platform.version, "driver": device.driver_version, **_compiler(platform, device)},
        unsupported_dtypes=unsupported,
    )


def _compiler(platform, device):
    """Return {"llvm": version, "target": processor} of the compiler in a CPU's driver. Omit unknown entries."""
    llvm = re.search(r"LLVM ([\d.]+)", platform.version)
    target = re.search(r"HSTR: \S+-linux-\w+-(\S+)", device.version)
    named = os.environ.get(opencl_drivers.TARGET) if platform.name.startswith("Intel") else target and target[1]
    return {name: value for name, value in (("llvm", llvm and llvm[1]), ("target", named)) if value}


def _cache_bytes(device):
    """Return the size of the device's last-level cache, in bytes.

    For an NVIDIA GPU, OpenCL reports a smaller cache. So the size of the second-level cache comes from the CUDA driver.
    """
    if place := pci_bus_id(device):
        with contextlib.suppress(Unavailable, DriverError):
            handle = driver().ask("cuDeviceGetByPCIBusId", ctypes.c_int, place.encode())
            return driver().device_attributes(handle).cache_bytes or device.global_mem_cache_size
    return device.global_mem_cache_size


def pci_bus_id(device):
    """Return the PCI address of an NVIDIA device in CUDA's form, "0000:1b:00.0".

    The CUDA driver finds the address by the device's UUID. Return None if OpenCL reports no UUID, or if the CUDA driver
    does not know the UUID. The bus and the slot that OpenCL reports are wrong on some virtual machines.
    """
    if "cl_khr_device_uuid" not in device.extensions:
        return None
    uuid = _info(device, DEVICE_UUID, 16)
    with contextlib.suppress(Unavailable, DriverError):
        for handle in driver().devices():
            if driver().device_uuid(handle) == uuid:
                return driver().text("cuDeviceGetPCIBusId", handle).lower()
    return None


def _info(device, number, nbytes):
    """Return the bytes of a property that PyOpenCL lacks, or None. `number` is the property's OpenCL constant."""
    import pyopencl as cl

    ask = ctypes.CDLL(cl._cl.__file__).clGetDeviceInfo  # from the OpenCL library with which PyOpenCL is linked
    ask.argtypes = (ctypes.c_void_p, ctypes.c_uint, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p)
    answer = ctypes.create_string_buffer(nbytes)
    return None if ask(device.int_ptr, number, nbytes, answer, None) else answer.raw


class Session(QueuedSession):
    """One OpenCL device with an in-order queue. If the device is no CPU, a profiling queue times commands."""

    REASONS = (
        (TOO_BIG_A_BLOCK, "unsupported", "the device cannot run this kernel with a block of this size: {}"),
        (EXHAUSTED, "out_of_memory", "{}"),
    )

    @staticmethod
    def variables(device, threads):
        """Return environment variables that make OpenCL load only this device's driver.

        Other drivers could crash the worker.
        """
        return opencl_drivers.alone(device.index.get("driver"))

    def __init__(self, backend, device):
        os.environ.setdefault("PYOPENCL_NO_CACHE", "1")
        import pyopencl as cl
        import pyopencl.array

        self._cl, self._array = cl, pyopencl.array
        self.OUT_OF_MEMORY = (MemoryError, cl.MemoryError)
        self.device = opencl_drivers.find(**device.index)
        self.cache_bytes = device.device_limits.cache_bytes or 0
        self.context = cl.Context([self.device])
        self.PINNED = not self.device.type & cl.device_type.CPU
        self.queue = cl.CommandQueue(self.context)
        self.stream, self.finish = None, self.queue.finish
        self.DEVICE_ERRORS = (cl.Error,)
        self._guards = {}

    def settings(self):
        return {name: os.environ[name] for name in (opencl_drivers.TARGET,) if name in os.environ}

    def load(self, artifact, folder, toolchain):
        """Return the program from the binary that was built for this device."""
        binary = Path(open_artifact(artifact, folder, toolchain)).read_bytes()
        return self._cl.Program(self.context, [self.device], [binary]).build()

    def empty(self, shape, dtype):
        cl, dtype = self._cl, np.dtype(dtype)
        nbytes = max(math.prod(shape), 1) * dtype.itemsize
        padded = -(-nbytes // GUARD) * GUARD + 2 * GUARD
        if padded > self.device.max_mem_alloc_size:
            raise MemoryError(f"{nbytes:,} bytes exceed the device's largest allocation")
        parent = cl.Buffer(self.context, cl.mem_flags.READ_WRITE, padded)
        cl.enqueue_fill_buffer(self.queue, parent, np.uint8(GUARD_BYTE), 0, padded)
        array = self._array.Array(self.queue, shape, dtype, data=parent.get_sub_region(GUARD, nbytes))
        self._guards[id(array)] = (array, parent, nbytes, padded)
        self.queue.finish()
        return array

    def copy_in(self, array, host):
        if array.nbytes:
            self._cl.enqueue_copy(self.queue, array.data, np.ascontiguousarray(host, array.dtype)).wait()

    def update(self, array, host, places):
        flat = host.reshape(-1)
        for place in map(int, places):
            element = flat[place : place + 1]
            self._cl.enqueue_copy(self.queue, array.data, element, dst_offset=place * host.itemsize).wait()

    def copy_out(self, value, into=None):
        return value.get(ary=into) if isinstance(value, self._array.Array) else np.asarray(value)

    def pinned(self, shape, dtype):
        """Return an array in host memory that the driver allocated. The memory stays mapped while the array exists."""
        cl, nbytes = self._cl, max(math.prod(shape) * np.dtype(dtype).itemsize, 1)
        buffer = cl.Buffer(self.context, cl.mem_flags.READ_WRITE | cl.mem_flags.ALLOC_HOST_PTR, nbytes)
        access = cl.map_flags.READ | cl.map_flags.WRITE
        mapped, _ = cl.enqueue_map_buffer(self.queue, buffer, access, 0, (nbytes,), np.uint8, is_blocking=True)
        return np.ndarray(shape, dtype, mapped)

    def poison(self, array):
        if array.nbytes:
            self._cl.enqueue_fill_buffer(self.queue, array.data, np.uint8(POISON), 0, array.nbytes)

    def intact(self, array):
        _, parent, nbytes, padded = self._guards[id(array)]
        zones = np.empty(GUARD, np.uint8), np.empty(padded - GUARD - nbytes, np.uint8)
        for zone, start in zip(zones, (0, GUARD + nbytes), strict=True):
            self._cl.enqueue_copy(self.queue, zone, parent, src_offset=start).wait()
        return all(bool((zone == GUARD_BYTE).all()) for zone in zones)

    def release(self, array):
        _, parent, *_ = self._guards.pop(id(array))
        array.base_data.release()
        parent.release()

    def seconds_of(self, work, loops):
        """Return the seconds by the host's clock. Events would need a profiling queue, on which launches are slower."""
        return self.seconds_until_done(work, loops)

    def device_timer(self, call, work):
        """Return an EventTimer, or None if the device is a CPU, whose cores also make the launches."""
        if self.device.type & self._cl.device_type.CPU:
            return None
        return EventTimer(call, work, queue=self.queue, profiling=self._profiling)

    @cached_property
    def _profiling(self):
        return self._cl.CommandQueue(self.context, properties=self._cl.command_queue_properties.PROFILING_ENABLE)

    def scratch(self, nbytes):
        return self._cl.Buffer(self.context, self._cl.mem_flags.READ_WRITE, nbytes)

    def clear(self, scratch):
        self._cl.enqueue_fill_buffer(self.queue, scratch, np.uint8(0), 0, scratch.size)

    def attributes(self, kernel):
        """Return the LaunchFacts of a Kernel, without the number of registers, which OpenCL does not report."""
        if not isinstance(kernel, self._cl.Kernel):
            return None
        ask = self._cl.kernel_work_group_info
        return LaunchFacts(
            shared_bytes=kernel.get_work_group_info(ask.LOCAL_MEM_SIZE, self.device),
            local_bytes=kernel.get_work_group_info(ask.PRIVATE_MEM_SIZE, self.device),
            max_block_size=kernel.get_work_group_info(ask.WORK_GROUP_SIZE, self.device),
        )

    def gpu(self):
        return None if " MIG " in self.device.name else pci_bus_id(self.device)


if __name__ == "__main__":
    main(*sys.argv[1:])
