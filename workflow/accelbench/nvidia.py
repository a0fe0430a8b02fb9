"""NVIDIA GPUs through NVML, read-only: what they are, and what they are doing now.

NVML reports on GPUs without opening a CUDA context, so it neither disturbs a measurement nor fails beside a poisoned
one. Source of all names: NVIDIA's NVML API reference.
"""

import contextlib
import ctypes
from functools import cache

from accelbench.model.gpu import Gpu, GpuState

THROTTLE_REASONS = {
    0x1: "idle",
    0x2: "applications clocks setting",
    0x4: "software power cap",
    0x8: "hardware slowdown",
    0x10: "sync boost",
    0x20: "software thermal slowdown",
    0x40: "hardware thermal slowdown",
    0x80: "hardware power brake slowdown",
    0x100: "display clocks setting",
}


def driver():
    """The NVIDIA driver's version, or None without one."""
    nvml = _library()
    return nvml and nvml.nvmlSystemGetDriverVersion()


def describe():
    """Every NVIDIA GPU, as a Gpu."""
    return [_description(_library(), index, gpu) for index, gpu in enumerate(_devices())]


def snapshot():
    """Every NVIDIA GPU as it is now, as a GpuState."""
    return [_state(_library(), gpu) for gpu in _devices()]


def energy_j(pci_bus_id):
    """Joules that the GPU at `pci_bus_id` ("0000:1b:00.0") has used since its driver was loaded; None where nobody
    counts them."""
    nvml = _library()
    return nvml and _ask(lambda: nvml.nvmlDeviceGetTotalEnergyConsumption(_gpu_at(pci_bus_id)) * 1e-3)


def _description(nvml, index, gpu):
    return Gpu(
        index=index,
        name=nvml.nvmlDeviceGetName(gpu),
        uuid=nvml.nvmlDeviceGetUUID(gpu),
        pci_bus_id=_ask(lambda: nvml.nvmlDeviceGetPciInfo(gpu).busId),
        memory_bytes=_ask(lambda: nvml.nvmlDeviceGetMemoryInfo(gpu).total),
        compute_capability=_ask(lambda: "{}.{}".format(*nvml.nvmlDeviceGetCudaComputeCapability(gpu))),
        max_sm_clock_mhz=_ask(lambda: nvml.nvmlDeviceGetMaxClockInfo(gpu, nvml.NVML_CLOCK_SM)),
        max_memory_clock_mhz=_ask(lambda: nvml.nvmlDeviceGetMaxClockInfo(gpu, nvml.NVML_CLOCK_MEM)),
        power_limit_w=_ask(lambda: nvml.nvmlDeviceGetEnforcedPowerLimit(gpu) / 1000),
        persistence_mode=_ask(lambda: bool(nvml.nvmlDeviceGetPersistenceMode(gpu))),
        mig_mode=_ask(lambda: bool(nvml.nvmlDeviceGetMigMode(gpu)[0])),
        ecc_mode=_ask(lambda: bool(nvml.nvmlDeviceGetEccMode(gpu)[0])),
    )


def _state(nvml, gpu):
    return GpuState(
        uuid=nvml.nvmlDeviceGetUUID(gpu),
        sm_clock_mhz=_ask(lambda: nvml.nvmlDeviceGetClockInfo(gpu, nvml.NVML_CLOCK_SM)),
        memory_clock_mhz=_ask(lambda: nvml.nvmlDeviceGetClockInfo(gpu, nvml.NVML_CLOCK_MEM)),
        temperature_c=_ask(lambda: nvml.nvmlDeviceGetTemperature(gpu, nvml.NVML_TEMPERATURE_GPU)),
        power_w=_ask(lambda: nvml.nvmlDeviceGetPowerUsage(gpu) / 1000),
        throttle_reasons=_ask(lambda: reasons(nvml.nvmlDeviceGetCurrentClocksThrottleReasons(gpu))),
        memory_free_bytes=_ask(lambda: nvml.nvmlDeviceGetMemoryInfo(gpu).free),
        compute_processes=_ask(lambda: sorted(p.pid for p in nvml.nvmlDeviceGetComputeRunningProcesses(gpu))),
    )


def reasons(bits):
    """Names of the throttle reasons in NVML's bit mask; bits without a name stay numbers."""
    return [THROTTLE_REASONS.get(bit, hex(bit)) for bit in (1 << n for n in range(64)) if bits & bit]


@cache
def _library():
    """The pynvml module, initialised, or None where there is no NVIDIA driver, no nvidia-ml-py, or NVML fails.

    The driver's library is looked for first: importing pynvml costs more than a whole snapshot.
    """
    try:
        ctypes.CDLL("libnvidia-ml.so.1")
        import pynvml
    except (OSError, ImportError):
        return None
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError:
        return None
    return pynvml


@cache
def _devices():
    nvml = _library()
    if nvml is None:
        return ()
    handles = []
    for index in range(nvml.nvmlDeviceGetCount()):
        with contextlib.suppress(nvml.NVMLError):  # a GPU that fell off the bus must not hide the others
            handles.append(nvml.nvmlDeviceGetHandleByIndex(index))
    return tuple(handles)


@cache
def _gpu_at(pci_bus_id):
    return _library().nvmlDeviceGetHandleByPciBusId(pci_bus_id)


def _ask(question):
    """The answer, or None where this GPU or driver has none."""
    try:
        return question()
    except _library().NVMLError:
        return None
