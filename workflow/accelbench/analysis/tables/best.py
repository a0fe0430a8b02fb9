"""Best number of threads and best parameters of each implementation on each device, for each problem.

A row describes the best case of an implementation on a device. `candidates` is the number of cases from which the best
case was chosen. `tie` has the threads and parameters of the best case and of all cases that tie with it. `baseline` is
the implementation to which the speedup refers.
"""

from accelbench.analysis.cases import baseline_name, parameter_id
from accelbench.analysis.choices import by_implementation
from accelbench.analysis.rows import CASE, columns, describe, speedup_columns

COLUMNS = CASE | columns(
    ("parameters", str),
    ("compute_s", float),
    ("baseline", str),
    ("speedup speedup_ci_low speedup_ci_high speedup_next_low speedup_next_high", float),
    ("verdict", str),
    ("candidates", int),
    ("held_out", bool),
    ("tie", str),
    ("implausible", bool),
    ("case", str),
)


def rows(analysis):
    for best in analysis.bests("compute", by_implementation):
        yield {
            **describe(best.case, COLUMNS),
            "compute_s": best.seconds,
            "baseline": baseline_name(best.case),
            **speedup_columns(best.speedup),
            "candidates": best.candidates,
            "held_out": best.held_out,
            "tie": " ".join(parameter_id(case) for case in best.tie if not case.implausible) or None,
        }
