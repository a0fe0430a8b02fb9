"""Values that pass between the coordinator, workers and the verifier, and the types of their answers.

A request is the name of a method and its arguments: those of worker.__main__.Worker or
verify.__main__.VerifierMethods. ANSWERS declares what each method returns. This module needs NumPy alone, since workers
run in other environments.
Most of its classes have no text and no comparison, because every worker waits until such methods are compiled.
"""

import json
import math
import mmap
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from accelbench.errors import WrongResult, brief, with_texts
from accelbench.model.artifact import Artifact
from accelbench.model.device import Device, DeviceLimits, LaunchFacts
from accelbench.model.limits import Amount, Count, Flag, Limits, Seconds, Text
from accelbench.rpc.channel import NUMERIC

# Smallest ratio and difference in seconds, of a call after a change to one after none, that show kept results
KEEPS_RESULTS = 2.0, 2e-6
# Smallest ratio and difference in seconds, of a call after a pause to one in a row without pauses, that show calls left
# out. A processor learns the branches of a sort that is repeated with the same numbers, which then takes half as long.
LEAVES_OUT = 4.0, 5e-6
REFUSALS = ("error", "unsupported", "wrong_result", "out_of_memory")  # Outcomes that may come in place of an answer
LONGEST_SETTINGS = 100_000  # Maximum length of a library's settings, in characters of JSON


def _printable(settings):
    if len(json.dumps(settings)) > LONGEST_SETTINGS:
        raise ValueError("settings are too long")
    return with_texts(settings, brief)


Arrays = dict[str, Annotated[Any, Limits(type="is-instance", cls=np.ndarray)]]


@dataclass(repr=False, eq=False)
class Opened:
    """Seconds of importing the implementation and of opening its device; PCI address of its GPU; whether the
    implementation converts its inputs."""

    import_s: Amount
    context_s: Amount
    gpu: Text | None
    converts: Flag


@dataclass(repr=False, eq=False, kw_only=True)
class Inputs:
    """Inputs that the verifier made.

    file      open file that holds them
    layout    {name: (offset, dtype, shape)}
    outputs   (name, shape, dtype, inout) of each output
    location  the kernel's, "device" or "host"
    again     whether the kernel asks for the results of a second call
    """

    file: Any
    layout: dict[str, tuple]
    outputs: list[tuple]
    location: str
    again: bool


def mapped(file, layout):
    """Return {name: read-only array or scalar} of an open file with this layout."""
    memory = mmap.mmap(file, 0, mmap.MAP_PRIVATE | mmap.MAP_POPULATE, mmap.PROT_READ)
    return {
        name: np.frombuffer(memory, dtype, math.prod(shape), offset).reshape(shape)[()]
        for name, (offset, dtype, shape) in layout.items()
    }


def shaped(name, result, shape):
    """Return a result as an array of this shape.

    Raise WrongResult if it holds no numbers, or has another shape, unless it is a single number.
    """
    result = np.asarray(result)
    if result.shape != shape and (result.size != 1 or math.prod(shape) != 1):
        raise WrongResult(f"{name} has shape {result.shape}, expected {shape}")
    if result.dtype.kind not in NUMERIC:
        raise WrongResult(f"{name} holds {result.dtype}, not numbers")
    return result.reshape(shape)


@dataclass(repr=False, eq=False)
class CallResult:
    """Seconds of a call; whether its thread flushes subnormal numbers to 0 (as libraries built with -ffast-math do);
    its results, and those of a second call if the kernel asks for them."""

    seconds: Seconds
    flush_to_zero: Flag
    results: Arrays
    again: Arrays | None


@dataclass(repr=False, eq=False)
class ChangedCallResult(CallResult):
    """A CallResult, and seconds of pairs of calls before it.

    pairs  after a change of the inputs, and after none
    rows   after a pause, and after none
    """

    pairs: list[tuple[Seconds, Seconds]]
    rows: list[tuple[Seconds, Seconds]]


def exceeding(pairs, limits):
    """Return the number of pairs that `exceeds` finds."""
    return sum(exceeds(pair, limits) for pair in pairs)


def exceeds(pair, limits):
    """Return whether the first of two times exceeds the second by more than a ratio and a difference."""
    (longer, shorter), (ratio, difference) = pair, limits
    return longer > ratio * shorter and longer - shorter > difference


@dataclass(repr=False, eq=False, kw_only=True)
class Rows:
    """Rows of calls before and at a checked call.

    row    number of calls in the row whose last call is checked
    pairs  number of pairs of calls before it, the first of each after a change; fewer, as soon as fewer than `least`
           of them can take notice of a change
    calls  number of calls in each of as many pairs of rows, with and without pauses; 0 for no rows
    """

    row: int = 1
    pairs: int = 0
    least: int = 1
    calls: int = 0


@dataclass(repr=False, eq=False)
class SampleFacts:
    """Observations of a case beside its times; None if they cannot be made.

    cores_used      CPU time of the worker and its child processes over wall time
    synchronises    whether `compute` could be timed as `throughput` only, since a call waits for the device
    unseen          the same, since the device's work cannot be told from its launch
    switches_per_s  involuntary context switches of the worker, per second
    works_in_convert  whether `convert` takes longer than copies of its inputs
    peak_memory_bytes  peak memory of the worker during its first sample, beyond its arrays in the host's memory
    """

    cores_used: Amount | None
    synchronises: Flag | None = None
    unseen: Flag | None = None
    switches_per_s: Amount | None = None
    works_in_convert: Flag | None = None
    peak_memory_bytes: Count | None = None


@dataclass(frozen=True, kw_only=True)
class TruthKey:
    """Identity of inputs and their reference results: those of a kernel's `problem`, its id, from a `seed`.

    which  number of the seed among those of a problem
    exact  whether the kernel's exact inputs are meant
    """

    folder: str
    problem: str
    size: int
    dtype: str
    options: dict[str, Any]
    seed: int
    which: int
    exact: bool


@dataclass(repr=False, eq=False)
class InputChange:
    """Elements of inputs that get other values, {input: (places, values)}; {} if no change is possible.

    changes  together they change a result by more than its tolerance
    turns    elements of which some are changed before each timed call
    """

    changes: dict[str, Any]
    turns: dict[str, Any]


@dataclass(frozen=True)
class ErrorMetrics:
    """Errors of results, {output or metric: (largest absolute error, its bound)}, and the pair nearest to its bound."""

    max_error: float
    tolerance: float
    errors: dict[str, tuple[float, float]]


# Dataclasses that a worker or the verifier receives
KINDS = Device, DeviceLimits, Artifact, Inputs, InputChange, Rows, TruthKey
# {method: type of its answer}
ANSWERS: dict[str, Any] = {
    "open": Opened,
    "environment": Annotated[dict, Limits(_printable)],  # plain data of limited length
    "load": None,
    "refill": None,
    "release": None,
    "prepare": Amount,
    "facts_of": LaunchFacts | None,
    "first_call": CallResult,
    "recheck": CallResult,
    "changed": ChangedCallResult,
    "warm_up": dict[str, tuple[Seconds, Count]],
    "sample": dict[str, Seconds],
    "facts_of_samples": SampleFacts,
    "run_on": tuple[Amount, Amount, Count],
    "profile_call": tuple[Seconds, Seconds, list[tuple[Text, Text, Amount, Amount, Amount, Amount]]],
    "begin": None,
    "examine": None,
    "give": Inputs,
    "change": InputChange,
    "show": tuple[dict[str, Any], dict[str, Any]],
    "compare": ErrorMetrics,
}
