"""What a coordinator asks of a worker, and what it answers: one class a message, whose fields are all it holds.

A question is answered by what it was declared with, `answer=`: a class of answers, one of the kinds of values below, a
dictionary or list of such, or None. In questions, `problem` and `handle` are names that the coordinator gave a problem
and a case. Nothing but the standard library stands behind this: a worker runs on Pythons of others, too.
"""

import re
from dataclasses import FrozenInstanceError, dataclass
from typing import Any, NewType, dataclass_transform

from accelbench.model.artifact import Artifact
from accelbench.model.device import Amount, Device, LaunchFacts

Seconds = NewType("Seconds", float)  # that a call can have taken
Count = NewType("Count", int)  # above 0
Text = NewType("Text", str)  # that a file can hold
Settings = NewType("Settings", dict)  # plain data of limited length
Arrays = NewType("Arrays", dict)  # {name: array}

# Ratio and difference in seconds from which calls keep results: of a call after a change and of one after none.
KEEPS_RESULTS = 2.0, 2e-6
# Ratio and difference from which calls are left out: of a call after a pause and of one in a row without pauses. A
# processor learns the branches of a sort that is repeated with the same numbers, which then takes half as long.
LEAVES_OUT = 4.0, 5e-6


@dataclass_transform(frozen_default=True)
def message(*, kw_only=False):
    """Makes a dataclass whose fields are set once, and that is neither printed nor compared. Every worker waits for two
    dozen of them to be made: what dataclass writes and compiles to freeze, print and compare one is most of that."""

    def made(cls):
        cls.__setattr__ = _set_once
        return dataclass(repr=False, eq=False, kw_only=kw_only)(cls)

    return made


def _set_once(self, name, value):
    if name in vars(self):
        raise FrozenInstanceError(f"{type(self).__name__}.{name} is set already")
    object.__setattr__(self, name, value)


QUESTIONS: dict[str, type["Question"]] = {}


class Question:
    """A message to a worker; `name` is that of the worker's method for it."""

    name: str
    answer: Any

    def __init_subclass__(cls, answer: Any = None):
        cls.name, cls.answer = re.sub("(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower(), answer
        QUESTIONS[cls.name] = cls

    @classmethod
    def read(cls, fields: dict[str, Any]):
        """The question whose fields came in a frame."""
        return cls(**fields)


@message()
class Opened:
    """Seconds that importing the implementation and opening its device took; what the session says of its GPU; whether
    the implementation converts its inputs."""

    import_s: Amount
    context_s: Amount
    gpu: Text | None
    converts: bool


@message(kw_only=True)
class Open(Question, answer=Opened):
    """Import the implementation in `file` and open its device.

    module  the name of the backend's module
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

    @classmethod
    def read(cls, fields):
        artifacts = {source: Artifact(**artifact) for source, artifact in fields["artifacts"].items()}
        return cls(**fields | {"device": Device.read(**fields["device"]), "artifacts": artifacts})


@message()
class Environment(Question, answer=Settings):
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
class Load(Inputs, Question):
    """Put a problem's arrays on the device."""

    problem: str


@message(kw_only=True)
class Refill(Inputs, Question):
    """Replace a problem's inputs by others of the same shapes."""

    problem: str


@message()
class Release(Question):
    """Forget a problem, its arrays and what was prepared for it."""

    problem: str


@message()
class Prepared:
    """Seconds that making `run` ready took."""

    build_s: Amount


@message(kw_only=True)
class Prepare(Question, answer=Prepared):
    """Make `run` ready with a case's parameters."""

    problem: str
    handle: str
    size: int
    dtype: str
    options: dict[str, float]
    parameters: dict[str, Any]
    tuned: dict[str, Any] | None


@message()
class FactsOf(Question, answer=LaunchFacts | None):
    """What the session says of a case's kernel; best asked after the first call, which compiles some."""

    handle: str


@message()
class Called:
    """The seconds of a call, whether its thread takes numbers below the normal ones for 0 (as libraries built with
    -ffast-math have it), its results, and those of a second call where the kernel asks for them."""

    seconds: Seconds
    flush_to_zero: bool
    results: Arrays
    again: Arrays | None


@message()
class FirstCall(Question, answer=Called):
    """A call whose results are to be compared."""

    problem: str
    handle: str


@message()
class Recheck(Question, answer=Called):
    """As FirstCall, with the inputs last filled in, which must be untouched."""

    problem: str
    handle: str


@message()
class CalledChanged(Called):
    """As Called, and seconds of calls before it: in `pairs` after a change and after none, in `rows` after a pause and
    after none."""

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
class Changed(Rows, Question, answer=CalledChanged):
    """The last call of a row with some of the inputs changed, {input: (places, values)}, and afterwards put back.

    turns  {input: (places, values)}, of which other ones are changed before each call that is timed after a change
    stale  its outputs are left as they are, full of results of the inputs before, and not poisoned
    """

    problem: str
    handle: str
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
class WarmUp(WarmUpSettings, Question, answer=dict[str, tuple[Seconds, Count]]):
    """Warm up, and choose how many calls make a sample: {kind: (seconds per call, loops)}."""

    handle: str


@message()
class Sample(Question, answer=dict[str, Seconds]):
    """One sample of each kind in `loops`, {kind: seconds per call}; those `primed` after an untimed call, `cold` with
    caches emptied before each call."""

    handle: str
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
    """

    cores_used: Amount | None
    synchronises: bool | None = None
    unseen: bool | None = None
    switches_per_s: Amount | None = None
    works_in_convert: bool | None = None


@message()
class FactsOfSamples(Question, answer=SampleFacts):
    """What is known of a case from being sampled."""

    handle: str


@message()
class Ran:
    """`calls` between `begin` and `end`, in the seconds of time.perf_counter."""

    begin: Amount
    end: Amount
    calls: Count


@message()
class RunOn(Question, answer=Ran):
    """Calls of a case without pause for about `seconds`; `restore`: from the starting values on."""

    handle: str
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
class ProfileCall(Question, answer=CallProfile):
    """Where a call of a case spends its time."""

    handle: str
    kernel: str
