"""Messages to a worker and its answers: a class for each, whose fields are all that the message holds.

A request is answered by the type that it was declared with, `answer=`. In requests, `problem` and `handle` are names
that the coordinator gave a problem and a case. This module needs NumPy alone, since workers run in other environments.
"""

import json
import re
from dataclasses import FrozenInstanceError, dataclass
from typing import Annotated, Any, dataclass_transform

import numpy as np

from accelbench.errors import brief, with_texts
from accelbench.model.artifact import Artifact
from accelbench.model.device import Device, DeviceLimits, LaunchFacts
from accelbench.model.limits import Amount, Count, Flag, Limits, Seconds, Text

# Ratio and difference in seconds from which calls keep results: of a call after a change and of one after none.
KEEPS_RESULTS = 2.0, 2e-6
# Ratio and difference from which calls are left out: of a call after a pause and of one in a row without pauses. A
# processor learns the branches of a sort that is repeated with the same numbers, which then takes half as long.
LEAVES_OUT = 4.0, 5e-6
REFUSALS = ("error", "unsupported", "wrong_result", "out_of_memory")  # Outcomes that may come in place of an answer
LONGEST_SETTINGS = 100_000  # Characters of JSON that a library's settings may have


def _printable(settings):
    if len(json.dumps(settings)) > LONGEST_SETTINGS:
        raise ValueError("settings are too long")
    return with_texts(settings, brief)


Arrays = dict[str, Annotated[Any, Limits(type="is-instance", cls=np.ndarray)]]
Settings = Annotated[dict, Limits(_printable)]  # Plain data of limited length, whose texts are made printable


@dataclass_transform(frozen_default=True)
def message(*, kw_only=False):
    """Make a dataclass whose fields are set once. It has no text and no comparison, because every worker waits until
    two dozen such classes are made, and most of that time is compiling these methods."""

    def made(cls):
        cls.__setattr__ = _set_once
        return dataclass(repr=False, eq=False, kw_only=kw_only)(cls)

    return made


def _set_once(self, name, value):
    if name in vars(self):
        raise FrozenInstanceError(f"{type(self).__name__}.{name} is set already")
    object.__setattr__(self, name, value)


REQUESTS: dict[str, type] = {}  # {name of a method: class}


