"""What is known of a kernel beside its records: its words, its implementations with their sources, its measurings."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_serializer

from accelbench.model.artifact import Artifact
from accelbench.model.instance import Instance
from accelbench.model.machine import Described, Finite, Whole
from accelbench.model.names import FILE_NAME, OLDER, OLDEST_PROTOCOL_VERSION, SCHEMA_VERSION
from accelbench.model.record import DTYPE, Label, Name
from accelbench.model.watched import WatchedProblem


class SourceFile(Described):
    """A source as it was when it was measured."""

    name: Annotated[str, Field(pattern=FILE_NAME)]
    text: str


class ImplementationMetadata(Described):
    """An implementation, what was built of its sources, and the environment it runs in, "" for accelbench's own."""

    title: str
    backend: Name
    variant: Name | None
    threads: bool
    parameters: list[str]
    toolchain: Name | None
    flags: list[str]
    source_lines: Whole
    algorithm: str = ""
    math: str = ""
    target: str = ""
    note: str | None = None
    environment: str = ""
    files: list[SourceFile]
    build: list[Artifact]


class RecordedConfig(Described, extra="allow"):
    """The configuration of a measuring as it was written, as far as it is looked into before config.reading parses it;
    its other keys are its `model_extra`."""

    protocol: dict[str, Any] = Field(default_factory=dict)
    build: dict[str, Any] = Field(default_factory=dict)
    kernels: dict[str, dict[str, Any] | None] | None = None
    kernels_path: list[str] = Field(default_factory=list)
    environments: dict[str, dict[str, Any]] = Field(default_factory=dict)

    @model_serializer
    def plain(self) -> dict[str, Any]:
        """Its keys, without those that were not written."""
        return {name: getattr(self, name) for name in sorted(self.model_fields_set)}


def _check_time(value):
    datetime.fromisoformat(value)
    return value


def _check_protocol(version):
    if version < OLDEST_PROTOCOL_VERSION:
        raise ValueError(f"measured by version {version} of the protocol. {OLDER}")
    return version


class Measuring(Described):
    """One measuring of a kernel.

    config       its configuration, of that kernel alone
    configfiles  the files it was read from: their paths in the project, names of those outside, which are published
                 where there are no others; empty where a workflow that uses this one gave it, None in older results
    run          the command that it was part of; several may be of one run of the machine (`Results.batches`)
    instance     the name of the machine's instance that it ran on; empty in older results
    hardware     what is known of that instance
    repetitions  those that it measured
    protocol_version  of the protocol that it followed; results of the first version do not tell it
    scatter      of a second repetition: {kind of ratio: count, sum and sum of squares of the logarithms of variances
                 between the first two}
    """

    started: Annotated[str, AfterValidator(_check_time)]
    wall_s: Finite
    in_samples_s: Finite
    steps_s: dict[str, Finite] = Field(default_factory=dict)
    cases: Whole
    command: str
    commit: str | None
    dirty: bool | None
    config: RecordedConfig
    configfiles: list[str] | None = None
    run: str = ""
    instance: str = ""
    hardware: Instance | None = None
    repetitions: list[str] = Field(default_factory=list)
    protocol_version: Annotated[int, AfterValidator(_check_protocol)] = Field(default=1, validate_default=True)
    scatter: dict[str, tuple[int, float, float]] = Field(default_factory=dict)

    @property
    def begin(self) -> datetime:
        """When it started; what names no zone is UTC."""
        begin = datetime.fromisoformat(self.started)
        return begin if begin.tzinfo else begin.replace(tzinfo=UTC)

    @property
    def of_a_figure(self) -> bool:
        """Whether it was for figures of lectures alone."""
        return " lecture measure " in self.command.partition("--")[0]

    def sweep(self, kernel: str) -> dict[str, Any]:
        """What the configuration says of a kernel."""
        return (self.config.kernels or {}).get(kernel) or {}


class KernelMetadata(Described):
    """kernels/<kernel>.json; `left_out` cases were measured before that the last configuration did not ask for.
    `algorithms` are {name: what it does}, the main one first; none in older results."""

    schema_version: Literal[2] = SCHEMA_VERSION
    kernel: Name
    title: str
    description: str
    size: str
    baseline: Name
    baselines: list[Name] = Field(default_factory=list)
    lectures: list[str]
    algorithms: dict[str, str] = Field(default_factory=dict)
    options: dict[Name, int | Finite]
    dtypes: list[Annotated[str, Field(pattern=DTYPE)]]
    block_dimensions: Literal[1, 2]
    location: str
    implementations: dict[Label, ImplementationMetadata] = Field(min_length=1)
    runs: list[Measuring]
    left_out: int = Field(default=0, ge=0)
    watched: list[WatchedProblem] = Field(default_factory=list)

    @property
    def all_baselines(self) -> set[str]:
        """The implementations that what speedups are over is chosen among."""
        return {self.baseline, *self.baselines}
