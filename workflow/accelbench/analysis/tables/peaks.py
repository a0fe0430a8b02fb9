"""Bandwidths and rates of operations that the machine reached.

A row has the best rate of one kind (`peak`) on a device, in a dtype, with up to `threads` threads. `case` is the case
that reached this rate.
"""

from accelbench.analysis.peaks import RATE
from accelbench.analysis.rows import columns, describe

COLUMNS = columns(
    ("machine device", str),
    ("threads", int),
    ("dtype peak", str),
    ("bytes_per_s flop_per_s", float),
    ("size", int),
    ("cache_resident", bool),
    ("implementation case", str),
)


def rows(analysis):
    for peak in analysis.peaks:
        rate = "flop_per_s" if peak.name == RATE else "bytes_per_s"
        yield describe(peak.case, COLUMNS) | {"threads": peak.threads, "peak": peak.name, rate: peak.rate}
