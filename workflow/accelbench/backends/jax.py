"""JAX: NumPy's functions, compiled by XLA for the host's cores and for NVIDIA's GPUs.

A call returns before its work is done, on the host, too: `wait` is a part of every call that is timed or checked. JAX's
arrays never change, so that `run` returns new ones instead of filling those it is given. The worker's own change all
the same, behind JAX's back, while nothing computes: they lie in memory of NumPy's, or are written by CUDA's driver.

A number with a fraction is given as an array without dimensions that lies where the others do: NumPy's would be brought
there in each call. A whole number may have to be known as the program is compiled, and stays NumPy's.
"""

import ctypes
import os
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
# What brings one with CUDA 13; for older drivers only pip does.
LOCKED = "make install LOCK=jax_cuda13, then environments: {jax_cuda13: {backends: [jax]}} in the configuration"
EXHAUSTED = "RESOURCE_EXHAUSTED"  # in XLA's words for memory that there is not
IN_FLIGHT = 16  # calls launched at once that are not waited for: beyond 32 that are not done, XLA blocks the host
VARIABLES = {
    "JAX_ENABLE_X64": "true",  # else float64 becomes float32
    "JAX_DEFAULT_MATMUL_PRECISION": "highest",  # no TF32
    "JAX_ENABLE_COMPILATION_CACHE": "false",  # a first call compiles
    "XLA_PYTHON_CLIENT_PREALLOCATE": "false",  # else three quarters of a GPU's memory
    "XLA_FLAGS": "",
}
SETTINGS = ("jax_platforms", "jax_enable_x64", "jax_default_matmul_precision")


def probe(backend):
    """The host's cores, and every CUDA device, with the reason where JAX cannot use it."""
    os.environ.update(VARIABLES)
    jax = cuda.importing("jax")
    plugins = {name: version for name in PLUGINS if (version := installed_version(name))}
    return host_or_gpu.devices(plugins, lambda gpus: _reasons(jax, gpus, plugins))


def _reasons(jax, gpus, plugins):
    """Why JAX cannot use each of the GPUs, None where it can."""
    if not plugins:
        cuda13 = cuda.driver().ask("cuDriverGetVersion", ctypes.c_int) >= 13_000
        return [Unavailable("jax has no CUDA plugin", LOCKED if cuda13 else install_command("'jax[cuda12]'"))] * len(
            gpus
        )
    try:
        seen = {gpu.local_hardware_id for gpu in jax.devices("cuda")}
    except RuntimeError as error:
        return [Unavailable(f"JAX does not start on it: {error}")] * len(gpus)
    return [None if number in seen else Unavailable("JAX does not list it") for number in range(len(gpus))]


class WithJax:
    """Methods of a Session, on the host and on a GPU, that ask JAX, its `_jax`."""

    def settings(self):
        """Return also the settings of JAX that can change a result."""
        return super().settings() | {name: getattr(self._jax.config, name) for name in SETTINGS}

    def argument(self, value):
        """Return a number with a fraction as an array of its dtype on the device, any other value as it is."""
        return self._jax.block_until_ready(self._jax.device_put(value)) if isinstance(value, np.inexact) else value

    def spent(self, result):
        """Return whether a later call was given any array of the result as a donated one."""
        leaves = self._jax.tree.leaves(result)
        return any(array.is_deleted() for array in leaves if isinstance(array, self._jax.Array))


class JaxOnGpu(WithJax, cuda.Session):
    """A CUDA device in its primary context, JAX's own. No implementation can write into an array, so that there are no
    guard zones around it."""

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
        self.synchronise()  # JAX's streams do not wait for the driver's

    update = OpenDevice.update

    def copy_out(self, value, into=None):
        """By the driver: what JAX copies to the host it keeps there, and a second time would cost nothing."""
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
        """It is JAX's, which keeps its memory for the next."""

    def trim(self):
        """JAX gives nothing back."""

    def function(self, kernel):
        return None

    def flush_cache(self):
        super().flush_cache()
        self.synchronise()  # as in copy_in

    def timers(self, call):
        return host_timers(self, call)


class Session(WithJax, host_or_gpu.Session):
    """The host's cores, as many as the worker is given: XLA's pool has a thread for each."""

    ON_HOST = False  # arrays are JAX's
    ON_GPU, HOST_VARIABLES = JaxOnGpu, {**VARIABLES, "JAX_PLATFORMS": "cpu"}

    def __init__(self, backend, device):
        super().__init__(backend, device)
        import jax

        self._jax, self._memory = jax, {}
        self.wait = jax.block_until_ready

    def empty(self, shape, dtype):
        memory = super().empty(shape, dtype)
        array = self._jax.dlpack.from_dlpack(memory) if memory.size else self._jax.numpy.empty(shape, dtype)
        if memory.size and array.unsafe_buffer_pointer() != memory.ctypes.data:
            raise RuntimeError("JAX has copied an array that it was to share")
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

    def explain(self, error):
        return ("out_of_memory", str(error)) if EXHAUSTED in str(error) else None


def host_timers(session, call):
    """By the host's clock, since JAX's streams are its own: calls as fast as the host makes them, until the last result
    is there, which the device computes after all others, and the device has done all that it was asked to do.

    To learn that takes the host as long as some short calls do. Where calls lead, the clock starts with the news that
    the device has done them, while others are there for it to go on with: the news is late at both ends alike.
    """
    call.mark, results, wait = UNSEEN, deque(maxlen=1), session.wait
    call.namespace.update(_keep=results.append, _wait=wait)
    launching = Timer(f"_keep({call.statement})", globals=call.namespace)
    waiting = Timer(f"_wait({call.statement})", globals=call.namespace)

    def throughput(loops, lead=False):
        ahead = queued(loops) if lead else 0
        begin = perf_counter()
        launching.timeit(loops - ahead)
        wait(results.pop())
        session.synchronise()
        return (perf_counter() - begin) / loops

    def queued(loops):
        """How many calls are left on the device now that it has done as many: none where the host takes longer to
        launch them than the device to compute them."""
        some = min(loops, IN_FLIGHT // 2)
        launching.timeit(some)
        marker = session.marker()
        launching.timeit(some)
        if marker.is_ready():
            wait(results[0])
            return 0
        wait(marker)
        return some

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
