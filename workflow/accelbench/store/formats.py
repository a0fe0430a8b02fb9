"""The result files beside the records: machine.json, build manifests, kernels' cards, the journal's lines.

What others read from them is checked here, before it is used, so that a file that was cut, edited by hand or written by
another version is one InputError with a name, and never a traceback in the middle of something else. Keys that are not
named here are free.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter, ValidationError, model_validator

from accelbench.errors import InputError
from accelbench.model.machine import Count, Finite, Whole
from accelbench.model.metadata import KernelMetadata, Measuring, SourceFile
from accelbench.model.record import DTYPE, Name, Outcome, Startup
from accelbench.store import files

SCHEMA_VERSION = 1


class Samples(BaseModel):
    """One kind of time in one sitting."""

    samples_s: list[Annotated[float, Field(gt=0, allow_inf_nan=False)]] = Field(min_length=1)
    rounds: list[int]
    loops: Count

    @model_validator(mode="after")
    def _each_in_a_round(self):
        if len(self.rounds) != len(self.samples_s):
            raise ValueError("samples without a round")
        return self


class Entry(BaseModel):
    """A line of the journal: a case's result in one sitting."""

    case: str
    key: str
    sitting: str
    outcome: Outcome
    reason: str | None
    result: dict[str, Any]


class Again(BaseModel, extra="forbid"):
    """A line of the journal: which cases' entries before it hold no more, all of them or failures alone."""

    cases: str
    failures: bool


class Measured(BaseModel):
    """The result of an entry whose outcome is ok."""

    timings: dict[str, Samples] = Field(min_length=1)
    converged: bool
    long: bool
    call_s: Finite
    noise: Finite | None
    facts: dict[str, Finite | None]
    energy_j: Finite | None
    rooms: list
    environment: dict[str, Any]
    errors: dict[str, tuple[Finite, Finite]] = {}  # what was measured before these were kept has none
    cores_used: Finite | None = None
    inputs_replaced: bool | None = None
    max_error: Finite
    tolerance: Finite
    startup: Startup


class Profiled(BaseModel):
    """A function in a profile; worker.profiler says what the fields mean."""

    function: str
    file: str
    line: int
    calls: Count
    total_s: Finite
    cumulative_s: Finite


class Profile(BaseModel, extra="allow"):
    """profile/<kernel>/<implementation>.json; the kernel's options stand beside these keys, under their own names."""

    schema_version: Literal[1]
    kernel: Name
    implementation: Name
    backend: Name
    title: str
    dtype: Annotated[str, Field(pattern=DTYPE)]
    size: Whole
    wall_s: Annotated[Finite, Field(gt=0)]
    plain_s: Finite
    rows: list[Profiled] = Field(min_length=1)
    files: list[SourceFile] = []  # what was published before these were kept has none

    @property
    def options(self):
        return self.model_extra


def check_journal_line(value):
    """ValueError where a value is neither a whole entry nor a note of a run or of what is measured again."""
    if isinstance(value, dict) and "run" in value:
        Measuring.model_validate(value["run"])
        return
    if isinstance(value, dict) and "again" in value:
        Again.model_validate(value["again"])
        return
    entry = Entry.model_validate(value)
    if entry.outcome == "ok":
        Measured.model_validate(entry.result)
    needed = {"too_slow": "predicted_s", "timeout": "timeout_s"}.get(entry.outcome)
    if needed is not None and not isinstance(entry.result.get(needed), (int, float)):
        raise ValueError(f"result.{needed} is no number")


def read_card(path, again):
    """The KernelMetadata of the kernel that a file is named after."""
    card = read(KernelMetadata, path, again)
    if card.kernel != path.stem:
        raise InputError(path, f"kernel: {card.kernel}, but it is named after {path.stem}", again)
    return card


def read(model, path, again):
    """The `model` in a JSON file; InputError with the remedy `again` where it is none."""
    value = files.read_json(path, again)
    version = value.get("schema_version") if isinstance(value, dict) else None
    if "schema_version" in getattr(model, "model_fields", model.__annotations__) and version != SCHEMA_VERSION:
        raise InputError(path, f"has schema_version {version}, not {SCHEMA_VERSION}", again)
    try:
        return TypeAdapter(model).validate_python(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(map(str, first["loc"])) or "it"
        raise InputError(path, f"{key}: {first['msg'].removeprefix('Value error, ')}", again) from None


def write(path, value):
    """Write a value of the model as a JSON file."""
    files.write_json(path, to_json(value))


def to_json(value):
    """A value of the model as what JSON can hold."""
    return TypeAdapter(type(value)).dump_python(value, mode="json")
