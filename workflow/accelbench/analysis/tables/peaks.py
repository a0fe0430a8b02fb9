"""The bandwidths and rates that the machine reached."""

from dataclasses import dataclass
from typing import Any

from accelbench.analysis.cases import describe
from accelbench.analysis.peaks import RATE, peaks
from accelbench.analysis.rows import Row


@dataclass(frozen=True, kw_only=True)
class PeakRow(Row):
    """The best rate of its kind on a device with so many threads, in a dtype, and the case that reached it."""

    machine: str
    device: str
    threads: int | None
    dtype: str
    peak: str
    bytes_per_s: float | None
    flop_per_s: float | None
    size: int
    cache_resident: bool | None
    implementation: str
    case: str

    @classmethod
    def rows(cls, analysis):
        rows = [cls(**_values(peak)) for peak in peaks(analysis.cases)]
        return sorted(rows, key=lambda row: (row.device, row.threads or 0, row.dtype, row.peak))


def _values(peak) -> dict[str, Any]:
    """What fewer threads reach, more reach, too: `threads` are those that the peak is of."""
    rate = "flop_per_s" if peak.name == RATE else "bytes_per_s"
    rates = {"bytes_per_s": None, "flop_per_s": None, rate: peak.rate}
    return describe(peak.case, PeakRow) | {"threads": peak.threads, "peak": peak.name} | rates
