"""Measurement of cases. A case is one implementation with one problem, device, number of threads and parameters.

coordinator  measures the cases that have no result in a repetition yet, and merges all repetitions
repetition   measures a group of cases once, in fresh worker processes
case_state   stores the state of one case during a repetition
case_runner  calls a worker process, whose code is in the package accelbench.worker
references   samples reference cases beside a kernel's cases, to show changes of the machine's speed
"""

from accelbench.measure.checking import check
from accelbench.measure.coordinator import measure, measure_repetition, merge_repetitions
from accelbench.measure.rerun import case

__all__ = ["case", "check", "measure", "measure_repetition", "merge_repetitions"]
