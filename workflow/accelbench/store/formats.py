"""The result files beside the records: machine.json, build manifests, kernels' cards, the journal's lines.

What others read from them is checked here, before it is used, so that a file that was cut, edited by hand or written by
another version is one InputError with a name, and never a traceback in the middle of something else. Keys that are not
named here are free.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError, model_validator

from accelbench.errors import InputError
from accelbench.model.record import DTYPE, Finite, Name, Outcome, Startup
from accelbench.store import files

SCHEMA_VERSION = 1
FILE = "[A-Za-z0-9_][A-Za-z0-9_.+-]*"  # what no tool takes for an option or another folder
FILE_NAME, PATH = f"^{FILE}$", f"^{FILE}(/{FILE})*$"

Whole = Annotated[int, Field(ge=0, lt=2**63)]
Positive = Annotated[int, Field(gt=0, lt=2**63)]
Path = Annotated[str, Field(pattern=PATH)]


class Built(BaseModel):
    """What became of one artefact."""

    outcome: Literal["ok", "build_failed"]
    path: Path | None
    log: str
    command: str | None
    seconds: Finite
    compiler: str
    recipe: str
    page: Path | None


class Artifact(Built):
    """The same in a manifest: what it is for."""

    implementation: Name
    source: str
    device: str | None


class Manifest(BaseModel):
    """build/<kernel>/<toolchain>.json."""

    schema_version: Literal[1]
    kernel: Name
    toolchain: Name
    artifacts: list[Artifact]


class File(BaseModel):
    """A source as it was when it was measured."""

    name: Annotated[str, Field(pattern=FILE_NAME)]
    text: str


class Implementation(BaseModel):
    """An implementation in a card."""

    title: str
    backend: Name
    variant: Name | None
    threads: bool
    parameters: list[str]
    toolchain: Name | None
    flags: list[str]
    source_lines: Whole
    note: str | None = None
    files: list[File]
    build: list[Artifact]


class Configured(BaseModel, extra="allow"):
    """The configuration of a run, as far as others look into it."""

    protocol: dict[str, Any] = {}
    kernels: dict[str, Any] | None = None
    kernels_path: list[str] = []


class Run(BaseModel):
    """One measuring of a kernel."""

    started: str
    wall_s: Finite
    in_samples_s: Finite
    steps_s: dict[str, Finite] = {}
    cases: Whole
    command: str
    commit: str | None
    dirty: bool | None
    config: Configured


class Card(BaseModel):
    """kernels/<kernel>.json."""

    schema_version: Literal[1]
    kernel: Name
    title: str
    description: str
    size: str
    baseline: Name
    lectures: list[str]
    options: dict[Name, int | Finite]
    dtypes: list[Annotated[str, Field(pattern=DTYPE)]]
    block_dimensions: Literal[1, 2]
    location: str
    implementations: dict[Name, Implementation] = Field(min_length=1)
    runs: list[Run]
    left_out: int = Field(default=0, ge=0)  # cases measured before that the last configuration did not ask for


class Samples(BaseModel):
    """One kind of time in one sitting."""

    samples_s: list[Annotated[float, Field(gt=0, allow_inf_nan=False)]] = Field(min_length=1)
    rounds: list[int]
    loops: Positive

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
    calls: Positive
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
    files: list[File] = []  # what was published before these were kept has none

    @property
    def options(self):
        return self.model_extra


def check_journal_line(value):
    """ValueError where a value is neither a whole entry nor a note of a run or of what is measured again."""
    if isinstance(value, dict) and "run" in value:
        Run.model_validate(value["run"])
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
    """The card of the kernel that a file is named after."""
    card = read_plain(Card, path, again)
    if card["kernel"] != path.stem:
        raise InputError(path, f"kernel: {card['kernel']}, but it is named after {path.stem}", again)
    return card


def read(model, path, again):
    """The `model` in a JSON file; InputError with the remedy `again` where it is none."""
    value = files.read_json(path, again)
    version = value.get("schema_version") if isinstance(value, dict) else None
    if "schema_version" in model.model_fields and version != SCHEMA_VERSION:
        raise InputError(path, f"has schema_version {version}, not {SCHEMA_VERSION}", again)
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(map(str, first["loc"])) or "it"
        raise InputError(path, f"{key}: {first['msg']}", again) from None


def read_plain(model, path, again):
    read(model, path, again)
    return files.read_json(path, again)


def write(path, value):
    """Write a value of the model as a JSON file."""
    files.write_json(path, value.model_dump(mode="json"))
