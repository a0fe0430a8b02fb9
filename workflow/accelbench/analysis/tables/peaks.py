"""The bandwidths and rates that the machine reached."""

from dataclasses import dataclass

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
        rows = [
            cls(
                machine=peak.case.record.machine,
                device=peak.device,
                threads=peak.threads,
                dtype=peak.dtype,
                peak=peak.name,
                bytes_per_s=None if peak.name == RATE else peak.rate,
                flop_per_s=peak.rate if peak.name == RATE else None,
                size=peak.case.record.size,
                cache_resident=peak.case.record.cache_resident,
                implementation=peak.case.record.implementation,
                case=peak.case.id,
            )
            for peak in peaks(analysis.cases)
        ]
        return sorted(rows, key=lambda row: (row.device, row.threads or 0, row.dtype, row.peak))
