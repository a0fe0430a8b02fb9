"""Metadata of a kernel: its texts, its implementations with their sources, and its measurements."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_serializer

from accelbench.model.artifact import Artifact
from accelbench.model.instance import Instance
from accelbench.model.machine import Described, Finite, ResultFile, Whole
from accelbench.model.names import FILE_NAME, OLDER, OLDEST_PROTOCOL_VERSION
from accelbench.model.record import DTYPE, Label, Name
from accelbench.model.watched import WatchedProblem


class SourceFile(Described):
    """A source file as it was when it was measured."""

    name: Annotated[str, Field(pattern=FILE_NAME)]
    text: str


class ImplementationMetadata(Described):
    """An implementation and its builds. Its `environment` is "" for accelbench's own Python."""

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
    """The configuration of a measurement as the user wrote it. `model_extra` has keys that are not fields here."""

    protocol: dict[str, Any] = Field(default_factory=dict)
    build: dict[str, Any] = Field(default_factory=dict)
    kernels: dict[str, dict[str, Any] | None] | None = None
    kernels_path: list[str] = Field(default_factory=list)
    environments: dict[str, dict[str, Any]] = Field(default_factory=dict)

    @model_serializer
    def plain(self) -> dict[str, Any]:
        """Return {key: value} of the keys that the configuration contains."""
        return {name: getattr(self, name) for name in sorted(self.model_fields_set)}


def _check_time(value):
    datetime.fromisoformat(value)
    return value


def _check_protocol(version):
    if version < OLDEST_PROTOCOL_VERSION:
        raise ValueError(f"measured by version {version} of the protocol. {OLDER}")
    return version


class Measuring(Described):
    """One measurement of a kernel.

    config       configuration, limited to this kernel
    configfiles  files of the configuration: paths in the project, or names of files elsewhere. Empty if a workflow that
                 includes accelbench gave the configuration. None in older results
    run          id of the command that measured; `Results.batches` joins successive commands to one run
    instance     name of the machine's instance; empty in older results
    hardware     description of this instance
    repetitions  ids of the repetitions of this measurement
    protocol_version  version of the protocol; results of version 1 lack this field
    scatter      {kind of ratio: statistics (priors.Moments) of the variances between the first two repetitions}; empty
                 unless this measurement made the second repetition
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
        """Return the start time. A time without a zone is UTC."""
        begin = datetime.fromisoformat(self.started)
        return begin if begin.tzinfo else begin.replace(tzinfo=UTC)

    def sweep(self, kernel: str) -> dict[str, Any]:
        """Return the settings of a kernel in the configuration."""
        return (self.config.kernels or {}).get(kernel) or {}


class KernelMetadata(ResultFile):
    """Metadata of a kernel, the content of kernels/<kernel>.json.

    left_out    number of cases that were measured earlier and are not in the last configuration
    algorithms  {name: description}, the main algorithm first; empty in older results
    """

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
        """Return the implementations among which the baseline of speedups is chosen."""
        return {self.baseline, *self.baselines}
