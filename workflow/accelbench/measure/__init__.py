"""Measuring: a coordinator that owns the machine, worker processes that each run one implementation, a journal.

From outside in: `coordinator` (what is missing, repetitions until nothing is), `repetition` (cases side by side),
`workers` (the processes, seen from here). What runs inside them is the package accelbench.worker.
"""

from accelbench.measure.checking import check
from accelbench.measure.coordinator import measure
from accelbench.measure.rerun import case

__all__ = ["case", "check", "measure"]
