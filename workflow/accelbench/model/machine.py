"""What is known of a machine: what it is, what it can run, and what it was doing when it was described."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from accelbench.model.device import Backend, Device
from accelbench.model.gpu import Gpu, GpuState
from accelbench.model.names import MACHINE_NAME, SCHEMA_VERSION

Whole = Annotated[int, Field(ge=0, lt=2**63)]
Count = Annotated[int, Field(gt=0, lt=2**63)]
Finite = Annotated[float, Field(allow_inf_nan=False)]


class Described(BaseModel):
    """A value of a result file; keys that are not named are free, since another version may have written it."""

    model_config = ConfigDict(frozen=True)


class Processor(Described):
    """The processor: `model` is its marketing name, which different ones share; `vendor`, `family` and `number` tell
    its model as the kernel does, with numbers.

    `cores` are physical ones, `threads` those the system sees, `available` those this process may use; `caches` holds
    the bytes of one instance of each level, `last_level_cache_bytes` all instances of the last one together.
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

    def identified(self, identity: str, hostname: str) -> "Identity":
        """Return the Identity of a computer with this processor, that host name and the digest `identity`."""
        return Identity(identity=identity, model=self.model, cores=self.cores, hostname=hostname)


class SystemState(Described):
    """The state of the machine at one moment.

    Times in seconds: `time_s` since an arbitrary start; `cpu_s` of all CPUs together since boot, by what they did
    (/proc/stat: `steal` is time a virtual machine wanted to run and was not let). `load_average` over 1, 5, 15 minutes.
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
    """A GPU at both ends of a time; every throttle reason and process with a context that was seen at either."""

    uuid: str | None = None
    sm_clock_mhz: BothEnds = Field(default_factory=list)
    memory_clock_mhz: BothEnds = Field(default_factory=list)
    temperature_c: BothEnds = Field(default_factory=list)
    power_w: BothEnds = Field(default_factory=list)
    throttle_reasons: list[str] = Field(default_factory=list)
    compute_processes: list[int] = Field(default_factory=list)


class StateChange(Described):
    """What happened to the machine in a time; None for what is not known.

    steal_share   of the time the machine wanted to run it was not let, None where no tick (1/100 s) of it passed
    busy_share    of the CPUs' time something ran on this machine
    others_share  of the CPUs' time something else than what measures ran here, None where too little passed to tell
    load_average  over a minute, and frequency_mhz: at both ends
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
    """The kind of computer that measured results: identity.json.

    identity  digest of architecture, vendor, family, number and cores of its Processor
    model     the processor's marketing name
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
    """A Python that backends have to themselves, and what they found from within it.

    lock    the name of the lock that it was installed from, "unlocked" where it was not, or is no more as that says
    digest  of the lock, else of the names and versions of its packages
    """

    python: str | None = None
    numpy: str | None = None
    lock: str | None = None
    digest: str | None = None
    backends: dict[str, Backend]


class Machine(Described):
    """machine.json; sizes in bytes, `identity` as in Identity. A backend that has an environment to itself stands in
    `backends` as it is there."""

    schema_version: Literal[2] = SCHEMA_VERSION
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
        """Whose results are kept beside it."""
        return self.cpu.identified(self.identity, self.hostname)

    @property
    def probes(self) -> dict[tuple[str, str], Backend]:
        """{(environment, backend): what was found of it there}, "" for accelbench's own Python."""
        return {
            (place, name): backend
            for place, found in [
                ("", self.backends),
                *((name, own.backends) for name, own in self.environments.items()),
            ]
            for name, backend in found.items()
        }

    @property
    def devices(self) -> list[Device]:
        """Those of all backends; one that several have stands there several times."""
        return [device for backend in self.backends.values() for device in backend.devices]

    @property
    def host_devices(self) -> set[str]:
        """Names of the devices that are this machine's own cores."""
        return {"cpu"} | {device.name for device in self.devices if device.on_host}

    @property
    def has_gpu(self) -> bool:
        """Whether any backend found a GPU."""
        return any(not device.on_host for device in self.devices)

    def limited_to(self, cores: int | None) -> "Machine":
        """Return the same with `cores` as the maximum of available cores."""
        return self.model_copy(
            update={
                "cpu": self.cpu.model_copy(update={"available": min(cores or self.cpu.available, self.cpu.available)})
            }
        )

    @property
    def hardware(self) -> str:
        """The processor and how much of it was used."""
        return f"{self.cpu.model}, {self.cpu.available} cores"
