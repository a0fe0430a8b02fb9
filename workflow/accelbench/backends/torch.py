"""PyTorch: tensors in the host's memory or a GPU's, computed with as soon as they are asked for, or compiled.

Whatever is timed is in inference mode, whose views take half the time of those with autograd merely off. TF32 is off.
What torch.compile makes is for one problem alone, as in a program that has one, and lies in the worker's own folder, so
that a first call compiles.
"""

import ctypes
import os
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
    "TORCHINDUCTOR_COMPILE_THREADS": "1",  # one kernel at a time, for which other processes would come too late
    "TRITON_DEFAULT_FP_FUSION": "1",  # products and sums as CUDA C has them; the default changes with Triton 3.10
}
TRY_INSTRUCTIONS = "from torch._inductor.cpu_vec_isa import valid_vec_isa_list; valid_vec_isa_list()"

MOST_COMPILED = 200  # problems of one process, and smaller ones that are tried before them


def probe(backend):
    """The host's cores, and every CUDA device, with the reason where this PyTorch cannot use it."""
    library = cuda.importing("torch")
    return host_or_gpu.devices({"runtime": library.version.cuda}, lambda gpus: [unusable(library)] * len(gpus))


def unusable(library):
    """Why a PyTorch cannot use the GPUs that the driver has, or None."""
    if library.version.cuda is None:
        return Unavailable(
            f"this PyTorch ({library.__version__}) was built for processors alone", "make install LOCK=torch"
        )
    try:
        library.cuda.init()
    except Exception as error:
        return Unavailable(f"PyTorch for CUDA {library.version.cuda} does not work with this driver: {error}")
    return None


def once(device, folder):
    """Which of the processor's vector instructions the compiler knows: tried by torch.compile for seconds before the
    first thing it compiles in a folder, whatever that is. What it found is put where it looks."""
    if device.kind != "cpu" or "torch._dynamo" not in sys.modules:
        return
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        tried = tempfile.mkdtemp(dir=folder.parent)
        environment = os.environ | {"TORCHINDUCTOR_CACHE_DIR": tried}
        subprocess.run([sys.executable, "-c", TRY_INSTRUCTIONS], env=environment, check=False)
        try:
            os.rename(tried, folder)
        except OSError:  # another worker was faster
            shutil.rmtree(tried)
    shutil.copytree(folder, os.getenv("TORCHINDUCTOR_CACHE_DIR"), dirs_exist_ok=True)


class TorchOnGpu(cuda.Session):
    """A CUDA device with an ordinary stream, which is PyTorch's current one; PyTorch's own never wait for others."""

    @staticmethod
    def variables(device, threads):
        return cuda.Session.variables(device, threads) | COMPILING

    def __init__(self, backend, device):
        super().__init__(backend, device)
        remedy = f"this PyTorch has code for {', '.join(self._torch.cuda.get_arch_list())}, not for this device"
        self.REASONS = (*cuda.REASONS, (cuda.NOT_FOR_THIS_DEVICE, "unsupported", remedy))

    def open(self):
        self._torch, self._mode = torch, _ = opened()
        self.OUT_OF_MEMORY = (MemoryError, torch.OutOfMemoryError)
        torch.cuda.set_device(0)
        torch.cuda.synchronize()  # creates the primary context
        handle = self._api.ask("cuStreamCreate", ctypes.c_void_p, 0)
        stream = torch.cuda.ExternalStream(handle)
        torch.cuda.set_stream(stream)
        return stream, handle

    def wrap(self, pointer, shape, dtype, *, memory):
        return self._torch.as_tensor(described(pointer, shape, dtype, memory=memory), device="cuda")

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
        """PyTorch's kernels are its own."""

    def trim(self):
        self._torch.cuda.empty_cache()

    def settings(self):
        return settings(self._torch)


class Session(host_or_gpu.Session):
    """The host: `run` gets tensors on the memory of its arrays."""

    ON_GPU, HOST_VARIABLES = TorchOnGpu, COMPILING

    def __init__(self, backend, device):
        super().__init__(backend, device)
        self._torch, self._mode = opened()
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

    def explain(self, error):
        words = str(error)
        return ("out_of_memory", words) if "can't allocate memory" in words else None


def described(pointer, shape, dtype, *, memory):
    """Device memory in the way that all CUDA libraries understand; `memory` is kept as long as this is."""
    interface = {"shape": shape, "typestr": dtype.str, "data": (pointer, False), "version": 3}
    return SimpleNamespace(__cuda_array_interface__=interface, memory=memory)


def opened():
    """(PyTorch without TF32, what keeps this thread in inference mode as long as it lives)."""
    import torch  # here: every command imports this module

    mode = torch.inference_mode()
    mode.__enter__()

    # Inputs are handed to it read-only, and read.
    warnings.filterwarnings("ignore", "The given NumPy array is not writable", UserWarning)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False

    # What all sizes share is made with the first in mind: the smallest, for which one thread is enough.
    if "torch._dynamo" in sys.modules:  # nobody else compiles, and importing it takes seconds
        from torch._dynamo import config
        from torch._inductor import config as inductor

        config.automatic_dynamic_shapes = False
        config.recompile_limit = MOST_COMPILED
        with suppress(AttributeError):  # 124 MB a kernel, and for one kernel they come too late
            inductor.cpp_cache_precompile_headers = False
    return torch, mode


def settings(torch):
    """What of PyTorch's state can change a result."""
    return {
        "torch_grad": "inference mode" if torch.is_inference_mode_enabled() else "enabled",
        "torch_float32_matmul_precision": torch.get_float32_matmul_precision(),
        "torch_tf32": torch.backends.cuda.matmul.allow_tf32 or torch.backends.cudnn.allow_tf32,
        "torch_cudnn_benchmark": torch.backends.cudnn.benchmark,
    }
