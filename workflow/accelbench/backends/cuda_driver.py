"""NVIDIA's driver, libcuda.so.1, called through ctypes.

All CUDA backends get their list of devices from the driver. All except JAX also use the driver's memory for the arrays
of `empty`, and the driver's events for timing. Names of functions and values of constants are those of the
CUDA Driver API. If the installed driver is too old for a function, a call of this function raises DriverError. Loading
the driver creates no context.
"""

import contextlib
import ctypes
from ctypes import c_char_p, c_int, c_size_t, c_ubyte, c_uint, c_void_p
from functools import cache, partial
from types import SimpleNamespace

from accelbench.backends import Unavailable
from accelbench.model.device import LaunchFacts

LIBRARY = "libcuda.so.1"
NEEDS_GPU = "needs a computer with an NVIDIA GPU and its driver"
ERROR_OUT_OF_MEMORY = 2
ERROR_STUB_LIBRARY = 34
ERROR_NO_DEVICE = 100
ERROR_NOT_SUPPORTED = 801

TYPES = {"p": c_void_p, "i": c_int, "u": c_uint, "z": c_size_t, "b": c_ubyte}
# Names of the driver's functions. The letters after a name are the types of the function's parameters (keys of TYPES).
FUNCTIONS = """
    cuInit u, cuDriverGetVersion p, cuDeviceGetCount p, cuDeviceGet pi, cuDeviceGetByPCIBusId pp, cuDeviceGetName pii,
    cuDeviceGetUuid pi, cuDeviceTotalMem_v2 pi, cuDeviceGetAttribute pii, cuDeviceGetPCIBusId pii, cuCtxSynchronize,
    cuDevicePrimaryCtxRetain pi, cuCtxSetCurrent p,
    cuMemAlloc_v2 pz, cuMemFree_v2 z, cuMemGetInfo_v2 pp, cuMemHostAlloc pzu, cuMemFreeHost p, cuMemsetD8Async zbzp,
    cuMemcpyHtoD_v2 zpz, cuMemcpyDtoH_v2 pzz, cuEventCreate pu, cuEventRecord pp, cuEventSynchronize p,
    cuEventElapsedTime ppp, cuStreamCreate pu, cuFuncGetAttribute pip, cuOccupancyMaxActiveBlocksPerMultiprocessor ppiz,
    cuStreamWaitValue32_v2 pzuu, cuKernelGetFunction pp, cuDeviceGetDefaultMemPool pi, cuMemPoolTrimTo pz
"""
# Values of the driver's enum CUdevice_attribute
DEVICE_ATTRIBUTES = {
    "max_block_size": 1,
    "max_block_x": 2,
    "max_block_y": 3,
    "max_block_z": 4,
    "shared_memory_bytes": 8,
    "warp_size": 10,
    "compute_units": 16,
    "cache_bytes": 38,
    "threads_per_unit": 39,
    "capability_major": 75,
    "capability_minor": 76,
    "shared_memory_per_unit_bytes": 81,
    "registers_per_unit": 82,
    "shared_memory_optin_bytes": 97,
    "blocks_per_unit": 106,
    "shared_memory_reserved_bytes": 111,
}
# Values of the driver's enum CUfunction_attribute
FUNCTION_ATTRIBUTES = {"max_block_size": 0, "shared_bytes": 1, "local_bytes": 3, "registers": 4}


class DriverError(Exception):
    """Error of a driver function. Example of a message: "CUDA_ERROR_INVALID_VALUE: invalid argument"."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class OutOfMemory(DriverError, MemoryError):
    """Failure of the driver to allocate memory."""


class Driver:
    """The driver's functions as methods of the same names. The methods raise DriverError for error codes."""

    def __init__(self, library):
        self._library = library
        for name, *types in map(str.split, FUNCTIONS.split(",")):
            function = getattr(library, name, None)  # None if the driver is too old
            checked = function and self._checked(function, [TYPES[kind] for kind in "".join(types)])
            setattr(self, name, checked or partial(_missing, name))

    def _checked(self, function, types):
        function.argtypes, function.restype = types, c_int

        def call(*arguments):
            code = function(*arguments)
            if code:
                raise (OutOfMemory if code == ERROR_OUT_OF_MEMORY else DriverError)(code, self.words(code))

        return call

    def words(self, code):
        """Return the name and the meaning of an error code."""
        texts = c_char_p(), c_char_p()
        self._library.cuGetErrorName(c_int(code), ctypes.byref(texts[0]))
        self._library.cuGetErrorString(c_int(code), ctypes.byref(texts[1]))
        return ": ".join(text.value.decode(errors="replace") for text in texts if text.value) or f"CUDA error {code}"

    def ask(self, name, kind, *arguments):
        """Return the value that the function `name` stores through its first parameter, a pointer to `kind`."""
        answer = kind()
        getattr(self, name)(ctypes.byref(answer), *arguments)
        return answer.value

    def text(self, name, device):
        """Return the text that the function `name` writes about a device."""
        answer = ctypes.create_string_buffer(256)
        getattr(self, name)(answer, len(answer), device)
        return answer.value.decode(errors="replace").strip()

    def devices(self):
        """Return the handles of all devices."""
        return [self.ask("cuDeviceGet", c_int, i) for i in range(self.ask("cuDeviceGetCount", c_int))]

    def device_uuid(self, device):
        """Return the UUID of a device, 16 bytes. OpenCL reports the same UUID."""
        answer = ctypes.create_string_buffer(16)
        self.cuDeviceGetUuid(answer, device)
        return answer.raw

    def device_attributes(self, device):
        """Return the DEVICE_ATTRIBUTES of a device as a namespace. An attribute that the driver does not know is 0."""
        numbers = dict.fromkeys(DEVICE_ATTRIBUTES, 0)
        for name, number in DEVICE_ATTRIBUTES.items():
            with contextlib.suppress(DriverError):
                numbers[name] = self.ask("cuDeviceGetAttribute", c_int, number, device)
        return SimpleNamespace(**numbers)

    def function_attributes(self, function):
        """Return the LaunchFacts of a CUfunction."""
        return LaunchFacts(
            **{name: self.ask("cuFuncGetAttribute", c_int, a, function) for name, a in FUNCTION_ATTRIBUTES.items()}
        )


def _missing(name, *arguments):
    raise DriverError(ERROR_NOT_SUPPORTED, f"this driver is too old: it lacks the function {name}")


@cache
def driver():
    """Return the initialised Driver. Raise Unavailable with the reason if there is no driver or no device."""
    try:
        library = ctypes.CDLL(LIBRARY)
    except OSError as error:
        problem = f"{LIBRARY} not found" if "No such file" in str(error) else error
        raise Unavailable(f"no NVIDIA driver ({problem})", NEEDS_GPU) from None
    loaded = Driver(library)
    try:
        loaded.cuInit(0)
        count = loaded.ask("cuDeviceGetCount", c_int)
    except DriverError as error:
        if error.code == ERROR_STUB_LIBRARY:
            raise Unavailable(f"no NVIDIA driver ({LIBRARY} is the toolkit's stub)", NEEDS_GPU) from None
        if error.code != ERROR_NO_DEVICE:
            raise Unavailable(f"the NVIDIA driver does not start: {error}") from None
        count = 0
    if not count:
        raise Unavailable("the NVIDIA driver finds no device", NEEDS_GPU)
    return loaded