class Request:
    """Base class of messages to a worker or to the verifier.

    name    the method of the process that answers it
    answer  type of the answer; None: the answer is None
    """

    name: str
    answer: Any

    def __init_subclass__(cls, answer: Any = None):
        cls.name, cls.answer = re.sub("(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower(), answer
        REQUESTS[cls.name] = cls


@message()
class OfProblem:
    """Fields of a request about a problem."""

    problem: str


@message()
class OfCase:
    """Fields of a request about a case."""

    handle: str


@message()
class Opened:
    """Seconds that importing the implementation and opening its device took; what the session says of its GPU; whether
    the implementation converts its inputs."""

    import_s: Amount
    context_s: Amount
    gpu: Text | None
    converts: Flag


@message(kw_only=True)
class Open(Request, answer=Opened):
    """Import the implementation in `file` and open its device.

    module  the name of the backend's module
    variant  the name of the implementation's variant, or None
    artifacts {source: what was built of it}, in build_folder; unbuilt: sources that nothing builds
    once_folder  where the backend keeps what it finds out once (`once`)
    memory_bytes  the most the process may fill, 0 for no limit
    """

    file: str
    backend: str
    module: str
    device: Device
    threads: int | None
    toolchain: str | None
    build_folder: str
    once_folder: str
    artifacts: dict[str, Artifact]
    unbuilt: list[str]
    memory_bytes: int
    variant: str | None = None


@message()
class Environment(Request, answer=Settings):
    """Thread pools and the library's own settings as they are, after the libraries have started."""


@message(kw_only=True)
class Inputs:
    """Inputs that the verifier made: where they lie in an open file, {name: (offset, dtype, shape)}; the outputs that
    are wanted, (name, shape, dtype, inout) each; whether the kernel is located on the "host"; whether it asks for the
    results of a second call."""

    file: Any
    layout: dict[str, tuple]
    outputs: list[tuple]
    location: str
    again: bool


@message(kw_only=True)
class Load(Inputs, OfProblem, Request):
    """Put a problem's arrays on the device."""


@message(kw_only=True)
class Refill(Load):
    """Replace a problem's inputs by others of the same shapes."""


@message()
class Release(OfProblem, Request):
    """Forget a problem, its arrays and what was prepared for it."""


@message()
class Prepared:
    """Seconds that making `run` ready took."""

    build_s: Amount


@message(kw_only=True)
class Prepare(OfCase, OfProblem, Request, answer=Prepared):
    """Make `run` ready with a case's parameters."""

    size: int
    dtype: str
    options: dict[str, float]
    parameters: dict[str, Any]
    tuned: dict[str, Any] | None


@message()
class FactsOf(OfCase, Request, answer=LaunchFacts | None):
    """What the session says of a case's kernel; best asked after the first call, which compiles some."""


@message()
class CallResult:
    """The seconds of a call, whether its thread takes numbers below the normal ones for 0 (as libraries built with
    -ffast-math have it), its results, and those of a second call where the kernel asks for them."""

    seconds: Seconds
    flush_to_zero: Flag
    results: Arrays
    again: Arrays | None


@message()
class FirstCall(OfCase, OfProblem, Request, answer=CallResult):
    """A call whose results are to be compared."""


@message()
class Recheck(FirstCall, answer=CallResult):
    """As FirstCall, with the inputs last filled in, which must be untouched."""


@message()
class ChangedCallResult(CallResult):
    """As CallResult, and seconds of calls before it: in `pairs` after a change and after none, in `rows` after a pause
    and after none."""

    pairs: list[tuple[Seconds, Seconds]]
    rows: list[tuple[Seconds, Seconds]]

    def keeps_results(self, least):
        """Whether at least so many calls took notice of the change before them."""
        return sum(exceeds(pair, KEEPS_RESULTS) for pair in self.pairs) >= least

    def leaves_out(self, least):
        """Whether calls were left out of at least so many rows without pauses."""
        return sum(exceeds(pair, LEAVES_OUT) for pair in self.rows) >= least


def exceeds(pair, limits):
    """Whether the first of two times exceeds the second by more than a ratio and a difference."""
    (longer, shorter), (ratio, difference) = pair, limits
    return longer > ratio * shorter and longer - shorter > difference


@message(kw_only=True)
class Rows:
    """Rows of calls.

    row    calls of the row whose last one is checked
    pairs  of calls before it, the first of each after a change; fewer, as soon as there cannot be `least` among them
           that took notice of a change
    calls  in each of as many pairs of rows, with and without pauses; 0 for none
    """

    row: int = 1
    pairs: int = 0
    least: int = 1
    calls: int = 0


@message(kw_only=True)
class Changed(Rows, OfCase, OfProblem, Request, answer=ChangedCallResult):
    """The last call of a row with some of the inputs changed, {input: (places, values)}, and afterwards put back.

    turns  {input: (places, values)}, of which other ones are changed before each call that is timed after a change
    stale  its outputs are left as they are, full of results of the inputs before, and not poisoned
    """

    changes: dict[str, tuple]
    turns: dict[str, tuple]
    stale: bool = False


@message(kw_only=True)
class WarmUpSettings:
    """Warm up by so many `calls` at least, all but the last of them untimed, and by more for at most `warm_up_s`; a
    sample of each kind of time is to last `sample_s[kind]`, but for those whose loops are `known` or not wanted."""

    warm_up_s: float
    calls: int
    sample_s: dict[str, float]
    known: list[str]


@message(kw_only=True)
class WarmUp(WarmUpSettings, OfCase, Request, answer=dict[str, tuple[Seconds, Count]]):
    """Warm up, and choose how many calls make a sample: {kind: (seconds per call, loops)}."""


@message()
class Sample(OfCase, Request, answer=dict[str, Seconds]):
    """One sample of each kind in `loops`, {kind: seconds per call}; those `primed` after an untimed call, `cold` with
    caches emptied before each call."""

    loops: dict[str, int]
    primed: list[str]
    cold: bool


@message()
class SampleFacts:
    """What a case's samples showed beside their times; None for what they could not show.

    cores_used      CPU time of the worker and of what it started over wall time
    synchronises    whether `compute` could be timed as `throughput` only, since a call waits for the device
    unseen          the same, since what a call has the device do cannot be told from launching it
    switches_per_s  how often another process took a core from the worker
    works_in_convert  whether `convert` takes longer than copies of its inputs
    peak_memory_bytes  the most that the worker held during its first sample, beyond its arrays in the host's memory
    """

    cores_used: Amount | None
    synchronises: Flag | None = None
    unseen: Flag | None = None
    switches_per_s: Amount | None = None
    works_in_convert: Flag | None = None
    peak_memory_bytes: Count | None = None


@message()
class FactsOfSamples(OfCase, Request, answer=SampleFacts):
    """What is known of a case from being sampled."""


@message()
class BatchResult:
    """`calls` between `begin` and `end`, in the seconds of time.perf_counter."""

    begin: Amount
    end: Amount
    calls: Count


@message()
class RunOn(OfCase, Request, answer=BatchResult):
    """Calls of a case without pause for about `seconds`; `restore`: from the starting values on."""

    seconds: float
    restore: bool


@message()
class CallProfile:
    """Where a call spends its time: seconds traced and plain, and of each function its name, file, line and calls, the
    seconds within itself and those with what it calls."""

    wall_s: Seconds
    plain_s: Seconds
    rows: list[tuple[Text, Text, Amount, Amount, Amount, Amount]]


@message()
class ProfileCall(OfCase, Request, answer=CallProfile):
    """Where a call of a case spends its time."""

    kernel: str


KINDS = *REQUESTS.values(), Device, DeviceLimits, Artifact  # Dataclasses that a worker receives
