"""The result record: one JSON line per case. Its fields have descriptions.

`tests/support/generated.py` writes `record.schema.json` beside this file from the class Record.
"""

import math
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, model_validator

from accelbench import statistics
from accelbench.errors import brief, printable
from accelbench.model.limits import Seconds
from accelbench.model.machine import Described, Finite, ResultFile, StateChange, Whole
from accelbench.model.names import LABEL, MACHINE_NAME, WORD
from accelbench.model.parameters import BlockSize, plain, typed

Outcome = Literal[
    "ok",
    "unavailable",
    "unsupported",
    "build_failed",
    "wrong_result",
    "error",
    "timeout",
    "too_slow",
    "out_of_memory",
    "crashed",
]
OUTCOMES = get_args(Outcome)
DTYPE = r"^[a-z]+[0-9]{0,3}$"

Sentence = Annotated[str, AfterValidator(brief)]
Text = Annotated[str, AfterValidator(printable)]
Name = Annotated[str, Field(pattern=f"^{WORD}$")]
Label = Annotated[str, Field(pattern=f"^{LABEL}$")]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
ROUNDING = 1e-6  # Maximum relative rounding error of a median or interval; published samples have nine digits


def check_parameter(value):
    """Check and return a parameter's value. Raise ValueError unless it is a number, a word or a block size."""
    if isinstance(value, str):
        return printable(value)
    if not isinstance(value, (int, float, BlockSize)) or (not isinstance(value, BlockSize) and abs(value) >= 2**63):
        raise ValueError("neither a number nor a word")
    return value


def check_option(value):
    """Check and return an option's value. Raise ValueError unless its magnitude is below 2^63, as tables require."""
    if not abs(value) < 2**63:
        raise ValueError("too large, or not a number")
    return value


Option = Annotated[float | int, AfterValidator(check_option)]
Parameters = Annotated[
    dict[Name, Annotated[Any, AfterValidator(check_parameter)]], BeforeValidator(typed), PlainSerializer(plain)
]
TIMINGS = (
    "compute",
    "throughput",
    "call",
    "launch",
    "end_to_end",
    "end_to_end_pinned",
    "upload",
    "download",
    "upload_pinned",
    "download_pinned",
)


PER_REPETITION = ("system_state", "reference_shift")  # Keys of `environment` with one value per repetition


def last(values):
    return values[-1]


# Functions that combine a field's values of several repetitions. The field's annotation names one of them
RULES = last, max, any


class Timing(Described, extra="forbid"):
    """Samples of one kind of time. The outer lists have one item per repetition of the record."""

    samples_s: list[list[Seconds]] = Field(description="seconds per call of samples, in order, for each repetition")
    rounds: list[list[int]] = Field(description="number of the round of each sample, for each repetition")
    loops: list[int] = Field(description="calls per sample, for each repetition")
    median_s: Seconds = Field(description="geometric mean of the repetitions' medians, in seconds per call")
    ci_low_s: Positive = Field(
        description="lower end of the 95 % confidence interval: Student's interval over repetitions, or for one "
        "repetition the rank interval of its samples, which ignores the variation between repetitions"
    )
    ci_high_s: Positive = Field(description="upper end of the 95 % confidence interval")
    converged: bool = Field(
        description="whether the median of each repetition has the required precision; if a repetition has too few "
        "samples, whether the median of all samples has this precision"
    )
    shared: bool = Field(
        False,
        description="whether the samples of any repetition are those of another implementation of the same backend, on "
        "the same device and with equal arrays",
    )
    autocorrelation: Finite | None = Field(None, description="lag-1 autocorrelation of samples, mean over repetitions")

    @model_validator(mode="after")
    def _is_consistent(self):
        """Check rounds, loops, median and interval against the samples."""
        if list(map(len, self.samples_s)) != list(map(len, self.rounds)):
            raise ValueError("samples_s and rounds have different lengths")
        if not any(self.samples_s):
            raise ValueError("samples_s: contains no sample")
        if any(samples and loops < 1 for samples, loops in zip(self.samples_s, self.loops, strict=False)):
            raise ValueError("loops: less than one call per sample")
        median = statistics.geometric_mean([statistics.median(samples) for samples in self.samples_s if samples])
        if not math.isclose(self.median_s, median, rel_tol=ROUNDING):
            raise ValueError(f"median_s: is {self.median_s:g}, but the median of samples_s is {median:g}")
        if not self.ci_low_s / (1 + ROUNDING) <= median <= self.ci_high_s * (1 + ROUNDING):
            raise ValueError("ci_low_s, ci_high_s: the median lies outside of the interval")
        return self


