"""Values that the coordinator, workers and the verifier send to each other, and the types of answers.

A request is the name and the arguments of a method of worker.__main__.Worker or verify.__main__.VerifierMethods.
ANSWERS declares the type that each method returns. This module imports no library but NumPy, since workers run in
other environments. Most of its dataclasses have no __repr__ and __eq__, since compiling these methods would delay the
start of every worker.
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

# (ratio, difference in seconds) between a call after a change of the inputs and a call without a change. An
# implementation whose times exceed both keeps results.
KEEPS_RESULTS = 2.0, 2e-6
# (ratio, difference in seconds) between a call after a pause and a call in a row without pauses. An implementation
# whose times exceed both leaves calls out. The ratio must be above 2, since branch prediction halves the time of a sort
# that is repeated with the same numbers.
LEAVES_OUT = 4.0, 5e-6
REFUSALS = ("error", "unsupported", "wrong_result", "out_of_memory")  # Outcomes that a process may send as its answer
LONGEST_SETTINGS = 100_000  # Maximum length of a library's settings, in characters of JSON


def _printable(settings):
    if len(json.dumps(settings)) > LONGEST_SETTINGS:
        raise ValueError("settings are too long")
    return with_texts(settings, brief)


Arrays = dict[str, Annotated[Any, Limits(type="is-instance", cls=np.ndarray)]]


@dataclass(repr=False, eq=False)
class Opened:
    """Result of opening an implementation and its device.

    import_s   time to import the implementation, in seconds
    context_s  time to open its device, in seconds
    gpu        PCI address of its GPU, or None
    converts   whether the implementation converts its inputs
    """

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
    location  location of the kernel, "device" or "host"
    again     whether the kernel asks for the results of a second call
    """

    file: Any
    layout: dict[str, tuple]
    outputs: list[tuple]
    location: str
    again: bool


def mapped(file, layout):
    """Return {name: read-only array or scalar} from an open file with this layout."""
    memory = mmap.mmap(file, 0, mmap.MAP_PRIVATE | mmap.MAP_POPULATE, mmap.PROT_READ)
    return {
        name: np.frombuffer(memory, dtype, math.prod(shape), offset).reshape(shape)[()]
        for name, (offset, dtype, shape) in layout.items()
    }


def shaped(name, result, shape):
    """Return a result as an array of this shape.

    Raise WrongResult if it holds no numbers or has another shape. A single number fits any shape with one element.
    """
    result = np.asarray(result)
    if result.shape != shape and (result.size != 1 or math.prod(shape) != 1):
        raise WrongResult(f"{name} has shape {result.shape}, expected {shape}")
    if result.dtype.kind not in NUMERIC:
        raise WrongResult(f"{name} holds {result.dtype}, not numbers")
    return result.reshape(shape)


@dataclass(repr=False, eq=False)
class CallResult:
    """Result of a call.

    seconds        time of the call, in seconds
    flush_to_zero  whether the calling thread flushes subnormal numbers to 0, an effect of libraries with -ffast-math
    results        results of the call, {name: array}
    again          results of a second call, if the kernel asks for them
    """

    seconds: Seconds
    flush_to_zero: Flag
    results: Arrays
    again: Arrays | None


@dataclass(repr=False, eq=False)
class ChangedCallResult(CallResult):
    """A CallResult, and times in seconds of pairs of calls that preceded the call.

    pairs  (time of a call after a change of the inputs, time of a call without a change)
    rows   (time of a call in a row with pauses, time of a call in a row without pauses)
    """

    pairs: list[tuple[Seconds, Seconds]]
    rows: list[tuple[Seconds, Seconds]]


def exceeding(pairs, limits):
    """Return the number of pairs for which `exceeds` is true."""
    return sum(exceeds(pair, limits) for pair in pairs)


def exceeds(pair, limits):
    """Return whether the first of two times exceeds the second by more than a ratio and by more than a difference."""
    (longer, shorter), (ratio, difference) = pair, limits
    return longer > ratio * shorter and longer - shorter > difference


@dataclass(repr=False, eq=False, kw_only=True)
class Rows:
    """Rows of calls for a check with changed inputs.

    row    number of calls in the row whose last call is checked
    pairs  number of pairs of calls before that row; the inputs change before the first call of each pair
    least  minimum number of pairs that must show a difference; the pairs end early if it can no longer be reached
    calls  number of calls in each row of further pairs of rows, one with and one without pauses; 0 for no such rows
    """

    row: int = 1
    pairs: int = 0
    least: int = 1
    calls: int = 0


@dataclass(repr=False, eq=False)
class SampleFacts:
    """Observations during the samples of a case; None for those that cannot be made.

    cores_used      CPU time of the worker and its child processes over wall time
    synchronises    whether `compute` is the same as `throughput` because a call waits for the device
    unseen          whether `compute` is the same as `throughput` because the device's work cannot be observed
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
    """Identity of the inputs of one problem and one seed, and of their reference results.

    folder   path of the kernel
    problem  id of the problem
    which    number of the seed among the seeds of the problem
    exact    whether these are the kernel's exact inputs
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
    """Changes of elements of inputs, {input: (places, new values)}; {} if no change is possible.

    changes  elements that together change a result by more than its tolerance
    turns    elements, some of which are changed before each timed call
    """

    changes: dict[str, Any]
    turns: dict[str, Any]


@dataclass(frozen=True)
class ErrorMetrics:
    """Errors of results.

    max_error, tolerance  the error that is nearest to its bound, and this bound
    errors                {output or metric: (largest absolute error, its bound)}
    """

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
