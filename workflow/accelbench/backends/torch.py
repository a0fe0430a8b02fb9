"""PyTorch: tensors in the memory of the host or of a GPU, with eager or compiled functions.

Calls are timed in inference mode. In this mode, creating a view takes half as long as with only autograd disabled.
TF32 is off. torch.compile specialises code for each problem size, as it does in a program with a single size. Each
worker has a separate cache of torch.compile, so that the first call in every worker compiles.
"""

import ctypes
import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from contextlib import suppress
from types import SimpleNamespace

import numpy as np

from accelbench.backends import Unavailable, cuda, host_or_gpu

ENVIRONMENT = "torch"
BACKENDS = {"torch": None}
PACKAGES = {"torch": ("torch",)}
COMPILING = {
    "TORCHINDUCTOR_COMPILE_THREADS": "1",  # for one kernel, starting other processes takes longer than compiling
    "TRITON_DEFAULT_FP_FUSION": "1",  # contraction to FMA, as in CUDA C; the default changes with Triton 3.10
}
TRY_INSTRUCTIONS = "from torch._inductor.cpu_vec_isa import valid_vec_isa_list; valid_vec_isa_list()"

MOST_COMPILED = 200  # Maximum number of problems that a function is compiled for in one process


def probe(backend):
    """Return the host's cores and every CUDA device. A device that PyTorch cannot use has the reason as `unusable`."""
    library = cuda.import_library("torch")
    return host_or_gpu.devices({"runtime": library.version.cuda}, lambda gpus: [unusable(library)] * len(gpus))


def unusable(library):
    """Return an Unavailable with the reason why `library`, the module torch, cannot use GPUs, or None."""
    if library.version.cuda is None:
        return Unavailable(f"this PyTorch ({library.__version__}) was built without CUDA", "make install LOCK=torch")
    try:
        library.cuda.init()
    except Exception as error:
        return Unavailable(f"PyTorch for CUDA {library.version.cuda} does not work with this driver: {error}")
    return None


def once(device, folder):
    """Put the list of usable vector instructions into torch.compile's cache.

    Without this list, the first compilation takes seconds longer. The first worker makes the list in `folder`. Every
    worker copies the list into a separate cache. Do nothing on a GPU, or if the implementation does not use
    torch.compile.
    """
    if device.kind != "cpu" or "torch._dynamo" not in sys.modules:
        return
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        cache = tempfile.mkdtemp(dir=folder.parent)
        environment = os.environ | {"TORCHINDUCTOR_CACHE_DIR": cache}
        subprocess.run([sys.executable, "-c", TRY_INSTRUCTIONS], env=environment, check=False)
        try:
            os.rename(cache, folder)
        except OSError:  # another worker was faster
            shutil.rmtree(cache)
    shutil.copytree(folder, os.getenv("TORCHINDUCTOR_CACHE_DIR"), dirs_exist_ok=True)


class TorchOnGpu(cuda.Session):
    """A CUDA device with a blocking stream as the current stream.

    The CUDA driver creates this stream, because streams that PyTorch creates are non-blocking.
    """

    @staticmethod
    def variables(device, threads):
        return cuda.Session.variables(device, threads) | COMPILING

    def __init__(self, backend, device):
        super().__init__(backend, device)
        remedy = f"this PyTorch has code for {', '.join(self._torch.cuda.get_arch_list())}, not for this device"
        self.REASONS = (*cuda.REASONS, (cuda.NOT_FOR_THIS_DEVICE, "unsupported", remedy))

    def open(self):
        self._torch, self._mode = torch, _ = import_torch()
        self.OUT_OF_MEMORY = (MemoryError, torch.OutOfMemoryError)
        torch.cuda.set_device(0)
        torch.cuda.synchronize()  # creates the primary context
        handle = self._api.ask("cuStreamCreate", ctypes.c_void_p, 0)
        stream = torch.cuda.ExternalStream(handle)
        torch.cuda.set_stream(stream)
        return stream, handle

    def wrap(self, pointer, shape, dtype, *, memory):
        described = SimpleNamespace(__cuda_array_interface__=cuda.interface(pointer, shape, dtype), memory=memory)
        return self._torch.as_tensor(described, device="cuda")

    def copy_in(self, array, host):
        array.copy_(self._torch.from_numpy(np.ascontiguousarray(host)))
        self.stream.synchronize()

    def copy_out(self, value, into=None):
        if not isinstance(value, self._torch.Tensor):
            return np.asarray(value)
        if into is None:
            return value.numpy(force=True)
        self._torch.from_numpy(into).copy_(value)
        return into

    def argument(self, value):
        return value.item() if isinstance(value, np.generic) else value

    def function(self, kernel):
        """Return None: PyTorch gives no access to its kernels."""

    def trim(self):
        self._torch.cuda.empty_cache()

    def settings(self):
        return settings(self._torch)


class Session(host_or_gpu.Session):
    """The host. `run` gets tensors that share memory with NumPy arrays."""

    ON_GPU, HOST_VARIABLES = TorchOnGpu, COMPILING
    REASONS = ((re.compile("can't allocate memory"), "out_of_memory", "{}"),)

    def __init__(self, backend, device):
        super().__init__(backend, device)
        self._torch, self._mode = import_torch()
        self._tensors = {}
        self._torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", 1)))

    def settings(self):
        return super().settings() | settings(self._torch) | {"torch_threads": self._torch.get_num_threads()}

    def empty(self, shape, dtype):
        array = super().empty(shape, dtype)
        self._tensors[id(array)] = self._torch.from_numpy(array)
        return array

    def release(self, array):
        super().release(array)
        self._tensors.pop(id(array), None)

    def argument(self, value):
        return self._tensors[id(value)] if isinstance(value, np.ndarray) else value.item()


def import_torch():
    """Return (PyTorch without TF32, an object that keeps this thread in inference mode while it exists)."""
    import torch  # imported lazily: every command imports this module, but few need PyTorch

    mode = torch.inference_mode()
    mode.__enter__()

    # Inputs are read-only, and PyTorch warns about such arrays.
    warnings.filterwarnings("ignore", "The given NumPy array is not writable", UserWarning)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False

    # With dynamic shapes, PyTorch would optimise all code for the first problem. This problem is the smallest, and its
    # code uses only one thread.
    if "torch._dynamo" in sys.modules:  # importing it takes seconds, and only implementations that compile need it
        from torch._dynamo import config
        from torch._inductor import config as inductor

        config.automatic_dynamic_shapes = False
        config.recompile_limit = MOST_COMPILED
        # Precompiled headers take 124 MB per kernel. Making them takes longer than compiling the kernel.
        with suppress(AttributeError):
            inductor.cpp_cache_precompile_headers = False
    return torch, mode


def settings(torch):
    """Return the state of PyTorch that can change a result."""
    return {
        "torch_grad": "inference mode" if torch.is_inference_mode_enabled() else "enabled",
        "torch_float32_matmul_precision": torch.get_float32_matmul_precision(),
        "torch_tf32": torch.backends.cuda.matmul.allow_tf32 or torch.backends.cudnn.allow_tf32,
        "torch_cudnn_benchmark": torch.backends.cudnn.benchmark,
    }
