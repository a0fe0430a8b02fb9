"""Lines of the journal: results of cases in one repetition, requests to measure again, and decisions to stop cases."""

from typing import Any

from pydantic import Field, create_model, field_validator, model_validator

from accelbench.model.device import LaunchFacts
from accelbench.model.machine import Count, Described, Finite, StateChange, Whole
from accelbench.model.record import OBSERVED, Left, Outcome, Record, Seconds, Startup, check_errors


class TimedSamples(Described):
    """Samples of one kind of time in one repetition.

    samples_s  seconds per call, one value for each sample
    rounds     number of the round in which each sample was taken
    loops      number of calls per sample
    shared     whether these are samples of another implementation of the same backend, on the same device and with
               equal arrays
    """

    samples_s: list[Seconds] = Field(min_length=1)
    rounds: list[int]
    loops: Count
    shared: bool = False

    @model_validator(mode="after")
    def _each_in_a_round(self):
        if len(self.rounds) != len(self.samples_s):
            raise ValueError("samples_s and rounds have different lengths")
        return self


class Attempt(Described):
    """Base class of Measured and Unmeasured, the results of a case in one repetition.

    system_states  changes of the machine's state during each pass
    environment    variables, thread pools and library settings of the worker, as plain data
    """

    startup: Startup
    system_states: list[StateChange]
    environment: dict[str, Any]


class Unmeasured(Attempt):
    """The result of a case whose outcome is not ok.

    predicted_s  predicted time of a call in seconds, if the outcome is too_slow
    timeout_s    timeout in seconds, if the outcome is timeout
    """

    startup: Startup = Startup()
    system_states: list[StateChange] = Field(default_factory=list)
    environment: dict[str, Any] = Field(default_factory=dict)
    predicted_s: float | None = None
    timeout_s: float | None = None


_observed: dict[str, Any] = {name: (Record.model_fields[name].annotation, None) for name in OBSERVED}
_ObservedAttempt = create_model("_ObservedAttempt", __base__=Attempt, **_observed)


class Measured(_ObservedAttempt):
    """The result of a case whose outcome is ok. It also has the fields of Record that OBSERVED lists.

    long     whether a call takes longer than `long_call_s`, so that few calls are timed
    keeping  whether the repetition checked that no call of the case reuses results of earlier calls
    call_s   seconds of a single call, timed before the samples
    errors   {name of an output or error metric: (error, tolerance)}; `max_error` is the error nearest to its tolerance
    """

    timings: dict[str, TimedSamples] = Field(min_length=1)
    long: bool
    keeping: bool = False
    call_s: Finite
    facts: LaunchFacts
    errors: dict[str, tuple[Finite, Finite]] = Field(default_factory=dict)
    max_error: Finite
    tolerance: Finite

    @model_validator(mode="after")
    def _is_correct(self):
        check_errors(self)
        if self.timings.keys().isdisjoint({"compute", "throughput"}):
            raise ValueError("timings: contains neither compute nor throughput")
        return self


class JournalEntry(Described):
    """A case's result in one repetition.

    repetition  id of the repetition; each repetition starts fresh processes
    number      number of this repetition among the kernel's repetitions
    run         id of the run of the workflow
    remedy      the user's action that would make the case ok; "" if the remedy follows from the outcome
    cause       text that similar reasons have in common; "" if `reason` is this text
    """

    case: str
    key: str
    repetition: str
    number: Whole = 0
    run: str = ""
    outcome: Outcome
    reason: str | None
    remedy: str = ""
    cause: str = ""
    result: Measured | Unmeasured

    @field_validator("result", mode="before")
    @classmethod
    def _of_its_outcome(cls, value, info):
        return (Measured if info.data.get("outcome") == "ok" else Unmeasured).model_validate(value)

    @model_validator(mode="after")
    def _says_what_it_was_held_against(self):
        needed = {"too_slow": "predicted_s", "timeout": "timeout_s"}.get(self.outcome)
        if needed and getattr(self.result, needed) is None:
            raise ValueError(f"result.{needed} is not a number")
        return self


class Again(Described, extra="forbid"):
    """A request to measure cases again: a note that their earlier entries are no longer valid.

    cases     beginning of the names of these cases, or a glob of their names
    failures  whether only failures become invalid
    """

    cases: str
    failures: bool = False


class Decision(Described, extra="forbid"):
    """The decision which cases of a kernel leave the race, so that later repetitions do not measure them.

    after  number of the last repetition that the decision considers
    cases  {name of a planned case: (the case's key, Left if the case leaves or None if it stays)}
    """

    after: Whole
    cases: dict[str, tuple[str, Left | None]]
