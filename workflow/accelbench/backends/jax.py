"""JAX: NumPy's functions, compiled by XLA for the host's cores and for NVIDIA's GPUs.

A call returns before its work is done, also on the host. So every checked call, and every timed call on the host,
includes `wait`. On a GPU, the timer `call` waits for each call. The other timers wait for the last call of a loop.
JAX's arrays are immutable, so `run` returns new arrays. The worker nevertheless writes to input arrays in place, while
no computation uses these arrays. On the host, the worker writes to NumPy arrays that share the memory of the input
arrays. On a GPU, the worker writes with the CUDA driver.

`run` gets a floating-point number as a device array without dimensions, because JAX would copy a NumPy scalar to the
device in each call. `run` gets a whole number as a NumPy scalar, because XLA may need the value at compile time.
"""

import ctypes
import os
import re
from collections import deque
from functools import partial
from time import perf_counter
from timeit import Timer

import numpy as np

from accelbench.backends import POISON, UNSEEN, OpenDevice, Unavailable, cuda, host_or_gpu, install_command
from accelbench.discovery import installed_version

BACKENDS = {"jax": None}
PACKAGES = {"jax": ("jax", "jaxlib")}
ENVIRONMENT = "jax"

PLUGINS = ("jax-cuda13-plugin", "jax-cuda12-plugin")
# Remedy if the driver supports CUDA 13: the lock jax_cuda13 installs JAX's plugin for CUDA 13. If the driver is older,
# the remedy is a command that installs another plugin.
LOCKED = "make install LOCK=jax_cuda13, then environments: {jax_cuda13: {backends: [jax]}} in the configuration"
# Maximum number of calls that `launch` times together, and that `queued` launches before it waits. XLA blocks the host
# if more than 32 calls are unfinished
IN_FLIGHT = 16
VARIABLES = {
    "JAX_ENABLE_X64": "true",  # otherwise float64 becomes float32
    "JAX_DEFAULT_MATMUL_PRECISION": "highest",  # no TF32
    "JAX_ENABLE_COMPILATION_CACHE": "false",  # so that the first call in every process compiles
    "XLA_PYTHON_CLIENT_PREALLOCATE": "false",  # otherwise JAX takes three quarters of a GPU's memory
    "XLA_FLAGS": "",
}
SETTINGS = ("jax_platforms", "jax_enable_x64", "jax_default_matmul_precision")


def probe(backend):
    """Return the host's cores and every CUDA device. A device that JAX cannot use has the reason as `unusable`."""
    os.environ.update(VARIABLES)
    jax = cuda.import_library("jax")
    plugins = {name: version for name in PLUGINS if (version := installed_version(name))}
    return host_or_gpu.devices(plugins, lambda gpus: _reasons(jax, gpus, plugins))


def _reasons(jax, gpus, plugins):
    """Return a list with one item for each GPU: the reason why JAX cannot use this GPU, or None."""
    if not plugins:
        has_cuda13 = cuda.driver().ask("cuDriverGetVersion", ctypes.c_int) >= 13_000
        remedy = LOCKED if has_cuda13 else install_command("'jax[cuda12]'")
        return [Unavailable("jax has no CUDA plugin", remedy)] * len(gpus)
    try:
        numbers = {gpu.local_hardware_id for gpu in jax.devices("cuda")}
    except RuntimeError as error:
        return [Unavailable(f"JAX does not start on this device: {error}")] * len(gpus)
    return [None if number in numbers else Unavailable("JAX does not list this device") for number in range(len(gpus))]


class WithJax:
    """Methods that the Sessions of the host and of a GPU share. The attribute `_jax` is the module jax."""

    def settings(self):
        """Return the settings of the base class, and JAX's settings that can change a result."""
        return super().settings() | {name: getattr(self._jax.config, name) for name in SETTINGS}

    def argument(self, value):
        """Return a floating-point or complex number as an array on the device. Return any other value unchanged."""
        return self._jax.block_until_ready(self._jax.device_put(value)) if isinstance(value, np.inexact) else value

    def spent(self, result):
        """Return whether an array of the result was donated to a later call, which reused its memory."""
        leaves = self._jax.tree.leaves(result)
        return any(array.is_deleted() for array in leaves if isinstance(array, self._jax.Array))


