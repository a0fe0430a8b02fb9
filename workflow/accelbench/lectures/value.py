"""One number of a figure, with the case it is of."""

from dataclasses import dataclass, field

from accelbench.analysis import choices
from accelbench.analysis.cases import Case
from accelbench.analysis.samples import Samples
from accelbench.model.parameters import BLOCK_SIZE

NOTHING = "not measured"
IMPLAUSIBLE = "implausible: faster than this machine can be"


@dataclass(frozen=True)
class Value:
    """The seconds of a Case, or None and the reason in words.

    samples  what stands for it: of each repetition those of the case that the others chose
    """

    seconds: float | None = None
    case: Case | None = None
    kind: str = "compute"
    reason: str = NOTHING
    samples: Samples = field(default_factory=dict)

    @property
    def where(self):
        """How it ran, where that was a choice: "2 threads, block 256"."""
        if self.case is None:
            return ""
        record = self.case.record
        parts = [] if record.threads in (None, 1) else [f"{record.threads} threads"]
        for name, value in sorted(record.settings.items()):
            parts.append(f"{'block' if name == BLOCK_SIZE else name} {value}")
        return ", ".join(parts)

    @property
    def interval(self):
        """The ends of the 95 % interval of the seconds; None for each where there is none."""
        return choices.interval(self.samples) if self.samples else (None, None)


def fastest(cases, kind="compute"):
    """The Value of the fastest of some Cases, chosen as `choosing` does; why none of them has one, where none has."""
    timed = [case for case in cases if seconds_of(case, kind) is not None]
    plausible = [case for case in timed if kind == "launch" or not case.implausible]  # no peak is of launching
    if not plausible:
        return Value(kind=kind, reason=IMPLAUSIBLE if timed else why_not(cases))
    if kind == "first_call":
        case = min(plausible, key=lambda case: seconds_of(case, kind))
        return Value(seconds_of(case, kind), case, kind)
    choice = choices.best_of(plausible, kind)
    return Value(choices.seconds(choice.samples), choice.best, kind, samples=choice.samples)


def seconds_of(case, kind):
    """Seconds of one kind of time of a case, its first call among them; None where there are none."""
    if kind == "first_call":
        return case.record.startup.first_call_s if case.ok and case.record.startup else None
    return case.seconds(kind)


def why_not(cases):
    """Why none of these cases has a time."""
    reasons = dict.fromkeys(c.record.reason or c.record.outcome.replace("_", " ") for c in cases if not c.ok)
    if reasons:
        return next(iter(reasons))
    return "this kind of time was not taken" if cases else NOTHING
