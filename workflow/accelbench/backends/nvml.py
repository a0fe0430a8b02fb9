"""The energy counter of an NVIDIA GPU, read through NVML, for all backends that run on one."""

from functools import cache


def energy_j(name, pci_bus_id):
    """Joules the GPU at `pci_bus_id` ("0000:1b:00.0") has used since its driver was loaded, or None where nobody counts
    them, or only for the whole GPU of which the device called `name` is a part (MIG)."""
    found = None if " MIG " in name else _gpu(pci_bus_id)
    if found is None:
        return None
    library, gpu = found
    try:
        return library.nvmlDeviceGetTotalEnergyConsumption(gpu) * 1e-3
    except library.NVMLError:
        return None


@cache
def _gpu(pci_bus_id):
    """(pynvml, its handle of the GPU), or None."""
    try:
        import pynvml

        pynvml.nvmlInit()
    except Exception:
        # No library, or no NVML behind it: then nobody counts.
        return None
    try:
        return pynvml, pynvml.nvmlDeviceGetHandleByPciBusId(pci_bus_id)
    except pynvml.NVMLError:
        return None
