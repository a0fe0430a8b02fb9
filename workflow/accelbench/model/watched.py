"""What was sampled beside the cases of a problem in one repetition: the machine itself."""

from pydantic import Field

from accelbench.model.entry import TimedSamples
from accelbench.model.machine import Described, Finite, Whole

# The kernels of workflow/peaks/ that measure bandwidth, and the share of reads among the bytes they move.
BANDWIDTHS = {"read": 1.0, "triad": 2 / 3, "copy": 1 / 2, "write": 0.0}
PREFIX = "peak_"


def is_peak(kernel: str) -> bool:
    """Whether a kernel is one of workflow/peaks/."""
    return kernel.startswith(PREFIX)


class PeakSamples(TimedSamples):
    """What the machine can do at most, on a device with so many threads: seconds for `moved_bytes`, whose reads and
    writes have the share that `name` has in BANDWIDTHS, by the `case` of workflow/peaks that was the fastest there."""

    name: str
    device: str
    threads: Whole | None
    moved_bytes: Finite
    case: str | None = None


class WatchedProblem(Described):
    """A problem in a repetition.

    references  {case of workflow/peaks: its samples}, whose only purpose is to notice when the machine changes
    peaks       those that cases of the problem are held against, sampled in the same rounds
    """

    problem: str
    repetition: str
    references: dict[str, TimedSamples] = Field(default_factory=dict)
    peaks: list[PeakSamples] = Field(default_factory=list)
