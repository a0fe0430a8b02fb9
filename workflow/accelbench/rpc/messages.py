"""Values that the coordinator exchanges with workers and with the verifier, and the types of answers.

A request is the name and the arguments of a method of worker.__main__.Worker or verify.__main__.VerifierMethods.
ANSWERS declares the type that each method returns. This module imports no library except NumPy, since the environments
of workers may lack other libraries. Most dataclasses here have no __repr__ and __eq__, since compiling these methods
would delay the start of every worker.
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

# Limits (ratio, difference in seconds) by which a call after a change of the inputs may be slower than a call without a
# change. If enough pairs of calls exceed both limits, the implementation keeps results of earlier calls.
KEEPS_RESULTS = 2.0, 2e-6
# Limits (ratio, difference in seconds) by which a call after a pause may be slower than a call in a loop without
# pauses. If most pairs of loops exceed both limits, the implementation skips calls. The ratio must be above 2, since
# branch prediction halves the time of a sort that is repeated with the same numbers.
LEAVES_OUT = 4.0, 5e-6
REFUSALS = ("error", "unsupported", "wrong_result", "out_of_memory")  # Outcomes that a failed call may have
LONGEST_SETTINGS = 100_000  # Maximum length of a library's settings, in characters of JSON


def _printable(settings):
    if len(json.dumps(settings)) > LONGEST_SETTINGS:
        raise ValueError("settings are too long")
    return with_texts(settings, brief)


Arrays = dict[str, Annotated[Any, Limits(type="is-instance", cls=np.ndarray)]]


@dataclass(repr=False, eq=False)
class Opened:
    """Result of opening an implementation and its device.

    import_s   time to import the implementation, and NumPy unless the backend is `python`, in seconds
    context_s  time to open the device, in seconds
    gpu        PCI address of the GPU, or None if the device is no whole GPU
    converts   whether the implementation converts its inputs
    """

    import_s: Amount
    context_s: Amount
    gpu: Text | None
    converts: Flag


@dataclass(repr=False, eq=False, kw_only=True)
class Inputs:
    """Inputs of a problem that the verifier made.

    file      open file with the inputs
    layout    {name of an input: (offset in the file, dtype, shape)}
    outputs   (name, shape, dtype, inout) of each output; `inout` is true if the output is an input, too
    location  location of the kernel's arrays, "device" or "host"
    again     whether the kernel asks for the results of a second call
    """

    file: Any
    layout: dict[str, tuple]
    outputs: list[tuple]
    location: str
    again: bool


def mapped(file, layout):
    """Map an open file with this layout into memory. Return {name: read-only array or scalar}."""
    memory = mmap.mmap(file, 0, mmap.MAP_PRIVATE | mmap.MAP_POPULATE, mmap.PROT_READ)
    return {
        name: np.frombuffer(memory, dtype, math.prod(shape), offset).reshape(shape)[()]
        for name, (offset, dtype, shape) in layout.items()
    }


def shaped(name, result, shape):
    """Return a result as an array of this shape.

    Raise WrongResult if `result` contains no numbers or has another shape. A single number fits any shape with one
    element.
    """
    result = np.asarray(result)
    if result.shape != shape and (result.size != 1 or math.prod(shape) != 1):
        raise WrongResult(f"{name} has shape {result.shape}, expected {shape}")
    if result.dtype.kind not in NUMERIC:
        raise WrongResult(f"{name} contains {result.dtype}, not numbers")
    return result.reshape(shape)


@dataclass(repr=False, eq=False)
class CallResult:
    """Result of a call of an implementation.

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
    """Result of a call after a change of the inputs, and times in seconds of pairs of earlier calls.

    Here, `seconds` is the time per call of the row (timed loop) that ends with this call.

    pairs  (time of a call after a change of the inputs, time of a call without a change)
    rows   (time per call of a row with pauses between the calls, time per call of a row without pauses)
    """

    pairs: list[tuple[Seconds, Seconds]]
    rows: list[tuple[Seconds, Seconds]]


def exceeding(pairs, limits):
    """Return the number of `pairs` that exceed both `limits`."""
    return sum(exceeds(pair, limits) for pair in pairs)


def exceeds(pair, limits):
    """Return whether the first time of `pair` exceeds the second by more than both `limits` (ratio, difference)."""
    (longer, shorter), (ratio, difference) = pair, limits
    return longer > ratio * shorter and longer - shorter > difference


@dataclass(repr=False, eq=False, kw_only=True)
class Rows:
    """Numbers of calls in a check with changed inputs. A row is a timed loop of calls.

    row    number of calls in the row whose last call is checked
    pairs  number of pairs of calls before this row. The inputs change before the first call of each pair
    least  number of these pairs that must exceed KEEPS_RESULTS to show that results are kept. Once this number cannot
           be reached, the worker times no more of these pairs
    calls  number of calls in a row with pauses between the calls, and in a row without pauses. The worker times such
           pairs of rows `pairs` times; never if `calls` is 0
    """

    row: int = 1
    pairs: int = 0
    least: int = 1
    calls: int = 0


@dataclass(repr=False, eq=False)
class SampleFacts:
    """Observations during the samples of a case. A field is None if its observation is impossible.

    cores_used      ratio of the CPU time of the worker and its descendants to the wall time
    synchronises    whether `compute` is timed as `throughput` because a call waits for the device
    unseen          whether `compute` includes launches because the device's work cannot be timed without them
    switches_per_s  number of involuntary context switches of the worker per second
    works_in_convert  whether `convert` takes much longer than copying its inputs
    peak_memory_bytes  peak memory of the worker during the case's first sample of `compute`, minus the problem's arrays
                       in host memory
    """

    cores_used: Amount | None
    synchronises: Flag | None = None
    unseen: Flag | None = None
    switches_per_s: Amount | None = None
    works_in_convert: Flag | None = None
    peak_memory_bytes: Count | None = None


@dataclass(frozen=True, kw_only=True)
class TruthKey:
    """Values that determine the inputs of one problem with one seed, and their reference results.

    folder   path of the kernel
    problem  id of the problem
    which    index of the seed among the seeds of the problem
    exact    whether the inputs come from kernel.py's `exact_inputs`
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
    turns    elements, some of which the worker changes before the first call of each pair of timed calls
    """

    changes: dict[str, Any]
    turns: dict[str, Any]


@dataclass(frozen=True)
class ErrorMetrics:
    """Numerical errors of an implementation's results.

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
