"""Descriptions and states of NVIDIA GPUs, read through NVML. This module changes no setting of a GPU.

NVML opens no CUDA context. So NVML does not disturb a measurement, and works even if a process's context is broken.
The names of throttle reasons are from NVIDIA's NVML API reference.
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
    """Return the version of the NVIDIA driver, or None if NVML is not available."""
    nvml = _library()
    return nvml and nvml.nvmlSystemGetDriverVersion()


def describe():
    """Return a Gpu for each NVIDIA GPU."""
    return [_description(_library(), index, gpu) for index, gpu in enumerate(_devices())]


def snapshot():
    """Return the current GpuState of each NVIDIA GPU."""
    return [_state(_library(), gpu) for gpu in _devices()]


def energy_j(pci_bus_id):
    """Return the energy in joules that a GPU has used since its driver was loaded; None if unknown.

    pci_bus_id  PCI address of the GPU, such as "0000:1b:00.0"
    """
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
    """Return the names of the throttle reasons in NVML's bit mask. A bit without a name is given in hexadecimal."""
    return [THROTTLE_REASONS.get(bit, hex(bit)) for bit in (1 << n for n in range(64)) if bits & bit]


@cache
def _library():
    """Return the initialised module pynvml; None if the driver or nvidia-ml-py is missing, or NVML fails.

    The driver's library is loaded first. If this library is missing, pynvml is not imported, since its import is slow.
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
        with contextlib.suppress(nvml.NVMLError):  # leave out a broken GPU
            handles.append(nvml.nvmlDeviceGetHandleByIndex(index))
    return tuple(handles)


@cache
def _gpu_at(pci_bus_id):
    return _library().nvmlDeviceGetHandleByPciBusId(pci_bus_id)


def _ask(question):
    """Return question(), or None if NVML raises an error."""
    try:
        return question()
    except _library().NVMLError:
        return None
