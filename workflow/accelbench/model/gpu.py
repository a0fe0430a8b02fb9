"""NVIDIA GPUs as they were found; apart from devices, as workers know nothing of them and start sooner without."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Gpu:
    """An NVIDIA GPU as NVML describes it; None for what it does not tell."""

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
    """An NVIDIA GPU at one moment; `compute_processes` are the processes with a context on it, our workers among them.

    None for what it does not tell.
    """

    uuid: str
    sm_clock_mhz: int | None = None
    memory_clock_mhz: int | None = None
    temperature_c: int | None = None
    power_w: float | None = None
    throttle_reasons: list[str] | None = None
    memory_free_bytes: int | None = None
    compute_processes: list[int] | None = None
