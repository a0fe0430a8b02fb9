"""Samples of reference cases and of the machine's peaks, taken beside the cases of a problem."""

from pydantic import Field

from accelbench.model.entry import TimedSamples
from accelbench.model.machine import Described, Finite, Whole

# {kernel of workflow/peaks/ that measures bandwidth, without PREFIX: share of reads among the bytes that it moves}
BANDWIDTHS = {"read": 1.0, "triad": 2 / 3, "copy": 1 / 2, "write": 0.0}
PREFIX = "peak_"


def is_peak(kernel: str) -> bool:
    """Return whether a kernel is one of workflow/peaks/."""
    return kernel.startswith(PREFIX)


class PeakSamples(TimedSamples):
    """Samples of the machine's peak bandwidth or rate, in seconds for `moved_bytes`.

    name             kind of the peak; for a bandwidth, a key of BANDWIDTHS
    device, threads  device, and number of threads
    case             case of workflow/peaks that was the fastest on this device
    """

    name: str
    device: str
    threads: Whole | None
    moved_bytes: Finite
    case: str | None = None


class WatchedProblem(Described):
    """Samples beside the cases of a problem in a repetition.

    references  {case of workflow/peaks: its samples}; they show whether the machine's speed changes
    peaks       peaks that the cases are compared with, sampled in the same rounds
    """

    problem: str
    repetition: str
    references: dict[str, TimedSamples] = Field(default_factory=dict)
    peaks: list[PeakSamples] = Field(default_factory=list)