def check_errors(measured):
    """Raise ValueError if an error of a correct result exceeds its tolerance."""
    pairs = {**measured.errors, "max_error": (measured.max_error, measured.tolerance)}
    for name, (error, tolerance) in pairs.items():
        if None not in (error, tolerance) and error > tolerance:
            raise ValueError(f"{name}: {error:g} exceeds the tolerance of {tolerance:g}, but the outcome is ok")


class Startup(Described, extra="forbid"):
    """Start-up time of a case, measured once in the first repetition, in seconds."""

    import_s: Finite | None = Field(default=None, description="importing the library and the implementation")
    context_s: Finite | None = Field(default=None, description="opening the device")
    build_s: Finite | None = Field(
        default=None, description="prepare(): loading, and compiling what was not built ahead of time"
    )
    first_call_s: Finite | None = Field(default=None, description="the first call, including just-in-time compilation")


class Left(Described, extra="forbid"):
    """When a case left the race, and its verdict against the baseline then."""

    after: Whole = Field(description="number of the repetition after which the case left")
    verdict: Text | None = Field(None, description="verdict of the case, which later repetitions do not change")


class Order(Described, extra="forbid"):
    """Facts that determine the order of the measurements."""

    seed: int = Field(description="seed of inputs and of the random order")
    processes: int = Field(description="number of repetitions, each in fresh processes")


class RecordedEnvironment(Described, extra="allow"):
    """Environment in which a case was measured. `model_extra` has further facts: environment variables and thread
    pools of the workers, and facts that their libraries report."""

    versions: dict[str, str | None] = Field(default={}, description="versions of the libraries")
    system_state: list[list[StateChange]] = Field(
        default=[], description="changes of the machine's state during each repetition"
    )
    reference_shift: list[Finite | None] = Field(
        default=[],
        description="largest relative change of a reference case's time, for each repetition; only older results have "
        "it, since it is now computed from the samples of the reference cases",
    )

    name: str = Field(
        default="",
        description="name of the backend's environment, whose `python`, `lock` and `digest` are recorded, too; empty "
        "for accelbench's own Python",
        exclude_if=lambda name: not name,
    )


