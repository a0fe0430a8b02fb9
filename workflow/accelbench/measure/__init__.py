"""Measurement of cases: a coordinator, workers that each run one implementation, and a journal of results.

coordinator  measures the cases that a repetition lacks, and merges all repetitions
repetition   measures cases side by side
case_state   state of one case during a repetition
case_runner  calls to a worker, whose code is in the package accelbench.worker
references   reference cases, which are sampled in the same rounds as a kernel's cases
"""

from accelbench.measure.checking import check
from accelbench.measure.coordinator import measure, measure_repetition, merge_repetitions
from accelbench.measure.rerun import case

__all__ = ["case", "check", "measure", "measure_repetition", "merge_repetitions"]
