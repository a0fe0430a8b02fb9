"""Common code of the CUDA backends: devices, and the base class of their Sessions."""

import atexit
import contextlib
import ctypes
import gc
import importlib
import math
import os
import re
import weakref

import numpy as np

from accelbench import nvidia, toolchains
from accelbench.backends import GUARD_BYTE, POISON, UNSEEN, Device, Unavailable, number_equal_names
from accelbench.backends.cuda_driver import DriverError, OutOfMemory, driver
from accelbench.backends.gate import SEMAPHORE_WORDS, GatedTimer, StreamGate
from accelbench.backends.queued import QueuedSession
from accelbench.model.device import DeviceLimits
from accelbench.toolchains import cuda_fatbin

GUARD = 1 << 16  # Size of a guard zone in bytes, enough for the writes of a block of 1024 threads past an array's end
MOST_GPUS = 16  # Maximum number of GPUs of a computer
OLDEST_DRIVERS = {12: 525, 13: 580}  # {CUDA major version: oldest driver for it}, from the CUDA Toolkit Release Notes
WARP = 32
REGISTERS_PER_ALLOCATION = 256  # A warp's number of registers is a multiple of this (compute capability 3.0 and later)
SHARED_PER_ALLOCATION = 128  # A block's bytes of shared memory are a multiple of this (capability 8.0 and later)

# Patterns of exception messages. Every library quotes the name or the description of the driver's or runtime's error.
TOO_BIG_A_BLOCK = re.compile(r"LAUNCH_OUT_OF_RESOURCES|too many resources requested", re.IGNORECASE)
EXHAUSTED = re.compile(r"ERROR_OUT_OF_MEMORY|cudaErrorMemoryAllocation|out of memory", re.IGNORECASE)
NOT_FOR_THIS_DEVICE = re.compile(
    r"NO_BINARY_FOR_GPU|NoKernelImageForDevice|no kernel image|UNSUPPORTED_PTX_VERSION|unsupported toolchain",
    re.IGNORECASE,
)
REASONS = (
    (TOO_BIG_A_BLOCK, "unsupported", "a block of this size needs more registers or shared memory than the device has"),
    (EXHAUSTED, "out_of_memory", "{}"),
)


def devices(versions):
    """Return a Device for every CUDA device, without creating a context. Raise Unavailable if there is no device.

    versions  {name: version} of the library, recorded together with the driver's version
    """
    api = driver()
    cuda = api.ask("cuDriverGetVersion", ctypes.c_int)
    versions = {"driver": nvidia.driver(), "cuda": version_text(cuda), **versions}
    return number_equal_names(
        [_describe(api, device, index=i, versions=versions) for i, device in enumerate(api.devices())]
    )


def check_driver(runtime):
    """Raise Unavailable if the driver is too old for `runtime`, a library's version of CUDA."""
    driven, generation = driver().ask("cuDriverGetVersion", ctypes.c_int), int(runtime.partition(".")[0])
    if driven // 1000 < generation:
        oldest = f", {OLDEST_DRIVERS[generation]} or later" if generation in OLDEST_DRIVERS else ""
        raise Unavailable(
            f"the NVIDIA driver supports CUDA {version_text(driven)}, not {generation}",
            f"install a newer driver{oldest}",
        )


def version_text(number):
    """Return the text of a version number of CUDA: "12.9" for 12090."""
    return f"{number // 1000}.{number % 1000 // 10}"


def _describe(api, device, *, index, versions):
    attributes = api.device_attributes(device)
    return Device(
        name=_full_name(api, device),
        kind="gpu",
        index={"device": index},
        device_limits=DeviceLimits(
            max_block_size=attributes.max_block_size,
            max_block_shape=[attributes.max_block_x, attributes.max_block_y, attributes.max_block_z],
            memory_bytes=api.ask("cuDeviceTotalMem_v2", ctypes.c_size_t, device),
            cache_bytes=attributes.cache_bytes,
            compute_units=attributes.compute_units,
            compute_capability="{}.{}".format(*_capability(attributes)),
            shared_memory_bytes=attributes.shared_memory_bytes,
            shared_memory_optin_bytes=attributes.shared_memory_optin_bytes,
        ),
        versions=versions,
    )


def _full_name(api, device):
    """Return the name that the driver reports for a device. Add the prefix NVIDIA if the name lacks it."""
    return f"NVIDIA {api.text('cuDeviceGetName', device).removeprefix('NVIDIA ')}"


def _capability(attributes):
    return attributes.capability_major, attributes.capability_minor