class JaxOnGpu(WithJax, cuda.Session):
    """A CUDA device in its primary context, which JAX uses.

    Arrays have no guard zones before and after them, because implementations cannot write to JAX's arrays.
    """

    ONE_STREAM = False

    @staticmethod
    def variables(device, threads):
        first = {"JAX_PLATFORMS": "cuda", "JAX_CUDA_VISIBLE_DEVICES": "0"}
        return {**cuda.Session.variables(device, threads), **VARIABLES, **first}

    def open(self):
        import jax

        self._jax, self.wait = jax, jax.block_until_ready
        self.marker = partial(jax.jit(jax.numpy.negative), jax.numpy.ones(()))
        self.wait(self.marker())  # creates the primary context
        context = self._api.ask("cuDevicePrimaryCtxRetain", ctypes.c_void_p, self._api.devices()[0])
        self._api.cuCtxSetCurrent(context)
        return None, None

    def empty(self, shape, dtype):
        return self._jax.block_until_ready(self._jax.numpy.empty(shape, dtype))

    def poison(self, array):
        if array.nbytes:
            self._api.cuMemsetD8Async(array.unsafe_buffer_pointer(), POISON, array.nbytes, None)

    def copy_in(self, array, host):
        host = np.ascontiguousarray(host, array.dtype)
        if host.nbytes:
            self._api.cuMemcpyHtoD_v2(array.unsafe_buffer_pointer(), host.ctypes.data, host.nbytes)
        self.synchronise()  # JAX's streams do not wait for copies by the driver

    update = OpenDevice.update

    def copy_out(self, value, into=None):
        """Return a copy made by the CUDA driver. JAX caches its own copies, so a second copy would take no time."""
        if not isinstance(value, self._jax.Array):
            return np.asarray(value)
        self.wait(value)
        copy = np.empty(value.shape, value.dtype) if into is None else into
        if copy.nbytes:
            self._api.cuMemcpyDtoH_v2(copy.ctypes.data, value.unsafe_buffer_pointer(), copy.nbytes)
        return copy

    def intact(self, array):
        return True

    def release(self, array):
        """Do nothing: JAX owns the array and reuses its memory."""

    def trim(self):
        """Do nothing: JAX returns no memory to the driver."""

    def function(self, kernel):
        return None

    def flush_cache(self):
        super().flush_cache()
        self.synchronise()  # JAX's streams do not wait for work of the driver

    def timers(self, call):
        return host_timers(self, call)


class Session(WithJax, host_or_gpu.Session):
    """The host's cores. XLA's pool has a thread for each core that the worker may use."""

    ON_HOST = False  # arrays are JAX's, not NumPy's
    REASONS = ((re.compile("RESOURCE_EXHAUSTED"), "out_of_memory", "{}"),)  # XLA's out-of-memory error
    ON_GPU, HOST_VARIABLES = JaxOnGpu, {**VARIABLES, "JAX_PLATFORMS": "cpu"}

    def __init__(self, backend, device):
        super().__init__(backend, device)
        import jax

        self._jax, self._memory, self.wait = jax, {}, jax.block_until_ready

    def empty(self, shape, dtype):
        memory = super().empty(shape, dtype)
        array = self._jax.dlpack.from_dlpack(memory) if memory.size else self._jax.numpy.empty(shape, dtype)
        if memory.size and array.unsafe_buffer_pointer() != memory.ctypes.data:
            raise RuntimeError("JAX copied an array instead of sharing it")
        self._memory[id(array)] = array, memory
        return array

    def poison(self, array):
        super().poison(self._memory[id(array)][1])

    def copy_in(self, array, host):
        super().copy_in(self._memory[id(array)][1], host)

    def update(self, array, host, places):
        self._memory[id(array)][1].reshape(-1)[places] = host.reshape(-1)[places]

    def intact(self, array):
        return super().intact(self._memory[id(array)][1])

    def release(self, array):
        super().release(self._memory.pop(id(array))[1])


def host_timers(session, call):
    """Return timers that use the host's clock, since JAX gives no access to its streams.

    The measured time ends when the host notices that the last result is computed and the device is idle. The host
    notices this with a delay, which is as long as several short calls. With `lead`, untimed calls precede the timed
    calls, and the host queues the first timed calls behind the untimed calls. The measured time then begins when the
    host notices that the untimed calls are done. The host notices this with an equal delay, so the two delays cancel.
    """
    call.mark, results, wait = UNSEEN, deque(maxlen=1), session.wait
    keep = f"_keep{id(results)}"  # unique name, since other timers of the call use the same namespace
    call.namespace.update({keep: results.append}, _wait=wait)
    launching = Timer(f"{keep}({call.statement})", globals=call.namespace)
    waiting = Timer(f"_wait({call.statement})", globals=call.namespace)

    def throughput(loops, lead=False):
        ahead = queued(loops) if lead else 0
        begin = perf_counter()
        launching.timeit(loops - ahead)
        wait(results.pop())
        session.synchronise()
        return (perf_counter() - begin) / loops

    def queued(loops):
        """Launch two batches of calls and wait for the first batch. Return the number of calls in the second batch.

        If the device finishes the first batch before the host has launched the second, wait for both and return 0.
        """
        batch = min(loops, IN_FLIGHT // 2)
        launching.timeit(batch)
        marker = session.marker()
        launching.timeit(batch)
        is_idle = marker.is_ready()
        wait(results[0] if is_idle else marker)
        return 0 if is_idle else batch

    def launch(loops):
        loops = min(loops, IN_FLIGHT)
        seconds = launching.timeit(loops) / loops
        wait(results.pop())
        return seconds

    return {
        "compute": throughput,
        "throughput": throughput,
        "call": lambda loops: waiting.timeit(loops) / loops,
        "launch": launch,
    }
