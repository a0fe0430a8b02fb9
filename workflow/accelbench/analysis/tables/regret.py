"""Time with the default block size, 256 or 16x16, relative to the best block size of the same implementation.

A row describes an implementation on a device, with its threads and other parameters, at a problem with several planned
block sizes. `regret` is the time with the default block size divided by the best time. To avoid bias,
each repetition reports the time of the block size that the other repetitions choose as the best. `regret` is null if
the default block size could not run, has an implausible time, or was not in the sweep.
"""

from accelbench.analysis.cases import format_block_size
from accelbench.analysis.rows import columns, comparison, describe

COLUMNS = columns(
    ("machine kernel options implementation backend device", str),
    ("size", int),
    ("dtype", str),
    ("threads", int),
    ("parameters default_block_size default_outcome", str),
    ("default_s", float),
    ("best_block_size", str),
    ("best_s regret regret_ci_low regret_ci_high", float),
    ("verdict", str),
    ("candidates", int),
    ("held_out", bool),
    ("tie case", str),
)


def rows(analysis):
    for best, default, loss in analysis.regrets:
        yield {
            **describe(best.case, COLUMNS),
            "default_block_size": default and format_block_size(default),
            "default_outcome": default and default.record.outcome,
            "default_s": (default and not default.implausible and default.seconds("compute")) or None,
            "best_block_size": format_block_size(best.case),
            "best_s": best.seconds,
            **comparison("regret", loss),
            "candidates": best.candidates,
            "held_out": best.held_out,
            "tie": " ".join(filter(None, map(format_block_size, best.tie))) or None,
        }