class Memory:
    """Device memory that is freed once no object refers to it. The constructor may raise OutOfMemory."""

    def __init__(self, api, nbytes):
        self.nbytes = nbytes
        self.pointer = api.ask("cuMemAlloc_v2", ctypes.c_size_t, nbytes)
        # Do not free memory at the interpreter's exit: the context and all its memory may already be gone.
        weakref.finalize(self, _give_back, api.cuMemFree_v2, self.pointer).atexit = False


def _give_back(free, pointer):
    with contextlib.suppress(DriverError):  # a lost context has already freed its memory
        free(pointer)


class Session(QueuedSession):
    """One CUDA device in its primary context, which all libraries of the process share.

    A derived Session defines

        open()                                 makes the context current; returns (the library's stream, its handle)
        wrap(pointer, shape, dtype, *, memory) returns the library's array at an address; the array keeps `memory` alive
        copy_in(array, host), copy_out(value, into=None), as in the docstring of accelbench.backends
        function(kernel)                       returns the CUfunction of a kernel, or None for any other object
        trim()                                 frees memory that the library caches; by default, the driver's pool

    The stream is a blocking stream: it waits for the default stream. If an implementation enqueues work in the default
    stream by mistake, this work also runs between the two timing events. So the implementation does not look faster.
    """

    PINNED = ONE_STREAM = True
    OUT_OF_MEMORY = (MemoryError,)
    DEVICE_ERRORS = (DriverError,)

    @staticmethod
    def variables(device, threads):
        """Return environment variables that turn off TF32 and list this device first, so that libraries open it.

        Other devices stay visible, for transfers between GPUs. The list may be longer than the number of devices,
        since CUDA ignores the first invalid number and all numbers after it.
        """
        (index,), visible = device.index.values(), os.environ.get("CUDA_VISIBLE_DEVICES")
        order = visible.split(",") if visible else [str(number) for number in range(MOST_GPUS)]
        visible = ",".join([order.pop(index), *order])
        return {"CUDA_VISIBLE_DEVICES": visible, "CUPY_TF32": "0", "NVIDIA_TF32_OVERRIDE": "0"}

    def __init__(self, backend, device):
        self._api = driver()
        self.queue = None
        self.stream, self._handle = self.open()
        self._device = self._api.devices()[0]
        self._name, expected = _full_name(self._api, self._device), device.name.partition(" #")[0]
        if self._name != expected:
            raise RuntimeError(f"the device is {self._name}, not {expected}: delete machine.json and run again")
        self._limits = self._api.device_attributes(self._device)
        self.cache_bytes, self.finish = self._limits.cache_bytes, self._api.cuCtxSynchronize
        remedy = "add sm_{}{} to build.cuda_architectures".format(*_capability(self._limits))
        not_built = NOT_FOR_THIS_DEVICE, "unsupported", "no built file contains code for this device", remedy
        self.REASONS = (*self.REASONS, *REASONS, not_built)
        self._guards, self._gate = {}, None
        self._events = [self._api.ask("cuEventCreate", ctypes.c_void_p, 0) for _ in range(2)]
        atexit.register(self.close)

    def load(self, artifact, folder, toolchain):
        """Return the path of the built file that this device can run."""
        return cuda_fatbin.choose(toolchains.open_artifact(artifact, folder, toolchain), _capability(self._limits))

    def empty(self, shape, dtype):
        dtype = np.dtype(dtype)
        nbytes = math.prod(shape) * dtype.itemsize
        memory = self.scratch(nbytes + 2 * GUARD)
        self._api.cuMemsetD8Async(memory.pointer, GUARD_BYTE, memory.nbytes, self._handle)
        array = self.wrap(memory.pointer + GUARD, tuple(shape), dtype, memory=memory)
        self._guards[id(array)] = (array, memory, nbytes)
        self.synchronise()
        return array

    def poison(self, array):
        _, memory, nbytes = self._guards[id(array)]
        if nbytes:
            self._api.cuMemsetD8Async(memory.pointer + GUARD, POISON, nbytes, self._handle)

    def update(self, array, host, places):
        _, memory, _ = self._guards[id(array)]
        self.synchronise()
        for begin in (int(place) * host.itemsize for place in places):
            self._api.cuMemcpyHtoD_v2(memory.pointer + GUARD + begin, host.ctypes.data + begin, host.itemsize)

    def scratch(self, nbytes):
        try:
            return Memory(self._api, nbytes)
        except OutOfMemory:
            gc.collect()
            self.trim()
        try:
            return Memory(self._api, nbytes)
        except OutOfMemory:
            free, total = ctypes.c_size_t(), ctypes.c_size_t()
            self._api.cuMemGetInfo_v2(ctypes.byref(free), ctypes.byref(total))
            raise MemoryError(f"{nbytes:,} bytes of device memory are needed, {free.value:,} are free") from None

    def release(self, array):
        del self._guards[id(array)]
        self.trim()

    def trim(self):
        with contextlib.suppress(DriverError):  # not every device has a memory pool
            self._api.cuMemPoolTrimTo(self._api.ask("cuDeviceGetDefaultMemPool", ctypes.c_void_p, self._device), 0)

    def intact(self, array):
        _, memory, nbytes = self._guards[id(array)]
        zones = np.empty((2, GUARD), np.uint8)
        for zone, place in zip(zones, (0, GUARD + nbytes), strict=True):
            self._api.cuMemcpyDtoH_v2(zone.ctypes.data, memory.pointer + place, GUARD)
        return bool((zones == GUARD_BYTE).all())

    def pinned(self, shape, dtype):
        nbytes = math.prod(shape) * np.dtype(dtype).itemsize
        pointer = self._api.ask("cuMemHostAlloc", ctypes.c_void_p, max(nbytes, 1), 0)
        buffer = (ctypes.c_ubyte * nbytes).from_address(pointer)
        weakref.finalize(buffer, _give_back, self._api.cuMemFreeHost, pointer).atexit = False
        return np.ndarray(shape, dtype, buffer)

    def seconds_of(self, work, loops):
        """Return the seconds between two events of the stream, before and after work(loops)."""
        self.record(0)
        work(loops)
        self.record(1)
        return self.seconds_between()

    def device_timer(self, call, work):
        """Return a GatedTimer, which queues two events and the calls between them while a gate blocks the stream.

        The gate also blocks work in the default stream, which waits for all blocking streams.
        """
        try:
            self._gate = self._gate or StreamGate(self._api, self.pinned((SEMAPHORE_WORDS,), np.uint32))
        except OSError:  # without a timer that opens the gate, a call that waits for the device would hang
            call.mark = UNSEEN
        return GatedTimer(call, work, gate=self._gate, stream=self._handle, device=self)

    def record(self, which):
        self._api.cuEventRecord(self._events[which], self._handle)

    def seconds_between(self):
        begin, end = self._events
        self._api.cuEventSynchronize(end)
        return self._api.ask("cuEventElapsedTime", ctypes.c_float, begin, end) * 1e-3

    def clear(self, scratch):
        self._api.cuMemsetD8Async(scratch.pointer, 0, scratch.nbytes, self._handle)

    def attributes(self, kernel):
        function = self.function(kernel)
        return None if function is None else self._api.function_attributes(function)

    def occupancy(self, kernel, facts, *, threads, shared_bytes):
        blocks = resident_blocks(self._limits, facts, threads=threads, shared_bytes=shared_bytes)
        return blocks * -(-threads // WARP) / (self._limits.threads_per_unit // WARP)

    def gpu(self):
        return None if " MIG " in self._name else self._api.text("cuDeviceGetPCIBusId", self._device)

    def close(self):
        self._guards.clear()
        self._flush = None
        atexit.unregister(self.close)


def resident_blocks(limits, facts, *, threads, shared_bytes):
    """Return the number of blocks of `threads` threads that one multiprocessor can run at the same time.

    limits  namespace from Driver.device_attributes
    facts   LaunchFacts of the kernel

    The driver's occupancy calculator is not used, because it needs a function handle, which not every library exposes.
    Source: CUDA C++ Programming Guide, hardware multithreading and technical specifications per compute capability.
    """
    warps = -(-threads // WARP)
    per_warp = -(-facts.registers * WARP // REGISTERS_PER_ALLOCATION) * REGISTERS_PER_ALLOCATION
    shared = facts.shared_bytes + shared_bytes + limits.shared_memory_reserved_bytes
    bounds = [limits.blocks_per_unit, limits.threads_per_unit // (warps * WARP)]
    if per_warp:
        # Each of a multiprocessor's four schedulers has a quarter of the registers and of the warps.
        bounds.append(limits.registers_per_unit // 4 // per_warp * 4 // warps)
    if shared:
        allocated = -(-shared // SHARED_PER_ALLOCATION) * SHARED_PER_ALLOCATION
        bounds.append(limits.shared_memory_per_unit_bytes // allocated)
    return min(bounds)


def interface(pointer, shape, dtype):
    """Return the CUDA Array Interface of device memory, a description that other CUDA libraries can read."""
    return {"shape": shape, "typestr": dtype.str, "data": (pointer, False), "version": 3}


def import_library(library):
    """Import a library and return its module. Raise Unavailable with the error's message if the import fails."""
    try:
        return importlib.import_module(library)
    except Exception as error:
        # A library that was built for another version of CUDA may raise any exception.
        raise Unavailable(f"{library} cannot be imported: {type(error).__name__}: {error}") from None
