"""Devices as they were found: of the standard library alone, since workers know them, too."""

from dataclasses import dataclass, field, fields
from typing import Any, Literal

from accelbench.model.limits import Amount, fits


def check_fields(value: Any) -> None:
    """Raise ValueError if a field of a dataclass has another type than it declares."""
    for each in fields(value):
        if not fits(found := getattr(value, each.name), each.type):
            declared = each.type.__name__ if type(each.type) is type else str(each.type).removeprefix("typing.")
            raise ValueError(f"{type(value).__name__}.{each.name} is {found!r:.80}, not {declared}")


@dataclass(frozen=True, kw_only=True)
class DeviceLimits:
    """What a device can hold; None for what its driver does not tell.

    Sources are the attributes of CUDA's driver, CU_DEVICE_ATTRIBUTE_..., and of OpenCL, CL_DEVICE_..., in that order.

    max_block_size             threads of a block; MAX_THREADS_PER_BLOCK, MAX_WORK_GROUP_SIZE
    max_block_shape            threads in x, y, z; MAX_BLOCK_DIM_X to _Z, MAX_WORK_ITEM_SIZES
    memory_bytes               of the device's memory; cuDeviceTotalMem, GLOBAL_MEM_SIZE
    max_allocation_bytes       of one array; MAX_MEM_ALLOC_SIZE
    cache_bytes                of the last cache before that memory; L2_CACHE_SIZE, GLOBAL_MEM_CACHE_SIZE
    compute_units              multiprocessors, or cores; MULTIPROCESSOR_COUNT, MAX_COMPUTE_UNITS
    compute_capability         "9.0"; COMPUTE_CAPABILITY_MAJOR and _MINOR
    shared_memory_bytes        of a block, without asking; MAX_SHARED_MEMORY_PER_BLOCK
    shared_memory_optin_bytes  of a block that asks for more; MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
    local_memory_bytes         of a work-group, OpenCL's word for shared memory; LOCAL_MEM_SIZE
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
    """One device a backend can run on.

    name                what results call it: "cpu", "NVIDIA H200", "PoCL AMD EPYC"
    kind                "cpu" where the host's cores do the work (thread counts apply), "gpu" otherwise
    index               what the backend needs to find it again, under names of its own: {"platform": 0, "device": 0}
    device_limits       DeviceLimits(max_block_size=1024, ...): what is not told limits nothing
    versions            {"driver": ..., "platform": ...}, for the record and the journal's key
    unsupported_dtypes  {dtype: reason}
    unusable            why nothing can run on it, None where it can; what would help is also `remedy`, if it is known
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
        """The device whose fields another process wrote as plain data."""
        return cls(**fields, device_limits=DeviceLimits(**device_limits))

    @property
    def on_host(self) -> bool:
        """Whether the host's cores do the work."""
        return self.kind == "cpu"


@dataclass(frozen=True, kw_only=True)
class LaunchFacts:
    """What a backend tells of a kernel on its device; None for what it does not tell.

    registers, local_bytes  of a thread
    shared_bytes            of a block, static ones
    max_block_size          threads that its blocks can have
    occupancy               theoretical, 0 to 1: resident warps over the most the device can hold
    """

    registers: Amount | None = None
    occupancy: Amount | None = None
    shared_bytes: Amount | None = None
    local_bytes: Amount | None = None
    max_block_size: Amount | None = None


@dataclass(frozen=True)
class Backend:
    """Whether a backend can run on the machine, and on what.

    reason    why it cannot, or why some devices cannot be used; what would help is also `remedy`, if it is known
    unusable  {device: reason} of these
    """

    available: bool
    reason: str | None
    versions: dict[str, str | None]
    devices: list[Device]
    unusable: dict[str, str] = field(default_factory=dict)
    remedy: str = ""

    @classmethod
    def unavailable(cls, reason: str, versions: dict[str, str | None] | None = None, **fields: Any) -> "Backend":
        """Return one that cannot run here."""
        return cls(False, reason, versions or {}, [], **fields)
