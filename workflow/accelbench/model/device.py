"""Description of backends and their devices. Workers import this module, so it needs only the standard library."""

from dataclasses import dataclass, field, fields
from typing import Any, Literal

from accelbench.model.limits import Amount, fits


def check_fields(value: Any) -> None:
    """Raise ValueError if a field of a dataclass instance has a value of another type than declared."""
    for member in fields(value):
        if not fits(content := getattr(value, member.name), member.type):
            declared = member.type.__name__ if type(member.type) is type else str(member.type).removeprefix("typing.")
            raise ValueError(f"{type(value).__name__}.{member.name} is {content!r:.80}, not {declared}")


@dataclass(frozen=True, kw_only=True)
class DeviceLimits:
    """Limits of a device. A limit is None if the device's driver does not report it.

    Each line ends with the limit's name in CUDA (CU_DEVICE_ATTRIBUTE_..., or a function), in OpenCL (CL_DEVICE_...), or
    in both.

    max_block_size             threads per block; MAX_THREADS_PER_BLOCK, MAX_WORK_GROUP_SIZE
    max_block_shape            threads of a block in x, y, z; MAX_BLOCK_DIM_X to _Z, MAX_WORK_ITEM_SIZES
    memory_bytes               size of the device's memory; cuDeviceTotalMem, GLOBAL_MEM_SIZE
    max_allocation_bytes       largest array; MAX_MEM_ALLOC_SIZE
    cache_bytes                size of the last cache before the memory; L2_CACHE_SIZE, GLOBAL_MEM_CACHE_SIZE
    compute_units              number of multiprocessors, or cores; MULTIPROCESSOR_COUNT, MAX_COMPUTE_UNITS
    compute_capability         "9.0"; COMPUTE_CAPABILITY_MAJOR and _MINOR
    shared_memory_bytes        shared memory of a block by default; MAX_SHARED_MEMORY_PER_BLOCK
    shared_memory_optin_bytes  shared memory that a block can opt in to; MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
    local_memory_bytes         local memory of a work-group, OpenCL's shared memory; LOCAL_MEM_SIZE
    """

    max_block_size: int | None = None
    max_block_shape: list[int] | None = None
    memory_bytes: int | None = None
    max_allocation_bytes: int | None = None
    cache_bytes: int | None = None
    compute_units: int | None = None
    compute_capability: str | None = None
    shared_memory_bytes: int | None = None
    shared_memory_optin_bytes: int | None = None
    local_memory_bytes: int | None = None

    __post_init__ = check_fields


@dataclass(frozen=True)
class Device:
    """One device that a backend can run on.

    name                name of the device in results: "cpu", "NVIDIA H200", "PoCL AMD EPYC"
    kind                "cpu" if the host's cores do the work, so that cases have thread counts; else "gpu"
    index               values by which the backend finds the device again, such as {"platform": 0, "device": 0}
    device_limits       DeviceLimits(max_block_size=1024, ...); a limit of None is not checked
    versions            {"driver": ..., "platform": ...}; earlier results are valid only for the same versions
    unsupported_dtypes  {dtype: reason}
    unusable            reason why the device cannot be used, else None
    remedy              the user's action that would make the device usable; "" if none is known
    """

    name: str
    kind: Literal["cpu", "gpu"] = "cpu"
    index: dict[str, int | str] = field(default_factory=dict)
    device_limits: DeviceLimits = DeviceLimits()
    versions: dict[str, str | None] = field(default_factory=dict)
    unsupported_dtypes: dict[str, str] = field(default_factory=dict)
    unusable: str | None = None
    remedy: str = ""

    def __post_init__(self):
        check_fields(self)
        if not (self.name.strip() and self.name.isprintable()):
            raise ValueError(f"Device.name is {self.name!r:.80}, not a printable text")

    @classmethod
    def read(cls, *, device_limits: dict[str, Any], **fields: Any) -> "Device":
        """Return a Device from its fields as plain data, which another process wrote."""
        return cls(**fields, device_limits=DeviceLimits(**device_limits))

    @property
    def on_host(self) -> bool:
        """Return whether the host's cores do the work."""
        return self.kind == "cpu"


@dataclass(frozen=True, kw_only=True)
class LaunchFacts:
    """Resources, largest block and occupancy of a CUDA or OpenCL kernel. Unreported values are None.

    registers       registers of a thread
    local_bytes     bytes of local memory of a thread
    shared_bytes    bytes of static shared memory of a block
    max_block_size  maximum number of threads in a block of this kernel
    occupancy       theoretical occupancy, 0 to 1: warps that can be resident at once, over the maximum of the device
    """

    registers: Amount | None = None
    occupancy: Amount | None = None
    shared_bytes: Amount | None = None
    local_bytes: Amount | None = None
    max_block_size: Amount | None = None


@dataclass(frozen=True)
class Backend:
    """Availability of a backend on the machine, and its devices.

    reason    reason why the backend cannot run, or why some devices cannot be used; else None
    remedy    the user's action that would make the backend or devices usable; "" if none is known
    unusable  {device: reason} of devices that cannot be used
    """

    available: bool
    reason: str | None
    versions: dict[str, str | None]
    devices: list[Device]
    unusable: dict[str, str] = field(default_factory=dict)
    remedy: str = ""

    @classmethod
    def unavailable(cls, reason: str, versions: dict[str, str | None] | None = None, **fields: Any) -> "Backend":
        """Return a backend that cannot run here."""
        return cls(False, reason, versions or {}, [], **fields)