class Record(ResultFile, extra="forbid"):
    """The result of one case."""

    machine: Annotated[str, Field(pattern=MACHINE_NAME)] = Field(description="name of the machine in the configuration")
    kernel: Name
    options: dict[Name, Option] = Field({}, description="the kernel's options: numbers other than the size")
    implementation: Label = Field(
        description="name of the implementation, with @ and the version of its environment or the label of its "
        "compiler if several are compared"
    )
    backend: Name
    device: Text | None = Field(description="name of the device; null if no device was available")
    size: Whole
    dtype: Annotated[str, Field(pattern=DTYPE)]
    parameters: Parameters = Field({}, description="block_size (an int, or two), unroll, ...")
    tuned: Parameters | None = Field(
        None, description="fastest parameters in the sweep of another implementation, if they are used"
    )
    threads: Whole | None = Field(None, description="host threads; null if the host does not compute")
    outcome: Outcome
    reason: Sentence | None = Field(None, description="reason why the outcome is not ok")
    remedy: Sentence = Field(
        "",
        description="the user's action that would make the case ok; empty if the remedy follows from the outcome",
        exclude_if=lambda words: not words,
    )
    cause: Sentence = Field(
        "",
        description="text that similar reasons have in common; empty if `reason` is this text",
        exclude_if=lambda words: not words,
    )
    repetitions: list[Text] = Field([], description="ids of the repetitions with samples, each in fresh processes")
    left: Left | None = Field(
        None,
        description="repetition after which the case left the race, and its verdict then; null if it did not leave",
        exclude_if=lambda left: left is None,
    )
    timings: dict[str, Timing] = Field({}, description="samples by kind of time: compute, throughput, call, ...")
    startup: Startup | None = None
    cache: Literal["hot", "cold"] = "hot"
    occupancy: Finite | None = None
    registers: Whole | None = None
    energy_j: Annotated[Finite | None, last] = None
    cores_used: Annotated[Finite | None, max] = Field(
        None,
        description="CPU time of the worker and its child processes during `compute` samples, over the wall time of "
        "these samples; the maximum over repetitions",
    )
    switches_per_s: Annotated[Finite | None, max] = Field(
        None,
        description="involuntary context switches of the worker per second of `compute` samples; the maximum over "
        "repetitions",
    )
    synchronises: Annotated[bool | None, any] = Field(
        None,
        description="whether `compute` is timed as `throughput` since calls wait for the device, in all repetitions; "
        "null if there is no `throughput`",
    )
    unseen: Annotated[bool | None, any] = Field(
        None,
        description="whether `compute` is timed as `throughput` since the device's work cannot be separated from its "
        "launch, in any repetition",
    )
    inputs_replaced: Annotated[bool | None, any] = Field(
        None,
        description="whether the second check of results replaced all inputs, since a change of a few elements would "
        "alter no result by more than its tolerance",
    )
    works_in_convert: Annotated[bool | None, any] = Field(
        None,
        description="whether the implementation's `convert` takes much longer than copying its inputs; null without "
        "`convert`",
    )
    peak_memory_bytes: Annotated[Whole | None, max] = Field(
        None,
        description="peak memory of the worker during its first sample, including interpreter and libraries, without "
        "the problem's arrays in the host's memory; null in older results, which do not record it",
    )
    errors: dict[Text, tuple[Finite, Finite]] = Field(
        {}, description="{output or error metric: (largest absolute error, its tolerance)}"
    )
    max_error: Finite | None = Field(
        None, description="error nearest to its tolerance: of an error metric, or of an output if there are no metrics"
    )
    tolerance: Finite | None = Field(None, description="tolerance of `max_error`")
    bytes_read: Finite | None = None
    bytes_written: Finite | None = None
    flops: Finite | None = None
    cache_resident: bool | None = Field(None, description="whether the working set fits the last-level cache")
    noisy: bool | None = Field(
        None,
        description="whether a reference case's time changed by more than 3 % in a run, or other processes had more "
        "than 10 % of the CPUs; only older results have it, since it is now computed from samples and system states",
    )
    order: Order | None = None
    source_lines: Whole | None = Field(None, description="lines of code of the implementation")
    algorithm: Text | None = Field(
        None, description="one of the kernel's algorithms; null in older results, which do not record it"
    )
    math: Literal["strict", "fast"] | None = Field(
        None,
        description="fast: operations may be reordered or approximated; strict: operations are those of the source, in "
        "its order, with FMA allowed; null in older results, which do not record it",
    )
    target: Literal["native", "generic"] | None = Field(
        None,
        description="native: code for this processor; generic: code for any processor of its architecture; null in "
        "older results, which do not record it",
    )
    compiler: Text | None = Field(
        None, description="name and version of the compiler; null if nothing was built or no compiler is recorded"
    )
    key: Text | None = Field(None, description="digest of everything that can change the result")
    environment: RecordedEnvironment = Field(
        default_factory=RecordedEnvironment, description="variables, library versions, thread pools, load, clocks"
    )

    @model_validator(mode="after")
    def _is_whole(self):
        """Check that a case has times if and only if it is ok, and that lists have one value per repetition."""
        if self.outcome == "ok" and (self.device is None or "compute" not in self.timings):
            raise ValueError(f"{'timings.compute' if self.device else 'device'}: is missing, but the outcome is ok")
        check_errors(self)
        if self.outcome != "ok" and (given := [name for name in OF_OK_ALONE if getattr(self, name) not in (None, {})]):
            raise ValueError(f"{', '.join(given)}: must be absent, since the outcome is {self.outcome}, not ok")
        lists = {
            f"timings.{kind}.{name}": getattr(timing, name)
            for kind, timing in self.timings.items()
            for name in ("samples_s", "rounds", "loops")
        }
        for name in PER_REPETITION:
            lists[f"environment.{name}"] = getattr(self.environment, name) or self.repetitions
        for name, values in lists.items():
            if len(values) != len(self.repetitions):
                raise ValueError(f"{name} does not have one value for each repetition")
        return self

    @property
    def settings(self):
        """Return the parameters that the case ran with: `tuned`, or else `parameters`."""
        return self.tuned or self.parameters


# {field with a value of each repetition: function that combines these values}, from the annotations above
OBSERVED = {name: rule for name, field in Record.model_fields.items() for rule in field.metadata if rule in RULES}
OF_OK_ALONE = ("timings", "left", "occupancy", "registers", "noisy", "errors", "max_error", "tolerance", *OBSERVED)


def case_id(record):
    """Return the name of a case, which is shell-safe and unique within a machine.

    record  object with the fields of a case, such as a Record or a PlannedCase
    """
    parts = [record.kernel, record.implementation, record.dtype, str(record.size)]
    parts += [f"{name}={value}" for name, value in sorted(record.options.items())]
    parts.append(slug(record.device or "no-device"))
    if record.threads is not None:
        parts.append(f"threads={record.threads}")
    parts += [f"{name}={value}" for name, value in sorted(record.parameters.items())]
    return "/".join(parts)


def problem_id(kernel, *, options, size, dtype):
    """Return the name of a problem. Cases of one problem have the same inputs."""
    return "/".join([kernel, dtype, str(size), *(f"{name}={value}" for name, value in sorted(options.items()))])


def slug(name):
    """Return a device's name in lower case, with letters, digits and dashes only."""
    return "-".join("".join(c if c.isalnum() else " " for c in name).lower().split())
