"""The description of a machine: its hardware, the backends that it can run, and its state when it was described."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from accelbench.model.device import Backend, Device
from accelbench.model.gpu import Gpu, GpuState
from accelbench.model.names import MACHINE_NAME, SCHEMA_VERSION

Whole = Annotated[int, Field(ge=0, lt=2**63)]
Count = Annotated[int, Field(gt=0, lt=2**63)]
Finite = Annotated[float, Field(allow_inf_nan=False)]


class Described(BaseModel):
    """Base class of values in result files.

    Unknown keys are ignored by default, since another version may have written them. Some classes forbid them.
    """

    model_config = ConfigDict(frozen=True)


class ResultFile(Described):
    """Base class of the contents of result files."""

    schema_version: Literal[2] = SCHEMA_VERSION


class Processor(Described):
    """The processor of a machine.

    model                   marketing name, which different processors may share
    vendor, family, number  exact model, as the operating system reports it
    cores                   number of physical cores
    threads                 number of hardware threads
    available               number of hardware threads that this process may use
    caches                  {level: size of one cache of this level, in bytes}
    last_level_cache_bytes  total size of all last-level caches
    """

    model: str
    architecture: str | None = None
    vendor: str | None = None
    family: str | None = None
    number: str | None = None
    cores: int
    threads: int | None = None
    available: Count
    sockets: int
    numa_nodes: int
    caches: dict[str, Count]
    last_level_cache_bytes: int | None = None
    governor: str | None = None


class SystemState(Described):
    """The state of the machine at one moment.

    time_s        seconds since an arbitrary start
    cpu_s         {activity: seconds of all CPUs since boot}, from /proc/stat; `steal` is time in which a virtual
                  machine was ready to run and did not get a CPU
    load_average  load averages over 1, 5 and 15 minutes
    """

    time_s: Finite = 0.0
    load_average: list[Finite]
    cpu_s: dict[str, Finite]
    governor: str | None
    frequency_mhz: Finite | None
    memory_free_bytes: Whole
    gpus: list[GpuState]


BothEnds = list[int | Finite | None]


class GpuChange(Described):
    """The states of a GPU at the start and the end of an interval.

    throttle_reasons, compute_processes  union of those at the start and those at the end
    """

    uuid: str | None = None
    sm_clock_mhz: BothEnds = Field(default_factory=list)
    memory_clock_mhz: BothEnds = Field(default_factory=list)
    temperature_c: BothEnds = Field(default_factory=list)
    power_w: BothEnds = Field(default_factory=list)
    throttle_reasons: list[str] = Field(default_factory=list)
    compute_processes: list[int] = Field(default_factory=list)


class StateChange(Described):
    """The change of a machine's state in an interval; None for unknown values.

    steal_share   time in which the virtual machine was ready to run and got no CPU, over the total time in which it
                  was ready; None if this total is below a clock tick (1/100 s)
    busy_share    share of the CPUs' time in which anything ran
    others_share  share of the CPUs' time of processes outside this measurement; None if the interval is too short
    load_average  load average over 1 minute, at both ends of the interval, as is `frequency_mhz`
    governor      frequency governor at the end of the interval

    memory_free_bytes  free memory at the start or at the end of the interval, the smaller value
    """

    seconds: Finite | None = None
    steal_share: Finite | None = None
    busy_share: Finite | None = None
    others_share: Finite | None = None
    load_average: BothEnds = Field(default_factory=list)
    governor: str | None = None
    frequency_mhz: BothEnds = Field(default_factory=list)
    memory_free_bytes: Whole | None = None
    gpus: list[GpuChange] = Field(default_factory=list)


class Identity(Described):
    """The kind of the computer that measured results, the content of identity.json.

    identity  digest of the processor's architecture, vendor, family, exact model and number of cores
    model     marketing name of the processor
    """

    identity: str
    model: str
    cores: int
    hostname: str

    def is_like(self, other: "Identity") -> bool:
        """Return whether both computers are of one kind."""
        return self.identity == other.identity

    def __str__(self):
        return f"{self.model}, {self.cores} cores ({self.hostname})"


class EnvironmentDescription(Described):
    """A separate Python environment for backends, and the availability of these backends in this environment.

    lock    name of the lock file of the environment; "unlocked" if there is none, or if installed packages differ
    digest  digest of the lock file; if `lock` is "unlocked", digest of the names and versions of installed packages
    """

    python: str | None = None
    numpy: str | None = None
    lock: str | None = None
    digest: str | None = None
    backends: dict[str, Backend]


class Machine(ResultFile):
    """The description of a machine, the content of machine.json. Sizes are in bytes.

    identity  digest of the processor's architecture, vendor, family, exact model and number of cores
    backends  {name: Backend}; for a backend with a separate environment, its availability and devices there
    """

    name: Annotated[str, Field(pattern=MACHINE_NAME)]
    identity: str
    cpu: Processor
    memory_bytes: Count
    virtualised: bool
    os: str
    kernel: str
    hostname: str
    python: str
    compilers: dict[str, str | None]
    distributions: dict[str, str]
    backends: dict[str, Backend]
    environments: dict[str, EnvironmentDescription] = Field(default_factory=dict)
    gpus: list[Gpu]
    driver: str | None
    system_state: SystemState

    @property
    def owner(self) -> Identity:
        """Return the Identity of the described computer."""
        return Identity(identity=self.identity, model=self.cpu.model, cores=self.cpu.cores, hostname=self.hostname)

    @property
    def probes(self) -> dict[tuple[str, str], Backend]:
        """Return {(environment, backend): Backend}. The environment "" is accelbench's own Python."""
        return {
            (place, name): backend
            for place, backends in [
                ("", self.backends),
                *((name, environment.backends) for name, environment in self.environments.items()),
            ]
            for name, backend in backends.items()
        }

    @property
    def devices(self) -> list[Device]:
        """Return the devices of all backends. A device that several backends can use occurs several times."""
        return [device for backend in self.backends.values() for device in backend.devices]

    @property
    def host_devices(self) -> set[str]:
        """Return the names of the devices that are the machine's own cores."""
        return {"cpu"} | {device.name for device in self.devices if device.on_host}

    @property
    def has_gpu(self) -> bool:
        """Return whether any backend found a GPU."""
        return any(not device.on_host for device in self.devices)

    def limited_to(self, cores: int | None) -> "Machine":
        """Return this Machine with at most `cores` available cores. None sets no limit."""
        return self.model_copy(
            update={
                "cpu": self.cpu.model_copy(update={"available": min(cores or self.cpu.available, self.cpu.available)})
            }
        )

    @property
    def hardware(self) -> str:
        """Return a text with the processor's model and the number of available cores."""
        return f"{self.cpu.model}, {self.cpu.available} cores"
