"""Samples of reference cases and of the machine's peaks, taken in the same rounds as the cases of a problem."""

from pydantic import Field

from accelbench.model.entry import TimedSamples
from accelbench.model.machine import Described, Finite, Whole

# {name of a bandwidth kernel in workflow/peaks/, without PREFIX: share of reads in the bytes that it moves}
BANDWIDTHS = {"read": 1.0, "triad": 2 / 3, "copy": 1 / 2, "write": 0.0}
PREFIX = "peak_"


def is_peak(kernel: str) -> bool:
    """Return whether a kernel is in workflow/peaks/, that is, measures a peak bandwidth or rate of the machine."""
    return kernel.startswith(PREFIX)


class PeakSamples(TimedSamples):
    """Samples of a peak bandwidth or rate of the machine: times of calls that move `moved_bytes`, in seconds.

    name     kind of the peak; for a bandwidth, a key of BANDWIDTHS
    threads  number of threads; None on a GPU
    case     case of workflow/peaks that was the fastest on this device
    """

    name: str
    device: str
    threads: Whole | None
    moved_bytes: Finite
    case: str | None = None


class WatchedProblem(Described):
    """Samples of reference cases and peaks that a repetition took in the same rounds as the cases of a problem.

    references  {case of workflow/peaks: samples, which show whether the machine's speed changes}
    peaks       samples of the peaks with which the report compares the cases
    """

    problem: str
    repetition: str
    references: dict[str, TimedSamples] = Field(default_factory=dict)
    peaks: list[PeakSamples] = Field(default_factory=list)
