"""Measuring: a coordinator that owns the machine, worker processes that each run one implementation, a journal.

From outside in: `coordinator` (what a repetition lacks, and what all of them make), `repetition` (cases side by side),
`case_runner` (the processes, seen from here). What runs inside them is the package accelbench.worker.
"""

from accelbench.measure.checking import check
from accelbench.measure.coordinator import measure, measure_repetition, merge_repetitions
from accelbench.measure.rerun import case

__all__ = ["case", "check", "measure", "measure_repetition", "merge_repetitions"]
