"""Description of NVIDIA GPUs and their state. Workers do not import this module."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Gpu:
    """An NVIDIA GPU as NVML describes it. Values that NVML does not report are None."""

    index: int | None = None
    name: str
    uuid: str | None = None
    pci_bus_id: str | None = None
    memory_bytes: int | None = None
    compute_capability: str | None = None
    max_sm_clock_mhz: int | None = None
    max_memory_clock_mhz: int | None = None
    power_limit_w: float | None = None
    persistence_mode: bool | None = None
    mig_mode: bool | None = None
    ecc_mode: bool | None = None


@dataclass(frozen=True, kw_only=True)
class GpuState:
    """The state of an NVIDIA GPU at one moment. Values that NVML does not report are None.

    compute_processes  ids of all processes with a context on the GPU, including workers
    """

    uuid: str
    sm_clock_mhz: int | None = None
    memory_clock_mhz: int | None = None
    temperature_c: int | None = None
    power_w: float | None = None
    throttle_reasons: list[str] | None = None
    memory_free_bytes: int | None = None
    compute_processes: list[int] | None = None
